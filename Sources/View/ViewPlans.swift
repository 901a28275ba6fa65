// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
package import Grammar
import Protocol
import Text
import Wording

/// The pages of swaps that were found: one each, with the rows before and after.
extension ViewState {
    /// What was found, and which of it is shown.
    package struct Plans: Hashable, Sendable {
        /// The command that looks for it.
        package let verb: Verb
        /// What was found; `nil` before the answer.
        package var found: MatchPlans?
        /// The index of the page.
        package var shown = 0
        /// Whether the map shows the cabin after the swap, and not before it.
        package var isAfter = true
        /// Whether people, wishes or seats changed since.
        package var isStale = false

        /// The page on the screen.
        package var plan: MatchPlan? {
            found.flatMap { $0.plans.indices.contains(shown) ? $0.plans[shown] : nil }
        }
    }

    /// F3: looks for swaps after which the party sits together, or that serve the user's wish.
    package mutating func openPlans(_ verb: Verb = .together) -> [ViewIntent] {
        people = nil
        boxed = nil
        typedRow = ""
        plans = Plans(verb: verb)
        page = Page(title: plansTitle, lines: ["Looking ..."], isWaiting: true)
        focus = .plans
        return verb == .match
            ? [.ask(Op.Match(), .plans(verb))] : [.ask(Op.Together(), .plans(verb))]
    }

    private var plansTitle: String {
        let name = plans?.verb == .match ? "What you wish" : "Together"
        let remark = plans?.isStale == true ? " (something changed: r looks again)" : ""
        guard let plans, let count = plans.found?.plans.count else { return name + remark }
        return "\(name): \(plans.shown + 1) of \(count)" + remark
    }

    /// Something changed that may change what is found. What is on the screen stays until the user
    /// looks again: they may be about to propose it.
    mutating func outdatePlans() {
        guard focus == .plans, page?.isWaiting == false else { return }
        plans?.isStale = true
        let title = plansTitle
        page?.title = title
    }

    /// r: looks again.
    mutating func lookAgain() -> [ViewIntent] {
        guard let plans, page?.isWaiting == false else { return [] }
        return openPlans(plans.verb)
    }

    /// Takes what was found, if the user still looks at the page.
    mutating func took(_ found: MatchPlans, by verb: Verb) {
        // An answer to F3 that was closed meanwhile is not for what was asked after it.
        guard focus == .plans, plans?.verb == verb, plans?.found == nil else { return }
        plans?.found = found
        plans?.shown = found.plans.firstIndex { $0.yours } ?? 0
        showPlan()
    }

    /// Says on the page why nothing was found.
    mutating func foundNothing(_ error: UserError, by verb: Verb) {
        guard focus == .plans, let plans, plans.found == nil else { return tell(error) }
        guard plans.verb == verb else { return }
        let lines = [error.what, error.why.map { "why: " + $0 }].compactMap(\.self)
        let next =
            error.advice == PartyWord.new.sampleLine
            ? Self.beginnings
            : error.advice.map { ["try: " + SlashTable.asTyped($0)] } ?? []
        page = Page(title: plansTitle, lines: lines + next)
    }

    /// What somebody can do who is in no party and has said no wish.
    private static let beginnings = [
        "",
        "To sit with people who travel with you:",
        "  /party new         makes a code for them",
        "  /party join CODE   if one of them gave you a code",
        "To sit somewhere better yourself:",
        "  /wish SEAT         what you would take: 12A, window, aisle, front, near 14C",
        "  /match             looks for a swap that brings it",
    ]

    private mutating func showPlan() {
        guard let found = plans?.found, let plan = plans?.plan else { return }
        let text = MatchPlansText(found)
        // Where the map shows it, there is room for the words.
        let rows = planOnMap == nil ? picture.map { [""] + $0.lines } ?? [] : []
        let remarks = text.remarks.map(SlashTable.typed)
        page = Page(title: plansTitle, lines: text.lines(of: plan) + rows + remarks)
    }

    /// What is shown, as marks of seats.
    private var picture: PlanPicture? {
        guard focus == .plans, let found = plans?.found, let plan = plans?.plan else { return nil }
        return PlanPicture(
            plan: plan, party: found.party, taken: map.map(\.seat), cabin: cabin, ascii: ascii)
    }

    /// The same, if the map has room for all seats that it concerns.
    var planOnMap: PlanPicture? {
        let layout = ScreenLayout(self)
        guard let picture, layout.map != .none, !layout.isCramped else { return nil }
        return picture.concerned.allSatisfy { layout.point(of: $0) != nil } ? picture : nil
    }

    /// In a window of another size the map may have room, or none.
    mutating func reshowPlan() {
        if focus == .plans, plans?.plan != nil { showPlan() }
    }

    /// Left and Right: the cabin before it, and after it.
    mutating func showPlan(after: Bool) { plans?.isAfter = after }

    /// Up and Down: another page.
    mutating func turnPlan(_ step: Int) {
        guard var turned = plans, let count = turned.found?.plans.count, count > 0 else { return }
        turned.shown = (turned.shown + step + count) % count
        turned.isAfter = true
        plans = turned
        showPlan()
    }

    /// Enter: asks whether to propose what is shown.
    mutating func proposeShown() -> [ViewIntent] {
        guard let plan = plans?.plan, let verb = plans?.verb else { return [] }
        guard plan.yours else {
            notice = MatchPlansText.proposers(plan)
            return []
        }
        var terms = SwapTerms()
        terms.typed = SwapTerms.Typed(found: verb.rawValue, pick: plan.number)
        closePlans()
        return draft(.plan(plan.proposal(terms)), note: "")
    }

    private mutating func closePlans() {
        focus = .input
        page = nil
        plans = nil
    }
}

extension ControlEvent {
    /// Whether what is found after it may differ.
    var isAboutSeats: Bool {
        switch what {
        case .peer, .offer, .seat, .claim, .swap, .record, .cabin, .ready, .woke: true
        case .party(let news): news.change != .said
        case .chat, .message, .request, .seated, .verify, .layout, .awake, .attendance, .booking,
            .trouble,
            .window, .other:
            false
        }
    }
}
