// SPDX-License-Identifier: Apache-2.0
/// The logs of all authors: the own one is written to, the others' are judged, kept within a budget
/// and exchanged with every linked peer (docs/protocol.md sections 9 to 11).
struct Records: Sendable {
    /// What is replicated over one link.
    struct Line: Sendable {
        let id: LinkID
        let peer: PeerKey
        let isRelayed: Bool
        var isOpen = false
        var replication: Replication
    }

    private let me: PeerKey
    private let flight: FlightID
    private let signer: any Signer
    private let primitives: any Primitives
    private let codec: EntryCodec
    /// All logs known.
    private(set) var logs: LogSet
    /// Whether the own log may be written to.
    private(set) var gate: AppendGate
    /// The last place of the own log that is known to be signed at the start: the disk held it, or
    /// another computer signed it.
    private var ownSeqSigned: Int
    /// How much of the own log some other agent is known to have.
    private(set) var acknowledged = 0
    private var admission: Admission
    /// Lets ledgers in without introduction.
    private var door: LedgerDoor
    /// How much is kept of others' logs.
    private var shares: Shares
    private var weighedAt: Instant?
    /// Made anew where a log changed and it is about to be sent or compared: that costs as much as
    /// checking an entry.
    private var frontier: Frontier?
    /// In the order in which the links came.
    private(set) var lines: [Line] = []

    /// Goes on with what was stored.
    init(_ setup: NodeSetup, _ stored: Stored, at now: Instant) {
        me = setup.signer.key
        flight = setup.flightKeys[0].id
        signer = setup.signer
        primitives = setup.primitives
        codec = EntryCodec(setup.primitives, rules: setup.gathering.entryRules)
        logs = stored.logs
        door = LedgerDoor(codec)
        admission = Admission(logs, kept: setup.venue == nil ? 0 : Limits.ledgerPlaces)
        shares = Shares(setup.bounds.logs)
        var ownSeq = stored.ownSeq
        for seen in stored.entries {
            // Counted as it was counted when it came.
            if !Self.isLedger(seen.entry.author, in: logs, codec.rules) {
                shares.took(seen.entry.bytes.count, of: seen.entry.author)
            }
            if seen.entry.author == me { ownSeq = max(ownSeq, seen.entry.seq) }
        }
        ownSeqSigned = max(ownSeq, setup.floor)
        // A log whose first entry is damaged is not a new one.
        gate = AppendGate(
            fresh: ownSeqSigned == 0, restored: setup.isRestored || ownSeq < setup.floor, at: now)
    }

    // MARK: Links

    /// Takes one event in.
    mutating func handle(_ event: Event, at now: Instant) {
        switch event {
        case .connected(let id, let peer, let isRelayed):
            let replication = Replication(at: now, isEager: false, peer: peer)
            lines.append(Line(id: id, peer: peer, isRelayed: isRelayed, replication: replication))
        case .opened(let id, let readsSummaries):
            guard let place = place(of: id) else { return }
            lines[place].isOpen = true
            lines[place].replication.readsSummaries = readsSummaries
            admission.met(lines[place].peer)
        case .admitted(let id):
            let eager = lines.indices.count {
                lines[$0].isOpen && lines[$0].replication.isEager
            }
            guard let place = place(of: id), !lines[place].isRelayed, eager < Limits.eager else {
                return
            }
            lines[place].replication.becomeEager()
        case .ended(let id): lines.removeAll { $0.id == id }
        case .dropped(let id):
            if let place = place(of: id) { lines[place].replication.lostPush(at: now) }
        case .unsure(let peer):
            for place in lines.indices where lines[place].peer == peer {
                lines[place].replication.lostPush(at: now)
            }
        case .lazy(let id): if let place = place(of: id) { lines[place].replication.lazy() }
        case .roused: for place in lines.indices { lines[place].replication.rouse() }
        }
    }

    private func place(of id: LinkID) -> Int? { lines.indices.first { lines[$0].id == id } }

    private static func isLinked(_ peer: PeerKey, _ lines: [Line]) -> Bool {
        lines.indices.contains { lines[$0].isOpen && lines[$0].peer == peer }
    }

    private var openKeys: [PeerKey] {
        var keys: [PeerKey] = []
        for place in lines.indices where lines[place].isOpen { keys.append(lines[place].peer) }
        return keys
    }

    /// When it wants to be called.
    var nextDeadline: Instant? {
        var first = shares.leftOut == 0 ? nil : weighedAt.map { $0 + Limits.shareAgain }
        if let due = gate.nextDeadline { first = min(first ?? due, due) }
        for place in lines.indices where lines[place].isOpen {
            guard let due = lines[place].replication.nextDeadline else { continue }
            first = min(first ?? due, due)
        }
        return first
    }

    // MARK: Replication

    /// WANT came on a link.
    mutating func want(_ want: Want, on id: LinkID, _ facts: Facts, at now: Instant)
        -> Replication.Output?
    {
        guard let place = place(of: id) else { return nil }
        let here = here(place, facts, asking: false, at: now)
        return lines[place].replication.want(want, here)
    }

    /// HAVE came.
    mutating func have(_ list: [Have], on id: LinkID, _ facts: Facts, at now: Instant)
        -> Replication.Output?
    {
        guard let place = place(of: id) else { return nil }
        let asking = lines[place].replication.mayAsk(hearing: list, logs)
        let here = here(place, facts, asking: asking, at: now)
        return lines[place].replication.have(list, here, at: now)
    }

    /// FRONTIER or SUMMARY came: `judge` holds it against our frontier.
    mutating func compare(
        on id: LinkID, _ facts: Facts, at now: Instant,
        _ judge: (inout Replication, Replication.Surroundings) -> Replication.Output
    ) -> Replication.Output? {
        guard let place = place(of: id) else { return nil }
        let here = here(place, facts, telling: true, at: now)
        return judge(&lines[place].replication, here)
    }

    /// What the entries of a batch came to.
    mutating func ingested(
        _ results: [Insertion], kind: EntryBatch.Kind?, on id: LinkID, _ facts: Facts,
        at now: Instant
    ) -> Replication.Output? {
        guard let place = place(of: id) else { return nil }
        let asking = lines[place].replication.mayAsk(after: results, kind: kind, logs)
        let here = here(place, facts, asking: asking, at: now)
        return lines[place].replication.ingested(results, kind: kind, here, at: now)
    }

    /// Lets a link ask for what it is now known to have.
    mutating func pull(_ id: LinkID, _ facts: Facts, at now: Instant) -> Replication.Output? {
        guard let place = place(of: id), lines[place].replication.mayAsk(logs) else { return nil }
        let here = here(place, facts, at: now)
        return lines[place].replication.have([], here, at: now)
    }

    /// What is due on a link.
    mutating func flush(
        _ id: LinkID, _ facts: Facts, random: inout SeededRandom, at now: Instant
    ) -> Replication.Output? {
        guard let place = place(of: id) else { return nil }
        let isRound = lines[place].replication.isRoundDue(at: now)
        let asking = lines[place].replication.mayAsk(at: now)
        let here = here(place, facts, telling: isRound, asking: asking, at: now)
        return lines[place].replication.flush(here, random: &random, at: now)
    }

    /// A peer is known to have a log up to a head: gives the link that may ask for it, where it
    /// lacks here.
    mutating func learn(_ head: LogHead, of peer: PeerKey) -> LinkID? {
        guard !logs.reaches(head),
            let place = lines.firstIndex(where: { $0.isOpen && $0.peer == peer })
        else { return nil }
        lines[place].replication.has(head.author, head.seq)
        return lines[place].id
    }

    /// What replication may know. Without `asking`, what other links ask for is left out, which
    /// would take a look at all links.
    private mutating func here(
        _ place: Int, _ facts: Facts, telling: Bool = false, asking: Bool = true, at now: Instant
    ) -> Replication.Surroundings {
        if telling, frontier == nil { frontier = Frontier(logs, primitives: primitives) }
        var here = Replication.Surroundings(
            logs: logs, frontier: telling ? frontier : nil, map: facts.map, room: facts.room)
        here.isForAsking = asking
        guard asking else { return here }
        for index in lines.indices where index != place && lines[index].replication.isAsking {
            here.askedElsewhere.formUnion(lines[index].replication.askedAuthors)
        }
        // The own log is fetched from all who have more of it: one who is slow must not be all that
        // is asked before the gate opens (docs/protocol.md section 10).
        if gate.isCatchingUp { here.askedElsewhere.remove(me) }
        here.met = openKeys
        here.newcomers = admission.room(for: lines[place].peer, at: now)
        here.shares = shares
        return here
    }

    /// How far a peer says that the own log goes.
    mutating func noteOwnLog(_ id: LinkID) {
        // An open gate stays open, or is shut for good.
        guard gate.isCatchingUp, let place = place(of: id) else { return }
        gate.told(of: lines[place].replication.claimed(of: me))
    }

    /// A peer said how much of the own log they have; tells whether nobody had as much before.
    mutating func acknowledge(_ id: LinkID) -> Bool {
        guard let place = place(of: id) else { return false }
        let confirmed = lines[place].replication.confirmed(me)
        guard confirmed > acknowledged else { return false }
        let said = min(confirmed, logs.seq(of: me))
        guard said > acknowledged else { return false }
        acknowledged = said
        return true
    }

    /// Asks on a link for the last own entry; `nil` where nothing is to be asked.
    mutating func probe(_ id: LinkID, at now: Instant) -> Replication.Output? {
        let seq = logs.seq(of: me)
        guard seq > 0, let place = place(of: id), lines[place].isOpen else { return nil }
        return lines[place].replication.probe(me, seq, at: now)
    }

    /// How much of the own log a linked peer said that they have; `nil` for one without a session.
    func confirmed(by peer: PeerKey) -> Int? {
        lines.filter { $0.isOpen && $0.peer == peer }.map { $0.replication.confirmed(me) }.max()
    }

    // MARK: The own log

    /// Signs and appends an entry of ours; `nil` when the log is shut or the entry not allowed.
    mutating func append(_ body: EntryBody) -> Entry? {
        guard gate.isOpen,
            let entry = try? logs.appendOwn(body, flight: flight, signer: signer, codec: codec)
        else { return nil }
        took(entry)
        return entry
    }

    /// How long the own log may become.
    var longest: Int { isLedger(me) ? Limits.entriesPerLedger : Limits.entriesPerAuthor }

    /// Another agent told how far they know the logs.
    mutating func heard(at now: Instant) { gate.heard(at: now) }

    /// Shuts the own log for good; tells whether it was not shut before.
    mutating func shut(_ reason: AppendGate.Reason) -> Bool { gate.shut(reason) }

    /// Opens the own log when its time has come; tells whether it opened now.
    mutating func openGate(_ fold: SeatFold, at now: Instant) -> Bool {
        gate.isCatchingUp
            && gate.tick(at: now, seq: logs.seq(of: me), signed: lastSigned(fold))
    }

    /// The last place of the own log that a vote in anybody's certificate shows, that the own disk
    /// held when it was damaged, or that was signed before the key came here; 0 for none.
    private func lastSigned(_ fold: SeatFold) -> Int {
        var last = ownSeqSigned
        for state in fold.contracts {
            for vote in state.votes where vote.author == me { last = max(last, vote.seq) }
        }
        return last
    }

    /// A card of ours says how long the own log is. Returns whether this agent has appended without
    /// knowing that, so that its key runs twice.
    mutating func learnOwnLength(_ length: Int) -> Bool {
        guard length > logs.seq(of: me) else { return false }
        ownSeqSigned = max(ownSeqSigned, length)
        return gate.isOpen && shut(.keyRunsTwice)
    }

    // MARK: Others' logs

    /// Whoever sent what came on a link.
    func peer(of id: LinkID) -> PeerKey { place(of: id).map { lines[$0].peer } ?? me }

    /// Judges an entry that `peer` sent, and puts it into the logs where it belongs there. What
    /// came of it; of two entries where a ledger is let in, whose first one had to wait.
    mutating func insert(_ bytes: [UInt8], from peer: PeerKey?, at now: Instant) -> [Insertion] {
        let insertion = judge(bytes, from: peer, at: now)
        guard let first = door.opens(insertion, bytes) else { return [insertion] }
        return [first, bytes].map { bytes in
            let insertion = logs.insert(bytes, flight: flight, codec: codec)
            if case .added(let entry) = insertion { took(entry) }
            return insertion
        }
    }

    private mutating func judge(
        _ bytes: [UInt8], from peer: PeerKey?, at now: Instant
    ) -> Insertion {
        // Asked of authors who are unknown here, and of entries that would be added.
        let insertion = logs.insert(
            bytes, flight: flight, codec: codec,
            admits: {
                let isMet = Self.isLinked($0, lines)
                return if let peer {
                    admission.admits($0, from: peer, isMet: isMet, among: $1, at: now)
                } else {
                    admission.admitsMailed($0, isMet: isMet, among: $1, at: now)
                }
            },
            takes: { entry in
                let room = shares.room(
                    for: entry.author, seq: entry.seq, isLinked: Self.isLinked(entry.author, lines))
                return entry.bytes.count <= room
            })
        switch insertion {
        case .added(let entry): took(entry)
        case .fork: forgetFrontier()
        case .leftOut(let entry): leave(entry.author, entry.bytes.count)
        case .known, .gap, .branches, .delayed, .refused: break
        }
        return insertion
    }

    /// The same of a fork proof.
    mutating func insertProof(
        _ first: [UInt8], _ second: [UInt8], from peer: PeerKey, at now: Instant
    ) -> Insertion {
        let met = openKeys
        return logs.insertProof(first, second, flight: flight, codec: codec) {
            admission.admits($0, from: peer, isMet: met.contains($0), among: $1, at: now)
        }
    }

    /// An entry is in the logs.
    private mutating func took(_ entry: Entry) {
        // A ledger has no share: all of it is kept.
        if !isLedger(entry.author) { shares.took(entry.bytes.count, of: entry.author) }
        forgetFrontier()
    }

    /// Whether a log is a ledger. On a flight none is.
    func isLedger(_ author: PeerKey) -> Bool { Self.isLedger(author, in: logs, codec.rules) }

    private static func isLedger(_ author: PeerKey, in logs: LogSet, _ rules: EntryRules) -> Bool {
        rules != .flight && logs.log(of: author)?.isLedger == true
    }

    /// Logs changed, or what is told of them.
    mutating func forgetFrontier() { frontier = nil }

    /// Passes an entry on to every link but the one on which it came; announced at `due`.
    mutating func pass(_ entry: Entry, beside link: LinkID?, announceAt due: Instant) {
        for place in lines.indices where lines[place].id != link {
            lines[place].replication.grew(entry, announceAt: due)
        }
    }

    /// Entries that joined the logs again behind the last one.
    mutating func takeRejoined() -> [Entry] { logs.takeRejoined() }

    /// Proofs found since the last call.
    mutating func takeFreshProofs() -> [ForkProof] { logs.takeFreshProofs() }

    // MARK: The budget

    /// How many passengers are over their share.
    var leftOut: Int { shares.leftOut }

    /// Whether anybody used more than their own share, or is short.
    var isTight: Bool { shares.isTight }

    /// So many bytes of an author were not taken.
    mutating func leave(_ author: PeerKey, _ count: Int = 0) { shares.leave(author, count) }

    /// Whether it is time to look again at who is favoured: at most every two seconds.
    func mayWeigh(at now: Instant) -> Bool {
        weighedAt.map { $0 + Limits.shareAgain <= now } ?? true
    }

    /// Updates for whom the user did something and what is needed; tells whether somebody may have
    /// room who had none.
    mutating func weigh(
        favoured: Set<PeerKey>, needed: [PeerKey: Int], isLinked: (PeerKey) -> Bool,
        at now: Instant
    ) -> Bool {
        weighedAt = now
        return shares.weigh(favoured: favoured, needed: needed, isLinked: isLinked)
    }
}
