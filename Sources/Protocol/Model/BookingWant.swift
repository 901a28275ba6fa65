// SPDX-License-Identifier: Apache-2.0
/// A booking that somebody would take for one of their own: in a place, in one of a group of
/// places, or in any, and within a time (docs/protocol.md section 32).
public struct BookingWant: Hashable, Comparable, Sendable {
    /// The place, 1...4095; `nil` for any.
    public let place: Int?
    /// The group of places, 0...63; `nil` for any, and where a place is named.
    public let group: Int?
    /// The booking begins and ends in it, by the venue's own clocks.
    public let window: Period

    /// A want; `nil` for a place or a group that no venue has, and for both at once.
    public init?(place: Int? = nil, group: Int? = nil, window: Period) {
        guard place.map(Limits.venuePlaces.contains) ?? true,
            (0...Limits.placeGroup).contains(group ?? 0), place == nil || group == nil
        else { return nil }
        self.place = place
        self.group = group
        self.window = window
    }

    /// Whether a booking of a place of that group, for that period, is one of these.
    package func holds(place: Int, group: Int?, _ period: Period) -> Bool {
        (self.place == nil || self.place == place) && (self.group == nil || self.group == group)
            && window.start <= period.start && period.end <= window.end
    }

    /// Orders by place, then group, then when the window begins, then how long it is; what is not
    /// named comes first.
    public static func < (left: BookingWant, right: BookingWant) -> Bool {
        left.order.lexicographicallyPrecedes(right.order)
    }

    private var order: [Int] {
        [place ?? 0, group ?? -1, window.day.number, window.from, window.minutes]
    }

    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.uint(place ?? 0)
        if let group { writer.uint(group) } else { writer.null() }
        window.write(to: &writer)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(3)
        let start = reader.offset
        let place = try reader.uint(max: Limits.venuePlaces.upperBound)
        let group: Int? = try reader.takeNull() ? nil : try reader.uint(max: Limits.placeGroup)
        guard place == 0 || group == nil else { throw DecodeError(.badValue, at: start) }
        self.place = place == 0 ? nil : place
        self.group = group
        window = try Period(&reader)
    }
}

extension EntryCodec {
    static func write(_ wants: [BookingWant], to writer: inout CBORWriter) {
        writer.array(wants.count)
        for want in wants { want.write(to: &writer) }
    }

    /// Wants of one rank: sorted, none twice.
    static func wants(_ reader: inout CBORReader) throws(DecodeError) -> [BookingWant] {
        var wants: [BookingWant] = []
        for _ in 0..<(try reader.array(1...Limits.seatBlocks)) {
            wants.append(try BookingWant(&reader))
        }
        guard zip(wants, wants.dropFirst()).allSatisfy(<) else {
            throw DecodeError(.notSorted, at: reader.offset)
        }
        return wants
    }
}
