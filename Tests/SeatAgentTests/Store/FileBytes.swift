// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The bytes of files, moved and compared in blocks: tests walk through thousands of disks, and
/// byte by byte that takes minutes without an optimiser.
extension [UInt8] {
    /// A copy of SQLite's bytes.
    init(copying bytes: UnsafeRawPointer, count: Int) {
        self.init(unsafeUninitializedCapacity: count) { buffer, filled in
            if let base = buffer.baseAddress { memcpy(base, bytes, count) }
            filled = count
        }
    }

    /// Writes over what is there; a hole before it is filled with zeros.
    mutating func place(_ bytes: [UInt8], at offset: Int) {
        if offset == count { return append(contentsOf: bytes) }
        if count < offset + bytes.count { resize(to: offset + bytes.count) }
        withUnsafeMutableBytes { all in
            let target = UnsafeMutableRawBufferPointer(
                rebasing: all[offset..<offset + bytes.count])
            target.copyBytes(from: bytes)
        }
    }

    /// Cuts the end off, or adds zeros.
    mutating func resize(to size: Int) {
        guard size > count else { return removeLast(count - size) }
        let missing = size - count
        append(
            contentsOf: [UInt8](unsafeUninitializedCapacity: missing) { buffer, filled in
                if let base = buffer.baseAddress { memset(base, 0, missing) }
                filled = missing
            })
    }

    func isSame(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in
                guard let left = mine.baseAddress, let right = theirs.baseAddress else {
                    return true
                }
                return memcmp(left, right, mine.count) == 0
            }
        }
    }
}
