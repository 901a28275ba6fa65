// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import ControlAPI
import Text

/// The user's wish in sentences, and what others see of it.
package struct WishText {
    private let facts: WishFacts
    private let cabin: CabinLayout

    /// The words for `facts`, with the kinds of seats in `cabin`.
    package init(_ facts: WishFacts, _ cabin: CabinLayout) {
        self.facts = facts
        self.cabin = cabin
    }

    /// All of it, a line each.
    package var lines: [String] {
        [offer] + choices + [stay, others, asks, auto].compactMap(\.self) + remarks
    }

    private var seats: String {
        facts.seats.map { cabin.described($0.text) }.joined(separator: ", ")
    }

    private var offer: String {
        let note = facts.note.isEmpty ? "" : "  \"\(visible(facts.note, cells: 60))\""
        if facts.choices.isEmpty {
            return facts.seats.isEmpty
                ? "You have said no wish."
                : "You offer \(seats)\(facts.private ? "" : " for any seat").\(note)"
        }
        return facts.seats.isEmpty
            ? "You offer no seat. You would take:"
            : "You offer \(seats). You would take:\(note)"
    }

    private var choices: [String] {
        facts.choices.enumerated().map { index, choice in
            let seats = choice.seats.map { visible($0, cells: 80) }
            let words = visible(choice.words, cells: 60)
            // Who names seats reads them once.
            if seats == words { return "  \(index + 1). \(words)" }
            return "  \(index + 1). \(words): \(seats ?? visible(choice.why ?? "no seat now"))"
        }
    }

    private var stay: String? {
        guard facts.stay else { return nil }
        return facts.best
            ? "You stay: none of it is better than what you have"
                + (facts.private ? "." : ", so others see no offer.")
            : "You stay unless it is better than what you have."
    }

    /// What others can see.
    private var others: String? {
        guard let told = facts.told else {
            return facts.choices.isEmpty || facts.best
                ? nil : "Others see none of this while you offer no seat."
        }
        let offered = told.seats.map(\.text).joined(separator: ", ")
        if facts.private, facts.best || facts.choices.allSatisfy({ $0.seats == nil }) {
            return
                "Others see that \(offered) may be had, and not for what. Nothing of it is to be "
                + "had now: every new request for it is met with silence, and you are not told."
        }
        if facts.private {
            return "Others see that \(offered) may be had, and not for what. A request that gives "
                + "you less is met with silence, and you are not told."
        }
        return facts.choices.isEmpty
            ? nil : "Others see \(offered) and the seats above, not your words."
    }

    private var asks: String? {
        switch facts.asks {
        case .known(.nothing):
            "Nobody may ask you for a swap: requests are met with silence, and you are not told."
        case .known(.anything): "Others may ask you for any swap."
        case .known(.similar), .other: nil
        }
    }

    private var auto: String? {
        facts.auto
            ? "Your agent proposes swaps that serve this wish, and says yes to them, for you. It "
                + "asks you about those of several that nobody you trust proposes. "
                + "seatagent wish --auto=off ends that." : nil
    }

    private var remarks: [String] {
        var lines: [String] = []
        if let left = facts.left {
            lines.append("Others are told in \(left) s: a wish goes out every 5 s at most.")
        }
        if facts.known {
            lines.append("What you wished in public before, others still know.")
        }
        if facts.guessed {
            lines.append(
                "Which seats are windows and aisles is a guess: seatagent cabins lists layouts.")
        }
        for number in facts.declined ?? [] {
            lines.append("Request \(number) is met with silence now.")
        }
        return lines
    }
}
