// SPDX-License-Identifier: Apache-2.0
/// Messages to frames and back. Every payload is one CBOR item; HELLO is a map, all others arrays.
extension Message {
    /// The whole frame, ready for the stream.
    package func encode() -> [UInt8] {
        var out: [UInt8] = []
        encode(onto: &out)
        return out
    }

    /// Appends the whole frame to `out`.
    package func encode(onto out: inout [UInt8]) {
        // Moved, not copied: the writer is the only owner meanwhile.
        var bytes: [UInt8] = []
        Swift.swap(&bytes, &out)
        if bytes.isEmpty { bytes.reserveCapacity(256) }
        var writer = CBORWriter(frameType: type.rawValue, after: consume bytes)
        write(to: &writer)
        out = (consume writer).frame()
    }

    /// Why a frame is no message.
    package enum Fault: Error, Hashable, Sendable {
        /// Even and unknown.
        case unsupported
        /// The payload is not what the type says.
        case payload(DecodeError)
    }

    /// Reads a frame of a flight, unless other rules are named; `nil` for an odd type that is
    /// unknown: ignored.
    package static func decode(
        _ frame: Frame, rules: MessageRules = .flight
    ) throws(Fault) -> Message? {
        try decode(frame.type, frame.payload.span.bytes, rules)
    }

    /// Reads the payload of a frame of this type, where it lies; `nil` as above.
    package static func decode(
        _ number: UInt8, _ payload: RawSpan, _ rules: MessageRules
    ) throws(Fault) -> Message? {
        guard let type = FrameType(rawValue: number), type.isKnown(under: rules) else {
            if number % 2 == 1 { return nil }
            throw .unsupported
        }
        do throws(DecodeError) {
            var reader = CBORReader(payload)
            let message = try type.read(&reader, rules)
            try reader.finish()
            return message
        } catch {
            throw .payload(error)
        }
    }
}

extension HelloAck {
    func write(to writer: inout CBORWriter) {
        writer.array(2)
        writer.uint(minor)
        writer.uint(matched)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(2)
        self.init(minor: try reader.uint(max: 255), matched: try reader.uint(max: 3))
    }
}

extension CBORWriter {
    /// An array of byte strings.
    mutating func byteStrings(_ list: [[UInt8]]) {
        array(list.count)
        for item in list { bytes(item) }
    }
}

extension CBORReader {
    /// An array of entries as byte strings.
    @_lifetime(self: copy self)
    mutating func byteStrings(_ count: ClosedRange<Int>) throws(DecodeError) -> [[UInt8]] {
        var list: [[UInt8]] = []
        for _ in 0..<(try array(count)) { list.append(try bytes(1...Limits.entry)) }
        return list
    }
}

extension ThreadID {
    /// A byte string of 16 bytes.
    static func read(_ reader: inout CBORReader) throws(DecodeError) -> ThreadID {
        let words = try reader.words16()
        return ThreadID(high: words.high, low: words.low)
    }

    /// The same.
    func write(to writer: inout CBORWriter) { writer.words16(high, low) }
}
