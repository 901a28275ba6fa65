// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import ControlAPI
import Protocol
import Text

/// Who gives which seats and gets which, the user first.
package struct MovesText {
    private let moves: [Move]
    /// Describes the user's own seats; `nil` leaves them as they are.
    private let cabin: CabinLayout?

    /// The words for `moves`.
    package init(_ moves: [Move], cabin: CabinLayout? = nil) {
        self.moves = moves
        self.cabin = cabin
    }

    /// `you give 14C (aisle) and get 20B (middle), bo #c2d9 gives 12A and gets 14C`.
    package var sentence: String { lines.joined(separator: ", ") }

    /// The others, in the order of what they give.
    package var others: [Person] {
        moves.map(\.from).reduce(into: []) { people, who in
            if !who.me, !people.contains(where: { $0.key == who.key }) { people.append(who) }
        }
    }

    /// The parts of the sentence, one for each of them.
    package var lines: [String] {
        let mine = (moves.filter(\.from.me).map(\.seat), moves.filter(\.to.me).map(\.seat))
        let own = mine.0.isEmpty && mine.1.isEmpty ? nil : phrase("you", mine.0, mine.1, cabin)
        return [own].compactMap(\.self)
            + others.map { who in
                phrase(
                    WhoText.tagged(who), moves.filter { $0.from.key == who.key }.map(\.seat),
                    moves.filter { $0.to.key == who.key }.map(\.seat), nil)
            }
    }

    private func phrase(
        _ who: String, _ gives: [Seat], _ gets: [Seat], _ cabin: CabinLayout?
    ) -> String {
        let s = who == "you" ? "" : "s"
        return "\(who) give\(s) \(Self.list(gives, cabin)) and get\(s) \(Self.list(gets, cabin))"
    }

    static func list(_ seats: [Seat], _ cabin: CabinLayout?) -> String {
        seats.map { cabin?.described($0.text) ?? $0.text }.joined(separator: " and ")
    }
}

extension RequestText {
    /// What is asked before others are asked; `nil` if there is nothing to ask.
    package static func consent(_ draft: SwapDraft, _ cabin: CabinLayout) -> Consent? {
        if let moves = draft.moves {
            guard let who = draft.who else {
                return Consent("If all agree:", MovesText(moves, cabin: cabin), "Propose it?")
            }
            return ask(
                who, moves.filter(\.from.me).map(\.seat), moves.filter(\.to.me).map(\.seat), cabin)
        }
        guard let who = draft.who, let give = draft.give, let take = draft.take else { return nil }
        return ask(who, [give], [take], cabin)
    }

    private static func ask(
        _ who: Person, _ give: [Seat], _ take: [Seat], _ cabin: CabinLayout
    ) -> Consent {
        Consent(
            "Ask \(WhoText.full(who)) to swap your \(MovesText.list(give, cabin)) for "
                + "\(MovesText.list(take, cabin))?")
    }

    /// Warnings of a draft, and who of those that would be asked is away.
    package static func warnings(_ draft: SwapDraft) -> [String] {
        let asked = draft.who.map { [$0] } ?? MovesText(draft.moves ?? []).others
        return (draft.warnings ?? []).map { visible($0.what) } + asked.compactMap(ReachText.waits)
    }
}
