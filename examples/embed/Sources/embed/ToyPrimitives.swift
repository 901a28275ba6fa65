// SPDX-License-Identifier: Apache-2.0
import Protocol

/// TOY CRYPTOGRAPHY, so that this example needs no library. Anybody can forge these signatures.
///
/// A program for real passengers has SHA-256, HMAC-SHA-256, Argon2id and Ed25519 here, for instance
/// those of libsodium, as `Sources/Transport` of seatagent has. Agents with other primitives do not
/// meet: they derive another flight key from the same flight.
struct ToyPrimitives: Primitives {
    func sha256(_ message: [UInt8]) -> Bytes32 {
        var lanes: [UInt64] = [1, 2, 3, UInt64(message.count)]
        for (index, byte) in (message + Array(repeating: 0, count: 16)).enumerated() {
            let before = lanes[(index + 3) % 4] >> 29
            lanes[index % 4] = (lanes[index % 4] ^ before ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
        }
        let bytes = lanes.flatMap { lane in
            stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: lane >> $0) }
        }
        return Bytes32(bytes) ?? .zero
    }

    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 { sha256(key + message) }

    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? { sha256(salt + password) }

    func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool {
        signature == ToySigner(key: key).sign(message)
    }
}

/// Signs by hashing with the public key, which is no secret.
struct ToySigner: Signer {
    let key: PeerKey

    init(key: PeerKey) { self.key = key }

    /// A key with the shape of one of Ed25519: the core refuses others by itself.
    init(name: String) {
        let bytes: [UInt8] = ToyPrimitives().sha256(Array(name.utf8)).bytes.dropLast()
        key = PeerKey(Bytes32(bytes + [1]) ?? .zero)
    }

    func sign(_ message: [UInt8]) -> [UInt8] {
        let first = ToyPrimitives().sha256(key.bytes + message).bytes
        let second = ToyPrimitives().sha256(first).bytes
        return first.dropLast() + [1] + second.dropLast() + [1]
    }
}
