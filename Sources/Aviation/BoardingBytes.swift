// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol

extension UInt8 {
    /// `A` to `Z`.
    var isCapital: Bool { 65...90 ~= self }
    /// `A` to `Z` or `a` to `z`.
    var isLetter: Bool { isCapital || 97...122 ~= self }
    /// `0` to `9`.
    var isDigit: Bool { 48...57 ~= self }
}

/// Reading and overwriting the text of a boarding pass. Positions refer to the text itself.
extension [UInt8] {
    /// The value of the two hexadecimal digits at `place`; `nil` if there are none.
    func hex(at place: Int) -> Int? {
        guard place >= 0, place < count - 1, let high = self[place].hexadecimalValue,
            let low = self[place + 1].hexadecimalValue
        else { return nil }
        return Int(high) << 4 | Int(low)
    }

    /// `part` without the spaces at its two ends.
    func trimmed(_ part: Range<Int>) -> Range<Int> {
        guard let first = self[part].firstIndex(where: { $0 != 32 }),
            let last = self[part].lastIndex(where: { $0 != 32 })
        else { return part.lowerBound..<part.lowerBound }
        return first..<last + 1
    }

    /// The number in `part`, which may have spaces around it; `nil` unless it has 1 to 9 digits.
    func number(in part: Range<Int>) -> Int? {
        let digits = self[trimmed(part)]
        guard 1...9 ~= digits.count, digits.allSatisfy(\.isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    /// `part` as text without surrounding spaces; `nil` if nothing is left.
    func words(in part: Range<Int>) -> String? {
        let bytes = self[trimmed(part)]
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Makes each character one byte, because fields are counted in characters and a name may have
    /// accents.
    ///
    /// Also removes the group separators that some scanners put between the parts of a pass.
    mutating func makeSingleBytes() {
        var (read, written) = (0, 0)
        while read < count {
            let byte = self[read]
            read += 1
            guard byte != 0x1D else { continue }
            self[written] = byte < 0x80 ? byte : UInt8(ascii: "?")
            written += 1
            let more =
                switch byte {
                case 0xC2...0xDF: 1
                case 0xE0...0xEF: 2
                case 0xF0...0xF4: 3
                default: 0
                }
            let rest = self[read..<Swift.min(read + more, count)]
            if rest.count == more, rest.allSatisfy({ 0x80...0xBF ~= $0 }) { read += more }
        }
        // The part that is cut off stays in memory, so it is overwritten first.
        for index in written..<count { self[index] = 0 }
        removeLast(count - written)
    }

    /// Overwrites everything, then removes it.
    package mutating func wipe() {
        // Bytes that were cut off are still in memory. This makes the storage its own, so that the
        // capacity behind the end, which holds such bytes, is overwritten below.
        reserveCapacity(count)
        let room = capacity
        // The compiler may remove a loop of assignments that nobody reads.
        withUnsafeMutableBytes { buffer in
            if let start = buffer.baseAddress { explicit_bzero(start, room) }
        }
        removeAll()
    }
}
