// SPDX-License-Identifier: Apache-2.0
import Protocol

/// A fast mixing function in place of every hash, for tests that make thousands of logs; it finds
/// every signature good, since the fold reads what was checked before.
struct MixingHash: Primitives {
    func sha256(_ message: [UInt8]) -> Bytes32 {
        var mixing = Mixing(
            message, from: [1, 2, 3, UInt64(message.count)], shift: 29)
        for round in 0..<8 { mixing.finish(round) }
        return mixing.digest
    }

    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 { sha256(key + message) }
    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? { sha256(password + salt) }
    func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool { true }
}
