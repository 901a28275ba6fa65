// SPDX-License-Identifier: Apache-2.0
/// The network around this agent (docs/protocol.md sections 3 and 23): whom to link with, which
/// peers to tell about which, who is aboard, and when to browse mDNS.
struct Mesh: Sendable {
    private var dialer: Dialer
    private var overlay: Overlay
    private var book = AddressBook()
    private var partings = Partings()
    /// Something changed since the links were looked at.
    private(set) var isStale = false
    /// When the links are looked at next.
    private var nextTend: Instant?
    /// When they were looked at last.
    private var tendedAt: Instant?
    /// Who is aboard and who is away.
    private var presence = Presence()
    private let me: PeerKey

    /// Nobody is known; `blocked` keys are left alone. So many links for a purpose are accepted.
    init(_ me: PeerKey, blocked: [PeerKey], guests: Int, at now: Instant) {
        self.me = me
        dialer = Dialer(me)
        overlay = Overlay(guests: guests, at: now)
        dialer.shunned = blocked
    }

    /// When it wants to be called.
    var nextDeadline: Instant? { [dialer.nextDeadline, nextTend].compactMap { $0 }.min() }

    /// Whether a dial is due.
    func isDialDue(at now: Instant) -> Bool { dialer.nextDeadline.map { $0 <= now } ?? false }

    /// Whether the links are to be looked at.
    func isDue(at now: Instant) -> Bool { nextTend.map { $0 <= now } ?? false }

    // MARK: What happens

    /// What mDNS, the user or a dial told.
    mutating func seek(_ event: NodeEvent, random: inout SeededRandom, at now: Instant) {
        switch event {
        case .found(let label, let addresses):
            dialer.found(label, addresses, random: &random, at: now)
        case .lost(let label): dialer.lost(label)
        case .labelled(let label): dialer.labelled(label)
        case .typed(let address): dialer.typed(address, at: now)
        case .networks(let networks): dialer.networks = networks
        case .dialFailed(let dial): dialer.failed(dial, random: &random, at: now)
        case .started, .connected, .received, .drained, .ended, .intent, .mailed, .lettered,
            .ownLength,
            .hours,
            .desk, .stopping, .probeOwnLog, .tick, .sealed, .circuitEnded:
            break
        }
        // Dialled when the overlay knows how many there are.
        isStale = true
    }

    /// A dial reached `peer`.
    mutating func reached(_ dial: Int, _ peer: PeerKey) { dialer.reached(dial, peer) }

    /// A direct link opened.
    mutating func linked(_ link: NodeLink, at now: Instant) {
        dialer.linked(link.facts.peer, at: link.listens, now: now)
        noteReached(link, at: now)
    }

    /// Notes an address that this agent dialled itself, which it may tell others.
    mutating func noteReached(_ link: NodeLink, at now: Instant) {
        guard link.facts.role == .initiator, link.way == .direct else { return }
        book.reached(link.facts.peer, at: link.facts.remote, now: now)
    }

    /// A direct link with `peer` is gone.
    mutating func parted(_ peer: PeerKey, at now: Instant) { partings.note(peer, at: now) }

    /// The last link with `peer` is gone.
    mutating func unlinked(_ peer: PeerKey, random: inout SeededRandom, at now: Instant) {
        book.unlinked(peer)
        dialer.unlinked(peer, random: &random, at: now)
    }

    /// `peer` is no longer blocked.
    mutating func unblocked(_ peer: PeerKey, random: inout SeededRandom, at now: Instant) {
        dialer.unlinked(peer, random: &random, at: now)
    }

    /// These keys are blocked: their places are left alone.
    mutating func shun(_ blocked: [PeerKey]) { dialer.shunned = blocked }

    // MARK: Who is aboard

    /// A link with `peer` opened; tells whether they were not aboard before.
    mutating func cameAboard(_ peer: PeerKey) -> Bool { presence.cameAboard(peer) }

    /// The link with `peer` is given up, by them or by us: they are there.
    mutating func gaveUp(_ peer: PeerKey, at now: Instant) { presence.saw(peer, at: now) }

    /// Who came back within reach of others and who is gone since the last call.
    mutating func takeChanges(at now: Moment, isLinked: (PeerKey) -> Bool) -> Presence.Changes {
        presence.take(
            shape, at: now, isNear: { isLinked($0) || !book.relays(to: $0).isEmpty },
            mayAnswer: { dialer.mayReach($0) })
    }

    /// Since when `key` is away; `nil` for who is not, and for who was not met in this process.
    func awaySince(_ key: PeerKey) -> UTCTime? { presence.awaySince[key] }

    /// Who is dialled to see whether they are still there.
    var doubted: [PeerKey] { presence.doubted }

    // MARK: Tending the links

    /// Something changed: the links are looked at soon.
    mutating func becomeStale() { isStale = true }

    /// Looks at the links now if it was quiet; changes that follow at once are gathered for a
    /// moment.
    mutating func tendSoon(at now: Instant) {
        isStale = false
        let soon = max(now, tendedAt.map { $0 + Limits.tendAfter } ?? now)
        nextTend = min(nextTend ?? soon, soon)
    }

    /// The links that are given up now. Those with `needed` passengers and `companions` stay.
    mutating func surplus(
        _ links: [NodeLink], needed: [PeerKey], companions: [PeerKey],
        random: inout SeededRandom, at now: Instant
    ) -> [LinkID] {
        tendedAt = now
        book.expire(at: now)
        var heard = book.keys
        dialer.heardOnly(of: Set(heard))
        for key in links.openKeys where !heard.contains(key) { heard.append(key) }
        overlay.reshape(known: max(dialer.labels, heard.count), random: &random, at: now)
        let kept = needed + companions
        let answered = links.overlayLinks.filter {
            $0.isOnDemand && $0.peer == presence.answered && !kept.contains($0.peer)
        }.map(\.id)
        // A link that goes anyway is no reason to end another one.
        let others = links.overlayLinks.filter { !answered.contains($0.id) }
        return answered + overlay.surplus(others, needed: kept, random: &random, at: now)
    }

    /// Decides how many are dialled, and tells whether mDNS is asked from now on; `nil` if nothing
    /// changes.
    mutating func plan(_ links: [NodeLink], needed: [PeerKey], at now: Instant) -> Bool? {
        dialer.plan = overlay.plan(links.overlayLinks, needed: needed)
        dialer.opening = links.opening
        return overlay.browse(links.overlayLinks, at: now)
    }

    /// Dials that are due.
    mutating func dial(random: inout SeededRandom, at now: Instant) -> [Dial] {
        dialer.tick(random: &random, at: now)
    }

    /// The links were looked at: decides when that is done again.
    mutating func rest(_ links: [NodeLink], needed: [PeerKey], at now: Instant) {
        var deadlines: [Instant] = []
        for place in links.indices where links[place].isOpen {
            deadlines.append(links[place].exchangeAt)
        }
        deadlines += [overlay.nextDeadline(links.overlayLinks, at: now), book.nextDeadline]
            .compactMap { $0 }
        if needed.contains(where: { !links.isOpen(to: $0) }) { deadlines.append(now + .seconds(1)) }
        // Whatever is due still waits for something else: look again soon, but never at once.
        let next = min(deadlines.min() ?? now + Limits.tendAgain, now + Limits.tendAgain)
        nextTend = max(next, now + .milliseconds(250))
        // A link may have ended on the way.
        if isStale { tendSoon(at: now) }
    }

    /// Keeps the time of the next dial until something changes.
    mutating func findNext() { dialer.findNext() }

    /// Whether a link that was just accepted stays.
    func admits(_ link: Overlay.Link, among links: [NodeLink]) -> Bool {
        overlay.admits(link, among: links.overlayLinks)
    }

    // MARK: Peer exchange

    /// What a peer is told of others: all links of ours, and some places that this agent has
    /// reached. Hints of others are never passed on, so a lie reaches only the liar's own
    /// neighbours.
    func hints(
        for facts: LinkFacts, _ links: [NodeLink], random: inout SeededRandom, at now: Instant
    ) -> [PeerHint] {
        var hints: [PeerHint] = []
        for place in links.indices
        where links.isTold(place, to: facts) && hints.count < Limits.hints {
            hints.append(links.hint(place, for: facts))
        }
        let told = hints.map(\.key)
        let rest = min(Limits.hints - hints.count, Limits.hints / 4)
        return hints
            + book.sample(for: facts.peer, rest, random: &random, at: now).filter {
                !told.contains($0.key) && $0.address.isUsable(from: facts.remote)
            }
    }

    /// What changed since a peer was told of all others: links that opened, and links that ended,
    /// with the place where this agent reached the passenger. `nil` if that is more than one
    /// message holds or is remembered.
    func changes(
        for facts: LinkFacts, _ links: [NodeLink], since: Instant, at now: Instant
    ) -> [PeerHint]? {
        guard let parted = partings.since(since) else { return nil }
        var hints: [PeerHint] = []
        for place in links.indices
        where links.isTold(place, to: facts) && links[place].openedAt >= since {
            hints.append(links.hint(place, for: facts))
        }
        for key in parted where key != facts.peer {
            let isThere = links.indices.contains {
                links.isTold($0, to: facts) && links[$0].facts.peer == key
            }
            guard !isThere else { continue }
            let place = book.reached(key, at: now).flatMap {
                $0.isUsable(from: facts.remote) ? $0 : nil
            }
            hints.append(PeerHint(key: key, address: place ?? .none, isLinked: false))
        }
        return hints.count <= Limits.hints ? hints : nil
    }

    /// PEX came, or what changed since: into the book, and to the dialer what can be dialled. Of a
    /// place that must not be dialled only the key is kept, because a relay may reach it.
    mutating func took(
        _ hints: [PeerHint], isChange: Bool, from facts: LinkFacts,
        random: inout SeededRandom, at now: Instant
    ) {
        let networks = dialer.networks
        func mayBeDialled(_ address: PeerAddress) -> Bool {
            address.isUsable(from: facts.remote) && networks.admitsTold(address)
        }
        let judged = hints.map { hint in
            var judged = hint
            if !mayBeDialled(hint.address) { judged.address = .none }
            return judged
        }
        if isChange {
            book.changed(judged, from: facts.peer, me: me, at: now)
        } else {
            book.took(judged, from: facts.peer, me: me, at: now)
        }
        for hint in judged where hint.address != .none && !dialer.shunned.contains(hint.key) {
            dialer.heard(
                of: hint.key, at: book.addresses(of: hint.key).filter(mayBeDialled),
                from: facts.peer, random: &random, now: now)
        }
        isStale = true
    }

    /// Peers who say that they are linked with `key`.
    func relays(to key: PeerKey) -> [PeerKey] { book.relays(to: key) }

    // MARK: What people read

    /// Everybody linked with everybody, or a few links each.
    var shape: Overlay.Shape { overlay.shape }

    /// Agents known to be around: seen, heard of or linked.
    func agents(_ linked: [PeerKey]) -> Int { max(dialer.labels, Set(book.keys + linked).count) }

    /// Whether `peer` may be reached directly.
    func mayReach(_ peer: PeerKey) -> Bool { dialer.mayReach(peer) }

    /// Places where nobody answers, with the number of tries.
    var silent: [(address: PeerAddress, tries: Int)] { dialer.silent }

    /// Whether nobody answers there.
    func isSilent(_ place: PeerAddress) -> Bool { dialer.isSilent(place) }

    /// How this agent came to know of a place that it dialled.
    func stage(of place: PeerAddress) -> LinkView.Stage {
        if dialer.isTyped(place) { return .typed }
        return dialer.isSighted(place) ? .mdns : .heard
    }
}

extension [NodeLink] {
    /// Whether the other end of `facts` is told of a link: an open and direct one with another.
    fileprivate func isTold(_ place: Int, to facts: LinkFacts) -> Bool {
        self[place].isOpen && self[place].way == .direct && self[place].facts.peer != facts.peer
    }

    /// What they are told of it.
    fileprivate func hint(_ place: Int, for facts: LinkFacts) -> PeerHint {
        let listens = self[place].reachedAt
        return PeerHint(
            key: self[place].facts.peer,
            address: listens.isUsable(from: facts.remote) ? listens : .none, isLinked: true)
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
