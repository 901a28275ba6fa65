// SPDX-License-Identifier: Apache-2.0
/// The one seam to cryptography: libsodium in seatagent, fast stand-ins in most simulations.
///
/// Every function is a pure function of its arguments.
public protocol Primitives: Sendable {
    /// SHA-256 of `message`, 32 bytes (FIPS 180-4).
    func sha256(_ message: [UInt8]) -> Bytes32

    /// SHA-256 of `label` in UTF-8 followed by `bytes`, which are hashed in place.
    func sha256(_ label: StaticString, _ bytes: RawSpan) -> Bytes32

    /// HMAC-SHA-256, 32 bytes (RFC 2104); `key` of any length.
    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32

    /// Argon2id with 64 MiB, 3 passes, 1 lane, 32 bytes out (RFC 9106; docs/protocol.md section 2).
    /// `salt` has 16 bytes. `nil` when the memory cannot be had.
    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32?

    /// Whether `signature` (64 bytes) is `key`'s Ed25519 signature of `message` (RFC 8032).
    /// The shape of key and signature was checked before (``SignatureShape``).
    func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool

    /// `plain` sealed by XChaCha20-Poly1305, 16 bytes longer; `data` is bound to it and not in it
    /// (draft-irtf-cfrg-xchacha). `nonce` has 24 bytes. `nil` if the program has no such cipher: it
    /// can be in a party, and neither say nor read anything there.
    func seal(_ plain: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]) -> [UInt8]?

    /// What ``seal(_:with:key:nonce:)`` sealed; `nil` for anything else.
    func open(_ sealed: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]) -> [UInt8]?
}

/// Signs with the one key of this agent in this flight. Deterministic (RFC 8032).
public protocol Signer: Sendable {
    /// The public key.
    var key: PeerKey { get }

    /// The Ed25519 signature of `message`, 64 bytes.
    func sign(_ message: [UInt8]) -> [UInt8]
}

extension Primitives {
    /// Seals nothing.
    public func seal(
        _ plain: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]
    ) -> [UInt8]? { nil }

    /// Opens nothing.
    public func open(
        _ sealed: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]
    ) -> [UInt8]? { nil }

    /// The two parts gathered into one message, for stand-ins.
    public func sha256(_ label: StaticString, _ bytes: RawSpan) -> Bytes32 {
        var message: [UInt8] = []
        message.reserveCapacity(label.utf8CodeUnitCount + bytes.byteCount)
        label.withUTF8Buffer { message.append(contentsOf: $0) }
        bytes.withUnsafeBytes { message.append(contentsOf: $0) }
        return sha256(message)
    }

    /// HKDF-SHA-256 (RFC 5869), `count` bytes, at most 8160.
    public func hkdfSHA256(
        salt: [UInt8], material: [UInt8], info: [UInt8], count: Int
    ) -> [UInt8] {
        let key = hmacSHA256(key: salt, material).bytes
        var out: [UInt8] = []
        var block: [UInt8] = []
        var number: UInt8 = 1
        while out.count < count {
            block = hmacSHA256(key: key, block + info + [number]).bytes
            out += block
            if number == 255 { break }
            number += 1
        }
        return Array(out.prefix(count))
    }
}
