// SPDX-License-Identifier: Apache-2.0
/// The user's own asks with what the desk answered, and answers that the user's own desk gave
/// (``Asks``). Each is a row on the disk, until its time is over or a ledger says the rest.
struct OwnAsks: Sendable {
    /// Own asks, also those that take others back, oldest first.
    private(set) var asks: [KeptAsk] = []
    /// By ask: answers to own asks, and an own desk's answers to others, the latest to each.
    private var answered: [Bytes32: KeptAnswer] = [:]
    /// Of each asker the asks that they are to, the oldest first, and when the desk said the last.
    private var told: [PeerKey: (asks: [Bytes32], last: UTCTime)] = [:]
    /// All of them, the oldest first from ``oldest`` on, also those that are gone.
    private var order: [(ask: Bytes32, id: Bytes32)] = []
    private var oldest = 0
    /// What others said to an own desk of asks that had not come: they take them back.
    private var said: [Bytes32: KeptAsk] = [:]
    /// When each answer and each of those words ends, also of those that are gone.
    private var ends = Heap<End>()
    /// Tenures of asks that were taken back, until the desk may do nothing with them any more: it
    /// may have heard the ask and not yet that it was taken back.
    private var takenBack: [(slot: Slot, until: UTCTime)] = []
    private let me: PeerKey
    private var lastNumber = 0

    /// When an answer ends, and to which ask it is; or which ask of somebody else's ends.
    private struct End: Comparable, Sendable {
        let until: UTCTime
        let ask: Bytes32

        static func < (left: End, right: End) -> Bool {
            left.until != right.until ? left.until < right.until : left.ask < right.ask
        }
    }

    /// What was stored; what is none of the user's own says nothing.
    init(_ stored: [VenueStatement], of me: PeerKey, _ primitives: any Primitives) {
        self.me = me
        for statement in stored { put(statement, statement.id(primitives)) }
    }

    /// Takes a statement in; the one that it replaces.
    @discardableResult
    private mutating func put(_ statement: VenueStatement, _ id: Bytes32) -> Bytes32? {
        switch statement.content {
        case .ask(let ask):
            let one = KeptAsk(id: id, statement: statement, ask: ask, number: lastNumber + 1)
            guard statement.author == me else {
                guard one.target != nil else { break }
                said[id] = one
                ends.insert(End(until: ask.until, ask: id))
                break
            }
            guard !asks.contains(where: { $0.id == id }) else { break }
            lastNumber += 1
            asks.append(one)
        case .answer(let answer):
            guard statement.author == me || answer.asker == me else { break }
            let one = KeptAnswer(id: id, statement: statement, answer: answer)
            let old = answered.updateValue(one, forKey: answer.ask)
            ends.insert(End(until: answer.until, ask: answer.ask))
            var known = told.removeValue(forKey: answer.asker) ?? ([], answer.at)
            known.last = max(known.last, answer.at)
            if old != nil { known.asks.removeAll { $0 == answer.ask } }
            known.asks.append(answer.ask)
            order.append((answer.ask, id))
            told[answer.asker] = known
            return old?.id
        case .stay, .later: break
        }
        return nil
    }

    /// Asks that wait for the desk.
    var unanswered: [KeptAsk] { asks.filter { $0.target != nil || !isAnswered($0.id) } }

    private func isAnswered(_ ask: Bytes32) -> Bool { answer(to: ask)?.isLast == true }

    /// What the desk said to an ask.
    func answer(to ask: Bytes32) -> AskAnswer? { answered[ask]?.answer }

    /// The statement by which `desk` ended an ask that somebody says; `nil` where it did not. What
    /// takes an ask back has to be heard again, so nothing ends that.
    func ending(of statement: VenueStatement, _ id: Bytes32, by desk: PeerKey?) -> KeptAnswer? {
        guard let ask = statement.ask, let one = answered[id], one.answer.isLast,
            one.statement.author == desk
        else { return nil }
        if case .withdraw = ask.wish { return nil }
        return one
    }

    /// What was said to an own desk of asks that had not come, by id. O(n log n).
    var words: [KeptAsk] { said.keys.sorted().compactMap { said[$0] } }

    /// All answers, by ask. O(n log n).
    var answers: [KeptAnswer] { answered.keys.sorted().compactMap { answered[$0] } }

    /// When the desk answered somebody last; `nil` where nothing of that is kept.
    func lastAnswer(to asker: PeerKey) -> UTCTime? { told[asker]?.last }

    /// Nothing of it is over before.
    var nextEnd: UTCTime? {
        let first = asks.map(\.ask.until).min()
        return ends.first.map { min($0.until, first ?? $0.until) } ?? first
    }

    /// Until when an ask stands that can be taken back; `nil` for none.
    func until(_ id: Bytes32) -> UTCTime? {
        guard !isAnswered(id) else { return nil }
        return asks.first { $0.id == id && $0.target == nil }?.ask.until
    }

    /// Tenures that own asks would end or change, if the desk does what they say.
    var slots: [Slot] {
        let open = unanswered.compactMap(\.ask.wish.slot)
        return open + takenBack.map(\.slot)
    }

    // MARK: Changes

    /// Keeps a statement, on disk.
    mutating func keep(
        _ statement: VenueStatement, _ id: Bytes32, _ effects: inout PartEffects
    ) {
        if let old = put(statement, id) { effects.writes.append(.forgetStatement(old)) }
        effects.writes.append(.statement(id, statement))
    }

    /// Keeps what somebody said to an own desk of an ask that has not come.
    mutating func keepWord(
        _ statement: VenueStatement, _ id: Bytes32, _ effects: inout PartEffects
    ) {
        guard said[id] == nil, statement.author != me else { return }
        keep(statement, id, &effects)
    }

    /// It means nothing any more.
    mutating func forgetWord(_ id: Bytes32, _ effects: inout PartEffects) {
        guard said.removeValue(forKey: id) != nil else { return }
        effects.writes.append(.forgetStatement(id))
        forgetEnds()
    }

    /// Where most ends are of what is gone, made-up keys would fill the memory with them.
    private mutating func forgetEnds() {
        guard ends.count > 2 * (answered.count + said.count + Limits.asksRefused) else { return }
        ends = Heap()
        for one in answered.values {
            ends.insert(End(until: one.answer.until, ask: one.answer.ask))
        }
        for one in said.values { ends.insert(End(until: one.ask.until, ask: one.id)) }
    }

    /// How many ends are remembered.
    var endsKept: Int { ends.count }

    /// Forgets the oldest answers of an own desk where there are too many: of one asker, and of
    /// all, those to members last. Making keys costs nothing.
    mutating func forgetSome(
        to asker: PeerKey, _ effects: inout PartEffects, isMember: (PeerKey) -> Bool
    ) {
        while asker != me, let known = told[asker], known.asks.count > Limits.answersToOne {
            forgetAnswer(to: known.asks[0], &effects)
            told[asker]?.asks.removeAll { $0 == known.asks[0] }
        }
        var passed = 0
        while answered.count > Limits.asksAnswered, oldest < order.count {
            let (ask, id) = order[oldest]
            guard let one = answered[ask], one.id == id else {
                oldest += 1
                continue
            }
            let asker = one.answer.asker
            if asker == me || isMember(asker), answered.count < 2 * Limits.asksAnswered {
                // There may be one to somebody else behind it, at the next time.
                guard passed < Limits.answersPassed else { break }
                passed += 1
                order.append((ask, id))
            } else {
                forgetAnswer(to: ask, &effects)
            }
            oldest += 1
        }
        forgetEnds()
        guard order.count > 2 * (answered.count + Limits.asksRefused) else { return }
        order = order[oldest...].filter { answered[$0.ask]?.id == $0.id }
        oldest = 0
    }

    /// The user takes an ask back: what takes it back is said in its stead.
    mutating func takeBack(_ id: Bytes32, _ effects: inout PartEffects) {
        for one in asks where one.id == id {
            if let slot = one.ask.wish.slot { takenBack.append((slot, one.ask.until)) }
        }
        forget(&effects) { $0.id == id }
        forgetAnswer(to: id, &effects)
    }

    /// A ledger has granted an ask, or closed the booking that it gave back.
    mutating func settle(_ one: SettledAsk, _ effects: inout PartEffects) {
        let isOwn = asks.contains { $0.id == one.ask || $0.target == one.ask }
        forget(&effects) { $0.id == one.ask || $0.target == one.ask }
        forgetAnswer(to: one.ask, &effects)
        guard isOwn else { return }
        effects.notices.append(
            .ask(one.isGrant ? .granted(one.ask, one.token) : .closed(one.ask, one.token)))
    }

    /// What was to stand until `now` is over; the user hears of what the desk did not answer.
    mutating func expire(at now: UTCTime, _ effects: inout PartEffects) {
        takenBack.removeAll { $0.until <= now }
        guard let end = nextEnd, end <= now else { return }
        for one in unanswered where one.ask.until <= now && one.target == nil {
            effects.notices.append(.ask(.expired(one.id)))
        }
        forget(&effects) { $0.ask.until <= now }
        while let first = ends.first, first.until <= now {
            _ = ends.popFirst()
            if let word = said[first.ask], word.ask.until <= now { forgetWord(first.ask, &effects) }
            // A later answer may last longer.
            guard let one = answered[first.ask], one.answer.until <= now else { continue }
            forgetAnswer(to: first.ask, &effects)
            // What it ended does not begin again.
            if one.answer.isLast { forget(&effects) { $0.id == first.ask && $0.target == nil } }
        }
    }

    private mutating func forget(
        _ effects: inout PartEffects, _ isOver: (KeptAsk) -> Bool
    ) {
        effects.writes += asks.filter(isOver).map { .forgetStatement($0.id) }
        asks.removeAll(where: isOver)
    }

    private mutating func forgetAnswer(to ask: Bytes32, _ effects: inout PartEffects) {
        guard let gone = answered.removeValue(forKey: ask) else { return }
        effects.writes.append(.forgetStatement(gone.id))
        let asker = gone.answer.asker
        guard var known = told.removeValue(forKey: asker) else { return }
        known.asks.removeAll { $0 == ask }
        if !known.asks.isEmpty { told[asker] = known }
    }
}

extension BookingAsk.Wish {
    /// The tenure that would end or change; `nil` for none.
    var slot: Slot? {
        switch self {
        case .giveBack(let slot, _), .move(let slot, _, _): slot
        case .book, .withdraw: nil
        }
    }

    /// Whether its numbers can be written at all.
    var isWritable: Bool {
        switch self {
        case .book(let place, _, let count, _, _, _):
            Limits.venuePlaces.contains(place) && Limits.bookingCount.contains(count)
        case .move(_, let place, _): Limits.venuePlaces.contains(place)
        case .giveBack, .withdraw: true
        }
    }
}
