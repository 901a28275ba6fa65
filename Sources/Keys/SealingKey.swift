// SPDX-License-Identifier: Apache-2.0
import CSodium

/// What Argon2id takes to try one passphrase.
package struct SealingCost: Hashable, Sendable {
    /// Passes over the memory.
    package let passes: Int
    /// Memory, in KiB.
    package let memory: Int

    /// Passes that a file may ask for: a false one must not keep the processor busy for long.
    package static let passesAllowed = 1...16
    /// KiB that a file may ask for: 8 KiB, the least that libsodium takes, to 1 GiB.
    package static let memoryAllowed = 8...(1 << 20)

    /// Three passes over 256 MiB, "moderate" in libsodium: the better part of a second.
    package static let moderate = SealingCost(
        passes: Int(crypto_pwhash_argon2id_OPSLIMIT_MODERATE),
        memory: Int(crypto_pwhash_argon2id_MEMLIMIT_MODERATE) >> 10)

    private init(passes: Int, memory: Int) {
        self.passes = passes
        self.memory = memory
    }

    /// `passes` over `kibibytes` of memory; `nil` for what is not allowed.
    package init?(passes: Int, kibibytes: Int) {
        guard Self.passesAllowed.contains(passes), Self.memoryAllowed.contains(kibibytes) else {
            return nil
        }
        self.init(passes: passes, memory: kibibytes)
    }
}

/// The key that a passphrase makes, in locked memory: Argon2id, and secretbox of libsodium
/// (XSalsa20 and Poly1305), which hides bytes and shows whether somebody changed them, or the same
/// beside other data that are not hidden.
package final class SealingKey {
    private let secret: LockedBytes

    /// Bytes of a salt.
    package static let saltCount = Int(crypto_pwhash_argon2id_SALTBYTES)
    /// Bytes of a nonce.
    package static let nonceCount = Int(crypto_secretbox_NONCEBYTES)

    /// The key of `passphrase`. `nil` for a salt of another length, or if the memory is missing.
    package init?(passphrase: [UInt8], salt: [UInt8], cost: SealingCost) {
        guard sodium_init() >= 0, salt.count == Self.saltCount,
            let secret = LockedBytes(count: Int(crypto_secretbox_KEYBYTES))
        else { return nil }
        var text = passphrase.map { CChar(bitPattern: $0) }
        defer { sodium_memzero(&text, text.count) }
        let result = secret.withMutablePointer {
            crypto_pwhash_argon2id(
                $0, UInt64(crypto_secretbox_KEYBYTES), text, UInt64(text.count), salt,
                UInt64(cost.passes), cost.memory << 10, Int32(crypto_pwhash_argon2id_ALG_ARGON2ID13)
            )
        }
        guard result == 0 else { return nil }
        self.secret = secret
    }

    /// Seals `plain`. The nonce must never come twice with one key: take random bytes. `nil` for
    /// one of another length.
    package func seal(_ plain: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        guard nonce.count == Self.nonceCount else { return nil }
        var box = [UInt8](repeating: 0, count: plain.count + Int(crypto_secretbox_MACBYTES))
        let done = secret.withPointer {
            crypto_secretbox_easy(&box, plain, UInt64(plain.count), nonce, $0)
        }
        return done == 0 ? box : nil
    }

    /// Seals `plain` so that it opens only beside the same `data`: XChaCha20 and Poly1305. The
    /// nonce must never come twice with one key.
    package func bind(_ plain: [UInt8], to data: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        guard nonce.count == Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES) else { return nil }
        let room = plain.count + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
        var box = [UInt8](repeating: 0, count: room)
        let done = secret.withPointer {
            crypto_aead_xchacha20poly1305_ietf_encrypt(
                &box, nil, plain, UInt64(plain.count), data, UInt64(data.count), nil, nonce, $0)
        }
        return done == 0 ? box : nil
    }

    /// Opens what ``bind(_:to:nonce:)`` made; `nil` for another key, other data, or a changed bit.
    package func release(_ box: [UInt8], bound data: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        let count = box.count - Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
        guard count >= 0, nonce.count == Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES) else {
            return nil
        }
        // One byte more, since an empty array may have no address.
        var plain = [UInt8](repeating: 0, count: count + 1)
        let done = secret.withPointer {
            crypto_aead_xchacha20poly1305_ietf_decrypt(
                &plain, nil, nil, box, UInt64(box.count), data, UInt64(data.count), nonce, $0)
        }
        return done == 0 ? Array(plain.prefix(count)) : nil
    }

    /// Opens what ``seal(_:nonce:)`` made; `nil` for another key, or if a bit was changed.
    package func open(_ box: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        let count = box.count - Int(crypto_secretbox_MACBYTES)
        guard count >= 0, nonce.count == Self.nonceCount else { return nil }
        // One byte more, since an empty array may have no address.
        var plain = [UInt8](repeating: 0, count: count + 1)
        let done = secret.withPointer {
            crypto_secretbox_open_easy(&plain, box, UInt64(box.count), nonce, $0)
        }
        return done == 0 ? Array(plain.prefix(count)) : nil
    }
}
