// SPDX-License-Identifier: Apache-2.0
/// Requests that the user proposed as a search found them, and what comes in the place of one that
/// ends without a swap (docs/protocol.md section 16). It decides; the program around it searches.
package struct Replacements: Hashable, Sendable {
    /// What the user said with the first of them.
    package struct Terms: Hashable, Sendable {
        /// What was looked for.
        package let aim: Matcher.Aim
        /// Up to when the first stands, and so whatever takes its place.
        package let stands: UTCTime
        /// What of the warnings that the user read before they proposed it has to be weighed.
        package let known: [String]
        /// How long everybody has for an answer.
        package let patience: TimeSpan

        /// What counts for each request.
        package init(
            aim: Matcher.Aim, stands: UTCTime, known: [String], patience: TimeSpan
        ) {
            self.aim = aim
            self.stands = stands
            self.known = known
            self.patience = patience
        }
    }

    /// One of them.
    package struct Plan: Hashable, Sendable {
        /// Its number.
        package let number: Int
        /// What the user said with the first.
        package let terms: Terms
        /// The number of the request whose place it took; `nil` for the first.
        package let after: Int?
        /// Who is not asked any more: they said no to one of them, or did not answer. Sorted.
        package fileprivate(set) var without: [PeerKey]
        /// How many may still come after it.
        fileprivate let left: Int
        /// When everybody is to have answered.
        fileprivate var answerBy: Instant
        /// Nothing ends it before that.
        fileprivate var goesOnUntil = Instant.zero
        /// Until when somebody who had said yes, and is out of reach, has answered. Sorted by key.
        fileprivate var agreed: [Agreed] = []
        fileprivate var stage = Stage.open
        fileprivate var why: Why?

        fileprivate struct Agreed: Hashable, Sendable {
            let key: PeerKey
            var until: Instant
        }

        fileprivate mutating func leaveOut(_ keys: [PeerKey]) {
            without = (without + keys).sortedOnce(by: <)
        }
    }

    /// Why the user's agent ended one.
    package enum Why: Hashable, Sendable {
        /// Not everybody answered in time.
        case unanswered
        /// Somebody in it wishes for something else by now.
        case unwanted
    }

    fileprivate enum Stage: Hashable, Sendable {
        /// It stands, or is being bound.
        case open
        /// It is being taken back, since not all have answered.
        case ending
        /// It ended: another is to be looked for.
        case due
        /// The same, once all have heard of the end and said their wishes again.
        case resting
        /// Another is looked for.
        case looking
        /// Nothing comes after it, or something has.
        case over
    }

    /// Who has not said yes to a request that stands.
    package struct Standing: Hashable, Sendable {
        /// They said yes, and it counts at this moment.
        package let agreed: [PeerKey]
        /// They have not answered, said no without a word, or went out of reach.
        package let missing: [PeerKey]
        /// Those among them who would not take by now what they get.
        package let unwilling: [PeerKey]

        /// Who has said yes, and who has not.
        package init(agreed: [PeerKey] = [], missing: [PeerKey], unwilling: [PeerKey] = []) {
            self.agreed = agreed
            self.missing = missing
            self.unwilling = unwilling
        }
    }

    /// What is to be done.
    package enum Order: Hashable, Sendable {
        /// That request ends, so that another may take its place.
        case end(Int)
        /// Another is looked for.
        case look(Plan)
    }

    /// In the order in which they were proposed; old ones are forgotten.
    private var plans: [Plan] = []

    /// Nothing was proposed.
    package init() {}

    /// Whether nothing was proposed.
    package var isEmpty: Bool { plans.isEmpty }

    /// When it wants to be asked for ``orders(at:_:)``; `nil` for never.
    package var nextDeadline: Instant? {
        plans.compactMap { plan in
            switch plan.stage {
            case .open: plan.left > 0 ? plan.answerBy : nil
            case .due: .zero
            case .resting: plan.answerBy
            case .ending, .looking, .over: nil
            }
        }.min()
    }

    /// Whether another may yet come in the place of the request of that number, which has ended or
    /// is about to.
    package func isLooking(_ number: Int) -> Bool {
        guard let index = index(of: number) else { return false }
        switch plans[index].stage {
        case .ending, .due, .resting, .looking: return true
        case .open, .over: return false
        }
    }

    /// The number of the request that took the place of that one.
    package func after(_ number: Int) -> Int? { plans.first { $0.after == number }?.number }

    /// Whether the answer to the search for `plan` is still wanted: nothing was said since.
    package func isWanted(_ plan: Plan) -> Bool { plans.contains(plan) }

    /// Why the user's agent ended the request of that number; `nil` if it did not.
    package func why(_ number: Int) -> Why? { index(of: number).flatMap { plans[$0].why } }

    /// The number of the request whose place that one took.
    package func before(_ number: Int) -> Int? { index(of: number).flatMap { plans[$0].after } }

    private func index(of number: Int) -> Int? { plans.lastIndex { $0.number == number } }

    // MARK: What happened

    /// The user asks for something else: nothing takes the place of what was proposed before.
    package mutating func stop() {
        for index in plans.indices { plans[index].stage = .over }
    }

    /// The user wishes for something else: a search that is under way begins anew.
    package mutating func wishChanged() {
        for index in plans.indices where plans[index].stage == .looking {
            plans[index].stage = .due
        }
    }

    /// The user proposed what a search found.
    package mutating func proposed(_ number: Int, _ terms: Terms, at now: Instant) {
        guard index(of: number) == nil else { return }
        stop()
        add(
            Plan(
                number: number, terms: terms, after: nil, without: [], left: Limits.replacements,
                answerBy: now + terms.patience))
    }

    /// `number` was proposed in the place of `plan`.
    package mutating func replaced(_ plan: Plan, by number: Int, at now: Instant) {
        finish(plan.number)
        guard index(of: number) == nil else { return }
        add(
            Plan(
                number: number, terms: plan.terms, after: plan.number, without: plan.without,
                left: plan.left - 1, answerBy: now + plan.terms.patience))
    }

    /// Nothing comes in the place of the request of that number.
    package mutating func finish(_ number: Int) {
        if let index = index(of: number) { plans[index].stage = .over }
    }

    /// The request of that number could not be taken back: it is being bound, or over.
    package mutating func goesOn(_ number: Int, at now: Instant) {
        guard let index = index(of: number), plans[index].stage == .ending else { return }
        plans[index].stage = .open
        plans[index].why = nil
        plans[index].goesOnUntil = now + Self.pause
        plans[index].answerBy = max(plans[index].answerBy, now + Self.pause)
    }

    /// Until it is asked again whether all have answered, where all had.
    private static let pause = TimeSpan.seconds(10)
    /// After the end of one: whoever had agreed offers their seat anew, at the pace of wishes.
    private static let rest = Limits.wishPace + .seconds(1)

    private mutating func add(_ plan: Plan) {
        plans.append(plan)
        if plans.count > Limits.ownRequests { plans.removeFirst() }
    }

    /// Takes in what became of a request of `me`; `isOwn` where the user or their agent did it.
    package mutating func keep(_ notice: SwapNotice, by me: PeerKey, isOwn: Bool) {
        guard let index = index(of: notice.record.number) else { return }
        let isEnding = plans[index].stage == .ending
        guard isEnding || plans[index].stage == .open else { return }
        switch ending(notice, by: me, isOwn: isOwn, isEnding: isEnding) {
        case .goesOn: break
        case .over: plans[index].stage = .over
        case .without(let keys):
            plans[index].leaveOut(keys)
            plans[index].stage = plans[index].left > 0 ? .due : .over
        }
    }

    private enum Ending {
        /// It has not ended.
        case goesOn
        /// Nothing comes after it.
        case over
        /// Another may come, without these.
        case without([PeerKey])
    }

    private func ending(
        _ notice: SwapNotice, by me: PeerKey, isOwn: Bool, isEnding: Bool
    ) -> Ending {
        let record = notice.record
        // Without the seat that they wanted to give, the user wants something else.
        let isOwnLost = record.contract.legs.contains { leg in
            leg.from == me && leg.token == record.lost?.token
        }
        guard !isOwnLost else { return .over }
        switch notice.what {
        case .requested, .ready, .lapsed, .binding, .stranded: return .goesOn
        // From then on it is the user who decides, with somebody in it.
        case .countered: return .over
        case .declined(let who): return isOwn ? .over : .without([who])
        case .withdrawn:
            if isEnding || record.lost != nil { return .without([]) }
            // Between two, whoever was asked took it back, unless another yes took the seat.
            let isRefused = !isOwn && record.role == .asker && record.instead == 0
            return isRefused ? .without([record.contract.coordinator]) : .over
        case .aborted(.refused(let who)): return isOwn ? .over : .without([who])
        case .aborted(.silence): return .without([])
        case .aborted(.check(let fault)): return fault.isOfSeats ? .without([]) : .over
        case .aborted(.cancelled), .aborted(.restart), .expired, .committed, .final: return .over
        }
    }

    // MARK: What is to be done

    /// What is due by now; `standing` knows the requests that stand.
    package mutating func orders(
        at now: Instant, _ standing: (Int) -> Standing?
    ) -> [Order] {
        var orders: [Order] = []
        for index in plans.indices {
            switch plans[index].stage {
            case .open:
                guard plans[index].left > 0, let order = end(index, at: now, standing) else {
                    continue
                }
                orders.append(order)
            case .due:
                plans[index].stage = .resting
                plans[index].answerBy = now + Self.rest
            case .resting:
                guard plans[index].answerBy <= now else { continue }
                plans[index].stage = .looking
                orders.append(.look(plans[index]))
            case .ending, .looking, .over: continue
            }
        }
        return orders
    }

    /// Ends a request that somebody has not answered in time, or would not want any more.
    private mutating func end(
        _ index: Int, at now: Instant, _ standing: (Int) -> Standing?
    ) -> Order? {
        let isDue = plans[index].answerBy <= now
        let standing = standing(plans[index].number)
        plans[index].note(standing?.agreed ?? [], at: now)
        let late =
            isDue ? (standing?.missing ?? []).filter { plans[index].isLate($0, at: now) } : []
        guard let standing, plans[index].goesOnUntil <= now,
            !late.isEmpty || !standing.unwilling.isEmpty
        else {
            if isDue { plans[index].answerBy = now + Self.pause }
            return nil
        }
        // Whoever wishes for something else has refused nothing.
        plans[index].leaveOut(late)
        plans[index].why = late.isEmpty ? .unwanted : .unanswered
        plans[index].stage = .ending
        return .end(plans[index].number)
    }
}

extension Replacements.Plan {
    /// Their yes counts now, and a while longer if they go out of reach.
    fileprivate mutating func note(_ keys: [PeerKey], at now: Instant) {
        for key in keys {
            let until = now + terms.patience
            if let index = agreed.firstIndex(where: { $0.key == key }) {
                agreed[index].until = until
            } else {
                agreed.append(Agreed(key: key, until: until))
                agreed.sort { $0.key < $1.key }
            }
        }
    }

    fileprivate func isLate(_ key: PeerKey, at now: Instant) -> Bool {
        agreed.first { $0.key == key }.map { $0.until <= now } ?? true
    }
}

extension VoteFault {
    /// Whether a seat of it went elsewhere or is in doubt: others may do.
    fileprivate var isOfSeats: Bool {
        switch self {
        case .notHeld, .encumbered, .forked, .liar, .disputed, .reminted, .notAllowed, .begun,
            .unequal, .unpaid:
            true
        case .busy, .otherContract, .window, .blocked, .logFull, .unverified, .asked: false
        }
    }
}
