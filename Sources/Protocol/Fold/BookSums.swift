// SPDX-License-Identifier: Apache-2.0
/// Whose quota of which day.
struct BookAccount: Hashable, Sendable {
    /// A member by number, or a key without one.
    enum Who: Hashable, Sendable {
        case member(Int)
        case key(PeerKey)
    }

    let who: Who
    let day: VenueDay
}

/// What one booking takes.
struct BookLoad: Hashable, Sendable {
    let token: Token
    /// Of each unit its amount, for all that was booked.
    let uses: [BookRules.Use]
    /// The minutes for which the units are taken, turnover included.
    let span: Range<Int>
    /// Whose quota it counts in.
    let account: BookAccount
    let group: Int
    let minutes: Int
    let bookings: Int
}

/// What bookings come to: how much of a unit is taken when, and what a member has of a day.
protocol BookSums {
    /// A booking is made: it takes its units, and counts in its quota.
    mutating func hold(_ load: BookLoad)
    /// A booking that was held ends. One that is `spent` still counts in its quota.
    mutating func free(_ load: BookLoad, spent: Bool)
    /// The most that is taken of a unit at one minute of `span`.
    func peak(of unit: Int, in span: Range<Int>) -> Int
    /// What counts in an account: of one group, or of all.
    func total(of account: BookAccount, group: Int?) -> BookTotal
}

/// Minutes and bookings of an account.
struct BookTotal: Hashable, Sendable {
    var minutes = 0
    var bookings = 0
}

/// The plain way: it looks at everything each time. What the book means is said here.
struct PlainSums: BookSums {
    private var taken: [BookLoad] = []
    private var counted: [BookLoad] = []

    mutating func hold(_ load: BookLoad) {
        taken.append(load)
        counted.append(load)
    }

    mutating func free(_ load: BookLoad, spent: Bool) {
        taken.removeAll { $0.token == load.token }
        if !spent { counted.removeAll { $0.token == load.token } }
    }

    func peak(of unit: Int, in span: Range<Int>) -> Int {
        let beside = taken.compactMap { other -> (span: Range<Int>, amount: Int)? in
            guard other.span.overlaps(span), let use = other.uses.first(where: { $0.unit == unit })
            else { return nil }
            return (other.span, use.amount)
        }
        // More is taken only from a minute on at which a booking begins.
        let minutes = [span.lowerBound] + beside.map(\.span.lowerBound).filter(span.contains)
        let sums = minutes.map { minute in
            beside.filter { $0.span.contains(minute) }.reduce(0) { $0 + $1.amount }
        }
        return sums.max() ?? 0
    }

    func total(of account: BookAccount, group: Int?) -> BookTotal {
        counted.filter { $0.account == account && (group == nil || $0.group == group) }
            .reduce(into: BookTotal()) { total, load in
                total.minutes += load.minutes
                total.bookings += load.bookings
            }
    }
}

/// The quick way: each booking is added and taken away in O(log n).
struct KeptSums: BookSums {
    /// A group of an account; `nil` for all groups.
    private struct Part: Hashable {
        let account: BookAccount
        let group: Int?
    }

    private var units: [Int: UnitLoad] = [:]
    private var totals: [Part: BookTotal] = [:]

    mutating func hold(_ load: BookLoad) {
        take(load, 1)
        count(load, 1)
    }

    mutating func free(_ load: BookLoad, spent: Bool) {
        take(load, -1)
        if !spent { count(load, -1) }
    }

    func peak(of unit: Int, in span: Range<Int>) -> Int { units[unit]?.peak(in: span) ?? 0 }

    func total(of account: BookAccount, group: Int?) -> BookTotal {
        totals[Part(account: account, group: group)] ?? BookTotal()
    }

    private mutating func take(_ load: BookLoad, _ sign: Int) {
        for use in load.uses {
            units[use.unit, default: UnitLoad()].add(sign * use.amount, in: load.span)
        }
    }

    private mutating func count(_ load: BookLoad, _ sign: Int) {
        for group in [load.group, nil] {
            let part = Part(account: load.account, group: group)
            totals[part, default: BookTotal()].minutes += sign * load.minutes
            totals[part, default: BookTotal()].bookings += sign * load.bookings
        }
    }
}
