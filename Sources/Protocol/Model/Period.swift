// SPDX-License-Identifier: Apache-2.0
/// A time for which a place is booked: a day, a minute of that day and a length, by the venue's own
/// clocks. It knows no zone (docs/protocol.md section 32).
public struct Period: Hashable, Sendable {
    /// The day on which it begins.
    public let day: VenueDay
    /// The minute of that day at which it begins, 0...1439.
    public let from: Int
    /// How long it is, 1...44640 minutes.
    public let minutes: Int

    /// A period; `nil` for a minute that no day has, or another length.
    public init?(day: VenueDay, from: Int, minutes: Int) {
        guard 0..<Limits.minutesOfDay ~= from, Limits.periodMinutes.contains(minutes) else {
            return nil
        }
        self.day = day
        self.from = from
        self.minutes = minutes
    }

    /// When it begins: minutes since 2000-01-01 by the venue's clocks, below 2^27.
    public var start: Int { day.number * Limits.minutesOfDay + from }

    /// The first minute after it, counted in the same way.
    public var end: Int { start + minutes }

    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.uint(day.number)
        writer.uint(from)
        writer.uint(minutes)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(3)
        day = try VenueDay(&reader)
        from = try reader.uint(max: Limits.minutesOfDay - 1)
        minutes = try reader.uint(in: Limits.periodMinutes)
    }
}

extension VenueDay {
    init(_ reader: inout CBORReader) throws(DecodeError) {
        let start = reader.offset
        let number = try reader.uint(in: Limits.venueDays)
        guard let day = VenueDay(number: number) else { throw DecodeError(.badValue, at: start) }
        self = day
    }
}
