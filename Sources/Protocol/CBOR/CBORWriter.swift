// SPDX-License-Identifier: Apache-2.0
/// Writes deterministic CBOR: shortest heads, definite lengths (RFC 8949 section 4.2.1).
///
/// The caller writes map keys in ascending order.
package struct CBORWriter: Sendable {
    /// What was written.
    package private(set) var bytes: [UInt8] = []
    /// Where the frame begins.
    private var start = 0

    /// Starts with room for `capacity` bytes.
    package init(capacity: Int = 128) { bytes.reserveCapacity(capacity) }

    /// Begins a frame (docs/protocol.md section 5) after `bytes`, which ``frame()`` ends: what is
    /// written is its payload.
    package init(frameType: UInt8, after bytes: consuming [UInt8]) {
        start = bytes.count
        self.bytes = consume bytes
        for byte in [0, 0, 0, 0, frameType] { self.bytes.append(byte) }
    }

    /// All bytes, with the length of the frame that was begun filled in.
    package consuming func frame() -> [UInt8] {
        let length = UInt32(truncatingIfNeeded: bytes.count - start - 4)
        for index in 0..<4 {
            bytes[start + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index))
        }
        return bytes
    }

    /// A number; below 2^63.
    package mutating func uint(_ value: Int) { head(0, UInt64(max(value, 0))) }

    /// A byte string.
    package mutating func bytes(_ value: some Collection<UInt8>) {
        head(2, UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// A byte string of 32 bytes.
    package mutating func bytes32(_ value: Bytes32) {
        head(2, UInt64(Bytes32.count))
        value.append(to: &bytes)
    }

    /// A byte string of 16 bytes, which are two big-endian words.
    package mutating func words16(_ high: UInt64, _ low: UInt64) {
        bytes.append(2 << 5 | 16)
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes.append(contentsOf: $0) }
    }

    /// A byte string of 32 bytes.
    package mutating func value(_ value: some Bytes32Backed) { bytes32(value.raw) }

    /// A text.
    package mutating func text(_ value: String) {
        head(3, UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    /// The head of an array of `count` items.
    package mutating func array(_ count: Int) { head(4, UInt64(count)) }

    /// The head of a map of `count` pairs.
    package mutating func map(_ count: Int) { head(5, UInt64(count)) }

    /// `true` or `false`.
    package mutating func bool(_ value: Bool) { bytes.append(value ? 0xF5 : 0xF4) }

    /// `null`.
    package mutating func null() { bytes.append(0xF6) }

    /// Bytes that are CBOR already.
    package mutating func raw(_ encoded: some Collection<UInt8>) {
        bytes.append(contentsOf: encoded)
    }

    private mutating func head(_ major: UInt8, _ value: UInt64) {
        let top = major << 5
        switch value {
        case 0..<24: bytes.append(top | UInt8(value))
        case 24...0xFF: put(top | 24, value, 1)
        case 0x100...0xFFFF: put(top | 25, value, 2)
        case 0x1_0000...0xFFFF_FFFF: put(top | 26, value, 4)
        default: put(top | 27, value, 8)
        }
    }

    private mutating func put(_ first: UInt8, _ value: UInt64, _ size: Int) {
        bytes.append(first)
        for index in stride(from: size - 1, through: 0, by: -1) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
        }
    }
}
