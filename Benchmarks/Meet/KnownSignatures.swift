// SPDX-License-Identifier: Apache-2.0
import Protocol
import Synchronization
import Transport

/// The agent's own cryptography, but that a signature which one of the agents verified is known to
/// all: each has a processor of its own in the world, and all of them share one here.
final class KnownSignatures: Primitives {
    private let real: AgentPrimitives
    private let known = Mutex<[Bytes32: Bool]>([:])

    init?() {
        guard let real = AgentPrimitives() else { return nil }
        self.real = real
    }

    func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool {
        let name = real.sha256(signature + key.bytes + message)
        if let answer = known.withLock({ $0[name] }) { return answer }
        let answer = real.verify(signature, message, by: key)
        known.withLock { $0[name] = answer }
        return answer
    }

    func sha256(_ message: [UInt8]) -> Bytes32 { real.sha256(message) }

    func sha256(_ label: StaticString, _ bytes: RawSpan) -> Bytes32 { real.sha256(label, bytes) }

    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 {
        real.hmacSHA256(key: key, message)
    }

    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? {
        real.argon2id(password, salt: salt)
    }

    func seal(_ plain: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]) -> [UInt8]? {
        real.seal(plain, with: data, key: key, nonce: nonce)
    }

    func open(_ sealed: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]) -> [UInt8]? {
        real.open(sealed, with: data, key: key, nonce: nonce)
    }
}
