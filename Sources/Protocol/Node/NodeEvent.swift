// SPDX-License-Identifier: Apache-2.0
/// An established TLS connection: who is at the other end, as its handshake proved.
public struct LinkFacts: Hashable, Sendable {
    /// Which end this agent is.
    public var role: FlightKey.Role
    /// The other's key, from its certificate.
    public var peer: PeerKey
    /// TLS exporter value, 32 bytes (docs/protocol.md section 4).
    public var exporter: Bytes32
    /// The other end's address.
    public var remote: PeerAddress
    /// Number of the ``Dial`` that made it; `nil` for an accepted connection.
    public var dial: Int?
    /// The circuit that it runs over; `nil` for a socket of its own.
    public var circuit: CircuitID?
    /// Whether it runs over a tunnel through a broker (docs/meet.md section 8).
    public var isTunnel: Bool

    /// Facts about one connection.
    public init(
        role: FlightKey.Role, peer: PeerKey, exporter: Bytes32, remote: PeerAddress, dial: Int?,
        circuit: CircuitID? = nil, isTunnel: Bool = false
    ) {
        self.role = role
        self.peer = peer
        self.exporter = exporter
        self.remote = remote
        self.dial = dial
        self.circuit = circuit
        self.isTunnel = isTunnel
    }
}

/// What a program tells its core.
public enum NodeEvent: Hashable, Sendable {
    /// The agent started: the first event, exactly once.
    case started
    /// The handshake of a connection succeeded.
    case connected(LinkID, LinkFacts)
    /// Plaintext bytes arrived, in pieces of any size.
    case received(LinkID, [UInt8])
    /// The system accepted bytes of this connection; `pending` bytes still wait.
    case drained(LinkID, pending: Int)
    /// A connection ended, whoever closed it. Once for each ``connected(_:_:)``.
    case ended(LinkID)
    /// The dial with this number failed.
    case dialFailed(Int)
    /// mDNS found an instance; these are all its addresses.
    case found(label: String, addresses: [PeerAddress])
    /// An instance is gone from mDNS.
    case lost(label: String)
    /// This agent's own instance label, once others can see it, and again after a network change.
    case labelled(String)
    /// An address that the user typed.
    case typed(PeerAddress)
    /// The networks that this machine is on now. Before the first of these events, only typed
    /// addresses are dialled.
    case networks(OwnNetworks)
    /// A person or a script wants something; ``Effects/Reply`` carries the same number.
    case intent(Int, Intent)
    /// TLS of one of this agent's circuits has bytes for the other end.
    case sealed(CircuitID, [UInt8])
    /// The program's end of a circuit is closed.
    case circuitEnded(CircuitID)
    /// Entries came from a meeting point, each as it is replicated, to be judged like those of a
    /// peer (docs/meet.md section 3).
    case mailed([[UInt8]])
    /// Somebody left letters at a meeting point: all that they have open for this passenger
    /// (docs/meet.md section 4).
    case lettered(Mail)
    /// A card of this agent's own key, found at a meeting point, says that its log has so many
    /// entries: nothing is appended before they are here (docs/protocol.md section 10).
    case ownLength(Int)
    /// The words of the venue's operator that the core reported last (``Notice/venue(_:)``) have
    /// these hours for the same volume: all stays are judged by them from now on. Not stored: the
    /// next start is given the hours of the words that the program knows then.
    case hours(StayHours)
    /// The desk goes by these words of its operator from now on; its ledger takes the charter in if
    /// it is a later one.
    case desk(DeskTerms, Charter)
    /// The program wants to know now, and not with the next round, who has all of the own log.
    case probeOwnLog
    /// The program is about to end: the core says goodbye to everybody.
    case stopping
    /// ``Node/nextDeadline`` has come.
    case tick
}
