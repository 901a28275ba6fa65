// SPDX-License-Identifier: Apache-2.0
/// The desk of a venue in the core, where this agent is it: what ``VenueDesk`` hears of, and what
/// it wants is carried out (docs/protocol.md section 33).
struct DeskParts: Sendable {
    var automaton: VenueDesk
    /// What changed since the automaton was told.
    var hasNewLogs = false
    var hasNewTenures = true
    var hasNewAsks = true
    var hasNewStays = true
    /// What it was told last.
    private(set) var isOpen = false
    private(set) var isLinked = false
    private(set) var blocked: [PeerKey] = []
    private var tenures: [DeskTenure] = []
    private var stays: [PeerKey: Stay] = [:]
    /// Whether it has to hear of all asks, and not only of those that came.
    private(set) var hearsAllAsks = true
    /// Whether it granted at the end of its last turn.
    private var wasOpen = false
    /// When entries of the own ledger were first seen.
    private var seen: [EntryID: UTCTime]
    /// What chance for lots is made from, and how often it was.
    private let secret: Bytes32
    private var draws: UInt64 = 0
    private let primitives: any Primitives

    /// The desk of a venue as the disk has it.
    init(
        _ setup: NodeSetup, _ terms: DeskTerms, _ stored: Stored, _ logs: LogSet, at now: Moment
    ) {
        let me = setup.signer.key
        var seen: [EntryID: UTCTime] = [:]
        for one in stored.entries where one.entry.author == me { seen[one.entry.id] = one.seen }
        self.seen = seen
        let answers = stored.statements.compactMap { statement -> DeskAnswer? in
            guard statement.author == me, let answer = statement.answer,
                let reason = DeskReason(rawValue: answer.reason)
            else { return nil }
            return DeskAnswer(
                asker: answer.asker, ask: answer.ask, until: answer.until, reason: reason,
                waiting: answer.waiting)
        }
        let words = stored.statements.compactMap { statement -> DeskAsk? in
            let ask = DeskAsk(statement, id: statement.id(setup.primitives))
            return ask?.target == nil ? nil : ask
        }
        let known = seen
        automaton = VenueDesk(
            DeskSetup(
                gathering: setup.flightKeys[0].id, key: me,
                codec: EntryCodec(setup.primitives, rules: setup.gathering.entryRules)),
            policy: terms.policy, clock: terms.clock,
            start: DeskStart(
                logs: logs, seen: { known[$0] }, answers: answers, words: words,
                isRestored: setup.isRestored),
            at: now)
        primitives = setup.primitives
        // What others see of chance tells nothing of this.
        secret = setup.primitives.sha256(Array("desk".utf8) + setup.seed.bytes)
    }

    /// An entry of the own log is in it.
    mutating func wrote(_ entry: Entry, at now: UTCTime) {
        seen[entry.id] = now
        automaton.wrote(entry)
    }

    /// While it does not grant it keeps so many asks and no more: as soon as it does it has to hear
    /// of the others again.
    mutating func tellAsksAgain() {
        let isOpen = automaton.state == .open
        defer { wasOpen = isOpen }
        guard isOpen && !wasOpen || automaton.hearsAgain else { return }
        hearsAllAsks = true
        hasNewAsks = true
    }

    /// It forgot where they are, or had no room for that.
    mutating func tellStaysAgain(of people: [PeerKey]) {
        for one in people where stays.removeValue(forKey: one) != nil { hasNewStays = true }
    }

    /// 16 bytes that nobody else can know before.
    private mutating func chance() -> ThreadID {
        draws += 1
        let number = stride(from: 56, through: 0, by: -8).map { UInt8(draws >> UInt64($0) & 0xFF) }
        let bytes = primitives.sha256(secret.bytes + number).bytes
        return ThreadID(Array(bytes.prefix(16))) ?? ThreadID(high: 0, low: draws)
    }

    /// What the automaton has to hear of, in order.
    mutating func news(_ scene: DeskScene) -> [DeskEvent] {
        var events: [DeskEvent] = []
        // What people write by hand it does not know of, and nothing else may happen for long.
        if hasNewLogs || automaton.isLost {
            hasNewLogs = false
            events.append(logs(scene.logs))
        }
        if scene.isOpen != isOpen {
            isOpen = scene.isOpen
            events.append(.gate(isOpen: isOpen, random: chance()))
        }
        if scene.blocked != blocked {
            blocked = scene.blocked
            events.append(.blocked(blocked))
        }
        if hasNewTenures {
            hasNewTenures = false
            if scene.tenures != tenures { events.append(.tenures(scene.tenures)) }
            tenures = scene.tenures
        }
        if hasNewStays {
            hasNewStays = false
            var known: [PeerKey: Stay] = [:]
            for (author, stay) in scene.stays {
                known[author] = stay
                if stays[author] != stay { events.append(.stay(author, stay)) }
            }
            stays = known
        }
        if hasNewAsks {
            if !scene.asks.isEmpty { events.append(.asks(scene.asks)) }
            if hearsAllAsks { events.append(.heardAll) }
            (hasNewAsks, hearsAllAsks) = (false, false)
        }
        if scene.isLinked != isLinked {
            isLinked = scene.isLinked
            events.append(.linked(isLinked, random: chance()))
        }
        return events
    }

    /// All that is known of the ledger, for an automaton that does not know any more.
    func logs(_ logs: LogSet) -> DeskEvent {
        let seen = seen
        return .logs(logs, seen: { seen[$0] })
    }
}

/// What a desk looks at.
struct DeskScene {
    let logs: LogSet
    let isOpen: Bool
    let isLinked: Bool
    let blocked: [PeerKey]
    let tenures: [DeskTenure]
    let stays: [(PeerKey, Stay)]
    let asks: [DeskAsk]
}

/// How a desk gives out places, and by which clocks: made from the operator's words.
public struct DeskTerms: Hashable, Sendable {
    /// Hours, prices and limits.
    public var policy: DeskPolicy
    /// The venue's clocks.
    public var clock: VenueClock

    /// A desk that goes by these.
    public init(policy: DeskPolicy, clock: VenueClock) {
        self.policy = policy
        self.clock = clock
    }
}

extension Node {
    /// Lets the desk do what is due. The last thing of a turn that may write.
    mutating func serveDesk(_ effects: inout Effects, at now: Moment) {
        guard venue?.desk != nil else { return }
        if venue?.asks.hasChanged == true { venue?.desk?.hasNewAsks = true }
        if venue?.stays.hasChanged == true { venue?.desk?.hasNewStays = true }
        // Each round takes in what the one before wrote.
        for _ in 0..<8 {
            venue?.desk?.tellAsksAgain()
            let fresh = venue?.desk?.hasNewAsks == true ? freshAsks() : []
            let scene = deskScene(asks: fresh)
            var events = venue?.desk?.news(scene) ?? []
            if let due = venue?.desk?.automaton.nextDeadline, due <= now.instant {
                events.append(.tick)
            }
            guard !events.isEmpty else { return }
            for event in events { tellDesk(event, &effects, at: now) }
            settle(&effects, at: now)
        }
    }

    /// The asks that the desk has to hear of.
    private mutating func freshAsks() -> [DeskAsk] {
        let news = venue?.asks.takeNews()
        let all = venue?.desk?.hearsAllAsks == true ? nil : news
        return (all ?? venue?.asks.book.open ?? []).compactMap { DeskAsk($0.statement, id: $0.id) }
    }

    private func deskScene(asks: [DeskAsk]) -> DeskScene {
        let stays: [(PeerKey, Stay)] =
            venue?.desk?.hasNewStays == true
            ? (venue?.stays.book.statements ?? []).compactMap { statement in
                guard case .stay(let stay, _) = statement.content else { return nil }
                return (statement.author, stay)
            } : []
        return DeskScene(
            logs: records.logs, isOpen: records.gate.isOpen,
            isLinked: peers.all.contains { $0.isOpen },
            blocked: people.blocked.sorted(),
            tenures: venue?.desk?.hasNewTenures == true ? deskTenures : [], stays: stays,
            asks: asks)
    }

    /// Bookings that are not with their first holder, or bound by a yes.
    private var deskTenures: [DeskTenure] {
        let fold = folding.fold
        guard let venue = fold.venue, !fold.contracts.isEmpty else { return [] }
        let open = fold.openVotes
        let tokens = venue.moved.map(\.mint.token) + open.map(\.slot.token)
        return tokens.sortedOnce(by: <).compactMap { token in
            guard let booking = venue.booking(token) else { return nil }
            let isBound = open.contains(booking.slot, by: booking.holder)
            guard isBound || !booking.lineage.isEmpty else { return nil }
            return DeskTenure(slot: booking.slot, holder: booking.holder, isBound: isBound)
        }
    }

    /// Tells the automaton one thing, and carries out what it wants. Returns its answers.
    @discardableResult
    private mutating func tellDesk(
        _ event: DeskEvent, _ effects: inout Effects, at now: Moment
    ) -> [DeskEffects.Reply] {
        var replies: [DeskEffects.Reply] = []
        var next: DeskEvent? = event
        // A log that did not take an entry is read once more, and then once again at most.
        for _ in 0..<3 {
            guard let event = next, let asked = venue?.desk?.automaton.handle(event, at: now)
            else { break }
            let isWhole = carryOutDesk(asked, &effects, at: now)
            replies += asked.replies
            next = isWhole ? nil : venue?.desk?.logs(records.logs)
        }
        return replies
    }

    /// Whether the log took all entries.
    private mutating func carryOutDesk(
        _ asked: DeskEffects, _ effects: inout Effects, at now: Moment
    ) -> Bool {
        var part = PartEffects()
        venue?.asks.keepWords(asked.words, forget: asked.wordsOver, &part)
        carryOut(part, &effects, at: now)
        for said in asked.appends {
            guard append(.ledger(said), &effects, at: now) != nil else { return false }
        }
        for answer in asked.answers {
            var part = PartEffects()
            _ = venue?.asks.answer(
                answer.ask, of: answer.asker, until: answer.until, reason: answer.reason.rawValue,
                waiting: answer.waiting, &part, at: now)
            carryOut(part, &effects, at: now)
        }
        venue?.desk?.tellStaysAgain(of: asked.wantsStays)
        effects.notices += asked.notices.map { .counter($0) }
        return !asked.needsLogs
    }

    /// Carries out what the people at the desk want.
    mutating func desk(
        _ intent: DeskIntent, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard venue != nil else { return .failure(.noVenue) }
        guard venue?.desk != nil else { return .failure(.notDesk) }
        // It decides by what is known now.
        serveDesk(&effects, at: now)
        let replies = tellDesk(.intent(intent, token: 0), &effects, at: now)
        settle(&effects, at: now)
        switch replies.first?.result {
        case .success(let reply): return .success(.desk(reply))
        case .failure(let refusal): return .failure(.desk(refusal))
        case nil: return .failure(.logClosed)
        }
    }

    /// The operator's words changed.
    mutating func takeTerms(
        _ terms: DeskTerms, _ charter: Charter, _ effects: inout Effects, at now: Moment
    ) {
        guard venue?.desk != nil else { return }
        tellDesk(.policy(terms.policy, terms.clock), &effects, at: now)
        guard let last = records.logs.log(of: me)?.charter, charter.revision > last.revision else {
            return
        }
        tellDesk(.intent(.charter(charter), token: 0), &effects, at: now)
    }

    // MARK: Reading

    /// Whether the desk that this agent is grants; `nil` where it is none.
    public var deskState: DeskState? { venue?.desk?.automaton.state }

    /// Asks that its people may grant or refuse.
    public var deskRequests: [DeskRequest] { venue?.desk?.automaton.requests ?? [] }
}
