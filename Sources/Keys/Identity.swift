// SPDX-License-Identifier: Apache-2.0
import CSodium
package import Protocol

/// The key pair of one passenger on one flight. The secret half stays in locked memory.
package final class Identity: Signer {
    /// The public key, 32 bytes: the identity itself.
    package let key: PeerKey
    private let secret: LockedBytes

    /// The identity of a 32-byte seed; `nil` for another count.
    package init?(seed: [UInt8]) {
        guard seed.count == Int(crypto_sign_SEEDBYTES),
            let secret = LockedBytes(count: Int(crypto_sign_SECRETKEYBYTES))
        else { return nil }
        var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_PUBLICKEYBYTES))
        let made = secret.withMutablePointer { crypto_sign_seed_keypair(&publicKey, $0, seed) }
        guard made == 0, let key = PeerKey(publicKey) else { return nil }
        self.key = key
        self.secret = secret
    }

    package func sign(_ message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Int(crypto_sign_BYTES))
        secret.withPointer {
            _ = crypto_sign_detached(&signature, nil, message, UInt64(message.count), $0)
        }
        return signature
    }
}

/// Bytes that are kept out of swap and core files and wiped when let go.
///
/// Written once by its owner before it is shared, read only after: hence sendable.
final class LockedBytes: @unchecked Sendable {
    private let pointer: UnsafeMutablePointer<UInt8>

    /// `count` zero bytes; `nil` if no memory is to be had.
    init?(count: Int) {
        guard let raw = sodium_malloc(count) else { return nil }
        pointer = raw.bindMemory(to: UInt8.self, capacity: count)
        pointer.initialize(repeating: 0, count: count)
    }

    deinit { sodium_free(pointer) }

    /// Reads the bytes.
    func withPointer<T>(_ body: (UnsafePointer<UInt8>) -> T) -> T { body(UnsafePointer(pointer)) }

    /// Fills the bytes, before anybody else has this object.
    func withMutablePointer<T>(_ body: (UnsafeMutablePointer<UInt8>) -> T) -> T { body(pointer) }
}
