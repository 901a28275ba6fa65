// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol
import System
import Text

/// What takes the place of a request that came to nothing (docs/protocol.md section 16).
extension ControlHost {
    // A host that nobody watches, as tests have it.
    func tellRequests() {}

    // MARK: Whoever proposes

    /// Ends own requests that somebody has not answered in time, and looks for others in the place
    /// of those that came to nothing. Without news nobody wishes for something else.
    func replacePlans(hasNews: Bool = true) {
        guard !endings.replacements.isEmpty else { return }
        let orders = endings.replacements.orders(at: now.instant) { standing($0, hasNews) }
        for order in orders {
            switch order {
            case .end(let number):
                perform(.replace(number)) { [weak self] result in
                    guard let self, case .failure = result else { return }
                    endings.replacements.goesOn(number, at: now.instant)
                }
            case .look(let plan): lookAgain(plan)
            }
        }
    }

    /// When ``replacePlans()`` has something to do.
    var nextReplacement: Instant? { endings.replacements.nextDeadline }

    /// Who has not said yes to an own request that stands.
    private func standing(_ number: Int, _ hasNews: Bool) -> Replacements.Standing? {
        let node = node
        guard let record = node.swapRecords.first(where: { $0.number == number }),
            record.stage == .offered || record.stage == .asking
        else { return nil }
        let consented = node.consented(to: number)
        let missing = record.others(than: node.me).filter { !consented.contains($0) }
        // Companions come along to sit together, whatever they wish.
        let companions = hasNews ? node.party(at: now)?.companions ?? [] : []
        return Replacements.Standing(
            agreed: consented, missing: missing,
            unwilling: !hasNews
                ? []
                : missing.filter { key in
                    !companions.contains(key)
                        && record.contract.legs.isUnwanted(
                            by: key, node.logs.wish(of: key), node.fold)
                })
    }

    private func lookAgain(_ plan: Replacements.Plan) {
        let known = knownSeats(without: plan.without, staying: plan.without)
        let search = MatchSearch(
            scenes: node.scenes(known), aim: plan.terms.aim, proposer: node.me)
        match(search) { [weak self] matcher in self?.propose(matcher, in: plan) }
    }

    private func propose(_ matcher: Matcher, in plan: Replacements.Plan) {
        // The user may have asked for something else meanwhile.
        guard endings.replacements.isWanted(plan) else { return }
        let desk = ControlDesk(
            host: self, request: ControlRequest(id: .null, op: OperationName.propose.rawValue))
        guard let intent = desk.replacement(matcher, of: plan) else {
            endings.replacements.finish(plan.number)
            Log.line("nothing takes the place of request \(plan.number)")
            return tellRequests()
        }
        perform(intent) { [weak self] result in
            guard let self else { return }
            if case .success(.request(let number)) = result {
                // The user ended the search in the same turn.
                guard endings.replacements.isWanted(plan) else {
                    return perform(.cancel(number)) { _ in }
                }
                endings.replacements.replaced(plan, by: number, at: now.instant)
                Log.line("request \(number) takes the place of request \(plan.number)")
            } else {
                endings.replacements.finish(plan.number)
                tellRequests()
            }
        }
    }

    // MARK: Whoever was asked

    /// Says the user's yes again to what took the place of a request, where they let it count and
    /// give and get the same. What the rules of the cabin forbid by now waits for the user.
    func repeatYeses() {
        guard !endings.kept.isEmpty else { return }
        let node = node
        let all = node.swapRecords
        for record in all where record.stage == .invited {
            guard let yes = endings.kept.yes(for: record, among: all, node.me, at: now.utc)
            else { continue }
            // Whether a yes counts again must not tell who is blocked.
            guard !node.passengers.contains(where: \.isBlocked) else {
                return endings.kept.clear()
            }
            let number = record.number
            // Once, whatever comes of it: what the rules forbid by now waits for the user.
            endings.kept.use(yes, for: number)
            guard mayRepeat(record) else {
                endings.kept.refused(number)
                continue
            }
            perform(
                .accept(number, override: false, unverified: !yes.wasKnown, of: record.contract.id)
            ) { [weak self] result in
                guard let self else { return }
                let made = self.node.swapRecords.first { $0.number == number }
                guard case .success = result, let made else {
                    endings.kept.refused(number)
                    return tellRequests()
                }
                endings.kept.used(yes, for: made, by: self.node.me)
                Log.line("the yes to request \(yes.number) counts for request \(number)")
            }
        }
    }

    private func mayRepeat(_ record: SwapRecord) -> Bool {
        let desk = ControlDesk(
            host: self, request: ControlRequest(id: .null, op: OperationName.accept.rawValue))
        do throws(UserError) {
            try desk.checkWindow()
            try desk.check(node.facts(of: record))
            return true
        } catch {
            return false
        }
    }
}

extension Agent {
    func tellRequests() { server?.publish([]) }
}

/// What the desk of requests does for what takes their place.
extension ControlDesk {
    /// A request that a search found is replaced if it comes to nothing, where the user wants that.
    func followed(_ outcome: Outcome, _ asked: Op.Propose, _ moves: [SeatMove]) -> Outcome {
        guard case .perform(let intent, let result) = outcome, let patience = asked.patience,
            let finder = asked.finder
        else { return outcome }
        let aim: Matcher.Aim = finder == .match ? .wishes : .together
        let known = weighty(moves)
        return .perform(intent) { reply, desk in
            let told = result(reply, desk)
            if case .request(let number) = reply,
                let record = desk.host.node.swapRecords.first(where: { $0.number == number })
            {
                let terms = Replacements.Terms(
                    aim: aim, stands: record.expires, known: known,
                    patience: .seconds(Int64(max(1, patience))))
                desk.host.endings.replacements.proposed(number, terms, at: desk.host.now.instant)
            }
            return told
        }
    }

    /// What to know before proposing it; nothing where it is not replaced.
    static func replaced(_ asked: Op.Propose) -> [SwapWarning] {
        guard let patience = asked.patience, asked.finder != nil else { return [] }
        return [
            SwapWarning(
                code: Word(.replaced),
                what: "If somebody says no, or has not answered in "
                    + "\(SpanText.words(Int64(patience))), your agent proposes the next best swap "
                    + "without them, at most \(Limits.replacements) times.")
        ]
    }

    /// The user's yes counts for what takes the place of request `number` too.
    func kept(_ yes: Work<SwapRequest>, _ number: Int) -> Work<SwapRequest> {
        guard case .perform(let intent, let result) = yes.outcome else { return yes }
        return Work(
            outcome: .perform(intent) { reply, desk in
                let node = desk.host.node
                if let record = node.swapRecords.first(where: { $0.number == number }) {
                    desk.host.endings.kept.said(record, by: node.me)
                }
                return result(reply, desk)
            })
    }

    /// Whether something may come of a request that is over: a search for what takes its place, or
    /// a yes that counts again.
    func isFollowed(_ facts: RequestFacts) -> Bool {
        let number = facts.record.number
        return facts.state != .open && host.endings.replacements.isLooking(number)
            || host.endings.kept.isFree(number, at: host.now.utc)
    }

    /// The answer where the user ends what would come of a request that is over: a yes that counts
    /// for what takes its place, or the search for that. `nil` where there is neither.
    func dropped(_ facts: RequestFacts) -> Work<SwapRequest>? {
        let number = facts.record.number
        guard isFollowed(facts) else { return nil }
        host.endings.replacements.finish(number)
        host.endings.kept.drop(number)
        let node = host.node
        let told = book.of(facts, node.fold, PastStandings(node.timeline))
        return .done(
            facts.request(
                told, node.fold, me: node.me, now: host.now.utc, host.rules, host.endings,
                host.automatic))
    }
}
