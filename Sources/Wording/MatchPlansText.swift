// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Protocol
import Text

/// Swaps that were found, as lines.
package struct MatchPlansText {
    private let found: MatchPlans

    /// The words for `found`.
    package init(_ found: MatchPlans) { self.found = found }

    /// How many sit in the seats of the party.
    private var size: Int { found.party.reduce(0) { $0 + $1.seats.count } }

    /// A head and a sentence for each of those who move, for every swap; then what to know of the
    /// search.
    package var lines: [String] {
        var lines: [String] = []
        for plan in found.plans {
            if !lines.isEmpty { lines.append("") }
            let own = self.lines(of: plan)
            lines.append("\(plan.number)  " + own[0])
            lines += own.dropFirst().map { "   " + $0 }
        }
        return lines + (remarks.isEmpty ? [] : [""] + remarks)
    }

    /// The same for one of them.
    package func lines(of plan: MatchPlan) -> [String] {
        [head(plan)] + plan.sentences.map { visible($0) }
            + (plan.yours ? [] : [Self.proposers(plan)])
    }

    /// Who proposes a swap in which the user keeps their seat.
    package static func proposers(_ plan: MatchPlan) -> String {
        let names = plan.changes.filter(\.own).map { WhoText.short($0.who) }
        let all = names.isEmpty ? "one of those who move" : names.joined(separator: " or ")
        return "You keep your seat here, so \(all) has to propose it."
    }

    /// `All 3 of you in one block; 2 people get what they like better.`
    private func head(_ plan: MatchPlan) -> String {
        let seats = plan.moves.count == 2 ? "One swap" : "\(plan.moves.count) seats change hands"
        return [party(plan) ?? seats, gains(plan)].compactMap(\.self).joined(separator: "; ") + "."
    }

    private func party(_ plan: MatchPlan) -> String? {
        guard size > 1, plan.together > 0 else { return nil }
        let who = plan.together >= size ? (size == 2 ? "Both" : "All \(size)") : "\(plan.together)"
        switch plan.shape.known {
        case .block: return "\(who) of you in one block"
        case .row: return "\(who) of you in one row, with the aisle between"
        case .pairs: return "\(who) of you over two rows, side by side"
        case .near: return "\(who) of you in two rows, one before the other"
        case .apart, nil:
            return plan.together > found.together
                ? "\(plan.together) of \(size) of you side by side" : nil
        }
    }

    private func gains(_ plan: MatchPlan) -> String? {
        let parts = [
            plan.helped > 0
                ? "\(people(plan.helped)) get\(plan.helped == 1 ? "s" : "") what they like better"
                : nil,
            plan.favours > 0 ? "\(people(plan.favours)) would do you a favour" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private func people(_ count: Int) -> String { count == 1 ? "1 person" : "\(count) people" }

    /// What to know of the search.
    package var remarks: [String] {
        [
            found.whole
                ? nil
                : "The search ended before it had looked at everything: there may "
                    + "be something better.",
            found.cut
                ? "There are more people than it looks at: some were left out." : nil,
            found.guessed
                ? "Rows, aisles and windows are those of a layout that nobody chose: seatagent "
                    + "cabins" : nil,
        ].compactMap(\.self)
    }
}
