// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Protocol
import Text

/// Operations that ask for several seats at once: `ring`, `swap` of more than one, and `undo`.
extension ControlDesk {
    // MARK: ring

    func ring(_ asked: Op.Ring) throws(UserError) -> Outcome {
        let seats = try different(asked.seats)
        let mine = host.rules.mine
        guard Limits.parties.contains(seats.count), seats.count > 2 else {
            throw UserError(
                .badRequest, "a ring has 3 to \(Limits.parties.upperBound) seats",
                why: "each goes to whoever sits in the next one",
                advice: seats.count == 2
                    ? "seatagent swap \(seats[1].text) --give \(seats[0].text)"
                    : "seatagent help ring")
        }
        guard mine.contains(seats[0]) else { throw beginsElsewhere(seats, mine) }
        let holders = try holders(of: seats, asked.terms)
        var moves: [SeatMove] = []
        for (place, seat) in seats.enumerated() {
            let next = (place + 1) % seats.count
            guard holders[place] != holders[next] else {
                let both = "\(seat.text) and \(seats[next].text)"
                let who = holders[place] == host.node.me ? "you" : book.tagged(holders[place])
                throw UserError(
                    .badRequest, "\(who) cannot give \(seat.text) to themselves",
                    why: "\(both) are with one passenger, and each seat of a ring goes to whoever "
                        + "sits in the next one", advice: "seatagent seats")
            }
            moves.append(SeatMove(seat: seat, to: holders[next], from: holders[place]))
        }
        return try ask(moves, asked.terms, asked.holders, draft: asked.draft)
    }

    private func beginsElsewhere(_ seats: [Seat], _ mine: [Seat]) -> UserError {
        // The same ring, begun at a seat of one's own.
        let turned = seats.firstIndex(where: mine.contains).map { place in
            again { $0.seats = (seats[place...] + seats[..<place]).map(\.text) }
        }
        let own = mine.first.map { first in
            again { $0.seats = ([first] + seats.dropFirst()).map(\.text) }
        }
        return UserError(
            .notYours, "\(seats[0].text) is not yours",
            why: "a ring begins with the seat that you give",
            advice: turned ?? own ?? "seatagent status")
    }

    // MARK: swap

    /// `12A,12B` for `14C,14D`: the first for the first.
    func swapSeveral(_ asked: Op.Swap) throws(UserError) -> Outcome {
        let node = host.node
        let take = try different(Self.words(asked.seat))
        let mine = host.rules.mine
        let named = try asked.terms.give.map { (text) throws(UserError) in
            try different(Self.words(text))
        }
        let give = named ?? mine
        guard give.count == take.count else {
            let enough = mine.count >= take.count
            throw UserError(
                named == nil ? .whichSeat : .badRequest,
                "you ask for \(Self.count(take)) and give \(Self.count(give))",
                why: "everybody gives as many seats as they get"
                    + (mine.isEmpty ? "" : "; yours: " + mine.map(\.text).joined(separator: ", ")),
                advice: enough
                    ? again { words in
                        words.terms.give = mine.prefix(take.count).map(\.text)
                            .joined(separator: ",")
                    } : "seatagent status")
        }
        for seat in give where !mine.contains(seat) { throw error(.notYours(seat)) }
        for seat in take where mine.contains(seat) { throw error(.ownSeat(seat)) }
        let holders = try holders(of: take, asked.terms)
        let given = zip(give, holders).map { SeatMove(seat: $0, to: $1, from: node.me) }
        let taken = zip(take, holders).map { SeatMove(seat: $0, to: node.me, from: $1) }
        return try ask(given + taken, asked.terms, asked.holders, draft: asked.draft)
    }

    /// Between two commas that stand together is a seat that is missing.
    private static func words(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func count(_ seats: [Seat]) -> String {
        seats.count == 1 ? "1 seat" : "\(seats.count) seats"
    }

    // MARK: undo

    func undo(_ asked: Op.Undo) throws(UserError) -> Outcome {
        let facts = try named(asked.request)
        let node = host.node
        guard facts.state == .final else { throw nothingToUndo(facts) }
        var moves: [SeatMove] = []
        for leg in facts.record.contract.legs {
            // Without it the others' seats would go back and this one would not.
            guard let token = node.fold.token(leg.token) else {
                throw UserError(
                    .changed, "request \(asked.request) cannot be undone",
                    why: "your agent does not know where one of its seats is",
                    advice: "seatagent seats")
            }
            guard token.holder == leg.to, !token.ended,
                node.logs.log(of: leg.to)?.isClosed != true
            else { throw movedOn(facts, leg, token) }
            moves.append(SeatMove(seat: token.seat, to: leg.from, from: leg.to))
        }
        moves.sort { ($0.from == node.me ? 0 : 1, $0.seat) < ($1.from == node.me ? 0 : 1, $1.seat) }
        return try ask(moves, asked.terms, nil, draft: asked.draft)
    }

    private func nothingToUndo(_ facts: RequestFacts) -> UserError {
        let number = facts.record.number
        let isOver = ![.open, .agreed, .stranded].contains(facts.state)
        return UserError(
            .notAllowedNow, "request \(number) cannot be undone",
            why: isOver ? "it came to no swap" : "it is not final yet",
            advice: facts.state == .open && !facts.isIncoming
                ? "seatagent cancel \(number)" : "seatagent requests --all")
    }

    /// A seat of the swap is no longer with whoever got it.
    private func movedOn(_ facts: RequestFacts, _ leg: Leg, _ token: TokenState) -> UserError {
        let node = host.node
        let number = facts.record.number
        let seat = token.seat.text
        // A later swap with that seat: without it, this one can be undone.
        let later = node.swapRecords.last { record in
            record.number != number && record.stage == .committed
                && record.contract.legs.contains { $0.token == leg.token && $0.from == leg.to }
        }
        let isMine = leg.to == node.me
        let who = isMine ? "you" : book.tagged(leg.to)
        var why = "\(who) gave \(seat) up"
        var advice = "seatagent seats"
        if token.holder != leg.to {
            let holder = token.holder == node.me ? "you" : book.described(token.holder)
            why = "\(seat) is with \(holder) now"
            if leg.from == node.me, let own = host.rules.mine.first {
                advice = "seatagent swap \(seat) --give \(own.text)"
            }
            if let later { advice = "seatagent undo \(later.number)" }
        } else if !token.ended {
            why = "\(who) left the flight"
        }
        return UserError(
            .changed, "request \(number) cannot be undone by those who made it",
            why: why, advice: advice)
    }

    // MARK: What they share

    /// Seats as they were typed, none of them twice.
    private func different(_ words: [String]) throws(UserError) -> [Seat] {
        var seats: [Seat] = []
        for word in words {
            let seat = try seat(named: word)
            guard !seats.contains(seat) else {
                throw UserError(
                    .badRequest, "\(seat.text) is named twice", why: "a seat goes to one passenger",
                    advice: "seatagent seats")
            }
            seats.append(seat)
        }
        return seats
    }

    /// Who would give each seat, in the order of `seats`.
    private func holders(of seats: [Seat], _ terms: SwapTerms) throws(UserError) -> [PeerKey] {
        let node = host.node
        let from = try terms.from.map { word throws(UserError) in
            try book.find(word) { better in
                again { $0.terms.from = better.filter { $0 != "'" } }
            }.key
        }
        var holders: [PeerKey] = []
        for seat in seats {
            switch node.fold.tradable(seat, from: from, override: terms.override, node.trust) {
            case .failure(let refusal): throw error(refusal)
            case .success(let token): holders.append(token.holder)
            }
        }
        return holders
    }

    /// Asks for these moves, or only says what they would be. `shown` are the keys of the others
    /// whom the user was asked about.
    func ask(
        _ moves: [SeatMove], _ terms: SwapTerms, _ shown: [String]?, draft: Bool,
        warnings: [SwapWarning] = []
    ) throws(UserError) -> Outcome {
        let node = host.node
        try checkWindow()
        let others = moves.filter { $0.from != node.me }
        if let shown, shown != others.compactMap({ $0.from?.hex }) {
            throw UserError(
                .changed, "somebody else has one of these seats now",
                why: "what you said yes to is not what would be asked",
                advice: again { _ in })
        }
        try check(moves)
        let legs: [Leg]
        switch node.fold.legs(moves, override: terms.override, node.trust) {
        case .failure(let refusal): throw error(refusal)
        case .success(let made): legs = made.sorted { $0.token < $1.token }
        }
        try unasked(legs)
        if draft { return self.draft(moves, override: terms.override, warnings).outcome }
        return perform(
            .propose(
                moves, note: terms.note ?? "", expires: terms.expires, override: terms.override,
                unverified: terms.unverified)
        ).outcome
    }

    /// Throws `already-so` if a request for just that is open, whoever made it. Between two, asking
    /// for what the other asks for is a yes.
    private func unasked(_ legs: [Leg]) throws(UserError) {
        let open = host.node.swapRecords.first { record in
            guard RequestFacts(record, me: host.node.me).state == .open else { return false }
            return record.onTable.legs == legs && record.stage != .requested
        }
        if let open { throw askedAlready(open) }
    }

    /// What would be asked; nothing is sent.
    private func draft(
        _ moves: [SeatMove], override: Bool, _ more: [SwapWarning]
    ) -> Work<SwapDraft> {
        let node = host.node
        let book = book
        let (give, take) = (
            moves.filter { $0.from == node.me }.map(\.seat),
            moves.filter { $0.to == node.me }.map(\.seat)
        )
        let keys = Set(moves.flatMap { [$0.from, $0.to].compactMap(\.self) })
        let other = keys.count == 2 ? keys.first { $0 != node.me } : nil
        let isRisk = other != nil && !isAnswer(moves, override: override)
        return .done(
            SwapDraft(
                who: other.map(book.person),
                risk: isRisk ? other.flatMap { RequestFacts.risk($0, give.first, book) } : nil,
                warnings: host.rules.findings(give: give, take: take).map(SwapWarning.init)
                    + more,
                moves: moves.compactMap { move in
                    move.from.map { from in
                        Move(seat: move.seat, from: book.person(from), to: book.person(move.to))
                    }
                }))
    }
}
