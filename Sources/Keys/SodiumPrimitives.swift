// SPDX-License-Identifier: Apache-2.0
import CSodium
package import Protocol

/// The seam to cryptography, for real: libsodium, whose verifier alone feeds the fold.
package struct SodiumPrimitives: Primitives {
    /// Readies the library; safe to do again. `nil` if the machine gives no randomness.
    package init?() {
        guard sodium_init() >= 0 else { return nil }
    }

    package func sha256(_ message: [UInt8]) -> Bytes32 { sha256("", message.span.bytes) }

    package func sha256(_ label: StaticString, _ bytes: RawSpan) -> Bytes32 {
        Self.fill32 { out in
            let message = label.withUTF8Buffer { Array($0) } + bytes.withUnsafeBytes { Array($0) }
            _ = crypto_hash_sha256(out, message, UInt64(message.count))
        }
    }

    package func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 {
        Self.fill32 { out in
            var state = crypto_auth_hmacsha256_state()
            crypto_auth_hmacsha256_init(&state, key, key.count)
            crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
            crypto_auth_hmacsha256_final(&state, out)
        }
    }

    package func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? {
        guard salt.count == Int(crypto_pwhash_argon2id_SALTBYTES) else { return nil }
        var out = [UInt8](repeating: 0, count: Bytes32.count)
        let text = password.map { CChar(bitPattern: $0) }
        let result = crypto_pwhash_argon2id(
            &out, UInt64(out.count), text, UInt64(text.count), salt, 3, 64 * 1024 * 1024,
            Int32(crypto_pwhash_argon2id_ALG_ARGON2ID13))
        return result == 0 ? Bytes32(out) : nil
    }

    package func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool {
        signature.count == 64
            && crypto_sign_verify_detached(
                signature, message, UInt64(message.count), key.bytes) == 0
    }

    package func seal(
        _ plain: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]
    ) -> [UInt8]? {
        guard nonce.count == Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES) else { return nil }
        let room = plain.count + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
        var sealed = [UInt8](repeating: 0, count: room)
        var count: UInt64 = 0
        let done = crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, &count, plain, UInt64(plain.count), data, UInt64(data.count), nil, nonce,
            key.bytes)
        return done == 0 && count == UInt64(room) ? sealed : nil
    }

    package func open(
        _ sealed: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]
    ) -> [UInt8]? {
        let room = sealed.count - Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
        guard room >= 0, nonce.count == Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES) else {
            return nil
        }
        // One byte more, since an empty array may have no address.
        var plain = [UInt8](repeating: 0, count: room + 1)
        var count: UInt64 = 0
        let done = crypto_aead_xchacha20poly1305_ietf_decrypt(
            &plain, &count, nil, sealed, UInt64(sealed.count), data, UInt64(data.count), nonce,
            key.bytes)
        return done == 0 ? Array(plain.prefix(Int(count))) : nil
    }

    /// `count` bytes from the operating system.
    package static func random(_ count: Int) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: count)
        randombytes_buf(&out, count)
        return out
    }

    /// 32 bytes from the operating system.
    package static func random32() -> Bytes32 { fill32 { randombytes_buf($0, Bytes32.count) } }

    private static func fill32(_ body: (UnsafeMutablePointer<UInt8>) -> Void) -> Bytes32 {
        let bytes = [UInt8](unsafeUninitializedCapacity: Bytes32.count) { buffer, count in
            buffer.initialize(repeating: 0)
            // A buffer of 32 bytes has a base address.
            if let base = buffer.baseAddress { body(base) }
            count = Bytes32.count
        }
        return Bytes32(bytes) ?? .zero
    }
}
