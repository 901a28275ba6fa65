// SPDX-License-Identifier: Apache-2.0
/// One frame: a type and a payload (docs/protocol.md section 5).
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
        withUnsafeBytes(of: length.bigEndian) { out.append(contentsOf: $0) }
        out.append(type)
        // As bytes: an array would be kept and let go for it.
        payload.withUnsafeBytes { out.append(contentsOf: $0) }
    }
}

/// Bytes to frames. Grows with the bytes received, never with the length announced.
package struct FrameDecoder: Hashable, Sendable {
    /// What was received last.
    private var buffer: [UInt8] = []
    private var start = 0
    /// A frame whose bytes come apart: what there is of it, which lies before all of ``buffer``.
    private var split: [UInt8] = []
    /// That frame is whole and was drawn.
    private var isSplitDrawn = false
    /// Largest length accepted, in bytes of type and payload.
    package var limit: Int

    /// A decoder that refuses frames longer than `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    /// Bytes received and not drawn as frames yet.
    package var waiting: Int { buffer.count - start + (isSplitDrawn ? 0 : split.count) }

    /// Adds received bytes. They are not copied where all whole frames before them were drawn: only
    /// the frame that they go on with is put together.
    package mutating func append(_ bytes: [UInt8]) {
        if start == buffer.count {
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

    /// A whole frame that was drawn and lies in the decoder until bytes are
    /// added or the next is drawn.
    package struct Drawn: Hashable, Sendable {
        /// The number of the type; see ``FrameType``.
        package let type: UInt8
        fileprivate let payload: Range<Int>
        fileprivate let isSplit: Bool
        /// Bytes of its payload.
        package var count: Int { payload.count }
    }

    /// The next whole frame, `nil` while it is not complete. Throws `tooSmall` for length 0 and
    /// `tooLarge` over the limit, as soon as the four bytes of length are there.
    package mutating func draw() throws(DecodeError) -> Drawn? {
        if !split.isEmpty {
            guard isSplitDrawn else { return try drawSplit() }
            split = []
            isSplitDrawn = false
        }
        let left = buffer.count - start
        guard left >= 4 else { return keepRest() }
        let length = try length(buffer.span.bytes, at: start)
        guard left >= 4 + length else { return keepRest() }
        let begin = start + 4
        start = begin + length
        return Drawn(type: buffer[begin], payload: begin + 1..<start, isSplit: false)
    }

    /// The frame that came apart, once its rest is there.
    private mutating func drawSplit() throws(DecodeError) -> Drawn? {
        fill(to: 4)
        guard split.count >= 4 else { return nil }
        let count = 4 + (try length(split.span.bytes, at: 0))
        fill(to: count)
        guard split.count == count else { return nil }
        isSplitDrawn = true
        return Drawn(type: split[4], payload: 5..<count, isSplit: true)
    }

    /// Brings `split` to `count` bytes, as far as there are any.
    private mutating func fill(to count: Int) {
        let more = min(count - split.count, buffer.count - start)
        guard more > 0 else { return }
        split += buffer[start..<start + more]
        start += more
        if start == buffer.count { empty() }
    }

    /// No whole frame is left: room for the beginning of one is kept, and that of all bytes
    /// received given back before as many more come.
    private mutating func keepRest() -> Drawn? {
        if start < buffer.count { split = buffer.span.bytes.copy(start..<buffer.count) }
        empty()
        return nil
    }

    /// A link that goes quiet keeps no room.
    private mutating func empty() {
        buffer = []
        start = 0
    }

    /// The four bytes of length there.
    private func length(_ bytes: RawSpan, at place: Int) throws(DecodeError) -> Int {
        let length = Int(
            UInt32(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self)))
        guard length >= 1 else { throw DecodeError(.tooSmall) }
        guard length <= limit else { throw DecodeError(.tooLarge) }
        return length
    }

    /// Reads a frame that was drawn last, where it lies; as ``Message/decode(_:rules:)``.
    package func message(
        _ drawn: Drawn, rules: MessageRules = .flight
    ) throws(Message.Fault) -> Message? {
        guard drawn.payload.upperBound <= (drawn.isSplit ? split : buffer).count else {
            throw .payload(DecodeError(.truncated))
        }
        return drawn.isSplit
            ? try Message.decode(drawn.type, split.span.bytes.extracting(drawn.payload), rules)
            : try Message.decode(drawn.type, buffer.span.bytes.extracting(drawn.payload), rules)
    }

    /// The next whole frame with a copy of its payload; as ``draw()``.
    package mutating func next() throws(DecodeError) -> Frame? {
        guard let drawn = try draw() else { return nil }
        let payload =
            drawn.isSplit
            ? split.span.bytes.copy(drawn.payload) : buffer.span.bytes.copy(drawn.payload)
        return Frame(type: drawn.type, payload: payload)
    }
}
