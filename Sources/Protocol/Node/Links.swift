// SPDX-License-Identifier: Apache-2.0
/// The connections of this agent with their sessions: which are open, mute, at fault, or one too
/// many (docs/protocol.md sections 4, 6 and 7).
struct Links: Sendable {
    /// In the order in which they came.
    private(set) var all: [NodeLink] = []
    /// Connections of blocked keys: open and mute.
    private var ignored: [IgnoredLink] = []
    private var lastConnection = 0
    private var penalties = Penalties()
    private var watches: [BootWatch] = []
    /// Peers on this flight whose agents follow other rules of the fold, sorted.
    private(set) var otherVersions: [PeerKey] = []
    /// Peers of whom a trouble was told already.
    private var warned: [PeerKey] = []
    private let me: PeerKey
    private let boot: UInt64
    private let port: UInt16
    private let flights: [FlightKey]
    private let primitives: any Primitives

    /// No connections; `boot` are 8 random bytes of this process.
    init(_ setup: NodeSetup, boot: UInt64) {
        me = setup.signer.key
        self.boot = boot
        port = setup.port
        flights = setup.flightKeys
        primitives = setup.primitives
    }

    /// When a session wants to be called, or a link that waits for its end.
    var nextDeadline: Instant? {
        var first = all.nextDeadline
        for watch in watches { first = min(first ?? watch.until, watch.until) }
        for link in ignored { first = min(first ?? link.until, link.until) }
        return first
    }

    // MARK: Coming and going

    /// A connection came, through `relay` if it is a circuit: gives what its session is told first.
    mutating func add(
        _ id: LinkID, _ facts: LinkFacts, relay: PeerKey?, isOnDemand: Bool, at now: Instant
    ) -> SessionEvent {
        lastConnection += 1
        let config = SessionConfig(
            me: me, boot: boot, connection: lastConnection, port: port, flights: flights,
            primitives: primitives, isOnDemand: isOnDemand)
        let link = NodeLink(
            id: id, facts: facts, connection: lastConnection,
            session: Session(
                config, role: facts.role, peer: facts.peer, exporter: facts.exporter, at: now),
            openedAt: now, isOnDemand: isOnDemand, relay: relay, usedAt: now, exchangeAt: now)
        // By an eighth, not to twice the room: a link is most of a kilobyte.
        if all.count == all.capacity { all.reserveCapacity(all.count + all.count / 8 + 2) }
        all.append(link)
        if penalties.bars(facts.peer, host: facts.remote.host, at: now) {
            return .close(.resting, "")
        }
        return all.count + ignored.count > Limits.connections ? .close(.full, "") : .started
    }

    /// A connection ended, or is closed on our side: gives its link, unless it was mute.
    mutating func remove(_ id: LinkID) -> NodeLink? {
        ignored.removeAll { $0.id == id }
        return all.place(of: id).map { all.remove(at: $0) }
    }

    /// The peer at the end of a link that was removed broke the rules: they rest.
    mutating func blame(_ link: NodeLink, at now: Instant) {
        let (peer, host) = (link.facts.peer, link.facts.remote.host)
        let isAlone = !all.contains {
            $0.isOpen && $0.facts.remote.host == host && $0.facts.peer != peer
        }
        penalties.add(peer, host: host, isAlone: isAlone, at: now)
    }

    /// Gives a session one event.
    mutating func handle(_ id: LinkID, _ event: SessionEvent, at now: Instant) -> SessionEffects? {
        guard let place = all.place(of: id) else { return nil }
        return all[place].session.handle(event, at: now)
    }

    /// The session of a link opened.
    mutating func opened(_ id: LinkID, _ hello: Hello, at now: Instant) {
        guard let place = all.place(of: id) else { return }
        all[place].hello = hello
        // Looked at before; a link lasts for hours.
        all[place].hello?.proofs = []
        all[place].isOpen = true
        all[place].openedAt = now
        all[place].usedAt = now
        if hello.features & Hello.onDemand != 0 { all[place].isOnDemand = true }
    }

    // MARK: What goes over them

    /// A message came over a link; `isPurposeful` if it is more than the upkeep of logs.
    mutating func carried(_ id: LinkID, isPurposeful: Bool, at now: Instant) {
        guard let place = all.place(of: id) else { return }
        all[place].hasCarried = true
        if isPurposeful { all[place].usedAt = now }
    }

    /// The newest open link to `peer`, which is used now; `nil` if there is none.
    mutating func use(to peer: PeerKey, at now: Instant) -> LinkID? {
        let place = all.lastIndex { $0.isOpen && $0.facts.peer == peer }
        guard let place else { return nil }
        all[place].usedAt = now
        return all[place].id
    }

    /// A number for a circuit that we open on this link.
    mutating func freeNumber(on id: LinkID) -> Int {
        guard let place = all.place(of: id) else { return 0 }
        all[place].circuits += 2
        return all[place].circuits + (all[place].facts.role == .initiator ? 1 : 0)
    }

    /// Every open link tells of others at `time`, if not sooner.
    mutating func exchangeAll(by time: Instant) {
        for place in all.indices where all[place].isOpen {
            all[place].exchangeAt = min(all[place].exchangeAt, time)
        }
    }

    /// Whether a link has to tell of others now; the next time is then drawn.
    mutating func exchanges(
        _ id: LinkID, random: inout SeededRandom, at now: Instant
    ) -> Bool {
        guard let place = all.place(of: id), all[place].isOpen, all[place].exchangeAt <= now else {
            return false
        }
        let half = TimeSpan(nanoseconds: Limits.exchange.nanoseconds / 2)
        all[place].exchangeAt = now + half + random.span(.zero...Limits.exchange)
        return true
    }

    /// A peer was told of all others, or of what changed.
    mutating func told(_ id: LinkID, at now: Instant) {
        if let place = all.place(of: id) { all[place].toldAt = now }
    }

    // MARK: Blocked keys

    /// A connection of a blocked key: nothing is said on it, and nothing heard.
    mutating func ignore(_ id: LinkID, at now: Instant) {
        let until = now + Limits.helloTime + Limits.helloTime
        ignored.append(IgnoredLink(id: id, until: until))
    }

    /// Gives the links of a key that is blocked now: the core forgets them.
    mutating func forget(_ peer: PeerKey) -> [NodeLink] {
        let links = all.filter { $0.facts.peer == peer }
        all.removeAll { $0.facts.peer == peer }
        return links
    }

    /// From now on a link that was forgotten is mute.
    mutating func mute(_ link: NodeLink, at now: Instant) {
        let until = now + Limits.deadAfter + Limits.pingAfter
        ignored.append(IgnoredLink(id: link.id, until: until))
    }

    /// Gives all mute connections, which are none of ours any more.
    mutating func takeIgnored() -> [LinkID] {
        defer { ignored = [] }
        return ignored.map(\.id)
    }

    /// Mute connections whose other end has long given up: they are closed.
    mutating func dropIgnored(at now: Instant) -> [LinkID] {
        let late = ignored.filter { $0.until <= now }.map(\.id)
        ignored.removeAll { $0.until <= now }
        return late
    }

    // MARK: Two of one key

    /// Which of two links to one peer stays: both sides choose the same one (docs/protocol.md
    /// section 7).
    func verdict(old: NodeLink, new: NodeLink) -> ConnectionClaim.Verdict? {
        guard let oldHello = old.hello, let newHello = new.hello else { return nil }
        // A direct link is better than one through others, whoever made it.
        guard old.way == new.way else {
            return old.way.rawValue < new.way.rawValue ? .keepOld : .keepNew
        }
        return claim(old, oldHello).verdict(
            newer: claim(new, newHello), me: me, own: old.connection, ownNewer: new.connection)
    }

    private func claim(_ link: NodeLink, _ hello: Hello) -> ConnectionClaim {
        ConnectionClaim(
            initiator: link.facts.role == .initiator ? me : link.facts.peer,
            connection: hello.connection, boot: hello.boot)
    }

    /// Two links may be of two processes: both must answer a probe. Tells whether that is new.
    mutating func watch(old: LinkID, new: LinkID, at now: Instant) -> Bool {
        guard !watches.contains(where: { $0.old == old }) else { return false }
        watches.append(BootWatch(old: old, new: new, until: now + Limits.probeTime))
        return true
    }

    /// Watches whose probe time is over.
    mutating func takeWatches(at now: Instant) -> [BootWatch] {
        let due = watches.filter { $0.until <= now }
        watches.removeAll { $0.until <= now }
        return due
    }

    /// Which of the two links of a watch has shown a sign of life; `nil` if one has ended.
    func answers(_ watch: BootWatch) -> (peer: PeerKey, old: Bool, new: Bool)? {
        guard let old = all.place(of: watch.old), let new = all.place(of: watch.new) else {
            return nil
        }
        return (all[old].facts.peer, all[old].session.isAnswered, all[new].session.isAnswered)
    }

    // MARK: Troubles

    /// A peer follows other rules of the fold.
    mutating func noteOtherVersion(_ peer: PeerKey) {
        guard !otherVersions.contains(peer), otherVersions.count < Limits.authors else { return }
        otherVersions = (otherVersions + [peer]).sorted()
    }

    /// Whether a trouble with a peer is reported: once, although they are met again and again.
    mutating func warns(about peer: PeerKey) -> Bool {
        guard !warned.contains(peer), warned.count < Limits.authors else { return false }
        warned.append(peer)
        return true
    }
}

/// A connection of a blocked key.
private struct IgnoredLink: Hashable, Sendable {
    let id: LinkID
    /// When it is closed, if its other end has not done so.
    let until: Instant
}

/// A peer's older connection while a newer one comes from another process of the same key. Both are
/// asked for a sign of life, because the last bytes of a dead process may arrive late.
struct BootWatch: Hashable, Sendable {
    let old: LinkID
    let new: LinkID
    /// When the answer to the probe must be there.
    let until: Instant
}
