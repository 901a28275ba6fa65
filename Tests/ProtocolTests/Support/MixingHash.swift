import Protocol

/// A fast mixing function in place of every hash, for tests that make thousands of logs; it finds every
/// signature good, since the fold reads what was checked before.
struct MixingHash: Primitives {
    func sha256(_ message: [UInt8]) -> Bytes32 {
        var lanes: [UInt64] = [1, 2, 3, UInt64(message.count)]
        // The lane whose turn it is comes first: quick without an optimiser.
        var (first, second, third, fourth) = (lanes[0], lanes[1], lanes[2], lanes[3])
        for byte in message {
            let mixed = (first ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
            first = second ^ (mixed >> 29)
            second = third
            third = fourth
            fourth = mixed
        }
        for (offset, lane) in [first, second, third, fourth].enumerated() {
            lanes[(message.count + offset) & 3] = lane
        }
        for round in 0..<8 {
            lanes[round & 3] =
                (lanes[round & 3] ^ (lanes[(round + 3) & 3] >> 31)) &* 0xBF58_476D_1CE4_E5B9
        }
        let bytes = lanes.flatMap { lane in
            (0..<8).map { UInt8(truncatingIfNeeded: lane >> UInt64(56 - 8 * $0)) }
        }
        return Bytes32(bytes) ?? .zero
    }
    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 { sha256(key + message) }
    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? { sha256(password + salt) }
    func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool { true }
}
