// SPDX-License-Identifier: Apache-2.0
/// What must be true of every book, and of a book and that of a longer ledger (docs/protocol.md
/// section 32).
///
/// Kept in release, as those of the fold are. A violation is an error of ours, never of a desk.
package enum BookInvariants {
    /// The rules checked.
    package enum Rule: String, Hashable, Sendable {
        /// B1: no unit is over its capacity.
        case capacity = "B1 capacity"
        /// B2: no member is over a quota, but by grants that set it aside.
        case quota = "B2 quota"
        /// B4: what a beginning of one ledger decided stays so.
        case prefix = "B4 prefix"
    }

    /// A violated rule, and the booking that violates it.
    package struct Violation: Hashable, Sendable {
        /// Which rule.
        package let rule: Rule
        /// Which booking, or which void grant.
        package let token: Token
    }

    /// B1 and B2: each live booking fits beside those that were minted before it and are live,
    /// under the rules in force when it was minted. So no minute of a unit is over the capacity of
    /// the rules under which anything there was minted last. O(n^2).
    package static func violations(of book: Book) -> [Violation] {
        var live = PlainSums()
        var counted = PlainSums()
        var found: [Violation] = []
        for mint in book.mints {
            let load = book.load(of: mint)
            if mint.end == nil {
                live.hold(load)
                for use in load.uses {
                    let most = book.rules[mint.rules].capacity(of: use.unit)
                    if live.peak(of: use.unit, in: load.span) > most {
                        found.append(Violation(rule: .capacity, token: mint.token))
                    }
                }
            }
            guard mint.end?.spent ?? true else { continue }
            counted.hold(load)
            guard mint.grant.flags.isEmpty else { continue }
            for quota in book.quotas(for: mint)
            where quota.group == nil || quota.group == load.group {
                let total = counted.total(of: load.account, group: quota.group)
                if quota.minutes > 0 && total.minutes > quota.minutes
                    || quota.bookings > 0 && total.bookings > quota.bookings
                {
                    found.append(Violation(rule: .quota, token: mint.token))
                }
            }
        }
        return found
    }

    /// B4 between a book and that of the same ledger with more entries: all that was minted or void
    /// is so still, and what had ended is as it was.
    package static func violations(from old: Book, to new: Book) -> [Violation] {
        var found: [Violation] = []
        for (index, before) in old.mints.enumerated() {
            var after = index < new.mints.count ? new.mints[index] : nil
            if before.end == nil { after?.end = nil }
            if after != before { found.append(Violation(rule: .prefix, token: before.token)) }
        }
        for (index, before) in old.voids.enumerated() {
            guard index < new.voids.count, new.voids[index] == before else {
                found.append(Violation(rule: .prefix, token: before.id.token))
                continue
            }
        }
        return found
    }
}
