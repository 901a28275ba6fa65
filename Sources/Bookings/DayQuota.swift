// SPDX-License-Identifier: Apache-2.0
import CivilTime

/// What somebody has left of one quota of their class, on one day.
package struct DayQuota: Hashable, Sendable {
    /// How much of a limit is used.
    package struct Part: Hashable, Sendable {
        /// What counts already.
        package let used: Int
        /// The limit, at least 1.
        package let limit: Int

        /// So much of a limit is used.
        package init(used: Int, limit: Int) {
            self.used = used
            self.limit = limit
        }

        /// What is left; none where the desk set the quota aside.
        package var left: Int { max(limit - used, 0) }
    }

    /// The name of the group that it is of; `nil` for all places.
    package let group: String?
    /// Minutes a day; `nil` for any number.
    package let minutes: Part?
    /// Bookings a day; `nil` for any number.
    package let bookings: Part?

    /// A quota of which these parts are used.
    package init(group: String? = nil, minutes: Part? = nil, bookings: Part? = nil) {
        self.group = group
        self.minutes = minutes
        self.bookings = bookings
    }

    /// The same after a booking of `count` for so many minutes each.
    package func after(minutes more: Int, count: Int = 1) -> DayQuota {
        DayQuota(
            group: group,
            minutes: minutes.map { Part(used: $0.used + more * count, limit: $0.limit) },
            bookings: bookings.map { Part(used: $0.used + count, limit: $0.limit) })
    }

    /// Whether it holds such a booking.
    package func holds(minutes more: Int, count: Int = 1) -> Bool {
        let then = after(minutes: more, count: count)
        return [then.minutes, then.bookings].allSatisfy { $0.map { $0.used <= $0.limit } ?? true }
    }

    /// `2 h of 4 h left`, `no booking left`, `1 of 3 bookings of Tennis left`.
    package var words: String { words(of: minutes, bookings) }

    private func words(of minutes: Part?, _ bookings: Part?) -> String {
        var parts: [String] = []
        if let minutes {
            parts.append("\(Self.span(minutes.left)) of \(Self.span(minutes.limit))")
        }
        if let bookings {
            parts.append(
                bookings.left == 0
                    ? "no booking"
                    : "\(bookings.left) of \(bookings.limit) "
                        + (bookings.limit == 1 ? "booking" : "bookings"))
        }
        return parts.joined(separator: ", ") + (group.map { " of \($0)" } ?? "") + " left"
    }

    /// What matters most of it, for the head of a page: `2 h of 4 h left`, `no booking left`.
    package var short: String {
        guard let minutes, bookings?.left != 0 else { return words(of: nil, bookings) }
        return words(of: minutes, nil)
    }

    /// `1 h 30 min`.
    static func span(_ minutes: Int) -> String {
        minutes == 0 ? "0 h" : SpanText.words(Int64(minutes) * 60)
    }
}
