// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import System

/// Rings that the agent proposes for its passenger, who said that it may (``AutomaticRings``).
extension Agent {
    /// Notes that seats, wishes or negotiations are others than before.
    func lookForRings(after notices: [Notice]) {
        guard automatic.serves, notices.contains(where: \.movesRings) else { return }
        rings.change()
        lookForRings()
    }

    /// Waits until something is due.
    func lookForRings() {
        guard automatic.serves, !isLookingForRings, let next = rings.next else { return }
        isLookingForRings = true
        _ = loop.schedule(at: max(next, loop.clock())) { [weak self] in
            guard let self else { return }
            isLookingForRings = false
            guard automatic.serves else { return }
            proposeRings()
            searchRings()
            lookForRings()
        }
    }

    private func searchRings() {
        guard rings.looks(at: now.instant) else { return }
        let search = MatchSearch(scenes: node.scenes(knownSeats), aim: .wishes, proposer: node.me)
        match(search) { [weak self] matcher in
            guard let self, automatic.serves else { return }
            rings.found(node.automaticRings(matcher.proposals), at: now.instant)
            lookForRings()
        }
    }

    private func proposeRings() {
        let open = node.swaps.records.count { !$0.role.isIncoming && !$0.stage.isOver }
        for ring in rings.take(at: now.instant, open: open) {
            // Others may have proposed it meanwhile, or a seat of it may have gone.
            guard !node.swaps.records.contains(where: { $0.contract.legs == ring.legs }),
                !isWarned(of: ring.legs)
            else { continue }
            let moves = ring.legs.compactMap { leg in
                node.fold.token(leg.token).map {
                    SeatMove(seat: $0.seat, to: leg.to, from: leg.from)
                }
            }
            guard moves.count == ring.legs.count else { continue }
            perform(.propose(moves, note: "", expires: nil)) { [unowned self] result in
                guard case .success(.request(let number)) = result,
                    let record = node.swaps.records.first(where: { $0.number == number })
                else { return }
                Log.line("the agent proposes request \(number) for the user")
                keepQuietly { $0.proposed(record.contract.id, by: node.me, at: now.utc) }
            }
        }
    }

    /// Whether a person has to weigh something of what the agent would propose.
    private func isWarned(of legs: [Leg]) -> Bool {
        guard cabin.sure != .invented || node.flight.isPractice else { return true }
        func seats(_ isMine: (Leg) -> Bool) -> [Seat] {
            legs.filter(isMine).compactMap { node.fold.token($0.token)?.seat }
        }
        let rules = rules
        let places = SeatRules.places(
            give: seats { $0.from == node.me }, take: seats { $0.to == node.me })
        return rules.findings(places).contains { $0.isBlock || $0.kind.isWeighed }
            || rules.block(places, with: openSwaps) != nil
    }
}

extension Notice {
    /// Whether there may be other rings after it.
    fileprivate var movesRings: Bool {
        switch self {
        case .map, .offer, .swap, .caughtUp, .aboard, .verification: true
        case .left, .renamed, .chat, .message, .unverified, .trouble, .layouts, .party,
            .attendance, .venue, .book, .desk, .ask, .asks, .form,
            .counter:
            false
        }
    }
}
