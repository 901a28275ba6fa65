// SPDX-License-Identifier: Apache-2.0
/// What people and scripts can read.
extension Node {
    /// The flight as people name it.
    public var flight: FlightName { setup.flight }

    /// What people gather for: a volume of a venue, else the flight.
    public var gathering: GatheringName { setup.gathering }

    /// The flight's key and id.
    public var flightKey: FlightKey { setup.flightKeys[0] }

    /// When seats may be traded; `nil` for always.
    public var window: SelectionWindow? { setup.window }

    /// Whether the own log may be written to.
    public var canAppend: Bool { records.gate.isOpen }

    /// How much of the own log some other agent said that they have.
    package var acknowledged: Int { records.acknowledged }

    /// The gate of the own log.
    package var appendGate: AppendGate { records.gate }

    /// Direct messages of both directions, oldest first.
    public var messages: [DirectMessage] { talk.outbox.messages.filter { !$0.isForAgents } }

    /// The flight's history as seen here, oldest first; without the words of blocked passengers.
    public var timeline: [TimelineItem] { talk.history.items.filter { !isHidden($0) } }

    /// Blocked keys, sorted.
    public var blocked: [PeerKey] { people.blocked }

    /// Peers on this flight whose agents follow other rules of the fold, sorted.
    public var peersOfOtherVersions: [PeerKey] { peers.otherVersions }

    /// Seats with their holders, weighed by this user's evidence, sorted by seat.
    public var seatView: SeatView { SeatView(fold, trust) }

    /// Open links, sorted by peer.
    public var links: [LinkView] {
        peers.all.filter(\.isOpen).map { link in
            LinkView(
                peer: link.facts.peer, remote: link.facts.remote,
                dialled: link.facts.role == .initiator, stage: stage(link), since: link.openedAt,
                relay: link.relay, isTunnel: link.way == .tunnel, isOneWay: isOneWay(link))
        }
        .sorted { $0.peer < $1.peer }
    }

    /// Open links with passengers whom the user verified, and with members of a venue.
    public var favouredLinks: [LinkID] {
        let known = verified.map(\.key)
        return peers.all.filter { link in
            let peer = link.facts.peer
            return link.isOpen && (known.contains(peer) || venue?.asks.book.isMember(peer) == true)
        }.map(\.id)
    }

    private func stage(_ link: NodeLink) -> LinkView.Stage {
        if link.way != .direct { return .relayed }
        if link.facts.role == .responder { return .dialledUs }
        return mesh.stage(of: link.facts.remote)
    }

    private func isOneWay(_ link: NodeLink) -> Bool {
        // Whoever speaks on the link answers, whatever a dial came to before.
        guard link.way == .direct, link.facts.role == .responder, link.hello != nil,
            !link.hasCarried
        else { return false }
        return mesh.isSilent(link.listens)
    }

    /// The circuits of which this agent is an end.
    var circuits: Circuits { detours.circuits }

    /// Circuits that this agent carries for others now.
    public var circuitsCarried: Int { detours.carried }

    /// Everybody linked with everybody, or a few links each.
    package var overlayShape: Overlay.Shape { mesh.shape }

    /// Agents known to be around besides this one, linked or heard of.
    public var agentsKnown: Int {
        mesh.agents(peers.all.openKeys)
    }

    /// Places that mDNS saw or the user typed where nobody answers, with the number of tries.
    public var silentPlaces: [(address: PeerAddress, tries: Int)] { mesh.silent }

    /// Whether a session with `peer` is open.
    public func isLinked(_ peer: PeerKey) -> Bool {
        peers.all.isOpen(to: peer)
    }

    /// One passenger; `nil` for a key of whom nothing is known.
    public func passenger(_ key: PeerKey) -> Passenger? { passenger(key, trust) }

    /// In a full mesh whoever is about is linked, or linked with somebody who is. In a partial one
    /// they may be further off: there only whoever was within reach and is not any more is away.
    private func isAway(_ key: PeerKey) -> Bool {
        guard key != me, !isLinked(key), !talk.history.hasEnded(key),
            !mesh.relays(to: key).contains(where: isLinked)
        else { return false }
        switch mesh.shape {
        case .full: return true
        case .partial: return mesh.awaySince(key) != nil
        }
    }

    private func passenger(_ key: PeerKey, _ trust: Trust) -> Passenger? {
        let isKnown = key == me || records.logs.log(of: key) != nil || isLinked(key)
        guard isKnown || people.blocked.contains(key) else { return nil }
        let seats = folding.fold.held(by: key).map(\.seat).sortedOnce(by: <)
        return Passenger(
            key: key, name: talk.history.name(of: key), agent: talk.history.agent(of: key),
            seats: seats,
            isMe: key == me, isLinked: isLinked(key),
            ways: mesh.relays(to: key).filter(isLinked), assurance: assurance(of: key, trust),
            isBlocked: people.blocked.contains(key),
            isForked: folding.fold.isForked(key), hasLeft: talk.history.hasEnded(key),
            isAway: isAway(key), awaySince: mesh.awaySince(key),
            firstSeen: talk.history.firstSeen(key) ?? UTCTime(seconds: 0), wish: wish(of: key),
            asks: asks(of: key), host: host(of: key), misdeed: misdeed(of: key))
    }

    /// Everybody known, this agent included: sorted by first seat, then name, then key.
    public var passengers: [Passenger] {
        var keys = records.logs.logs.map(\.author)
        keys += peers.all.openKeys
        keys += [me] + people.blocked
        var unique: [PeerKey] = []
        for key in keys.sorted() where unique.last != key { unique.append(key) }
        let trust = trust
        return unique.compactMap { passenger($0, trust) }.sorted { left, right in
            switch (left.seats.first, right.seats.first) {
            case (let one?, let other?) where one != other: return one < other
            case (nil, .some): return false
            case (.some, nil): return true
            case (.some, .some), (nil, nil):
                return left.name != right.name ? left.name < right.name : left.key < right.key
            }
        }
    }
}
