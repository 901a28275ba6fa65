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
    let codec: EntryCodec
    let boot: UInt64

    /// All logs known.
    package internal(set) var logs: LogSet
    /// The fold of the logs.
    public internal(set) var fold = SeatFold.empty
    var running = RunningFold()
    /// Digest of the map that the fold gives.
    public internal(set) var mapDigest: Bytes32
    /// All negotiations.
    public internal(set) var swaps: Swaps
    /// Who is convicted by their own entries, sorted by author, one each.
    public internal(set) var misdeeds: [Misdeed] = []
    /// Rules of the fold found broken here, told already.
    var violations: [Invariants.Violation] = []
    var outbox: Outbox
    var gate: AppendGate
    /// The last place of the own log that the disk held at the start.
    let ownSeqOnDisk: Int
    var history: Timeline
    var dialer: Dialer
    var overlay: Overlay
    var book = AddressBook()
    var relays = Relay()
    var circuits = Circuits()
    var needs: [Need] = []
    var verification: Verification
    /// Passengers whom the user verified, sorted by key.
    public internal(set) var verified: [VerifiedPeer]
    var isOverlayStale = false
    /// Passengers already announced as aboard, sorted.
    var present: [PeerKey] = []
    /// Since when those are out of reach who were aboard in this process.
    var awaySince: [PeerKey: UTCTime] = [:]
    var nextTend: Instant?
    /// When the overlay was looked at last.
    var tendedAt: Instant?
    var peers: [NodeLink] = []
    var blockedKeys: [PeerKey]
    /// Connections of blocked keys: open and mute.
    var ignored: [IgnoredLink] = []
    var random: SeededRandom
    var lastConnection = 0
    /// Whether ``fold`` is behind ``logs``: a long answer is coming in.
    public internal(set) var isFoldStale = true
    var hasFolded = false
    /// A long answer is coming in: the fold waits for its last slice, at most until then.
    var foldBy: Instant?
    /// Lines of the chat wait for others that are on their way: until then at most.
    var chatBy: Instant?
    var frontierCache: Frontier?
    var waitingIntents: [(token: Int, intent: Intent)] = []
    /// How much of the own log some other agent is known to have.
    var acknowledged = 0
    var otherVersions: [PeerKey] = []
    /// Peers of whom a trouble was told already.
    var warned: [PeerKey] = []
    var penalties = Penalties()
    var admission: Admission
    /// How much is kept of others' logs and of their direct messages.
    var shares: Shares
    var letters: Shares
    var weighedAt: Instant?
    var bootWatches: [BootWatch] = []
    /// Suggested layouts of the cabin, the own one among them.
    package internal(set) var layoutBook = LayoutBook()
    /// The own suggestion, also one that was taken back.
    public internal(set) var ownLayout: LayoutSuggestion?
    /// The user chose it in this process, and no later one of their own was heard of since.
    var isOwnLayoutFresh = false
    /// Who suggests which layout, of those who count; the one that most suggest first.
    public internal(set) var layouts: [LayoutTally] = []
    var isTallyStale = true
    /// The program ends: nobody is dialled or let in any more.
    private(set) var isStopping = false

    /// A core that continues from what was stored; ``Stored/init()`` for a first start. The program
    /// then sends it ``NodeEvent/started``.
    public init(_ setup: NodeSetup, _ stored: Stored, at now: Moment) {
        self.setup = setup
        me = setup.signer.key
        codec = EntryCodec(setup.primitives)
        // Two secrets of one seed: what is seen of the one tells nothing of the other.
        let seed = setup.seed.bytes
        random = SeededRandom(seed: setup.primitives.sha256(Array("chance".utf8) + seed))
        verification = Verification(
            me: me, flight: setup.flightKeys[0].id,
            secret: setup.primitives.sha256(Array("nonce".utf8) + seed),
            primitives: setup.primitives)
        verified = stored.verified.sorted { $0.key < $1.key }
        boot = random.next()
        let logs = stored.logs
        var history = Timeline()
        for seen in stored.entries { history.restore(seen.entry, seen: seen.seen, me: me) }
        _ = history.tell()
        (shares, letters) = Self.shares(setup, stored)
        self.logs = logs
        admission = Admission(logs)
        self.history = history
        mapDigest = fold.digest(setup.primitives)
        swaps = Swaps(
            me: me, flight: setup.flightKeys[0].id, records: stored.swaps, locks: stored.locks,
            primitives: setup.primitives, at: now)
        outbox = Outbox(stored.messages, at: now)
        var ownSeq = stored.ownSeq
        for seen in stored.entries where seen.entry.author == me {
            ownSeq = max(ownSeq, seen.entry.seq)
        }
        ownSeqOnDisk = ownSeq
        // A log whose first entry is damaged is not a new one.
        gate = AppendGate(
            fresh: ownSeq == 0, restored: setup.isRestored, at: now.instant)
        dialer = Dialer(me)
        overlay = Overlay(at: now.instant)
        blockedKeys = stored.blocked.sorted()
        dialer.shunned = blockedKeys
        ownLayout = stored.layout
        if let own = stored.layout {
            layoutBook.keep(own, setup.primitives.sha256(own.layout), at: now.instant)
        }
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
        switch event {
        case .started: start(&effects, at: now)
        case .connected(let id, let facts): connected(id, facts, &effects, at: now)
        case .received(let id, let bytes): session(id, .received(bytes), &effects, at: now)
        case .drained(let id, let pending):
            session(id, .drained(pending: pending), &effects, at: now)
        case .ended(let id): ended(id, &effects, at: now)
        case .dialFailed, .found, .lost, .labelled, .typed, .networks: seek(event, at: now)
        case .intent(let token, let intent):
            freshen(&effects, at: now)
            want(token, intent, &effects, at: now)
            isOverlayStale = true
        case .stopping:
            isStopping = true
            for id in peers.ids { session(id, .close(.leaving, ""), &effects, at: now) }
        case .sealed, .circuitEnded: circuit(event, &effects, at: now)
        case .tick: tick(&effects, at: now)
        }
        settle(&effects, at: now)
        tellChat(&effects, at: now)
        if isTallyStale { countLayouts(&effects) }
        if isOverlayStale { tendSoon(at: now.instant) }
        if let due = nextTend, due <= now.instant { tend(&effects, at: now) }
        dialer.findNext()
    }

    /// When the program has to send ``NodeEvent/tick`` at the latest; `nil` if nothing is due.
    public var nextDeadline: Instant? {
        guard !isStopping else { return nil }
        var deadlines = [
            gate.nextDeadline, outbox.nextDeadline, swaps.nextDeadline, dialer.nextDeadline,
            verification.nextDeadline,
            circuits.nextDeadline, relays.nextDeadline, nextTend, foldBy, chatBy,
            peers.nextDeadline,
            nextWeighing,
        ]
        for watch in bootWatches { deadlines.append(watch.until) }
        for link in ignored { deadlines.append(link.until) }
        return deadlines.compactMap { $0 }.min()
    }

    private mutating func start(_ effects: inout Effects, at now: Moment) {
        tellProofs(except: nil, &effects, at: now)
        refold(&effects)
        isOverlayStale = true
        if gate.isOpen { opened(&effects, at: now) }
    }

    private mutating func tick(_ effects: inout Effects, at now: Moment) {
        if gate.isCatchingUp, gate.tick(at: now.instant, seq: logs.seq(of: me), signed: lastSigned)
        {
            opened(&effects, at: now)
        }
        answerWaiting(&effects, at: now)
        for message in outbox.tick(at: now.instant) {
            changed(message, &effects)
            isOverlayStale = true
        }
        for id in peers.due(at: now.instant) { session(id, .tick, &effects, at: now) }
        judgeBoots(&effects, at: now)
        dropIgnored(&effects, at: now)
        weighAgain(&effects, at: now)
        tickRelays(&effects, at: now)
        verify(.tick, &effects, at: now)
        tendLayouts(&effects, at: now)
        // Most ticks concern other components, and looking at all places takes longer than checking
        // an entry.
        if let due = dialer.nextDeadline, due <= now.instant { tend(&effects, at: now) }
        // A tick means something to negotiations at their deadlines only.
        if foldBy == nil || swaps.nextDeadline.map({ $0 <= now.instant }) == true {
            negotiate(.tick, &effects, at: now)
        }
    }

    /// The own log may be written to from now on.
    private mutating func opened(_ effects: inout Effects, at now: Moment) {
        freshen(&effects, at: now)
        introduce(&effects, at: now)
        effects.notices.append(.caughtUp)
        // A negotiation may have been opened again.
        isOverlayStale = true
        settle(&effects, at: now)
        negotiate(.recovered, &effects, at: now)
        answerWaiting(&effects, at: now)
    }

    /// Brings fold and negotiations to rest after whatever changed the logs.
    mutating func settle(_ effects: inout Effects, at now: Moment) {
        if !foldWaits(at: now.instant) {
            foldBy = nil
            // Each round appends at least one entry of ours, and a contract causes at most three.
            for _ in 0..<64 where isFoldStale {
                refold(&effects)
                negotiate(.logsChanged, &effects, at: now)
            }
        }
        judgeVerified(&effects)
        replicate(&effects, at: now)
    }

    /// Whether the fold may stay behind the logs for now: a fold after each slice of a long answer
    /// would cost more than all signatures in it. Not when a link is about to tell our map.
    private func foldWaits(at now: Instant) -> Bool {
        guard isFoldStale, let due = foldBy, due > now else { return false }
        return !peers.indices.contains {
            peers[$0].isOpen && peers[$0].replication.isRoundDue(at: now)
        }
    }

    /// Brings the fold up to the logs before something is decided or told by it.
    mutating func freshen(_ effects: inout Effects, at now: Moment) {
        guard foldBy != nil else { return }
        foldBy = nil
        settle(&effects, at: now)
    }
}
