// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
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

    func swap() throws(UserError) -> Outcome {
        let take = try wantedSeat()
        let give = try optionalSeat("give")
        let note = try request.optionalText("note") ?? ""
        let expires = try request.optionalNumber("expires")
        try checkWindow()
        let override = try request.flag("override")
        let from = try request.optionalText("from").map { word throws(UserError) in
            try book.find(word) { again(with: ["from": .string($0.filter { $0 != "'" })]) }.key
        }
        let node = host.node
        let moves = node.fold.exchange(
            take: take, give: give, me: node.me, from: from, override: override, node.trust)
        if case .success(let moves) = moves { try check(moves) }
        if try request.flag("draft") {
            return try draft(moves, take: take, override: override)
        }
        if let holder = try request.optionalText("holder") {
            try check(holder, holds: take, moves)
        }
        let intent = Intent.swap(
            take: take, give: give, note: note, expires: expires, override: override, from: from,
            unverified: try request.flag("unverified"))
        return .perform(intent, Self.requestResult)
    }

    /// The seat that is asked for. Throws `no-such-seat`; for the word of a
    /// passenger with where they sit.
    private func wantedSeat() throws(UserError) -> Seat {
        do throws(UserError) {
            return try seat("seat")
        } catch {
            let word = try request.text("seat")
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
                advice: again(with: ["seat": .string(first)]))
        }
    }

    /// Throws `changed` when it is another passenger whom the person was asked about.
    private func check(
        _ holder: String, holds take: Seat, _ moves: Result<[SeatMove], Refusal>
    ) throws(UserError) {
        let node = host.node
        guard case .success(let moves) = moves,
            let now = moves.first(where: { $0.to != node.me })?.to, now.hex != holder
        else { return }
        throw UserError(
            .changed, "somebody else has \(take.text) now",
            why: "it is \(WhoText.full(book.json(now)))", advice: "seatagent who \(take.text)")
    }

    /// What `swap` would ask, for a question to the person; nothing is sent.
    private func draft(
        _ moves: Result<[SeatMove], Refusal>, take: Seat, override: Bool
    ) throws(UserError) -> Outcome {
        let node = host.node
        switch moves {
        case .failure(let refusal): throw error(refusal)
        case .success(let moves):
            let to = moves.first { $0.to != node.me }
            guard let given = to?.seat, let who = to?.to else { return .done([:]) }
            let isRisk = !isAnswer(moves, override: override)
            return .done(
                .object(present: [
                    "who": book.json(who), "give": .string(given.text),
                    "take": .string(take.text),
                    "risk": isRisk ? RequestFacts.risk(who, given, book) : nil,
                    "warnings": .array(
                        host.rules.findings(give: [given], take: [take]).map(\.json)),
                ]))
        }
    }

    /// Whether a request stands that asks for just that: then it is a yes to it, and
    /// this passenger votes last.
    private func isAnswer(_ moves: [SeatMove], override: Bool) -> Bool {
        let node = host.node
        guard case .success(let legs) = node.fold.legs(moves, override: override, node.trust) else {
            return false
        }
        let wanted = legs.sorted { $0.token < $1.token }
        return node.swapRecords.contains {
            $0.stage == .requested && $0.contract.legs == wanted
        }
    }

    func propose() throws(UserError) -> Outcome {
        guard let list = request.arguments["legs"]?.list, !list.isEmpty else {
            throw UserError(
                .badRequest, "\"propose\" wants \"legs\" to be a list",
                why: "each leg is {\"seat\":\"12A\",\"to\":WHO}")
        }
        let book = book
        var moves: [SeatMove] = []
        for leg in list {
            guard let seat = leg["seat"]?.text, let who = leg["to"]?.text else {
                throw UserError(
                    .badRequest, "a leg has a seat and who gets it",
                    why: "each leg is {\"seat\":\"12A\",\"to\":WHO}")
            }
            let found = try book.find(who) { "seatagent who \($0)" }
            var move = SeatMove(seat: try self.seat(named: seat), to: found.key)
            if let from = leg["from"]?.text {
                move.from = try book.find(from) { "seatagent who \($0)" }.key
            }
            moves.append(move)
        }
        let note = try request.optionalText("note") ?? ""
        let expires = try request.optionalNumber("expires")
        try checkWindow()
        try check(moves)
        let override = try request.flag("override")
        return .perform(
            .propose(
                moves, note: note, expires: expires, override: override,
                unverified: try request.flag("unverified")), Self.requestResult)
    }

    func requests() throws(UserError) -> Outcome {
        let node = host.node
        let all = try request.flag("all")
        let book = book
        let past = PastStandings(node.timeline)
        let list = node.swapRecords.sorted { $0.number < $1.number }
            .map { RequestFacts($0, me: node.me) }
            .filter { all || [.open, .agreed, .stranded].contains($0.state) }
            .map {
                $0.json(
                    book.of($0, node.fold, past), node.fold, me: node.me, now: host.now.utc,
                    host.rules, host.endings)
            }
        return .done(["requests": .array(list)])
    }

    // MARK: Answering

    func accept() throws(UserError) -> Outcome {
        let facts = try named()
        try checkWindow()
        // What a person said yes to is this contract; a change since then needs another yes.
        if let seen = try request.optionalText("contract"), seen != facts.contract.id.hex {
            throw UserError(
                .changed, "request \(facts.record.number) has changed",
                why: "another offer took its place while you read it",
                advice: "seatagent requests")
        }
        try check(facts)
        let override = try request.flag("override")
        return .perform(
            .accept(
                facts.record.number, override: override,
                unverified: try request.flag("unverified"), of: facts.contract.id),
            Self.requestResult)
    }

    func decline() throws(UserError) -> Outcome {
        let number = try named().record.number
        let note = try request.optionalText("note") ?? ""
        return .perform(.decline(number, note: note), Self.requestResult)
    }

    func counter() throws(UserError) -> Outcome {
        let facts = try named()
        let number = facts.record.number
        let named = (give: try optionalSeat("give"), take: try optionalSeat("take"))
        let note = try request.optionalText("note") ?? ""
        try checkWindow()
        let override = try request.flag("override")
        let unverified = try request.flag("unverified")
        guard [.invited, .counterSent, .requested].contains(facts.record.stage) else {
            // The core says why not.
            return .perform(
                .counter(
                    number, give: named.give, take: named.take, note: note, override: override,
                    unverified: unverified),
                Self.requestResult)
        }
        // What is looked at is what is asked for: both seats go to the core by name.
        let (give, take) = try countered(
            facts, give: named.give, take: named.take, override: override)
        try check(give: [give], take: [take], of: number)
        if try request.flag("draft") {
            let coordinator = facts.record.contract.coordinator
            return .done(
                .object(present: [
                    "who": book.json(facts.record.partner(of: host.node.me)),
                    "give": .string(give.text), "take": .string(take.text),
                    "risk": RequestFacts.risk(coordinator, give, book),
                    "warnings": .array(
                        host.rules.findings(give: [give], take: [take]).map(\.json)),
                ]))
        }
        return .perform(
            .counter(
                number, give: give, take: take, note: note, override: override,
                unverified: unverified),
            Self.requestResult)
    }

    /// The two seats of a counter-offer: what is not named stays as it is on the table. Throws
    /// where one of them is not known, or is of somebody else.
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

    func cancel() throws(UserError) -> Outcome {
        .perform(.cancel(try named().record.number), Self.requestResult)
    }

    func force() throws(UserError) -> Outcome {
        .perform(.force(try named().record.number), Self.requestResult)
    }

    /// The negotiation at `request`. Throws `no-such-request`.
    func named() throws(UserError) -> RequestFacts {
        let number = try request.number("request")
        let node = host.node
        guard let record = node.swapRecords.first(where: { $0.number == number }) else {
            throw UserError(
                .noSuchRequest, "there is no request \(number)", advice: "seatagent requests")
        }
        return RequestFacts(record, me: node.me)
    }

    /// The negotiation as it stands once the intent is done.
    private static func requestResult(_ reply: IntentReply, _ desk: ControlDesk) -> JSON {
        let node = desk.host.node
        var number = desk.request.arguments["request"]?.number
        if case .request(let made) = reply { number = made }
        guard let record = node.swapRecords.first(where: { $0.number == number }) else {
            return [:]
        }
        let facts = RequestFacts(record, me: node.me)
        let book = desk.book.of(facts, node.fold, PastStandings(node.timeline))
        return facts.json(
            book, node.fold, me: node.me, now: desk.host.now.utc, desk.host.rules,
            desk.host.endings)
    }
}
