// SPDX-License-Identifier: Apache-2.0
/// The desk of a venue: it answers asks, and writes the ledger (docs/protocol.md section 33).
///
/// Pure: events go in, effects come out. All that it has to know after a start stands in the
/// ledger; asks and stays come again from whoever keeps them.
package struct VenueDesk: Sendable {
    let setup: DeskSetup
    var policy: DeskPolicy
    var clock: VenueClock
    var ledger: DeskLedger
    var asks = DeskAsks()
    var queue = DeskQueue()
    var times = DeskTimes()

    // What others say.

    /// Bookings that contracts moved, or that a yes binds.
    var tenures: [Token: DeskTenure] = [:]
    var stays: [PeerKey: Stay] = [:]
    /// Bookings for which somebody came, by a stay.
    var arrived: Set<Token> = []
    var blocked: Set<PeerKey> = []

    // Whether it grants.

    var isGateOpen = false
    var isAway = false
    var isRestored: Bool
    var hasBeenLinked = false
    /// Since when nobody is linked.
    var aloneSince: Instant?
    /// Another desk of the epoch that its people know of.
    var accepted: PeerKey?
    /// For the next lot.
    var spare: ThreadID?
    var lot: DeskLot?
    /// It came back: the first ask until then begins the gathering.
    var returns: Instant?
    /// Nobody is taken for absent before.
    var staysKnown: Instant
    private var wasGranting = false
    private var told: DeskState
    /// Words of the disk that meant nothing any more at the start.
    private var wordsOver: [Bytes32] = []

    // What became free and was not offered to the queue yet.

    var freed: [BookLoad] = []
    var isAllFreed = false
    /// The day of the event before, or of this one.
    private(set) var day: Int?
    /// Waiting places that somebody took on a day.
    var places: [DeskRecords.Who: DeskRecords.Count] = [:]
    var hasToldRoom = false

    /// When it wants to be called with ``DeskEvent/tick``.
    package private(set) var nextDeadline: Instant?

    /// The desk as the disk has it.
    package init(
        _ setup: DeskSetup, policy: DeskPolicy, clock: VenueClock, start: DeskStart, at now: Moment
    ) {
        self.setup = setup
        self.policy = policy
        self.clock = clock
        isRestored = start.isRestored
        aloneSince = now.instant
        staysKnown = now.instant
        told = .shut
        ledger = DeskLedger(setup)
        follow(start.logs, seen: start.seen, at: now)
        for answer in start.answers where answer.waiting == 0 {
            asks.end(answer.ask, answer.reason, until: min(answer.until, asksEnd))
            queue.remove(answer.ask)
        }
        var known = DeskEffects()
        for word in start.words {
            if let target = word.target { remember(target, word, &known, at: now) }
        }
        wordsOver = known.wordsOver
        told = state
    }

    // MARK: State

    /// Whether it grants, and why not.
    package var state: DeskState {
        switch ledger.standing {
        case .forked: return .forked
        case .over: return .over
        case .noCharter: return .noCharter
        case .twoDesks(let other, _):
            if accepted != other { return .twoDesks(other) }
        case .counts: break
        }
        guard isGateOpen, !ledger.isLost else { return .shut }
        if isRestored { return .restored }
        if isAway { return .away }
        if !hasBeenLinked { return .alone }
        return lot == nil ? .open : .gathering
    }

    /// Whether it does not know any more what is in its ledger: it is shut until it reads that.
    var isLost: Bool { ledger.isLost }

    /// Whether it may write what its people say.
    var canWrite: Bool {
        switch state {
        case .open, .gathering, .away, .alone: true
        case .restored, .shut, .noCharter, .twoDesks, .over, .forked: false
        }
    }

    /// Whether it wants to hear of all asks again before it grants anything: while it could not
    /// write more came that take others back than it keeps.
    var hearsAgain: Bool { canWrite && asks.hasMissed }

    private var isGranting: Bool {
        switch state {
        case .open, .gathering: true
        case .away, .alone, .restored, .shut, .noCharter, .twoDesks, .over, .forked: false
        }
    }

    // MARK: Events

    /// An entry of the own log is in the log now, whoever asked for it.
    package mutating func wrote(_ entry: Entry) { ledger.took(entry) }

    /// Takes one event in.
    package mutating func handle(_ event: DeskEvent, at now: Moment) -> DeskEffects {
        var effects = DeskEffects()
        // The log did not take what the turn before wrote.
        if ledger.isAwaiting { ledger.lose() }
        (effects.wordsOver, wordsOver) = (wordsOver + asks.forget(until: now.utc), [])
        beginDay(&effects, at: now)
        switch event {
        case .asks(let list): take(list, &effects, at: now)
        case .heardAll: if canWrite { asks.missedNone() }
        case .gate(let isOpen, let random):
            isGateOpen = isOpen
            spare = random
        case .linked(let isLinked, let random):
            spare = random
            link(isLinked, at: now)
        case .tenures(let list):
            tenures = Dictionary(list.map { ($0.slot.token, $0) }, uniquingKeysWith: { $1 })
            for one in list { wantStay(of: one.holder, &effects) }
        case .stay(let author, let stay): take(stay, of: author)
        case .blocked(let keys): block(Set(keys))
        case .logs(let logs, let seen): follow(logs, seen: seen, at: now)
        case .policy(let policy, let clock):
            (self.policy, self.clock) = (policy, clock)
            planAll()
            isAllFreed = true
        case .intent(let intent, let token):
            let result = carryOut(intent, &effects, at: now)
            effects.replies.append(DeskEffects.Reply(token: token, result: result))
        case .tick: break
        }
        turn(&effects, at: now)
        return effects
    }

    /// Whoever caused too many entries on the day before may cause some again: before whoever comes
    /// now.
    private mutating func beginDay(_ effects: inout DeskEffects, at now: Moment) {
        let today = today(at: now)
        guard day != today else { return }
        if day != nil { isAllFreed = true }
        day = today
        forgetStays(&effects, at: now)
        if isGranting, wasGranting { serve(&effects, at: now) }
    }

    /// Whoever is not blocked any more may have what they were passed over for.
    private mutating func block(_ keys: Set<PeerKey>) {
        if !blocked.isSubset(of: keys) { isAllFreed = true }
        blocked = keys
    }

    private mutating func link(_ isLinked: Bool, at now: Moment) {
        defer { aloneSince = isLinked ? nil : aloneSince ?? now.instant }
        guard isLinked else { return }
        hasBeenLinked = true
        guard let alone = aloneSince, now.instant - alone >= Limits.deskAlone else { return }
        if isGranting { comeBack(at: now) }
    }

    /// It grants again: whoever asked meanwhile did so in an order that nobody knows.
    private mutating func comeBack(at now: Moment) {
        returns = now.instant + Limits.deskReturns
        staysKnown = now.instant + Limits.deskStays
    }

    /// Reads the logs, and takes up what they say.
    private mutating func follow(
        _ logs: LogSet, seen: (EntryID) -> UTCTime?, at now: Moment
    ) {
        ledger.follow(logs, clock: clock, at: now, seen: seen)
        var old = DeskQueue()
        swap(&old, &queue)
        let noted = ledger.records.waiting.sorted { $0.value < $1.value }.map(\.key)
        for id in noted where asks.answer(to: id) == nil {
            queue.append(id)
            if let ask = old.remove(id)?.ask { queue.know(ask, load(of: ask)) }
        }
        for waiting in old.all where !ledger.records.settled.contains(waiting.id) {
            guard let ask = waiting.ask else { continue }
            if ledger.book.member(of: ask.author) > 0 {
                // Its note is not in the ledger.
                _ = asks.keep(ask)
            } else {
                queue.append(waiting.id, ask, load(of: ask))
            }
        }
        isAllFreed = true
        planAll()
    }

    /// All that comes of an event beside what it says itself.
    private mutating func turn(_ effects: inout DeskEffects, at now: Moment) {
        effects.needsLogs = ledger.isLost
        let grants = isGranting
        if grants, !wasGranting { comeBack(at: now) }
        if !grants { (lot, returns) = (nil, nil) }
        wasGranting = grants
        if canWrite { takeBackWhatWasKept(&effects, at: now) }
        // Nobody is granted what they may have taken back.
        if grants, !hearsAgain { grant(&effects, at: now) }
        if state != told {
            told = state
            effects.notices.append(.state(told))
        }
        if !hasToldRoom, ledger.isNearlyFull {
            hasToldRoom = true
            effects.notices.append(.ledgerNearlyFull)
        }
        forgetTimes()
        plan(at: now)
    }

    /// Lots, then what the clock brings, then the queue.
    private mutating func grant(_ effects: inout DeskEffects, at now: Moment) {
        if let until = returns, until <= now.instant { returns = nil }
        if lot == nil, returns != nil, !asks.isPendingEmpty { openLot(&effects, at: now) }
        if let lot, lot.until <= now.instant { draw(lot, &effects, at: now) }
        guard lot == nil else { return }
        // Nothing to draw a lot by.
        for ask in asks.takePending() { answer(ask, &effects, at: now) }
        passTime(&effects, at: now)
        serve(&effects, at: now)
    }

    private mutating func plan(at now: Moment) {
        var next = lot?.until
        if case .open = state, let due = times.next {
            let wait = min(max(due.seconds &- now.utc.seconds, 0), Limits.deskClock)
            let look = now.instant + .seconds(wait)
            next = min(next ?? look, look)
        }
        nextDeadline = next
    }
}

/// What a desk starts with.
package struct DeskStart: Sendable {
    /// The logs on the disk.
    package var logs: LogSet
    /// When an entry was first seen here; `nil` for one that just came.
    package var seen: @Sendable (EntryID) -> UTCTime?
    /// The own answers that were kept, in order.
    package var answers: [DeskAnswer]
    /// Asks that took others back before they came, as ``DeskEffects/words`` had them.
    package var words: [DeskAsk]
    /// Whether the disk was put back from a copy.
    package var isRestored: Bool

    /// A desk that starts with these logs.
    package init(
        logs: LogSet, seen: @escaping @Sendable (EntryID) -> UTCTime?, answers: [DeskAnswer] = [],
        words: [DeskAsk] = [], isRestored: Bool = false
    ) {
        self.logs = logs
        self.seen = seen
        self.answers = answers
        self.words = words
        self.isRestored = isRestored
    }
}
