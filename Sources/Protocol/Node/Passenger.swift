// SPDX-License-Identifier: Apache-2.0
/// A passenger as this agent knows them.
public struct Passenger: Hashable, Sendable {
    /// The identity.
    public var key: PeerKey
    /// The name they give themselves; empty before their genesis is known. Hostile text.
    public var name: String
    /// The program they say they run. Hostile text.
    public var agent: String
    /// Seats that they hold, sorted.
    public var seats: [Seat]
    /// This agent itself.
    public var isMe: Bool
    /// Linked now.
    public var isLinked: Bool
    /// Linked peers who say that they are linked with this passenger, sorted: possible relays.
    public var ways: [PeerKey]
    /// What stands behind the seats that they claim.
    public var assurance: Assurance
    /// Blocked here.
    public var isBlocked: Bool
    /// A fork proof exists.
    public var isForked: Bool
    /// Their log is closed.
    public var hasLeft: Bool
    /// Still on the flight, as far as is known, but the agent is out of reach.
    public var isAway = false
    /// Since when the agent is out of reach; `nil` if that is not known.
    public var awaySince: UTCTime?
    /// When their first entry was seen here.
    public var firstSeen: UTCTime
    /// Their offer, if they make one.
    public var wish: Wish?
    /// What others may ask them for.
    public var asks = Wish.Asks.alike
    /// On whose computer their agent runs, as both say; `nil` on their own, as far as is known.
    public var host: PeerKey?
    /// What their own entries convict them of, with the two that do.
    public var misdeed: Misdeed?
}

/// A link to a peer for `peers` and `status`.
public struct LinkView: Hashable, Sendable {
    /// Who.
    public var peer: PeerKey
    /// Where.
    public var remote: PeerAddress
    /// Dialled by this agent.
    public var dialled: Bool
    /// How this peer was found.
    public var stage: Stage
    /// Open since.
    public var since: Instant
    /// The third agent of a relayed link.
    public var relay: PeerKey?
    /// Whether it goes through the broker of a meeting point.
    public var isTunnel = false
    /// They reach us but we do not reach them: the network passes
    /// connections in one direction only.
    public var isOneWay = false

    /// How a peer was reached.
    public enum Stage: String, Sendable {
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
