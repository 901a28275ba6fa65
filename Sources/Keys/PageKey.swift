// SPDX-License-Identifier: Apache-2.0
import CSodium
package import Protocol

/// The key pair with which a server opens what pages send and seals what it answers: X25519,
/// XSalsa20 and Poly1305 (`crypto_box` of NaCl, docs/page.md section 2). In locked memory.
package final class PageKey: Sendable {
    private let secret: LockedBytes
    /// The half that stands in the QR code.
    package let key: Bytes32

    /// Bytes of the seed, which is the secret key.
    package static let seedCount = Int(crypto_box_SECRETKEYBYTES)
    /// Bytes of a nonce.
    package static let nonceCount = Int(crypto_box_NONCEBYTES)

    /// What the words of a server's key are made of: SHA-512, which pages have too (docs/page.md
    /// section 6).
    package static func digest(of key: Bytes32) -> [UInt8] {
        let message = Array("seatagent words".utf8) + key.bytes
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha512_BYTES))
        crypto_hash_sha512(&digest, message, UInt64(message.count))
        return digest
    }

    /// The pair of a secret key. `nil` for another number of bytes, or if the memory is missing.
    package init?(seed: [UInt8]) {
        guard sodium_init() >= 0, seed.count == Self.seedCount,
            let secret = LockedBytes(count: Self.seedCount)
        else { return nil }
        secret.withMutablePointer { pointer in
            for (index, byte) in seed.enumerated() { pointer[index] = byte }
        }
        var half = [UInt8](repeating: 0, count: Bytes32.count)
        let done = secret.withPointer { crypto_scalarmult_base(&half, $0) }
        guard done == 0, let key = Bytes32(half) else { return nil }
        self.secret = secret
        self.key = key
    }

    /// Seals `plain` for another pair. The nonce must never come twice: take random bytes. `nil`
    /// for one of another length, and for a key that no pair has.
    package func seal(_ plain: [UInt8], for other: Bytes32, nonce: [UInt8]) -> [UInt8]? {
        guard nonce.count == Self.nonceCount else { return nil }
        var box = [UInt8](repeating: 0, count: plain.count + Int(crypto_box_MACBYTES))
        let done = secret.withPointer {
            crypto_box_easy(&box, plain, UInt64(plain.count), nonce, other.bytes, $0)
        }
        return done == 0 ? box : nil
    }

    /// Opens what the other pair has sealed for this one; `nil` for anything else.
    package func open(_ box: [UInt8], from other: Bytes32, nonce: [UInt8]) -> [UInt8]? {
        let count = box.count - Int(crypto_box_MACBYTES)
        guard count >= 0, nonce.count == Self.nonceCount else { return nil }
        // One byte more, since an empty array may have no address.
        var plain = [UInt8](repeating: 0, count: count + 1)
        let done = secret.withPointer {
            crypto_box_open_easy(&plain, box, UInt64(box.count), nonce, other.bytes, $0)
        }
        return done == 0 ? Array(plain.prefix(count)) : nil
    }
}

extension PageKey: KeyAgreement {
    package func agree(with other: Bytes32) -> Bytes32? {
        var shared = [UInt8](repeating: 0, count: Bytes32.count)
        // It fails for keys of small order, with which everybody agrees on zeros.
        let done = secret.withPointer { crypto_scalarmult(&shared, $0, other.bytes) }
        return done == 0 ? Bytes32(shared) : nil
    }

    package func pair(seed: Bytes32) -> (any KeyAgreement)? { PageKey(seed: seed.bytes) }
}
