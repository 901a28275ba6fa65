// SPDX-License-Identifier: Apache-2.0
/// Reads deterministic CBOR strictly: refuses, never repairs (RFC 8949 section 4.2.1;
/// docs/protocol.md section 5).
///
/// Definite lengths, shortest form, sorted unique map keys, no floats, no tags, no bignums, valid
/// UTF-8. It borrows the bytes, copies only what a caller takes, and is driven by the caller's
/// schema: depth and counts are bounded by the code that calls it, so it never recurses on data.
package struct CBORReader: ~Escapable, ~Copyable {
    private let span: RawSpan
    /// Offset in bytes of the next item.
    package private(set) var offset = 0
    private var itemsLeft: Int

    /// Reads `span`, at most `items` items.
    @_lifetime(copy span)
    package init(_ span: RawSpan, items: Int = Limits.cborItems) {
        self.span = span
        self.itemsLeft = items
    }

    /// Whether all bytes were read.
    package var isAtEnd: Bool { offset == span.byteCount }

    /// Refuses bytes after the end. Throws `leftover`.
    package func finish() throws(DecodeError) {
        guard isAtEnd else { throw DecodeError(.leftover, at: offset) }
    }

    /// A number of 0...`max`. Throws `tooLarge` above it.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func uint(max: Int = Int.max) throws(DecodeError) -> Int {
        let start = offset
        let value = try head(major: 0)
        guard value <= UInt64(max) else { throw DecodeError(.tooLarge, at: start) }
        return Int(value)
    }

    /// A number within `range`.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func uint(in range: ClosedRange<Int>) throws(DecodeError) -> Int {
        let start = offset
        let value = try uint(max: range.upperBound)
        guard value >= range.lowerBound else { throw DecodeError(.tooSmall, at: start) }
        return value
    }

    /// A 64-bit number as `UInt64`, within `Int64` as all numbers here.
    @_lifetime(self: copy self)
    package mutating func word() throws(DecodeError) -> UInt64 { UInt64(try uint()) }

    /// A byte string as the range of its bytes in the span. Throws `tooLarge`, `tooSmall`.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func byteRange(
        _ count: ClosedRange<Int>
    ) throws(DecodeError) -> Range<Int> {
        let length = try length(major: 2, count)
        let start = offset
        offset += length
        return start..<offset
    }

    /// A byte string of exactly `count` bytes, as their range.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func byteRange(exactly count: Int) throws(DecodeError) -> Range<Int> {
        // With this length a head has two bytes, and only these two are right.
        guard 24...255 ~= count, itemsLeft > 0, offset <= span.byteCount - 2 - count,
            load(UInt16.self, 0) == 0x5800 | UInt16(truncatingIfNeeded: count)
        else { return try byteRange(count...count) }
        itemsLeft -= 1
        let start = offset + 2
        offset = start + count
        return start..<offset
    }

    /// A byte string, copied.
    @_lifetime(self: copy self)
    package mutating func bytes(_ count: ClosedRange<Int>) throws(DecodeError) -> [UInt8] {
        copy(try byteRange(count))
    }

    /// A byte string of exactly 32 bytes.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func bytes32() throws(DecodeError) -> Bytes32 {
        let start = try byteRange(exactly: Bytes32.count).lowerBound
        guard let value = Bytes32(span, at: start) else {
            throw DecodeError(.truncated, at: start)
        }
        return value
    }

    /// A byte string of exactly `count` bytes, at most 8, as one big-endian number.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func number(ofBytes count: Int) throws(DecodeError) -> UInt64 {
        var value: UInt64 = 0
        for place in try byteRange(exactly: count) {
            value = value << 8 | UInt64(span.unsafeLoad(fromByteOffset: place, as: UInt8.self))
        }
        return value
    }

    /// A byte string of exactly 16 bytes, as two big-endian words.
    @_lifetime(self: copy self)
    package mutating func words16() throws(DecodeError) -> (high: UInt64, low: UInt64) {
        let start = try byteRange(16...16).lowerBound
        return (
            UInt64(bigEndian: span.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)),
            UInt64(bigEndian: span.unsafeLoadUnaligned(fromByteOffset: start + 8, as: UInt64.self))
        )
    }

    /// A byte string of exactly 32 bytes with one meaning.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func value<T: Bytes32Backed>(_: T.Type) throws(DecodeError) -> T {
        T(try bytes32())
    }

    /// A text of at most `max` bytes of UTF-8. Throws `badText`.
    @_lifetime(self: copy self)
    package mutating func text(max: Int) throws(DecodeError) -> String {
        let length = try length(major: 3, 0...max)
        let start = offset
        offset += length
        do throws(UTF8.ValidationError) {
            let part = Span<UInt8>(_bytes: span.extracting(start..<offset))
            return String(copying: try UTF8Span(validating: part))
        } catch {
            throw DecodeError(.badText, at: start)
        }
    }

    /// The head of an array with a count in `count`; the caller reads that many items.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func array(_ count: ClosedRange<Int>) throws(DecodeError) -> Int {
        try elements(major: 4, count)
    }

    /// The head of an array of exactly `count` items.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func array(_ count: Int) throws(DecodeError) {
        _ = try elements(major: 4, count...count)
    }

    /// The head of a map with a number of pairs in `count`.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func map(_ count: ClosedRange<Int>) throws(DecodeError) -> Int {
        try elements(major: 5, count)
    }

    /// A key of a map, which must be exactly `key`. Throws `keyOrder`.
    @_lifetime(self: copy self)
    package mutating func key(_ key: Int) throws(DecodeError) {
        let start = offset
        guard try uint() == key else { throw DecodeError(.keyOrder, at: start) }
    }

    /// `true` or `false`.
    @_lifetime(self: copy self)
    package mutating func bool() throws(DecodeError) -> Bool {
        switch try simple() {
        case 20: return false
        case 21: return true
        case 22: throw DecodeError(.wrongType, at: offset - 1)
        default: throw DecodeError(.forbiddenForm, at: offset - 1)
        }
    }

    /// Takes a `null` when one is next.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func takeNull() throws(DecodeError) -> Bool {
        guard offset < span.byteCount else { throw DecodeError(.truncated, at: offset) }
        guard peek() == 0xF6 else { return false }
        try countItem()
        offset += 1
        return true
    }

    /// Takes the next `count` bytes, at most 8, if they are those of `number`; they are the heads
    /// of `items` items. Recognises a constant beginning in one comparison.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func take(_ number: UInt64, bytes count: Int, items: Int) -> Bool {
        guard itemsLeft >= items, offset <= span.byteCount - 8,
            load(UInt64.self, 0) >> UInt64(64 - 8 * count) == number
        else { return false }
        itemsLeft -= items
        offset += count
        return true
    }

    /// Takes an array of anything that may stand in CBOR here; its bytes. At most `depth` arrays
    /// and maps are inside each other, this one included; the keys of maps are numbers.
    @_lifetime(self: copy self)
    package mutating func anyArray(depth: Int) throws(DecodeError) -> Range<Int> {
        let start = offset
        // Arrays and maps that are open: what they still lack, and the last key of a map.
        var open = [Open(left: try array(0...Limits.cborItems))]
        while let inner = open.last {
            guard inner.left > 0 else {
                open.removeLast()
                continue
            }
            open[open.count - 1].left -= 1
            if let last = inner.lastKey {
                let place = offset
                let key = try uint()
                guard key > last else { throw DecodeError(.keyOrder, at: place) }
                open[open.count - 1].lastKey = key
            }
            let place = offset
            guard let next = try anyItem() else { continue }
            guard open.count < depth else { throw DecodeError(.tooManyItems, at: place) }
            open.append(next)
        }
        return start..<offset
    }

    /// An array or a map whose items follow.
    private struct Open {
        var left: Int
        /// `nil` in an array.
        var lastKey: Int?
    }

    /// Takes a number, bytes, a text or a simple value, or the head of what it gives.
    @_lifetime(self: copy self)
    private mutating func anyItem() throws(DecodeError) -> Open? {
        guard offset < span.byteCount else { throw DecodeError(.truncated, at: offset) }
        switch peek() >> 5 {
        case 0: _ = try uint()
        case 2: _ = try byteRange(0...span.byteCount)
        case 3: _ = try text(max: span.byteCount)
        case 4: return Open(left: try array(0...Limits.cborItems))
        case 5: return Open(left: try map(0...Limits.cborItems), lastKey: -1)
        case 7:
            let place = offset
            guard 20...22 ~= (try simple()) else { throw DecodeError(.forbiddenForm, at: place) }
        default: throw DecodeError(.forbiddenForm, at: offset)
        }
        return nil
    }

    /// The bytes of `range` of the span, copied; empty where the range is not inside.
    package func copy(_ range: Range<Int>) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= span.byteCount else { return [] }
        return span.copy(range)
    }

    // MARK: Heads

    /// The big-endian number that begins so many bytes after the offset.
    @inline(__always)
    private func load<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type, _ distance: Int) -> T {
        T(bigEndian: span.unsafeLoadUnaligned(fromByteOffset: offset + distance, as: T.self))
    }

    @inline(__always)
    private func peek() -> UInt8 { span.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func countItem() throws(DecodeError) {
        guard itemsLeft > 0 else { throw DecodeError(.tooManyItems, at: offset) }
        itemsLeft -= 1
    }

    @_lifetime(self: copy self)
    private mutating func simple() throws(DecodeError) -> UInt8 {
        guard offset < span.byteCount else { throw DecodeError(.truncated, at: offset) }
        try countItem()
        let byte = peek()
        guard byte >> 5 == 7 else { throw DecodeError(.wrongType, at: offset) }
        offset += 1
        return byte & 31
    }

    /// The argument of the next head, which must be of `major`.
    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func head(major: UInt8) throws(DecodeError) -> UInt64 {
        // Most have one byte.
        if itemsLeft > 0, offset < span.byteCount, case let argument = peek() &- major << 5,
            argument < 24
        {
            itemsLeft -= 1
            offset += 1
            return UInt64(argument)
        }
        return try longHead(major: major)
    }

    /// The same for a head of more than one byte, and for a wrong head.
    @_lifetime(self: copy self)
    private mutating func longHead(major: UInt8) throws(DecodeError) -> UInt64 {
        guard offset < span.byteCount else { throw DecodeError(.truncated, at: offset) }
        try countItem()
        let first = peek()
        guard first >> 5 == major else {
            throw DecodeError(first >> 5 >= 6 ? .forbiddenForm : .wrongType, at: offset)
        }
        let form = first & 31
        guard 24...27 ~= form else { throw DecodeError(.forbiddenForm, at: offset) }
        let size = 1 << Int(form - 24)
        guard size < span.byteCount - offset else { throw DecodeError(.truncated, at: offset) }
        let value: UInt64 =
            switch size {
            case 1: UInt64(load(UInt8.self, 1))
            case 2: UInt64(load(UInt16.self, 1))
            case 4: UInt64(load(UInt32.self, 1))
            default: load(UInt64.self, 1)
            }
        let smallest: UInt64 = size == 1 ? 24 : 1 << UInt64(size * 4)
        guard value >= smallest else { throw DecodeError(.notShortest, at: offset) }
        guard value <= UInt64(Int64.max) else { throw DecodeError(.tooLarge, at: offset) }
        offset += 1 + size
        return value
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func elements(
        major: UInt8, _ allowed: ClosedRange<Int>
    ) throws(DecodeError) -> Int {
        let start = offset
        let value = try head(major: major)
        guard value <= UInt64(allowed.upperBound) else { throw DecodeError(.tooLarge, at: start) }
        guard value >= UInt64(allowed.lowerBound) else { throw DecodeError(.tooSmall, at: start) }
        return Int(value)
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func length(
        major: UInt8, _ allowed: ClosedRange<Int>
    ) throws(DecodeError) -> Int {
        let length = try elements(major: major, allowed)
        guard length <= span.byteCount - offset else {
            throw DecodeError(.truncated, at: offset)
        }
        return length
    }
}

extension RawSpan {
    /// The bytes of `range`, which must be inside.
    func copy(_ range: Range<Int>) -> [UInt8] {
        // Room and then bytes: an array that is made with its count looks
        // up its own type each time.
        var out: [UInt8] = []
        out.reserveCapacity(range.count)
        extracting(range).withUnsafeBytes { out.append(contentsOf: $0) }
        return out
    }
}
