// SPDX-License-Identifier: Apache-2.0
/// The network around this agent: whom to link with, which peers to tell about which,
/// and when to browse mDNS.
extension Node {
    /// Links as the overlay sees them.
    var overlayLinks: [Overlay.Link] { peers.overlayLinks }

    /// Passengers to whom something has to be said in a session of their own, sorted:
    /// unacknowledged messages, open negotiations. They get a link whatever the overlay's shape.
    var neededPeers: [PeerKey] {
        let keys = talk.outbox.waitingPeers + people.needs + swaps.partners
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

    /// Updates the overlay now if it was quiet; changes that follow at once
    /// are gathered for a moment.
    mutating func tendSoon(at now: Instant) {
        isOverlayStale = false
        let soon = max(now, tendedAt.map { $0 + Limits.tendAfter } ?? now)
        nextTend = min(nextTend ?? soon, soon)
    }

    /// Brings the links closer to what they should be. Called when something changed, and in time.
    mutating func tend(_ effects: inout Effects, at now: Moment) {
        let instant = now.instant
        tendedAt = instant
        book.expire(at: instant)
        let heard = book.keys
        dialer.heardOnly(of: Set(heard))
        let needed = neededPeers
        overlay.reshape(
            known: max(dialer.labels, known(heard)), random: &random, at: instant)
        let links = overlayLinks
        let gone = overlay.surplus(
            links, needed: needed + companions, random: &random, at: instant)
        for id in gone { session(id, .close(.notNeeded, ""), &effects, at: now) }
        dialer.plan = overlay.plan(overlayLinks, needed: needed)
        dialer.opening = peers.opening
        if let wanted = overlay.browse(overlayLinks, at: instant) { effects.browse = wanted }
        tellLeft(&effects, at: now)
        detour(needed, &effects, at: now)
        exchange(&effects, at: now)
        effects.dials += dialer.tick(random: &random, at: instant)
        nextTend = tendAgain(needed, at: instant)
        // A link may have ended on the way.
        if isOverlayStale { tendSoon(at: instant) }
    }

    /// Reports who is gone: linked neither with us nor, as far as is known, with anybody else.
    mutating func tellLeft(_ effects: inout Effects, at now: Moment) {
        for key in present where !isLinked(key) && book.relays(to: key).isEmpty {
            present.removeAll { $0 == key }
            if awaySince.count < Limits.authors { awaySince[key] = now.utc }
            effects.notices.append(.left(key))
        }
    }

    private func known(_ heard: [PeerKey]) -> Int {
        var keys = heard
        for key in peers.openKeys where !keys.contains(key) { keys.append(key) }
        return keys.count
    }

    private func tendAgain(_ needed: [PeerKey], at now: Instant) -> Instant {
        var deadlines: [Instant] = []
        for place in peers.indices where peers[place].isOpen {
            deadlines.append(peers[place].exchangeAt)
        }
        deadlines += [overlay.nextDeadline(overlayLinks, at: now), book.nextDeadline]
            .compactMap { $0 }
        if needed.contains(where: { !isLinked($0) }) { deadlines.append(now + .seconds(1)) }
        // Whatever is due still waits for something else: look again soon, but never at once.
        let next = min(deadlines.min() ?? now + Limits.tendAgain, now + Limits.tendAgain)
        return max(next, now + .milliseconds(250))
    }

    // MARK: Peer exchange

    /// The links of this agent changed: everybody is told within about a second.
    mutating func linksChanged(at now: Instant) {
        isOverlayStale = true
        let soon = now + random.span(Limits.exchangeAfter)
        for index in peers.indices where peers[index].isOpen {
            peers[index].exchangeAt = min(peers[index].exchangeAt, soon)
        }
    }

    private mutating func exchange(_ effects: inout Effects, at now: Moment) {
        for id in peers.ids {
            guard let index = peers.place(of: id), peers[index].isOpen,
                peers[index].exchangeAt <= now.instant
            else { continue }
            let half = TimeSpan(nanoseconds: Limits.exchange.nanoseconds / 2)
            peers[index].exchangeAt =
                now.instant + half + random.span(.zero...Limits.exchange)
            tellOfOthers(id, &effects, at: now)
        }
    }

    /// PEX: all links of ours, and some places that this agent has reached. Hints of others are
    /// never passed on, so a lie reaches only the liar's own neighbours.
    mutating func tellOfOthers(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        guard let to = peers.place(of: id), peers[to].relay == nil else { return }
        let facts = peers[to].facts
        var hints: [PeerHint] = []
        for place in peers.indices
        where peers[place].isOpen && peers[place].relay == nil
            && peers[place].facts.peer != facts.peer && hints.count < Limits.hints
        {
            let listens = peers[place].reachedAt
            let isUsable = listens.isUsable(from: facts.remote)
            hints.append(
                PeerHint(
                    key: peers[place].facts.peer, address: isUsable ? listens : .none,
                    isLinked: true))
        }
        let told = hints.map(\.key)
        let rest = min(Limits.hints - hints.count, Limits.hints / 4)
        hints += book.sample(for: facts.peer, rest, random: &random, at: now.instant).filter {
            !told.contains($0.key) && $0.address.isUsable(from: facts.remote)
        }
        guard !hints.isEmpty else { return }
        session(id, .send(.peerExchange(hints)), &effects, at: now)
    }

    /// PEX came: into the book, and to the dialer what can be dialled. Of a place that must not be
    /// dialled only the key is kept, because a relay may reach it.
    mutating func took(_ hints: [PeerHint], from id: LinkID, at now: Moment) {
        guard let place = peers.place(of: id), peers[place].relay == nil else { return }
        let facts = peers[place].facts
        let networks = dialer.networks
        func mayBeDialled(_ address: PeerAddress) -> Bool {
            address.isUsable(from: facts.remote) && networks.admitsTold(address)
        }
        let judged = hints.map { hint in
            var judged = hint
            if !mayBeDialled(hint.address) { judged.address = .none }
            return judged
        }
        book.took(judged, from: facts.peer, me: me, at: now.instant)
        for hint in judged where hint.address != .none && !people.blocked.contains(hint.key) {
            dialer.heard(
                of: hint.key, at: book.addresses(of: hint.key).filter(mayBeDialled),
                from: facts.peer, random: &random, now: now.instant)
        }
        isOverlayStale = true
    }

    // MARK: Accepting

    /// Whether a link that just opened stays; one that does not is told of others first.
    mutating func admit(_ id: LinkID, _ effects: inout Effects, at now: Moment) -> Bool {
        guard let link = overlayLinks.first(where: { $0.id == id }), !link.isOutbound,
            !neededPeers.contains(link.peer), !companions.contains(link.peer),
            !isLinkedBeside(id, link.peer),
            !overlay.admits(link, among: overlayLinks)
        else { return true }
        tellOfOthers(id, &effects, at: now)
        session(id, .close(.full, ""), &effects, at: now)
        return false
    }

    private func isLinkedBeside(_ id: LinkID, _ peer: PeerKey) -> Bool {
        peers.contains { $0.isOpen && $0.id != id && $0.facts.peer == peer }
    }
}

extension PeerAddress {
    /// No place at all, as PEX says it.
    static let none = PeerAddress(host: "", port: 0)

    /// Whether somebody at `place` may reach this address: loopback on one machine only, and what
    /// is local to a link nowhere else.
    func isUsable(from place: PeerAddress) -> Bool {
        guard port != 0, !host.contains("%"), let numeric, numeric.isOfOneMachine,
            !numeric.isLinkLocal
        else { return false }
        return numeric.isLoopback == (place.numeric?.isLoopback ?? false)
    }
}
