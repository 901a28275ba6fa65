// SPDX-License-Identifier: Apache-2.0
/// The user's own asks with what the desk answered, and answers that the user's own desk gave
/// (``Asks``). Each is a row on the disk, until its time is over or a ledger says the rest.
struct OwnAsks: Sendable {
    /// Own asks, also those that take others back, oldest first.
    private(set) var asks: [KeptAsk] = []
    /// Answers to own asks, and an own desk's answers to others: the latest to each.
    private(set) var answers: [KeptAnswer] = []
    /// Tenures of asks that were taken back, until the desk may do nothing with them any more: it
    /// may have heard the ask and not yet that it was taken back.
    private var takenBack: [(slot: Slot, until: UTCTime)] = []
    private let me: PeerKey
    private var lastNumber = 0

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
            guard statement.author == me, !asks.contains(where: { $0.id == id }) else { break }
            lastNumber += 1
            asks.append(KeptAsk(id: id, statement: statement, ask: ask, number: lastNumber))
        case .answer(let answer):
            guard statement.author == me || answer.asker == me else { break }
            let one = KeptAnswer(id: id, statement: statement, answer: answer)
            guard let place = answers.firstIndex(where: { $0.answer.ask == answer.ask }) else {
                answers.append(one)
                break
            }
            let old = answers[place]
            answers[place] = one
            return old.id
        case .stay, .later: break
        }
        return nil
    }

    /// Asks that wait for the desk.
    var unanswered: [KeptAsk] { asks.filter { $0.target != nil || !isAnswered($0.id) } }

    private func isAnswered(_ ask: Bytes32) -> Bool { answer(to: ask)?.isLast == true }

    /// What the desk said to an ask.
    func answer(to ask: Bytes32) -> AskAnswer? { answers.first { $0.answer.ask == ask }?.answer }

    /// When the first of it is over.
    var nextEnd: UTCTime? { (asks.map(\.ask.until) + answers.map(\.answer.until)).min() }

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

    /// The user takes an ask back: what takes it back is said in its stead.
    mutating func takeBack(_ id: Bytes32, _ effects: inout PartEffects) {
        for one in asks where one.id == id {
            if let slot = one.ask.wish.slot { takenBack.append((slot, one.ask.until)) }
        }
        forget(&effects, asks: { $0.id == id }, answers: { $0.answer.ask == id })
    }

    /// A ledger has granted an ask, or closed the booking that it gave back.
    mutating func settle(_ one: SettledAsk, _ effects: inout PartEffects) {
        let isOwn = asks.contains { $0.id == one.ask || $0.target == one.ask }
        forget(
            &effects, asks: { $0.id == one.ask || $0.target == one.ask },
            answers: { $0.answer.ask == one.ask })
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
        forget(
            &effects, asks: { $0.ask.until <= now }, answers: { $0.answer.until <= now })
    }

    private mutating func forget(
        _ effects: inout PartEffects, asks isOver: (KeptAsk) -> Bool,
        answers isOld: (KeptAnswer) -> Bool
    ) {
        let gone = asks.filter(isOver).map(\.id) + answers.filter(isOld).map(\.id)
        effects.writes += gone.map { .forgetStatement($0) }
        asks.removeAll(where: isOver)
        answers.removeAll(where: isOld)
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
