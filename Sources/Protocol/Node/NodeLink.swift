// SPDX-License-Identifier: Apache-2.0
/// One connection in the core, with its session.
struct NodeLink: Sendable {
    let id: LinkID
    let facts: LinkFacts
    /// Number of the connection within this process.
    let connection: Int
    var session: Session
    /// When the session opened; before that, when the handshake ended.
    var openedAt: Instant
    var isOpen = false
    /// Something came over it since the session opened.
    var hasCarried = false
    var hello: Hello?
    /// Made for a purpose by one of the two sides.
    var isOnDemand = false
    /// The third agent that it goes through; `nil` for a direct one and for a tunnel.
    var relay: PeerKey?
    /// When something other than the upkeep of logs went over it.
    var usedAt: Instant
    /// When the peer is told of others next.
    var exchangeAt: Instant
    /// When the peer was told of others last.
    var toldAt: Instant?
    /// Numbers given to circuits on it.
    var circuits = 0

    /// How good the way is: straight to the other is best, then through another passenger's
    /// agent, then through a broker.
    enum Way: Int {
        case direct
        case circuit
        case tunnel
    }

    /// Which way it goes.
    var way: Way { facts.isTunnel ? .tunnel : relay == nil ? .direct : .circuit }

    /// Whether the peer reads PEX_CHANGE.
    var readsChanges: Bool { (hello?.features ?? 0) & Hello.changes != 0 }

    /// Where the peer says that it listens.
    var listens: PeerAddress {
        PeerAddress(host: facts.remote.host, port: hello?.port ?? 0)
    }

    /// Where others may try to reach the peer: where this agent reached it itself; of one that came
    /// by itself the host is proven by its handshake, and the port is what it says.
    var reachedAt: PeerAddress { facts.role == .initiator ? facts.remote : listens }
}

/// These read links in place: copying a link costs some thirty reference counts,
/// and a closure gets a copy.
extension [NodeLink] {
    /// Where the link is.
    func place(of id: LinkID) -> Int? {
        indices.first { self[$0].id == id }
    }

    /// Whether a session with `peer` is open.
    func isOpen(to peer: PeerKey) -> Bool {
        indices.contains { self[$0].isOpen && self[$0].facts.peer == peer }
    }

    /// Links that this agent dialled and whose session is not open yet.
    var opening: Int {
        indices.count {
            !self[$0].isOpen && self[$0].facts.role == .initiator && self[$0].way == .direct
        }
    }

    /// All links, in their order.
    var ids: [LinkID] { indices.map { self[$0].id } }

    /// Links whose session has something to do by itself, in their order.
    func due(at now: Instant) -> [LinkID] {
        var due: [LinkID] = []
        for place in indices {
            guard let deadline = self[place].session.nextDeadline, deadline <= now else { continue }
            due.append(self[place].id)
        }
        return due
    }

    /// When a session wants to be called first.
    var nextDeadline: Instant? {
        var first: Instant?
        for place in indices {
            if let due = self[place].session.nextDeadline { first = Swift.min(first ?? due, due) }
        }
        return first
    }

    /// Open links as the overlay sees them. Copied field by field, because this
    /// is read after each event.
    var overlayLinks: [Overlay.Link] {
        var links: [Overlay.Link] = []
        for place in indices where self[place].isOpen {
            links.append(
                Overlay.Link(
                    id: self[place].id, peer: self[place].facts.peer,
                    isOutbound: self[place].facts.role == .initiator,
                    isOnDemand: self[place].isOnDemand, isRelayed: self[place].way != .direct,
                    since: self[place].openedAt, used: self[place].usedAt))
        }
        return links
    }

    /// The other ends of open sessions, in the order of links.
    var openKeys: [PeerKey] {
        var keys: [PeerKey] = []
        for place in indices where self[place].isOpen { keys.append(self[place].facts.peer) }
        return keys
    }

    /// Peers with whom a session is open for so long, sorted.
    func keys(linkedFor span: TimeSpan, at now: Instant) -> [PeerKey] {
        var keys: [PeerKey] = []
        for place in indices where self[place].isOpen && self[place].openedAt + span <= now {
            keys.append(self[place].facts.peer)
        }
        return keys.sorted()
    }
}
