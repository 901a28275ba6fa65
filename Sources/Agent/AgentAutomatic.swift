// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import Store
import System
import Text

extension ControlHost {
    // A host without a file, as tests have it, says nothing for anybody.
    var automatic: AutomaticYes { AutomaticYes() }
    func keep(_ automatic: AutomaticYes) throws(UserError) {
        throw UserError(.notAllowedNow, "nothing is kept here")
    }

    /// Whether a person has to weigh something of a request before a yes, or a rule forbids one.
    func isWarned(of facts: RequestFacts) -> Bool {
        // What a layout that nobody chose shows may be wrong in any respect.
        guard cabin.sure != .invented || node.flight.isPractice else { return true }
        let rules = rules
        let found = facts.findings(rules, node.fold, me: node.me)
        guard !found.contains(where: { $0.isBlock || $0.kind.isWeighed }) else { return true }
        let moves = facts.moves(node.fold)
        let places = SeatRules.places(
            give: moves.filter { $0.from == node.me }.map(\.seat),
            take: moves.filter { $0.to == node.me }.map(\.seat))
        let others = openSwaps.filter { $0.number != facts.record.number }
        return rules.block(places, with: others) != nil
    }
}

extension RuleFinding.Kind {
    /// Whether a person has to weigh it before a yes; what is true of every swap is not.
    var isWeighed: Bool {
        switch self {
        case .stale, .standby, .exit, .child, .helper, .missing, .compartment, .moved, .several,
            .apart, .infant, .wall, .paid, .better:
            true
        case .row, .layout, .belongings, .pass, .crew, .airline: false
        }
    }
}

/// Yeses that the agent says for its passenger, who said before to what.
extension Agent {
    static func automatic(_ store: Store) throws(UserError) -> AutomaticYes {
        do throws(StoreError) {
            return try store.automaticYes()
        } catch {
            throw UserError(
                .file, "to what your agent may say yes cannot be read", why: error.words,
                advice: "seatagent flights")
        }
    }

    func keep(_ automatic: AutomaticYes) throws(UserError) {
        do throws(StoreError) {
            try opened.store.keep(automatic)
        } catch {
            throw UserError(
                .file, "to what your agent may say yes cannot be kept", why: error.words,
                advice: "seatagent party show")
        }
        let before = self.automatic
        self.automatic = automatic
        if automatic.serves, !before.serves { rings = AutomaticRings() }
        lookForRings()
        if automatic.serves && !before.serves || automatic.trusts && !before.trusts {
            answerWaiting()
        }
    }

    /// Answers what came, where the passenger said before that this needs no word of theirs.
    func answerByItself(_ notices: [Notice]) {
        if automatic.trusts, node.party(at: now) == nil { keepQuietly { $0.trust(false) } }
        var isNew = false
        for case .swap(let notice) in notices {
            isNew = true
            // What the passenger takes back is their own to give again.
            guard notice.what == .lapsed else { continue }
            let contract = notice.record.contract.id
            let isKept = automatic.spoke(for: contract)
            automatic.recant(contract)
            if isKept { try? keep(automatic) }
        }
        if isNew { answerWaiting() }
    }

    private func answerWaiting() {
        for record in automatic.fresh(node.swaps.records) where automatic.trusts || automatic.serves
        {
            answerByItself(record)
        }
    }

    private func answerByItself(_ record: SwapRecord) {
        let facts = node.facts(of: record)
        let request = node.automatic(
            record, knownSeats, isWarned: isWarned(of: facts), at: now)
        var next = automatic
        guard case .success(let yes) = next.answer(request, at: now.utc) else { return }
        do throws(UserError) {
            // It is on disk before anything is said.
            try keep(next)
        } catch {
            return Log.line("request \(record.number) waits for the user: \(error.what)")
        }
        Log.line("the agent says yes to request \(record.number) for the user")
        let number = record.number
        perform(.accept(number, override: false, of: yes.contract)) { [unowned self] result in
            if case .failure = result { keepQuietly { $0.forget(yes.contract) } }
            // Whoever trusts is not asked about the same again either.
            if let made = node.swaps.records.first(where: { $0.number == number }) {
                endings.kept.said(made, by: node.me)
            }
        }
    }

    /// Changes what is kept where nobody waits for an answer.
    func keepQuietly(_ change: (inout AutomaticYes) -> Void) {
        change(&automatic)
        try? keep(automatic)
    }
}
