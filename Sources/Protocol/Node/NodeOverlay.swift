// SPDX-License-Identifier: Apache-2.0
/// The network around this agent: whom to link with, which peers to tell about which,
/// and when to browse mDNS.
extension Node {
    /// Passengers to whom something has to be said in a session of their own, sorted:
    /// unacknowledged messages, open negotiations, or only a look whether they are still
    /// there. They get a link whatever the overlay's shape.
    func neededPeers(at now: Moment) -> [PeerKey] {
        let keys =
            talk.outbox.waitingPeers + people.needs + swaps.partners(at: now.utc) + mesh.doubted
            + deskNeeded
        var unique: [PeerKey] = []
        for key in keys.sorted() where unique.last != key && key != me {
            if !people.blocked.contains(key), !folding.fold.isForked(key),
                !talk.history.hasEnded(key)
            {
                unique.append(key)
            }
        }
        return unique
    }

    /// Passengers whose links stay in a partial mesh, whoever else comes: the first of those whom
    /// the user verified, sorted. Nobody dials them for that.
    var companions: [PeerKey] {
        Array(verified.map(\.key).filter(isLinked).sorted().prefix(Limits.companions))
    }

    /// Brings the links closer to what they should be. Called when something changed, and in time.
    mutating func tend(_ effects: inout Effects, at now: Moment) {
        // Nobody who was just told good-bye is dialled.
        guard !isStopping else { return }
        let instant = now.instant
        let needed = neededPeers(at: now)
        let gone = mesh.surplus(
            peers.all, needed: needed, companions: companions, random: &random, at: instant)
        for id in gone { session(id, .close(.notNeeded, ""), &effects, at: now) }
        if let wanted = mesh.plan(peers.all, needed: needed, at: instant) {
            effects.browse = wanted
        }
        tellLeft(&effects, at: now)
        detour(needed, &effects, at: now)
        exchange(&effects, at: now)
        effects.dials += mesh.dial(random: &random, at: instant)
        mesh.rest(peers.all, needed: needed, at: instant)
    }

    /// Reports who is within reach again and who is gone.
    mutating func tellLeft(_ effects: inout Effects, at now: Moment) {
        let changes = mesh.takeChanges(at: now) { peers.all.isOpen(to: $0) }
        for key in changes.back { effects.notices.append(.aboard(key)) }
        for key in changes.left { effects.notices.append(.left(key)) }
    }

    // MARK: Peer exchange

    /// The links of this agent changed: everybody is told within about a second; in a partial mesh,
    /// where they change all the time, within a minute.
    mutating func linksChanged(at now: Instant) {
        mesh.becomeStale()
        let isPartial = mesh.shape == .partial
        let soon = now + random.span(isPartial ? Limits.exchangeGather : Limits.exchangeAfter)
        peers.exchangeAll(by: soon)
    }

    private mutating func exchange(_ effects: inout Effects, at now: Moment) {
        for id in peers.all.ids where peers.exchanges(id, random: &random, at: now.instant) {
            tellOfOthers(id, &effects, at: now)
        }
    }

    /// PEX: a peer is told of others; of those who were told before only what changed, if they read
    /// that. No change says that everything stands.
    mutating func tellOfOthers(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        guard let to = peers.all.place(of: id), peers.all[to].way == .direct else { return }
        if peers.all[to].readsChanges, let since = peers.all[to].toldAt,
            let changes = mesh.changes(
                for: peers.all[to].facts, peers.all, since: since, at: now.instant)
        {
            peers.told(id, at: now.instant)
            return session(id, .send(.peerChange(changes)), &effects, at: now)
        }
        let hints = mesh.hints(
            for: peers.all[to].facts, peers.all, random: &random, at: now.instant)
        guard !hints.isEmpty else { return }
        peers.told(id, at: now.instant)
        session(id, .send(.peerExchange(hints)), &effects, at: now)
    }

    /// PEX or PEX_CHANGE came.
    mutating func took(
        _ hints: [PeerHint], isChange: Bool = false, from id: LinkID, at now: Moment
    ) {
        guard let place = peers.all.place(of: id), peers.all[place].way == .direct else { return }
        mesh.took(
            hints, isChange: isChange, from: peers.all[place].facts, random: &random,
            at: now.instant)
    }

    // MARK: Accepting

    /// Whether a link that just opened stays; one that does not is told of others first.
    mutating func admit(_ id: LinkID, _ effects: inout Effects, at now: Moment) -> Bool {
        guard let link = peers.all.overlayLinks.first(where: { $0.id == id }), !link.isOutbound,
            !neededPeers(at: now).contains(link.peer), !companions.contains(link.peer),
            !isLinkedBeside(id, link.peer),
            !mesh.admits(link, among: peers.all)
        else { return true }
        tellOfOthers(id, &effects, at: now)
        session(id, .close(.full, ""), &effects, at: now)
        return false
    }

    private func isLinkedBeside(_ id: LinkID, _ peer: PeerKey) -> Bool {
        peers.all.contains { $0.isOpen && $0.id != id && $0.facts.peer == peer }
    }
}
