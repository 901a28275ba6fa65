// SPDX-License-Identifier: Apache-2.0
/// The days that one gathering of a venue covers: a day, a week, a month, a quarter or a year
/// (docs/protocol.md section 31). Every day is in exactly one volume of each kind.
public struct Volume: Hashable, Sendable {
    /// How long a volume is; the words are those of a venue's file.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// `2026-12-05`.
        case day
        /// `2026-W49`: Monday to Sunday, by the number of ISO 8601.
        case week
        /// `2026-12`.
        case month
        /// `2026-Q4`.
        case quarter
        /// `2026`.
        case year
    }

    /// How long it is.
    public let kind: Kind
    /// Its first day.
    public let first: VenueDay
    /// Its last day.
    public let last: VenueDay
    /// What stands for it in names: the one form of each.
    public let text: String

    /// Its minutes by the venue's clocks, since 2000-01-01.
    public var minutes: Range<Int> { Self.minutes(first, last) }

    /// The minutes from the begin of a day to the end of another, since 2000-01-01.
    static func minutes(_ first: VenueDay, _ last: VenueDay) -> Range<Int> {
        let begin = first.number * Limits.minutesOfDay
        return begin..<max((last.number + 1) * Limits.minutesOfDay, begin)
    }

    /// The volume of that kind in which a day lies; `nil` where part of it has no number.
    public init?(_ kind: Kind, of day: VenueDay) {
        let (year, month, number) = day.date
        var bounds: (first: VenueDay?, last: VenueDay?)
        switch kind {
        case .day:
            bounds = (day, day)
            text = "\(year)-\(Self.two(month))-\(Self.two(number))"
        case .week:
            let monday = day.number - day.weekday
            bounds = (VenueDay(number: monday), VenueDay(number: monday + 6))
            // A week belongs to the year of its Thursday.
            guard let thursday = VenueDay(number: monday + 3) else { return nil }
            let year = thursday.date.year
            let week = (thursday.number - VenueDay.first(of: year)) / 7 + 1
            text = "\(year)-W\(Self.two(week))"
        case .month:
            bounds = Self.months(month...month, of: year)
            text = "\(year)-\(Self.two(month))"
        case .quarter:
            let quarter = (month - 1) / 3
            bounds = Self.months(3 * quarter + 1...3 * quarter + 3, of: year)
            text = "\(year)-Q\(quarter + 1)"
        case .year:
            bounds = Self.months(1...12, of: year)
            text = "\(year)"
        }
        guard let first = bounds.first, let last = bounds.last else { return nil }
        self.kind = kind
        self.first = first
        self.last = last
    }

    /// Reads `2026-12-05`, `2026-W49`, `2026-12`, `2026-Q4` or `2026`; nothing else.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard 48...57 ~= byte else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            return value
        }
        guard bytes.count >= 4, let year = number(0..<4) else { return nil }
        let mark = bytes.count > 5 ? bytes[5] : 0
        var found: Volume?
        switch (bytes.count, mark) {
        case (4, _): found = Self.holding(.year, year, 1, 1)
        case (7, UInt8(ascii: "Q")):
            found = number(6..<7).flatMap { Self.holding(.quarter, year, 3 * $0, 1) }
        case (7, _): found = number(5..<7).flatMap { Self.holding(.month, year, $0, 1) }
        case (8, UInt8(ascii: "W")):
            found = number(6..<8).flatMap { Self.week($0, of: year) }
        case (10, _):
            guard let month = number(5..<7), let day = number(8..<10) else { return nil }
            found = Self.holding(.day, year, month, day)
        default: return nil
        }
        // One form: what is written otherwise, or is a week that its year does not have, is none.
        guard let found, found.text == text else { return nil }
        self = found
    }

    /// The volume that follows; `nil` at the end of numbered days.
    public var next: Volume? { last.adding(1).flatMap { Volume(kind, of: $0) } }

    /// Whether the day is one of its days.
    public func contains(_ day: VenueDay) -> Bool { first <= day && day <= last }

    private static func holding(_ kind: Kind, _ year: Int, _ month: Int, _ day: Int) -> Volume? {
        VenueDay(year: year, month: month, day: day).flatMap { Volume(kind, of: $0) }
    }

    /// The week of that number: 4 January is always in the first.
    private static func week(_ week: Int, of year: Int) -> Volume? {
        guard let first = VenueDay(year: year, month: 1, day: 4) else { return nil }
        return first.adding(7 * (week - 1)).flatMap { Volume(.week, of: $0) }
    }

    private static func months(
        _ months: ClosedRange<Int>, of year: Int
    ) -> (first: VenueDay?, last: VenueDay?) {
        let isLast = months.upperBound == 12
        let next = VenueDay(
            year: isLast ? year + 1 : year, month: isLast ? 1 : months.upperBound + 1, day: 1)
        return (
            VenueDay(year: year, month: months.lowerBound, day: 1), next?.adding(-1)
        )
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
