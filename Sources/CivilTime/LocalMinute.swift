// SPDX-License-Identifier: Apache-2.0
/// A day and a time of that day as an airport's clock shows them: no zone, no offset.
package struct LocalMinute: Hashable, Comparable, Sendable {
    /// The day.
    package let date: FlightDate
    /// Minutes since midnight by the clock, 0...1439.
    package let minute: Int

    /// Minutes in a day of the clock.
    package static let perDay = 1440

    /// This minute of this day; `nil` for a minute that no clock shows.
    package init?(date: FlightDate, minute: Int) {
        guard 0..<Self.perDay ~= minute else { return nil }
        self.date = date
        self.minute = minute
    }

    /// Reads `2026-03-05T06:30`, also with a blank for the T. `nil` for anything else, seconds and
    /// zones included.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, [UInt8(ascii: "T"), UInt8(ascii: "t"), 32].contains(bytes[10]),
            let date = FlightDate(String(decoding: bytes[..<10], as: UTF8.self)),
            let minute = Self.minute(of: String(decoding: bytes[11...], as: UTF8.self))
        else { return nil }
        self.init(date: date, minute: minute)
    }

    /// Minutes since midnight in `06:30` or `6:30`; `nil` for anything else.
    package static func minute(of clock: some StringProtocol) -> Int? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, 1...2 ~= parts[0].utf8.count, parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// `06:30`.
    package var clock: String {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }

    /// `2026-03-05T06:30`.
    package var text: String { "\(date.text)T\(clock)" }

    package static func < (left: LocalMinute, right: LocalMinute) -> Bool {
        left.date != right.date ? left.date < right.date : left.minute < right.minute
    }
}
