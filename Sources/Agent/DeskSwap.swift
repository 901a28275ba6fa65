// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Protocol
import Text
import Wording

/// Operations that ask for seats and answer.
extension ControlDesk {
    // MARK: The window

    /// Throws `window-early` or `window-closed` with the exact time and how long.
    func checkWindow() throws(UserError) {
        guard let window = host.node.window else { return }
        switch window.state(at: host.now.utc) {
        case .open: return
        case .early(let left): throw windowEarly(left)
        case .closed(let since): throw windowClosed(since)
        }
    }

    func windowEarly(_ left: Int64) -> UserError {
        let opens = host.node.window.map { RFC3339.text($0.opens) } ?? "the set time"
        return UserError(
            .windowEarly, "seats on \(host.node.flight.designator) cannot be swapped yet",
            why: "swaps open in \(SpanText.words(left)), at \(opens)", advice: "seatagent status")
    }

    func windowClosed(_ since: Int64) -> UserError {
        let closes = host.node.window.map { RFC3339.text($0.closes) } ?? "the set time"
        return UserError(
            .windowClosed, "seats on \(host.node.flight.designator) cannot be swapped any more",
            why: "swaps closed at \(closes), \(SpanText.words(since)) ago",
            advice: "seatagent seats")
    }

    // MARK: Asking

    func swap(_ asked: Op.Swap) throws(UserError) -> Outcome {
        let terms = asked.terms
        if asked.seat.contains(",") || terms.give?.contains(",") == true {
            return try swapSeveral(asked)
        }
        let take = try wantedSeat(asked.seat)
        let give = try optionalSeat(named: terms.give)
        try checkWindow()
        let from = try terms.from.map { word throws(UserError) in
            try book.find(word) { better in
                again { $0.terms.from = better.filter { $0 != "'" } }
            }.key
        }
        let node = host.node
        let moves = node.fold.exchange(
            take: take, give: give, me: node.me, from: from, override: terms.override, node.trust)
        if case .success(let moves) = moves { try check(moves) }
        if asked.draft { return try draft(moves, take: take, override: terms.override).outcome }
        if let holder = asked.holder { try check(holder, holds: take, moves) }
        let intent = Intent.swap(
            take: take, give: give, note: terms.note ?? "", expires: terms.expires,
            override: terms.override, from: from, unverified: terms.unverified)
        return perform(intent).outcome
    }

    /// The requested seat. Throws `no-such-seat`; if the word names a passenger, says where they
    /// sit.
    private func wantedSeat(_ word: String) throws(UserError) -> Seat {
        do throws(UserError) {
            return try seat(named: word)
        } catch {
            guard error.code == .noSuchSeat, Seat(word) == nil,
                let found = try? book.find(word, line: { $0 }), !found.isMe
            else { throw error }
            let seats = found.seats.map(\.text)
            guard let first = seats.first else {
                throw UserError(
                    .noSuchSeat, "a seat is asked for, and \(book.tagged(found.key)) has none",
                    why: "they claim no seat on this flight", advice: "seatagent seats")
            }
            throw UserError(
                .noSuchSeat, "a seat is asked for, not a passenger",
                why: "\(book.tagged(found.key)) sits in \(seats.joined(separator: " and "))",
                advice: again { $0.seat = first })
        }
    }

    /// Throws `changed` if the seat's holder is not the passenger whom the user was asked about.
    private func check(
        _ holder: String, holds take: Seat, _ moves: Result<[SeatMove], Refusal>
    ) throws(UserError) {
        let node = host.node
        guard case .success(let moves) = moves,
            let now = moves.first(where: { $0.to != node.me })?.to, now.hex != holder
        else { return }
        throw UserError(
            .changed, "somebody else has \(take.text) now",
            why: "it is \(WhoText.full(book.person(now)))", advice: "seatagent who \(take.text)")
    }

    /// What `swap` would ask, as a question for the user; nothing is sent.
    private func draft(
        _ moves: Result<[SeatMove], Refusal>, take: Seat, override: Bool
    ) throws(UserError) -> Work<SwapDraft> {
        let node = host.node
        switch moves {
        case .failure(let refusal): throw error(refusal)
        case .success(let moves):
            let to = moves.first { $0.to != node.me }
            guard let given = to?.seat, let who = to?.to else { return .done(SwapDraft()) }
            let isRisk = !isAnswer(moves, override: override)
            return .done(
                SwapDraft(
                    who: book.person(who), give: given, take: take,
                    risk: isRisk ? RequestFacts.risk(who, given, book) : nil,
                    warnings: unasked(who)
                        + host.rules.findings(give: [given], take: [take])
                        .map(SwapWarning.init)))
        }
    }

    /// What to know before asking somebody who does not want to be asked.
    private func unasked(_ key: PeerKey) -> [SwapWarning] {
        guard book[key]?.asks == .nothing else { return [] }
        return [
            SwapWarning(
                code: Word(.unasked),
                what: "\(book.described(key)) does not want to be asked, and may never see it")
        ]
    }

    /// Whether a request for exactly that is open: then asking is a yes to it, and this passenger
    /// votes last.
    func isAnswer(_ moves: [SeatMove], override: Bool) -> Bool {
        let node = host.node
        guard case .success(let legs) = node.fold.legs(moves, override: override, node.trust) else {
            return false
        }
        let wanted = legs.sorted { $0.token < $1.token }
        return node.swapRecords.contains {
            $0.stage == .requested && $0.contract.legs == wanted
        }
    }

    func propose(_ asked: Op.Propose) throws(UserError) -> Outcome {
        guard let legs = asked.legs, !legs.isEmpty else {
            throw UserError(
                .badRequest, "\"propose\" wants \"legs\" to be a list",
                why: "each leg is {\"seat\":\"12A\",\"to\":WHO}")
        }
        let book = book
        var moves: [SeatMove] = []
        for leg in legs {
            guard let seat = leg.seat, let who = leg.to else {
                throw UserError(
                    .badRequest, "a leg has a seat and who gets it",
                    why: "each leg is {\"seat\":\"12A\",\"to\":WHO}")
            }
            let found = try book.find(who) { "seatagent who \($0)" }
            var move = SeatMove(seat: try self.seat(named: seat), to: found.key)
            if let from = leg.from {
                move.from = try book.find(from) { "seatagent who \($0)" }.key
            } else if asked.draft {
                // A draft says who gives it.
                move.from = SeatHolders.of(host.node.seatView)[move.seat]?.first
            }
            moves.append(move)
        }
        let outcome = try ask(
            moves, asked.terms, nil, draft: asked.draft, warnings: Self.replaced(asked))
        return followed(outcome, asked, moves)
    }

    func requests(_ asked: Op.Requests) -> Work<RequestList> {
        let node = host.node
        let book = book
        let past = PastStandings(node.timeline)
        let list = node.swapRecords.sorted { $0.number < $1.number }
            .map(node.facts)
            .filter { facts in
                asked.all || [.open, .agreed, .stranded].contains(facts.state)
                    || isFollowed(facts)
            }
            .map {
                $0.request(
                    book.of($0, node.fold, past), node.fold, me: node.me, now: host.now.utc,
                    host.rules, host.endings, host.automatic,
                    letter: host.endings.letters.of($0.record, node))
            }
        return .done(RequestList(requests: list))
    }

    // MARK: Answering

    func accept(_ asked: Op.Accept) throws(UserError) -> Work<SwapRequest> {
        let facts = try named(asked.request)
        try checkWindow()
        // The user said yes to this contract; a change since then needs another yes.
        if let seen = asked.contract, seen != facts.contract.id.hex {
            throw UserError(
                .changed, "request \(facts.record.number) has changed",
                why: "another offer took its place while you read it",
                advice: "seatagent requests")
        }
        try check(facts)
        let yes = perform(
            .accept(
                facts.record.number, override: asked.terms.override,
                unverified: asked.terms.unverified, of: facts.contract.id),
            of: asked.request)
        return asked.keep ? kept(yes, asked.request) : yes
    }

    func decline(_ asked: Op.Decline) throws(UserError) -> Work<SwapRequest> {
        let number = try named(asked.request).record.number
        return perform(.decline(number, note: asked.note ?? ""), of: number)
    }

    func counter(_ asked: Op.Counter) throws(UserError) -> Outcome {
        let facts = try named(asked.request)
        let number = facts.record.number
        let terms = asked.terms
        let named = (
            give: try optionalSeat(named: terms.give), take: try optionalSeat(named: terms.take)
        )
        let note = terms.note ?? ""
        try checkWindow()
        guard [.invited, .counterSent, .requested].contains(facts.record.stage) else {
            // The core says why not.
            return perform(
                .counter(
                    number, give: named.give, take: named.take, note: note,
                    override: terms.override, unverified: terms.unverified),
                of: number
            ).outcome
        }
        if facts.contract.parties.count > 2 {
            return try counterRing(asked, facts, give: named.give, take: named.take)
        }
        // The seats that were checked are the seats that are asked for: both go to the core by
        // name.
        let (give, take) = try countered(
            facts, give: named.give, take: named.take, override: terms.override)
        let isNamed = named.give != nil || named.take != nil
        guard facts.record.stage == .counterSent || !isNamed || !changesNothing(facts, give, take)
        else {
            throw UserError(
                .badRequest, "request \(number) asks for just that",
                why: "a counter-offer names another seat; to this one you can say yes",
                advice: "seatagent accept \(number)")
        }
        try check(give: [give], take: [take], of: number)
        if asked.draft { return draft(facts, give: give, take: take).outcome }
        return perform(
            .counter(
                number, give: give, take: take, note: note, override: terms.override,
                unverified: terms.unverified),
            of: number
        ).outcome
    }

    /// What a counter-offer would ask, as a question for the user; nothing is sent.
    private func draft(_ facts: RequestFacts, give: Seat, take: Seat) -> Work<SwapDraft> {
        .done(
            SwapDraft(
                who: book.person(facts.record.partner(of: host.node.me)), give: give, take: take,
                risk: RequestFacts.risk(facts.record.contract.coordinator, give, book),
                warnings: host.rules.findings(give: [give], take: [take]).map(SwapWarning.init)))
    }

    /// Whether these two seats are what is on the table.
    private func changesNothing(_ facts: RequestFacts, _ give: Seat, _ take: Seat) -> Bool {
        let moves = facts.moves(host.node.fold)
        return moves.count == 2
            && moves.allSatisfy { $0.seat == ($0.from == host.node.me ? give : take) }
    }

    /// The two seats of a counter-offer; a seat that is not named stays as it is on the table.
    /// Throws if one of them is unknown, or somebody else's.
    private func countered(
        _ facts: RequestFacts, give: Seat?, take: Seat?, override: Bool
    ) throws(UserError) -> (give: Seat, take: Seat) {
        let node = host.node
        let asker = facts.record.partner(of: host.node.me)
        let moves = facts.moves(node.fold)
        func only(_ moves: [(seat: Seat, from: PeerKey, to: PeerKey)]) -> Seat? {
            moves.count == 1 ? moves[0].seat : nil
        }
        guard let give = give ?? only(moves.filter { $0.from == node.me }),
            let take = take ?? only(moves.filter { $0.to == node.me })
        else {
            throw UserError(
                .badRequest, "say both seats of the counter-offer",
                why: "what is on the table is not one seat for one, or is not known here yet",
                advice: "seatagent requests")
        }
        guard node.fold.held(by: node.me).contains(where: { $0.seat == give }) else {
            throw error(.notYours(give))
        }
        if node.fold.held(by: node.me).contains(where: { $0.seat == take }) {
            throw error(.ownSeat(take))
        }
        let legs = node.fold.legs(
            [
                SeatMove(seat: give, to: asker, from: node.me),
                SeatMove(seat: take, to: node.me, from: asker),
            ], override: override, node.trust)
        if case .failure(let refusal) = legs { throw error(refusal) }
        return (give, take)
    }

    func cancel(_ asked: Op.Cancel) throws(UserError) -> Work<SwapRequest> {
        let facts = try named(asked.request)
        if let done = dropped(facts) { return done }
        return perform(.cancel(facts.record.number), of: asked.request)
    }

    func force(_ asked: Op.Force) throws(UserError) -> Work<SwapRequest> {
        perform(.force(try named(asked.request).record.number), of: asked.request)
    }

    /// The negotiation of that number. Throws `no-such-request`.
    func named(_ number: Int) throws(UserError) -> RequestFacts {
        let node = host.node
        guard let record = node.swapRecords.first(where: { $0.number == number }) else {
            throw UserError(
                .noSuchRequest, "there is no request \(number)", advice: "seatagent requests")
        }
        return node.facts(of: record)
    }

    /// A turn of the core, and the negotiation `number`, or the one that it made, as it stands
    /// once that is done.
    func perform(_ intent: Intent, of number: Int? = nil) -> Work<SwapRequest> {
        .perform(intent) { reply, desk in
            let node = desk.host.node
            desk.host.endings.said(
                intent, of: node.swapRecords.first { $0.number == number }, by: node.me)
            var number = number
            if case .request(let made) = reply { number = made }
            guard let record = node.swapRecords.first(where: { $0.number == number }) else {
                return nil
            }
            let facts = node.facts(of: record)
            let book = desk.book.of(facts, node.fold, PastStandings(node.timeline))
            return facts.request(
                book, node.fold, me: node.me, now: desk.host.now.utc, desk.host.rules,
                desk.host.endings, desk.host.automatic,
                letter: desk.host.endings.letters.of(record, node))
        }
    }
}
