// SPDX-License-Identifier: Apache-2.0
/// That somebody is, or was, at a place of a venue (docs/protocol.md section 31). Times are as they
/// state them; nobody else can know better, and nobody's right depends on them.
public struct Stay: Hashable, Sendable {
    /// The number of the place in the venue's file, 1...4095.
    public let place: Int
    /// The booking that they came for.
    public let booking: Token?
    /// When they came, by their own clock.
    public let since: UTCTime
    /// When they left; `nil` as long as they are there.
    public let until: UTCTime?
    /// Those who know it may find them by it; 16 bytes. Whoever saw it can write it too, so it
    /// proves nothing.
    public let tag: ThreadID?

    /// A stay; `nil` for what cannot be written: another place, a time before 1970, or an end
    /// before the begin.
    public init?(
        place: Int, booking: Token? = nil, since: UTCTime, until: UTCTime? = nil,
        tag: ThreadID? = nil
    ) {
        guard Limits.venuePlaces.contains(place), since.seconds >= 0, until ?? since >= since
        else { return nil }
        self.place = place
        self.booking = booking
        self.since = since
        self.until = until
        self.tag = tag
    }

    func write(to writer: inout CBORWriter) {
        writer.array(5)
        writer.uint(place)
        if let booking { writer.value(booking) } else { writer.null() }
        writer.uint(Int(since.seconds))
        if let until { writer.uint(Int(until.seconds)) } else { writer.null() }
        if let tag { writer.words16(tag.high, tag.low) } else { writer.null() }
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(5)
        place = try reader.uint(in: Limits.venuePlaces)
        booking = try reader.takeNull() ? nil : try reader.value(Token.self)
        let start = reader.offset
        since = UTCTime(seconds: Int64(try reader.uint()))
        until = try reader.takeNull() ? nil : UTCTime(seconds: Int64(try reader.uint()))
        guard until ?? since >= since else { throw DecodeError(.badValue, at: start) }
        if try reader.takeNull() {
            tag = nil
        } else {
            let words = try reader.words16()
            tag = ThreadID(high: words.high, low: words.low)
        }
    }
}
