// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System
import Transport

/// One end of a connection: loop, certificate and what its sessions are made from.
struct Place {
    let loop: EventLoop
    let environment: LinkEnvironment
    let config: SessionConfig

    /// On a flight that nobody else is on, or on that of `key`.
    init(_ loop: EventLoop, seed: UInt8, of key: FlightKey? = nil) throws {
        guard let primitives = AgentPrimitives(),
            let auth = Bytes32([UInt8](repeating: 9, count: Bytes32.count))
        else { throw Trouble.noPrimitives }
        let certificate = try Certificate.make(
            seed: [UInt8](repeating: seed, count: Certificate.seedSize))
        guard let me = PeerKey(certificate.publicKey) else { throw Trouble.noPrimitives }
        self.loop = loop
        environment = LinkEnvironment(
            loop: loop, context: try TLSContext(certificate: certificate))
        config = SessionConfig(
            me: me, boot: UInt64(seed), connection: 1, port: 4000,
            flights: [key ?? FlightKey(auth: auth, primitives: primitives)],
            primitives: primitives)
    }

    /// Listens on loopback, IPv4, a port of the kernel's choice; `take` gets each talk.
    func listen(_ take: @escaping (Talk) -> Void) throws -> Listener {
        try Listener(port: 0, interface: "lo", in: environment, seed: 1) { link in
            take(Talk(link, config, loop))
        }
    }

    func dial(_ remote: Address) -> Talk {
        let link = PeerLink.dial(to: remote, in: environment) { _, _ in }
        return Talk(link, config, loop)
    }
}

/// The messages that go over the wire here: direct ones, as a passenger's words to another.
struct Words {
    private let id: ThreadID
    /// ``Wire/messageSize`` bytes of text.
    let sample: Message

    init() throws {
        guard let id = ThreadID([UInt8](repeating: 7, count: 16)) else { throw Trouble.usage }
        self.id = id
        sample = .directMessage(id: id, text: String(repeating: "x", count: Wire.messageSize))
    }

    /// A message with this text.
    func message(_ text: String) -> Message { .directMessage(id: id, text: text) }
}
