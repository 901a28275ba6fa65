// SPDX-License-Identifier: Apache-2.0
/// What an agent brings to every session.
package struct SessionConfig: Sendable {
    /// Own key.
    package var me: PeerKey
    /// 8 random bytes of this process.
    package var boot: UInt64
    /// Number of this connection within the process.
    package var connection: Int
    /// TCP port that this agent listens on.
    package var port: UInt16
    /// Own flight first, then up to three aliases.
    package var flights: [FlightKey]
    /// Hashes the proofs.
    package var primitives: any Primitives
    /// Whether a passenger waits for this connection: it is not one of the mesh.
    package var isOnDemand: Bool

    /// What HELLO says of this agent, and the flights that it knows.
    package init(
        me: PeerKey, boot: UInt64, connection: Int, port: UInt16, flights: [FlightKey],
        primitives: any Primitives, isOnDemand: Bool = false
    ) {
        self.me = me
        self.isOnDemand = isOnDemand
        self.boot = boot
        self.connection = connection
        self.port = port
        self.flights = flights
        self.primitives = primitives
    }

    /// The version of the fold's rules that all of its flights go by.
    package var foldVersion: Int { Int(flights.first?.foldVersion ?? FlightKey.foldVersion) }
}

/// What happens to a session.
package enum SessionEvent: Hashable, Sendable {
    /// The TLS handshake is over.
    case started
    /// Plaintext came.
    case received([UInt8])
    /// The kernel took bytes; `pending` bytes still wait.
    case drained(pending: Int)
    /// A message to send; its type chooses the queue.
    case send(Message)
    /// Send what a stranger or a member says, which may be left out: ``SessionEffects/leftOut``.
    case passOn(Message, ofMember: Bool)
    /// So many of the entries that came have joined a ledger: they count a tenth.
    case ledger(Int)
    /// The deadline came.
    case tick
    /// Asks the other end for a sign of life: a PING now.
    case probe
    /// Ends it, telling the peer why.
    case close(CloseCode, String)
}

/// What a session asks for.
package struct SessionEffects: Hashable, Sendable {
    /// Bytes for the connection.
    package var bytes: [UInt8] = []
    /// Messages for the rest of the core, in order; HELLO, PING and CLOSE are not among them.
    package var messages: [Message] = []
    /// The handshake is over.
    package var opened: SessionFacts? {
        get { opening?.facts }
        set { opening = newValue.map { Opening.of($0) } }
    }
    private var opening: Opening?

    /// Beside the rest: it comes once on a link, and what is in it would be looked at whenever
    /// effects are handed on.
    private indirect enum Opening: Hashable, Sendable {
        case of(SessionFacts)

        var facts: SessionFacts {
            switch self {
            case .of(let facts): facts
            }
        }
    }

    /// The session is over; nothing follows.
    package var closed: SessionEnd?
    /// Stop (`true`) or go on (`false`) reading the connection.
    package var hold: Bool?
    /// A pushed entry or a fork proof did not fit: anti-entropy must repair that.
    package var droppedPush = false
    /// What others say did not fit: a comparison must repair that.
    package var leftOut = false
    /// Direct messages that did not fit; they stay in the outbox.
    package var refused: [ThreadID] = []

    /// Nothing.
    package init() {}
}

/// What both sides agreed on.
package struct SessionFacts: Hashable, Sendable {
    /// The minor version.
    package var minor: Int
    /// The peer's HELLO.
    package var hello: Hello
    /// Whether both call the flight by the same number first.
    package var sameFlight: Bool
    /// The alias of ours, from 1, that the peer proved where it is not the same flight; `nil` where
    /// they proved the flight itself, by an alias of theirs.
    package var alias: Int?
}

/// How a session ended.
package struct SessionEnd: Hashable, Sendable {
    /// The code, ours or the peer's. A peer's may be unknown here.
    package var code: Int
    /// Whether the peer ended it.
    package var byPeer: Bool
    /// Whether the peer is at fault: their key and address are then refused for a while.
    package var isFault: Bool
}
