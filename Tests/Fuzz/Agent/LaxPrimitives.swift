// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import Keys
import Protocol
import Transport

/// The agent's own hashes, so that ids in real records are right, and signatures that any bytes of
/// the right shape are: an input that is changed anywhere is still judged to its end. The fake
/// primitives of the test kit cannot take their place, since the inputs that are kept are records
/// of real agents.
struct LaxPrimitives: Primitives {
    private let sodium: SodiumPrimitives

    /// The only one; without libsodium nothing can be tried.
    static let shared: LaxPrimitives = {
        guard let sodium = SodiumPrimitives() else { broken("no libsodium") }
        return LaxPrimitives(sodium: sodium)
    }()

    func sha256(_ message: [UInt8]) -> Bytes32 { sodium.sha256(message) }
    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 {
        sodium.hmacSHA256(key: key, message)
    }
    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? { nil }

    func seal(
        _ plain: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]
    ) -> [UInt8]? {
        sodium.seal(plain, with: data, key: key, nonce: nonce)
    }

    func open(
        _ sealed: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]
    ) -> [UInt8]? {
        sodium.open(sealed, with: data, key: key, nonce: nonce)
    }

    /// One signature in 256 is wrong.
    func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool {
        signature.first != 0xFF
    }
}

/// Gives back a signature that was made before.
struct KnownSignature: Signer {
    let key: PeerKey
    let signature: [UInt8]
    func sign(_ message: [UInt8]) -> [UInt8] { signature }
}
