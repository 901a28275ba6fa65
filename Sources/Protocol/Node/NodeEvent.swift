/// An established TLS connection: who is at the other end, proven by the handshake.
public struct LinkFacts: Hashable, Sendable {
    /// Which end this agent is.
    public var role: FlightKey.Role
    /// The other's key, from its certificate.
    public var peer: PeerKey
    /// TLS exporter value, 32 bytes (docs/protocol.md section 4).
    public var exporter: Bytes32
    /// The other end's address.
    public var remote: PeerAddress
    /// Number of the dial that it came from; `nil` for an accepted one.
    public var dial: Int?
    /// The circuit that it runs over; `nil` for a socket.
    public var circuit: CircuitID?

    /// All of it.
    public init(
        role: FlightKey.Role, peer: PeerKey, exporter: Bytes32, remote: PeerAddress, dial: Int?,
        circuit: CircuitID? = nil
    ) {
        self.role = role
        self.peer = peer
        self.exporter = exporter
        self.remote = remote
        self.dial = dial
        self.circuit = circuit
    }
}

/// What the shell tells the core.
public enum NodeEvent: Hashable, Sendable {
    /// The agent started: the first event, exactly once.
    case started
    /// The handshake of a connection succeeded.
    case connected(LinkID, LinkFacts)
    /// Plaintext bytes came.
    case received(LinkID, [UInt8])
    /// The kernel took bytes; `pending` bytes still wait.
    case drained(LinkID, pending: Int)
    /// A connection ended, whoever ended it.
    case ended(LinkID)
    /// A dial came to nothing.
    case dialFailed(Int)
    /// mDNS saw an instance with all its addresses.
    case found(label: String, addresses: [PeerAddress])
    /// mDNS lost an instance.
    case lost(label: String)
    /// The own instance label, once others see it, and after a network change.
    case labelled(String)
    /// An address that the user typed.
    case typed(PeerAddress)
    /// The networks that this machine is on now. Until they are known, only
    /// typed addresses are dialled.
    case networks(OwnNetworks)
    /// A person or a script wants something; the answer carries the number.
    case intent(Int, Intent)
    /// TLS of a circuit of ours has bytes for the other end.
    case sealed(CircuitID, [UInt8])
    /// The shell's side of a circuit is over.
    case circuitEnded(CircuitID)
    /// The agent is about to end: everybody is told.
    case stopping
    /// The deadline came.
    case tick
}
