// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
import Text
import Wording

extension ControlHost {
    // A host without a loop, as tests have it, searches at once.
    func match(_ search: MatchSearch, then: (Matcher) -> Void) { then(search.answer) }

    /// What the passenger and the layout say of seats.
    var knownSeats: KnownSeats { knownSeats(without: []) }

    /// The same for a search that leaves some passengers out.
    /// Of the user's companions those in `staying` stay where they are.
    func knownSeats(without: [PeerKey], staying: [PeerKey] = []) -> KnownSeats {
        let rules = rules
        let people = rules.mine.map { rules.needs.person(in: $0, of: rules.mine) }
        return KnownSeats(
            cabin: cabin.forMatching,
            needs: people.map { MatchFacts.Needs(seat: $0.seat, needs: $0.forMatching) },
            kept: people.filter(\.stays).map(\.seat), refusers: endings.refusers + without,
            staying: staying, remote: there)
    }
}

/// Operations that look for exchanges. Nobody is asked.
extension ControlDesk {
    func together() throws(UserError) -> Outcome { try look(.together) }

    func match() throws(UserError) -> Outcome { try look(.wishes) }

    private func look(_ aim: Matcher.Aim) throws(UserError) -> Outcome {
        let search = MatchSearch(
            scenes: host.node.scenes(host.knownSeats), aim: aim, proposer: host.node.me)
        if let why = nothingToLookFor(search) { throw why }
        return .match(search) { matcher, desk in desk.found(matcher, search) }
    }

    private func found(_ matcher: Matcher, _ search: MatchSearch) -> Result<JSON, UserError> {
        var refused: UserError?
        var plans: [MatchPlan] = []
        let book = book
        for proposal in matcher.proposals where isNew(proposal.legs) {
            let moves = self.moves(proposal.legs)
            do throws(UserError) {
                try check(moves)
            } catch {
                refused = refused ?? error
                continue
            }
            plans.append(plan(plans.count + 1, proposal, moves, book))
        }
        guard !plans.isEmpty else {
            return .failure(refused ?? nothingFound(search, matcher))
        }
        let node = host.node
        let party = [node.me] + (node.party(at: host.now)?.companions ?? [])
        let now = matcher.now.together
        return .success(
            JSON(
                MatchPlans(
                    party: party.map(book.person), shape: Word(PartyShape(now.degree)),
                    together: now.count, plans: plans, whole: matcher.isWhole,
                    cut: search.scenes.own.isCut,
                    guessed: host.cabin.sure == .invented && !node.flight.isPractice)))
    }

    /// Whether all seats are still with those who had them when the search began, and nobody has
    /// said no to just that.
    private func isNew(_ legs: [Leg]) -> Bool {
        let node = host.node
        let stands = legs.allSatisfy { leg in
            node.fold.token(leg.token).map { $0.holder == leg.from && !$0.ended } ?? false
        }
        return stands
            && !node.swapRecords.contains { record in
                !record.role.isIncoming && record.stage == .declined
                    && record.contract.legs == legs
            }
    }

    /// The request for the best of what was found that may take the place of `plan`; `nil` if
    /// nothing may.
    func replacement(_ matcher: Matcher, of plan: Replacements.Plan) -> Intent? {
        let node = host.node
        let left = plan.terms.stands.seconds &- host.now.utc.seconds &- Self.margin
        guard left >= Self.margin else { return nil }
        // A note was for the people of the first, and a risk was taken for one of them.
        let terms = SwapTerms(expires: Int(left))
        for proposal in matcher.proposals where proposal.gives(to: node.me) {
            let wasAsked = node.swapRecords.contains { record in
                !record.role.isIncoming && record.contract.legs == proposal.legs
                    || !record.stage.isOver && record.onTable.legs == proposal.legs
            }
            let others = Set(proposal.legs.map(\.from)).subtracting([node.me])
            // Of two the other votes last, which the user has to know.
            let isRisk = others.count == 1 && others.allSatisfy(book.isClaimed)
            let moves = self.moves(proposal.legs)
            guard isNew(proposal.legs), !wasAsked, !wasRead(proposal.legs), !isRisk,
                weighty(moves).allSatisfy(plan.terms.known.contains),
                let outcome = try? ask(moves, terms, nil, draft: false),
                case .perform(let intent, _) = outcome
            else { continue }
            return intent
        }
        return nil
    }

    /// Seconds that a request which takes the place of another ends before that would have, so that
    /// it does so on every machine.
    private static let margin: Int64 = 10

    /// What the rules of the cabin say of an exchange that a person has to weigh, which is more
    /// than what is so of every exchange.
    func weighty(_ moves: [SeatMove]) -> [String] {
        let me = host.node.me
        return host.rules.findings(
            give: moves.filter { $0.from == me }.map(\.seat),
            take: moves.filter { $0.to == me }.map(\.seat)
        )
        .filter(\.kind.isWeighed)
        .map(\.what)
    }

    /// Whether somebody else asks for just that, or the user said no to what moves them alike: that
    /// is for the user to answer.
    private func wasRead(_ legs: [Leg]) -> Bool {
        let node = host.node
        func part(_ legs: [Leg]) -> [Leg] { legs.filter { $0.from == node.me } }
        func gains(_ legs: [Leg]) -> [Slot] { legs.filter { $0.to == node.me }.map(\.slot) }
        return node.swapRecords.contains { record in
            guard record.role.isIncoming else { return false }
            let other = record.contract.legs
            let isRefused = record.stage == .declined || record.stage == .counterSent
            return other == legs
                || isRefused && part(other).map(\.slot) == part(legs).map(\.slot)
                    && gains(other) == gains(legs)
        }
    }

    /// Who gets which seat: those that the user gives first.
    private func moves(_ legs: [Leg]) -> [SeatMove] {
        let node = host.node
        return legs.compactMap { leg in
            node.fold.token(leg.token).map { SeatMove(seat: $0.seat, to: leg.to, from: leg.from) }
        }
        .sorted {
            ($0.from == node.me ? 0 : 1, $0.seat) < ($1.from == node.me ? 0 : 1, $1.seat)
        }
    }

    private func plan(
        _ number: Int, _ proposal: MatchProposal, _ moves: [SeatMove], _ book: PeopleBook
    ) -> MatchPlan {
        let me = host.node.me
        let standing = proposal.standing
        let text = MatchText(cabin: host.cabin, me: me, name: book.tagged)
        return MatchPlan(
            number: number,
            changes: proposal.moves.map { move in
                let (reason, rank) = MoveReason.of(move.reason)
                return MatchPlan.Change(
                    who: book.person(move.holder), from: move.from, to: move.to,
                    reason: Word(reason), rank: rank, own: move.isOwn)
            },
            moves: moves.compactMap { move in
                move.from.map { from in
                    Move(seat: move.seat, from: book.person(from), to: book.person(move.to))
                }
            },
            sentences: text.sentences(proposal), shape: Word(PartyShape(standing.together.degree)),
            together: standing.together.count, helped: standing.helped,
            favours: standing.favours, yours: proposal.gives(to: me))
    }
}

extension PartyShape {
    /// The word for how a party sits.
    fileprivate init(_ degree: Together.Degree) {
        switch degree {
        case .apart: self = .apart
        case .near: self = .near
        case .pairs: self = .pairs
        case .row: self = .row
        case .block: self = .block
        }
    }
}

extension MoveReason {
    /// The word for why somebody would say yes, and which of their wishes it is.
    fileprivate static func of(_ reason: MatchMove.Reason) -> (MoveReason, Int?) {
        switch reason {
        case .together: (.together, nil)
        case .wish(let rank): (.wish, rank)
        case .alike: (.alike, nil)
        }
    }
}
