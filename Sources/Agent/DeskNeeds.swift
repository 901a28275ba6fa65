// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
import Text

extension ControlHost {
    // A host without a file or a cabin, as tests have it, knows of neither.
    var needs: Needs { Needs() }
    var judged: (cabin: CabinLayout, isChosen: Bool)? { nil }
    func keep(_ needs: Needs) throws(UserError) {
        throw UserError(.notAllowedNow, "nothing is kept here")
    }

    /// The rules for the own seats at this moment.
    var rules: SeatRules {
        let judged = judged
        var mine: [Seat] = []
        for token in node.fold.held(by: node.me) where mine.last != token.seat {
            mine.append(token.seat)
        }
        var rules = SeatRules(
            cabin: judged?.cabin, isChosen: judged?.isChosen ?? false, needs: needs, mine: mine)
        // A swap that is agreed and not yet in the fold brings its passengers.
        let due = node.swapRecords.filter { $0.stage == .committed && !$0.isFinal }
            .flatMap { RequestFacts($0, me: node.me).moves(node.fold).map(\.seat) }
        rules.lost = needs.lost(mine: mine + due, among: node.fold.tokens)
        return rules
    }
}

/// What the passenger says of their seats, and what the rules say before anything is asked or
/// answered.
extension ControlDesk {
    // MARK: What is said of the own seats

    func needs() -> Work<SeatNeeds> { .done(seatNeeds) }

    /// Everybody in an own seat, by seat, also those about whom nothing is said.
    private var seatNeeds: SeatNeeds {
        let rules = host.rules
        let gone = rules.needs.people.map(\.seat).filter { !rules.mine.contains($0) }
        let people = (rules.mine + gone).sorted().map { seat in
            let isMine = rules.mine.contains(seat)
            let person =
                isMine
                ? rules.needs.person(in: seat, of: rules.mine)
                : rules.needs.people.first { $0.seat == seat } ?? .init(seat: seat, facts: [])
            return SeatNeeds.Person(
                seat: seat, yours: isMine, facts: person.facts.map { Word($0) }, with: person.with)
        }
        return SeatNeeds(people: people)
    }

    func setNeeds(_ asked: Op.SetNeeds) throws(UserError) -> Work<SeatNeeds> {
        let seat = try SeatText.parse(asked.seat)
        var facts: Set<Needs.Fact> = []
        for word in asked.facts {
            guard let fact = word.known else {
                throw UserError(
                    .badRequest, "there is no fact \"\(visible(word.text, cells: 32))\"",
                    why: "facts are " + Needs.Fact.allCases.map(\.rawValue).joined(separator: ", "))
            }
            facts.insert(fact)
        }
        let with = try asked.with
            .map { (text) throws(UserError) in try SeatText.parse(text) }
        let rules = host.rules
        // A passenger about whom something was said may have changed seats meanwhile.
        guard facts.isEmpty || rules.mine.contains(seat) else {
            throw UserError(
                .notYours, "\(seat.text) is not yours", why: "you can say it of your own seats",
                advice: "seatagent status")
        }
        guard with != seat else {
            throw UserError(
                .badRequest, "nobody sits beside themselves", why: "\"with\" is another seat",
                advice: "seatagent needs")
        }
        if let with, !rules.mine.contains(with),
            !host.node.fold.tokens.contains(where: { $0.seat == with && !$0.ended })
        {
            throw UserError(
                .emptySeat, "nobody is known to sit in \(with.text)",
                why: "the helper sits in a seat of yours, or of another passenger here",
                advice: "seatagent seats")
        }
        var needs = rules.needs
        if rules.mine == [seat] { needs = Needs() }
        needs.set(Needs.Person(seat: seat, facts: facts, with: with))
        try host.keep(needs)
        host.recant()
        return .done(seatNeeds)
    }

    // MARK: Before anything is asked or answered

    /// Throws the first thing that prevents a swap of these own seats, alone or together with what
    /// is open besides negotiation `number`.
    func check(give: [Seat], take: [Seat], of number: Int? = nil) throws(UserError) {
        guard give.count == take.count else { return }
        let others = host.openSwaps.filter { $0.number != number }
        let places = SeatRules.places(give: give, take: take)
        if let block = host.rules.block(places, with: others) { throw block.error }
    }

    /// The same for the moves of a proposal.
    func check(_ moves: [SeatMove]) throws(UserError) {
        let mine = host.rules.mine
        let me = host.node.me
        try check(
            give: moves.filter { mine.contains($0.seat) && $0.to != me }.map(\.seat),
            take: moves.filter { $0.to == me && !mine.contains($0.seat) }.map(\.seat))
    }

    /// The same for what is on the table. Nobody is told of a refusal here: for others it is
    /// silence.
    func check(_ facts: RequestFacts) throws(UserError) {
        let node = host.node
        if let block = facts.findings(host.rules, node.fold, me: node.me).first, block.isBlock {
            throw block.error
        }
        let moves = facts.moves(node.fold)
        try check(
            give: moves.filter { $0.from == node.me }.map(\.seat),
            take: moves.filter { $0.to == node.me }.map(\.seat), of: facts.record.number)
    }
}

extension RequestFacts {
    /// What the rules say about it while it is open, blocks first; about a final one, what to do
    /// now.
    func findings(_ rules: SeatRules, _ fold: SeatFold, me: PeerKey) -> [RuleFinding] {
        switch state {
        case .open: break
        case .final: return SeatRules.closing(contract.parties.count)
        case .agreed, .stranded, .declined, .withdrawn, .expired, .failed: return []
        }
        if let stale = SeatRules.stale(contract, fold) { return [stale] }
        let moves = moves(fold)
        let give = moves.filter { $0.from == me }.map(\.seat)
        let take = moves.filter { $0.to == me }.map(\.seat)
        // One of the others' seats may not be known here yet.
        guard give.count == take.count else { return [] }
        return rules.findings(give: give, take: take)
    }

    /// What the rules say about it: what to know, and why a yes would be refused.
    func ruled(
        _ rules: SeatRules, _ fold: SeatFold, me: PeerKey
    ) -> (warnings: [SwapWarning], blocked: UserError?) {
        let all = findings(rules, fold, me: me)
        let block = all.first.flatMap { needsAnswer && $0.isBlock ? $0.error : nil }
        return (all.filter { !$0.isBlock }.map(SwapWarning.init), block)
    }
}

extension SwapWarning {
    /// The warning for a finding.
    init(_ finding: RuleFinding) {
        self.init(code: Word(text: finding.kind.rawValue), what: finding.what)
    }
}
