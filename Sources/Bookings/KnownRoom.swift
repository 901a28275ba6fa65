// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// How much of a venue's places is left, by the bookings of some days as an agent tells them: the
/// same sum that the book makes of its ledgers (docs/protocol.md section 32).
package struct KnownRoom: Sendable {
    private let rules: BookRules
    /// Of each unit, what is taken when, in no order.
    private var taken: [Int: [(span: Range<Int>, amount: Int)]] = [:]

    /// What these live bookings leave.
    package init(_ rules: BookRules, _ live: [(place: Int, period: Period, count: Int)]) {
        self.rules = rules
        for booking in live {
            guard let place = rules.place(booking.place) else { continue }
            let span = booking.period.start..<booking.period.end + place.turnover
            for use in place.uses {
                taken[use.unit, default: []].append((span, use.amount * booking.count))
            }
        }
    }

    /// How many there are of a place when nothing is booked; 0 for a place that is not there.
    package func count(_ number: Int) -> Int {
        guard let place = rules.place(number) else { return 0 }
        return place.uses.map { rules.capacity(of: $0.unit) / max($0.amount, 1) }.min() ?? 0
    }

    /// How many of a place could be granted for a period, as far as it lies in these rules' days; 0
    /// for one that is not there. O(n).
    package func free(_ number: Int, _ period: Period) -> Int {
        guard let place = rules.place(number), rules.minutes.contains(period.start) else {
            return 0
        }
        let end = min(period.end, rules.minutes.upperBound)
        let span = period.start..<end + place.turnover
        return place.uses.map { use in
            max(0, rules.capacity(of: use.unit) - peak(use.unit, span)) / max(use.amount, 1)
        }.min() ?? 0
    }

    /// The most that is taken of a unit at a minute of a span: it is reached where something
    /// begins.
    private func peak(_ unit: Int, _ span: Range<Int>) -> Int {
        let near = (taken[unit] ?? []).filter { $0.span.overlaps(span) }
        let starts = [span.lowerBound] + near.map(\.span.lowerBound).filter(span.contains)
        return starts.map { minute in
            near.reduce(0) { $0 + ($1.span.contains(minute) ? $1.amount : 0) }
        }.max() ?? 0
    }
}
