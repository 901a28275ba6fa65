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

/// Reading and overwriting the text of a boarding pass. All places are of the text itself.
extension [UInt8] {
    /// The number of the two hexadecimal digits at `place`; `nil` where there are none.
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

    /// The number in `part`, spaces around it allowed; `nil` for anything but 1 to 9 digits.
    func number(in part: Range<Int>) -> Int? {
        let digits = self[trimmed(part)]
        guard 1...9 ~= digits.count, digits.allSatisfy(\.isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    /// `part` as text without the spaces at its ends; `nil` where there is nothing.
    func words(in part: Range<Int>) -> String? {
        let bytes = self[trimmed(part)]
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Makes it one byte a character: fields are counted in characters, and
    /// a name may have accents.
    ///
    /// Group separators go too, which some scanners put between the parts of a pass.
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
        // What is cut off stays in memory: not as it was.
        for index in written..<count { self[index] = 0 }
        removeLast(count - written)
    }

    /// Overwrites all of it, and is empty then.
    package mutating func wipe() {
        // What was cut off its end is in memory still. This makes the storage its own, so that the
        // room behind its end, which is of bytes, is the same below.
        reserveCapacity(count)
        let room = capacity
        // A loop of assignments to what nobody reads again may be left out by the compiler.
        withUnsafeMutableBytes { buffer in
            if let start = buffer.baseAddress { explicit_bzero(start, room) }
        }
        removeAll()
    }
}
