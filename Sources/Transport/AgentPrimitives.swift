// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Keys
package import Protocol

/// ``SodiumPrimitives`` with OpenSSL's SHA-256, which has the processor's own instructions where
/// there are any: libsodium's is plain C, and an agent hashes each entry of a flight.
package struct AgentPrimitives: Primitives {
    private let sodium: SodiumPrimitives

    /// Readies the libraries; safe to do again. `nil` if the machine gives no randomness.
    package init?() {
        guard let sodium = SodiumPrimitives() else { return nil }
        self.sodium = sodium
    }

    package func sha256(_ message: [UInt8]) -> Bytes32 { sha256("", message.span.bytes) }

    package func sha256(_ label: StaticString, _ bytes: RawSpan) -> Bytes32 {
        guard let algorithm = Self.algorithm else { return sodium.sha256(label, bytes) }
        var isDone = false
        let digest = [UInt8](unsafeUninitializedCapacity: Bytes32.count) { out, count in
            isDone = bytes.withUnsafeBytes { rest in
                copenssl_digest(
                    algorithm, label.utf8Start, label.utf8CodeUnitCount, rest.baseAddress,
                    rest.count, out.baseAddress) == 1
            }
            count = isDone ? Bytes32.count : 0
        }
        // OpenSSL found no memory: libsodium needs none.
        return (isDone ? Bytes32(digest) : nil) ?? sodium.sha256(label, bytes)
    }

    /// Looked up once, since that takes longer than to hash an entry. It never changes.
    private nonisolated(unsafe) static let algorithm = {
        // The library's first call decides whether it reads the machine's settings (TLSContext).
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
        return EVP_MD_fetch(nil, "SHA256", nil)
    }()

    package func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 {
        sodium.hmacSHA256(key: key, message)
    }

    package func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? {
        sodium.argon2id(password, salt: salt)
    }

    package func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool {
        sodium.verify(signature, message, by: key)
    }

    package func seal(
        _ plain: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]
    ) -> [UInt8]? {
        sodium.seal(plain, with: data, key: key, nonce: nonce)
    }

    package func open(
        _ sealed: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]
    ) -> [UInt8]? {
        sodium.open(sealed, with: data, key: key, nonce: nonce)
    }
}
