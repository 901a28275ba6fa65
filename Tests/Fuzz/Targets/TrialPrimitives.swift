// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import SeatAgent
@testable import Transport

/// The agent's own hashes, and a signature that is a hash which only the key's owner makes: fast,
/// and a wrong byte anywhere is noticed.
struct TrialPrimitives: Primitives {
    private let sodium: SodiumPrimitives

    /// The only one; without libsodium nothing can be tried.
    static let shared: TrialPrimitives = {
        guard let sodium = SodiumPrimitives() else { broken("no libsodium") }
        return TrialPrimitives(sodium: sodium)
    }()

    func sha256(_ message: [UInt8]) -> Bytes32 { sodium.sha256(message) }
    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 {
        sodium.hmacSHA256(key: key, message)
    }
    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? { nil }
    func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool {
        signature == self.signature(of: message, by: key)
    }

    /// 64 bytes of the right shape: R and S small enough.
    func signature(of message: [UInt8], by key: PeerKey) -> [UInt8] {
        var half = sha256(key.bytes + message).bytes
        half[31] &= 0x0F
        return half + half
    }
}

/// A passenger's key; the number is in it, so that the order of keys is known.
struct TrialSigner: Signer {
    let key: PeerKey

    init(_ number: UInt8) {
        key = PeerKey(Bytes32([number] + [UInt8](repeating: 0x21, count: 31)) ?? .zero)
    }

    func sign(_ message: [UInt8]) -> [UInt8] {
        TrialPrimitives.shared.signature(of: message, by: key)
    }
}

/// The flight on which made-up passengers are.
let trialFlight = FlightKey(auth: .zero, primitives: TrialPrimitives.shared)

/// The agent's own hashes, so that ids in real records are right, and signatures that any bytes of
/// the right shape are: an input that is changed anywhere is still judged to its end.
struct LaxPrimitives: Primitives {
    static let shared = LaxPrimitives()
    private let trial = TrialPrimitives.shared

    func sha256(_ message: [UInt8]) -> Bytes32 { trial.sha256(message) }
    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 {
        trial.hmacSHA256(key: key, message)
    }
    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? { nil }

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
