// SPDX-License-Identifier: Apache-2.0
/// The whole core as one value: events and time go in, effects come out.
///
/// It has no socket, file, thread, clock or randomness of its own. A program gives it a
/// ``NodeEvent`` and the time, and carries out the ``Effects`` that it returns; `examples/embed` is
/// a small one.
public struct Node: Sendable {
    /// This agent's key on this flight.
    public let me: PeerKey
    let setup: NodeSetup

    var records: Records
    var folding: Folding
    /// All negotiations.
    public internal(set) var swaps: Swaps
    var talk: Talk
    var mesh: Mesh
    var detours = Detours()
    var people: People
    var peers: Links
    var random: SeededRandom
    var waitingIntents: [(token: Int, intent: Intent)] = []
    var suggested: Layouts
    var wishes: Wishes
    var fellows: Companions
    var venue: VenueParts?
    var standing = StandingAnswers()
    /// The program ends: nobody is dialled or let in any more.
    private(set) var isStopping = false

    /// A core that continues from what was stored; ``Stored/init()`` for a first start. The program
    /// then sends it ``NodeEvent/started``.
    public init(_ setup: NodeSetup, _ stored: Stored, at now: Moment) {
        self.setup = setup
        me = setup.signer.key
        // Two secrets of one seed: what is seen of the one tells nothing of the other.
        let seed = setup.seed.bytes
        random = SeededRandom(seed: setup.primitives.sha256(Array("chance".utf8) + seed))
        people = People(
            stored, me: me, flight: setup.flightKeys[0].id,
            secret: setup.primitives.sha256(Array("nonce".utf8) + seed), setup.primitives)
        peers = Links(setup, boot: random.next())
        talk = Talk(
            stored, me: me, bounds: setup.bounds.messages, patience: setup.messageTime, at: now)
        records = Records(setup, stored, at: now.instant)
        folding = Folding(setup.primitives)
        swaps = Swaps(
            me: me, flight: setup.flightKeys[0].id, records: stored.swaps, locks: stored.locks,
            primitives: setup.primitives, rules: setup.gathering.entryRules, at: now)
        // A desk has guests: everybody who joins, one after the other.
        let isDesk = setup.venue?.charter != nil || records.isLedger(me)
        mesh = Mesh(
            me, blocked: people.blocked, guests: isDesk ? Limits.deskGuests : Limits.guests,
            at: now.instant)
        suggested = Layouts(
            own: stored.layout, flight: setup.flightKeys[0].id, signer: setup.signer,
            primitives: setup.primitives, at: now.instant)
        wishes = Wishes(stored, said: talk.history.said(by: me))
        fellows = Companions(
            stored.party, me: me, flight: setup.flightKeys[0].id, primitives: setup.primitives)
        venue = setup.venue.map { VenueParts(setup, $0, stored, at: now) }
        if let terms = setup.venue?.desk {
            venue?.desk = DeskParts(setup, terms, stored, records.logs, at: now)
        }
        resumeParty(stored, at: now)
    }

    /// Takes one event and returns what the program has to do, in this order.
    public mutating func handle(_ event: NodeEvent, at now: Moment) -> Effects {
        var effects = Effects()
        handle(event, at: now, into: &effects)
        return effects
    }

    /// Takes one event in; what it asks for comes behind what `effects` has of the same turn.
    public mutating func handle(
        _ event: NodeEvent, at now: Moment, into effects: inout Effects
    ) {
        venue?.now = now.instant
        switch event {
        case .started: start(&effects, at: now)
        case .connected(let id, let facts): connected(id, facts, &effects, at: now)
        case .received(let id, let bytes): session(id, .received(bytes), &effects, at: now)
        case .drained(let id, let pending):
            session(id, .drained(pending: pending), &effects, at: now)
        case .ended(let id): ended(id, &effects, at: now)
        case .dialFailed, .found, .lost, .labelled, .typed, .networks:
            mesh.seek(event, random: &random, at: now.instant)
        case .intent(let token, let intent):
            freshen(&effects, at: now)
            want(token, intent, &effects, at: now)
            mesh.becomeStale()
        case .probeOwnLog: probeOwnLog(&effects, at: now)
        case .stopping:
            isStopping = true
            // Whoever waits for an answer waits no more: nothing comes that the logs wait for.
            answerWaiting(&effects, at: now)
            effects.closes += peers.takeIgnored()
            for id in peers.all.ids { session(id, .close(.leaving, ""), &effects, at: now) }
        case .sealed, .circuitEnded: circuit(event, &effects, at: now)
        case .ownLength(let length): ownLength(length, &effects)
        case .mailed(let entries): mailed(entries, &effects, at: now)
        case .lettered(let mail): lettered(mail, &effects, at: now)
        case .hours(let hours): stay(.hours(hours), &effects, at: now)
        case .desk(let terms, let charter): takeTerms(terms, charter, &effects, at: now)
        case .tick: tick(&effects, at: now)
        }
        settle(&effects, at: now)
        serveDesk(&effects, at: now)
        tellChat(&effects, at: now)
        countLayouts(&effects)
        countStatements(&effects, at: now)
        if mesh.isStale { mesh.tendSoon(at: now.instant) }
        if mesh.isDue(at: now.instant) { tend(&effects, at: now) }
        mesh.findNext()
    }

    /// When the program has to send ``NodeEvent/tick`` at the latest; `nil` if nothing is due.
    public var nextDeadline: Instant? {
        guard !isStopping else { return nil }
        let deadlines = [
            records.nextDeadline, talk.nextDeadline, swaps.nextDeadline, mesh.nextDeadline,
            people.nextDeadline,
            detours.nextDeadline, folding.due, talk.chatBy,
            peers.nextDeadline, suggested.nextDeadline, wishes.due, venue?.nextDeadline,
        ]
        return deadlines.compactMap { $0 }.min()
    }

    private mutating func start(_ effects: inout Effects, at now: Moment) {
        tellProofs(except: nil, &effects, at: now)
        followBook(&effects, at: now)
        refold(&effects)
        seeAgain(&effects, at: now)
        mesh.becomeStale()
        if records.gate.isOpen { opened(&effects, at: now) }
    }

    private mutating func tick(_ effects: inout Effects, at now: Moment) {
        if records.openGate(folding.fold, at: now.instant) { opened(&effects, at: now) }
        answerWaiting(&effects, at: now)
        talk(.tick, &effects, at: now)
        for id in peers.all.due(at: now.instant) { session(id, .tick, &effects, at: now) }
        judgeBoots(&effects, at: now)
        effects.closes += peers.dropIgnored(at: now.instant)
        weighAgain(&effects, at: now)
        tickRelays(&effects, at: now)
        verify(.tick, &effects, at: now)
        suggest(.tick, &effects, at: now)
        stay(.tick, &effects, at: now)
        ask(.tick, &effects, at: now)
        endGuests(&effects, at: now)
        if let due = wishes.due, due <= now.instant { sayWish(&effects, at: now) }
        // Most ticks concern other components, and looking at all places takes longer than checking
        // an entry.
        if mesh.isDialDue(at: now.instant) { tend(&effects, at: now) }
        // A tick means something to negotiations at their deadlines only.
        if folding.due == nil || swaps.nextDeadline.map({ $0 <= now.instant }) == true {
            negotiate(.tick, &effects, at: now)
        }
    }

    /// The own log may be written to from now on.
    private mutating func opened(_ effects: inout Effects, at now: Moment) {
        freshen(&effects, at: now)
        introduce(&effects, at: now)
        catchUpParty(&effects, at: now)
        resumeWish(&effects, at: now)
        effects.notices.append(.caughtUp)
        // A negotiation may have been opened again.
        mesh.becomeStale()
        settle(&effects, at: now)
        negotiate(.recovered, &effects, at: now)
        answerWaiting(&effects, at: now)
    }

    /// Brings fold and negotiations to rest after whatever changed the logs.
    mutating func settle(_ effects: inout Effects, at now: Moment) {
        // In a venue the fold rests on the book.
        followBook(&effects, at: now)
        if !foldWaits(at: now.instant) {
            folding.hurry()
            // Each round appends at least one entry of ours, and a contract causes at most three.
            for _ in 0..<64 where folding.isStale {
                refold(&effects)
                negotiate(.logsChanged, &effects, at: now)
            }
        }
        judgeVerified(&effects, at: now)
        replicate(&effects, at: now)
    }

    /// Whether the fold may stay behind the logs for now: a fold after each slice of a long answer
    /// would cost more than all signatures in it. Not when a link is about to tell our map.
    private func foldWaits(at now: Instant) -> Bool {
        guard folding.isStale, let due = folding.due, due > now else { return false }
        return !records.isRoundDue(at: now)
    }

    /// Brings the fold up to the logs before something is decided or told by it.
    mutating func freshen(_ effects: inout Effects, at now: Moment) {
        guard folding.due != nil else { return }
        folding.hurry()
        settle(&effects, at: now)
    }
}
