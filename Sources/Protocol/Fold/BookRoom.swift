// SPDX-License-Identifier: Apache-2.0
/// What could still be booked, by the book as it is (docs/protocol.md section 32). Hours, prices
/// and clocks are not looked at: the desk keeps those.
package struct BookRoom: Sendable {
    private let running: RunningBook

    /// By a book that was followed.
    package init(_ running: RunningBook) { self.running = running }

    private var rules: BookRules? { running.book.rules.last }

    /// How many of a place could be granted at once for a period; 0 for a place that is not there
    /// or a period outside of the volume. O(log n).
    package func free(_ place: Int, for period: Period) -> Int {
        guard let rules, let found = rules.place(place), rules.contains(period) else { return 0 }
        let span = period.start..<period.end + found.turnover
        let counts = found.uses.map { use in
            max(0, rules.capacity(of: use.unit) - running.sums.peak(of: use.unit, in: span))
                / use.amount
        }
        return min(counts.min() ?? 0, Limits.bookingCount.upperBound)
    }

    /// What is left of a quota.
    package struct Left: Hashable, Sendable {
        /// Of which group; `nil` for all places.
        package let group: Int?
        /// Minutes that may still be booked; `nil` for any number.
        package let minutes: Int?
        /// Bookings that may still be made; `nil` for any number.
        package let bookings: Int?
    }

    /// What somebody's quotas leave of a day for a place. O(1).
    package func left(of key: PeerKey, at place: Int, on day: VenueDay) -> [Left] {
        guard let rules, let group = rules.place(place)?.group else { return [] }
        let number = running.book.member(of: key)
        let account = BookAccount(who: number > 0 ? .member(number) : .key(key), day: day)
        let quotas = rules.quotas(of: running.book.memberClass(number) ?? Int.max)
        return quotas.filter { $0.group == nil || $0.group == group }.map { quota in
            let total = running.sums.total(of: account, group: quota.group)
            return Left(
                group: quota.group,
                minutes: quota.minutes > 0 ? max(0, quota.minutes - total.minutes) : nil,
                bookings: quota.bookings > 0 ? max(0, quota.bookings - total.bookings) : nil)
        }
    }
}
