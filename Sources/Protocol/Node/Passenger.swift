/// A passenger as this agent knows them.
package struct Passenger: Hashable, Sendable {
    /// The identity.
    package var key: PeerKey
    /// The name they give themselves; empty before their genesis is known. Hostile text.
    package var name: String
    /// The program they say they run. Hostile text.
    package var agent: String
    /// Seats that they hold, sorted.
    package var seats: [Seat]
    /// This agent itself.
    package var isMe: Bool
    /// Linked now.
    package var isLinked: Bool
    /// Linked peers who say that they are linked with this one, sorted: ways to them.
    package var ways: [PeerKey]
    /// What stands behind the seats that they claim.
    package var assurance: Assurance
    /// Blocked here.
    package var isBlocked: Bool
    /// A fork proof exists.
    package var isForked: Bool
    /// Their log is closed.
    package var hasLeft: Bool
    /// Still on the flight, as far as is known, but the agent is out of reach.
    package var isAway = false
    /// Since when the agent is out of reach; `nil` where that is not known.
    package var awaySince: UTCTime?
    /// When their first entry was seen here.
    package var firstSeen: UTCTime
    /// Their offer, if they make one.
    package var wish: Wish?
    /// What their own entries convict them of, with the two that do.
    package var misdeed: Misdeed?
}

/// A link to a peer for `peers` and `status`.
package struct LinkView: Hashable, Sendable {
    /// Who.
    package var peer: PeerKey
    /// Where.
    package var remote: PeerAddress
    /// Dialled by this agent.
    package var dialled: Bool
    /// How this peer was found.
    package var stage: Stage
    /// Open since.
    package var since: Instant
    /// The third agent of a relayed link.
    package var relay: PeerKey?
    /// They reach us, we do not reach them: their network lets connections through in one
    /// direction.
    package var isOneWay = false

    /// How a peer was reached.
    package enum Stage: String, Sendable {
        /// Seen by mDNS.
        case mdns
        /// They dialled us.
        case dialledUs = "dialled us"
        /// Typed by the user.
        case typed
        /// A peer told where they are.
        case heard = "heard of"
        /// Through a third agent, who sees sealed bytes only.
        case relayed
    }
}
