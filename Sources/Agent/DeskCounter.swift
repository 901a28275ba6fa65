// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text

/// Counter-offers in requests of several.
extension ControlDesk {
    /// Offers what the request asks for, for another of its seats.
    func counterRing(
        _ asked: Op.Counter, _ facts: RequestFacts, give: Seat?, take: Seat?
    ) throws(UserError) -> Outcome {
        let node = host.node
        let number = facts.record.number
        let terms = asked.terms
        guard let take else {
            throw UserError(
                .badRequest, "say which of its seats you would take",
                why: "in a request of several all give what they were asked for",
                advice: "seatagent requests")
        }
        let legs: [Leg]
        switch RingCounter.legs(facts.record, node.me, give: give, take: take, node.fold, node.logs)
        {
        case .failure(let refusal): throw error(refusal)
        case .success(let made): legs = made
        }
        let moves = legs.compactMap { leg in
            node.fold.token(leg.token).map { SeatMove(seat: $0.seat, to: leg.to, from: leg.from) }
        }
        let gives = moves.filter { $0.from == node.me }.map(\.seat)
        try check(give: gives, take: moves.filter { $0.to == node.me }.map(\.seat), of: number)
        if asked.draft { return draft(facts, moves, gives.first).outcome }
        // It is a yes to what was shown, and to nothing else.
        if let shown = asked.legs, Set(shown) != Set(moves.map(Op.Propose.Leg.init)) {
            throw UserError(
                .changed, "request \(number) has changed",
                why: "others would get other seats than those that you read",
                advice: again { _ in })
        }
        return perform(
            .counter(
                number, give: give, take: take, note: terms.note ?? "", override: terms.override,
                unverified: terms.unverified, legs: legs),
            of: number
        ).outcome
    }

    /// What it would ask, as a question for the user; nothing is sent.
    private func draft(
        _ facts: RequestFacts, _ moves: [SeatMove], _ give: Seat?
    ) -> Work<SwapDraft> {
        let (me, book) = (host.node.me, book)
        let own = moves.filter { $0.from == me } + moves.filter { $0.to == me }
        let others = moves.filter { $0.from != me && $0.to != me }
        return .done(
            SwapDraft(
                risk: give.flatMap {
                    RequestFacts.risk(facts.record.contract.coordinator, $0, book)
                },
                warnings: host.rules.findings(
                    give: moves.filter { $0.from == me }.map(\.seat),
                    take: moves.filter { $0.to == me }.map(\.seat)
                ).map(SwapWarning.init),
                moves: (own + others).compactMap { move in
                    move.from.map { from in
                        Move(seat: move.seat, from: book.person(from), to: book.person(move.to))
                    }
                }))
    }
}

extension Op.Propose.Leg {
    /// As a draft shows it.
    fileprivate init(_ move: SeatMove) {
        self.init(seat: move.seat.text, to: move.to.hex, from: move.from?.hex)
    }
}
