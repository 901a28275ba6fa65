// SPDX-License-Identifier: Apache-2.0

/// How large the record of one volume can get: of as many bookings as fit into its hours.
///
/// A desk writes one record for each volume, and a record has a limit. A volume whose bookings
/// alone go beyond it can never be full, so its file is refused.
package struct LedgerSize: Hashable, Sendable {
    /// Entries that a record holds, and those of them that are kept for staff and for bookings that
    /// end.
    package static let entries = 32_768
    static let entriesOfStaff = 4096
    /// The same in bytes.
    static let bytes = 12 << 20
    static let bytesOfStaff = 2 << 20
    /// Bytes of an entry that gives somebody a place, of one that takes a signed request to give it
    /// back, and of a mark that it was paid or used.
    private static let grant = 292
    private static let close = 413
    private static let mark = 222

    /// Bookings, at most, if everybody books the shortest period.
    package let bookings: Int

    /// Entries that members can cause.
    package static var limit: Int { entries - entriesOfStaff }

    /// Whether as many bookings can be written.
    package var fits: Bool {
        bookings <= Self.limit && bookings * Self.grant <= Self.bytes - Self.bytesOfStaff
    }

    /// Whether all of them can also be marked and given back.
    package var fitsTwice: Bool {
        bookings * 3 <= Self.limit
            && bookings * (Self.grant + Self.close + Self.mark) <= Self.bytes - Self.bytesOfStaff
    }

    /// The size for one volume of a venue.
    package init(_ venue: Venue) {
        var parts: [String: Part] = [:]
        for place in venue.places {
            guard let periods = place.periods else { continue }
            let unit = place.uses.first
            let capacity =
                unit.flatMap { use in venue.units.first { $0.key == use.unit }?.capacity }
                ?? place.count
            // A place that uses no unit is one by itself.
            parts[unit?.unit ?? "#\(place.id)", default: Part(capacity: capacity)].add(
                taken: (unit?.amount ?? 1) * (periods.shortest + periods.turnover),
                hours: periods.shortest < 1440 ? place.hours ?? venue.hours : nil)
        }
        bookings = parts.values.reduce(0) { sum, part in
            let minutes = part.hours.reduce(0) { $0 + Self.minutes($1, venue) }
            // The last period may have its turnover behind the hours.
            return sum + part.capacity * ((minutes + part.taken - 1) / max(part.taken, 1))
        }
    }

    /// What is booked of one unit.
    private struct Part {
        let capacity: Int
        /// The least that one booking takes, in minutes of one piece.
        private(set) var taken = Int.max / 2
        /// In which hours it can be booked; `nil` for whole days.
        private(set) var hours: [OpeningHours?] = []

        init(capacity: Int) { self.capacity = capacity }

        mutating func add(taken: Int, hours: OpeningHours?) {
            self.taken = min(self.taken, taken)
            if !self.hours.contains(hours) { self.hours.append(hours) }
        }
    }

    /// Minutes of a volume with these hours; `nil` for whole days.
    private static func minutes(_ hours: OpeningHours?, _ venue: Venue) -> Int {
        let days = venue.volume.days
        guard let hours else { return days * 1440 }
        let usual = Weekday.allCases.map { length(hours.on($0)) }
        let rest = usual.sorted(by: >).prefix(days % 7).reduce(0, +)
        let special = venue.open.map { length($0.value.spans) }.sorted(by: >).prefix(days)
        return days / 7 * usual.reduce(0, +) + rest + special.reduce(0, +)
    }

    private static func length(_ spans: [OpeningSpan]) -> Int {
        spans.reduce(0) { $0 + $1.to - $1.from }
    }
}
