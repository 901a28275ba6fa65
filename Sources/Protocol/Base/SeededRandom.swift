// SPDX-License-Identifier: Apache-2.0
/// The generator that the shell seeds; nothing else in the core is random.
///
/// xoshiro256** (Blackman and Vigna 2018), seeded through SplitMix64. For jitter, nonces and
/// labels: keys come from the operating system, not from here.
public struct SeededRandom: RandomNumberGenerator, Hashable, Sendable {
    private var s0: UInt64
    private var s1: UInt64
    private var s2: UInt64
    private var s3: UInt64

    /// A generator that gives the same numbers for the same `seed`.
    public init(seed: UInt64) {
        var state = seed
        func mix() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
        (s0, s1, s2, s3) = (mix(), mix(), mix(), mix())
    }

    /// A generator over all 256 bits of a secret seed.
    public init(seed: Bytes32) {
        let bytes = seed.bytes
        func word(_ index: Int) -> UInt64 {
            bytes[8 * index..<8 * index + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        (s0, s1, s2, s3) = (word(0), word(1), word(2), word(3) | 1)
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        let product = s1 &* 5
        let result = (product << 7 | product >> 57) &* 9
        let shifted = s1 << 17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = s3 << 45 | s3 >> 19
        return result
    }

    /// `count` bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(count)
        while out.count < count {
            var word = next()
            for _ in 0..<min(8, count - out.count) {
                out.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return out
    }

    /// A length of time evenly distributed in `range`.
    public mutating func span(_ range: ClosedRange<TimeSpan>) -> TimeSpan {
        TimeSpan(
            nanoseconds: Int64.random(
                in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds, using: &self))
    }
}
