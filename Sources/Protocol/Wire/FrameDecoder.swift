/// One frame: a type and a payload (protocol.md 4.1).
package struct Frame: Hashable, Sendable {
    /// The number of the type; see ``FrameType``.
    package var type: UInt8
    /// Deterministic CBOR.
    package var payload: [UInt8]

    /// A frame.
    package init(type: UInt8, payload: [UInt8]) {
        self.type = type
        self.payload = payload
    }

    /// u32 big-endian length of the rest, the type, the payload.
    package var bytes: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(payload.count + 5)
        append(to: &out)
        return out
    }

    /// Appends ``bytes`` to `out`.
    package func append(to out: inout [UInt8]) {
        let length = UInt32(truncatingIfNeeded: payload.count + 1)
        for shift in stride(from: 24, through: 0, by: -8) {
            out.append(UInt8(truncatingIfNeeded: length >> UInt32(shift)))
        }
        out.append(type)
        out += payload
    }
}

/// Bytes to frames. Grows with the bytes received, never with the length announced.
package struct FrameDecoder: Hashable, Sendable {
    private var buffer: [UInt8] = []
    private var start = 0
    /// Largest length accepted, in bytes of type and payload.
    package var limit: Int

    /// A decoder that refuses frames longer than `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    /// Bytes received and not drawn as frames yet.
    package var waiting: Int { buffer.count - start }

    /// Adds received bytes.
    package mutating func append(_ bytes: [UInt8]) {
        if start == buffer.count {
            // Nothing waits: the bytes are taken as they are, and not copied.
            buffer = bytes
            start = 0
            return
        }
        // Drawn bytes are dropped once they are the larger half: linear in all.
        if start > buffer.count / 2 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// A whole frame that was drawn and lies in the decoder until bytes are added.
    package struct Drawn: Hashable, Sendable {
        /// The number of the type; see ``FrameType``.
        package let type: UInt8
        fileprivate let payload: Range<Int>
    }

    /// The next whole frame, `nil` while it is not complete. Throws `tooSmall` for length 0 and
    /// `tooLarge` over the limit, as soon as the four bytes of length are there.
    package mutating func draw() throws(DecodeError) -> Drawn? {
        if start == buffer.count {
            // A link that goes quiet keeps no room.
            buffer = []
            start = 0
        }
        guard waiting >= 4 else { return nil }
        var length = 0
        for index in 0..<4 { length = length << 8 | Int(buffer[start + index]) }
        guard length >= 1 else { throw DecodeError(.tooSmall) }
        guard length <= limit else { throw DecodeError(.tooLarge) }
        guard waiting >= 4 + length else { return nil }
        let drawn = Drawn(type: buffer[start + 4], payload: start + 5..<start + 4 + length)
        start += 4 + length
        return drawn
    }

    /// Reads a frame that was drawn last, where it lies; as ``Message/decode(_:)``.
    package func message(_ drawn: Drawn) throws(Message.Fault) -> Message? {
        guard drawn.payload.upperBound <= buffer.count else {
            throw .payload(DecodeError(.truncated))
        }
        return try Message.decode(drawn.type, buffer.span.bytes.extracting(drawn.payload))
    }

    /// The next whole frame with a copy of its payload; as ``draw()``.
    package mutating func next() throws(DecodeError) -> Frame? {
        guard let drawn = try draw() else { return nil }
        return Frame(type: drawn.type, payload: Array(buffer[drawn.payload]))
    }
}
