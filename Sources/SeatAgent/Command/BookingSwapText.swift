// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Text
import Wording

/// The words for a negotiation about bookings.
struct BookingSwapText {
    let swap: BookingSwap
    let page: BookingPage

    init(_ swap: BookingSwap, _ page: BookingPage) {
        self.swap = swap
        self.page = page
    }

    private var isBetweenTwo: Bool { swap.with.count == 1 }
    private var given: String { list(swap.moves.filter(\.from.me)) }
    private var taken: String { list(swap.moves.filter(\.to.me)) }
    private var other: String { WhoText.tagged(swap.with.first) }

    private func list(_ moves: [BookingMove]) -> String {
        moves.map(words).joined(separator: " and ")
    }

    /// `Tennis 1, Sat 5 Dec 19:00-20:00`.
    private func words(_ move: BookingMove) -> String {
        page.spot(move.place, move.period, count: move.count)
            .map { $0.words(today: page.today) } ?? "a booking not known here"
    }

    /// `Tennis 1, Sat 5 Dec 19:00-20:00 from bo #c2d9 to you; ...`: everybody's moves, the user's
    /// first.
    private var everything: String {
        swap.moves.map { move in
            "\(words(move)) from \(who(move.from)) to \(who(move.to))"
        }.joined(separator: "; ")
    }

    private func who(_ person: Person) -> String { person.me ? "you" : WhoText.tagged(person) }

    /// What is asked, and by whom.
    var sentence: String {
        let asker = WhoText.tagged(swap.by)
        guard isBetweenTwo else {
            return (swap.by.me ? "you propose: " : "\(asker) proposes: ") + everything
        }
        return swap.by.me
            ? "you ask \(other) for \(taken) and give \(given)"
            : "\(asker) asks for your \(given) and gives \(taken)"
    }

    /// What a yes does, as a question.
    var question: String {
        (isBetweenTwo
            ? "Give your \(given) to \(other) and take \(taken)?" : everything + ". Agree?")
            + " " + BookingTerms.swapRisk
    }

    /// A line to type; it names the venue where the user knows several.
    func line(_ words: String) -> String {
        "seatagent bookings \(words)"
            + (page.agent.isOneOfSeveral
                ? " --venue " + ShellWord.quoted(page.agent.venue.slug) : "")
    }

    /// What the request is called in a line: requests about bookings of later days have numbers of
    /// their own, so the days stand before them.
    var number: String { (page.agent.later.map { $0.text + "/" } ?? "") + String(swap.number) }

    /// One line of the list: number, sentence, note, state, what to type.
    var line: String {
        let note = visible(swap.note, cells: 60)
        return "\(number)  \(sentence)\(note.isEmpty ? "" : "  \"\(note)\"")  \(state)"
    }

    private var state: String {
        let missing = swap.waitsFor.map { WhoText.tagged($0) }.joined(separator: ", ")
        switch swap.state {
        case .known(.open) where swap.needsAnswer: return line("accept \(number)")
        case .known(.open):
            return "waiting for \(missing.isEmpty ? "an answer" : missing)"
        case .known(.agreed):
            return missing.isEmpty
                ? "agreed, confirming..." : "you said yes, waiting for \(missing)"
        case .known(.stranded): return "no outcome yet, and yours is locked: the desk can end it"
        case .known(.final): return swap.seen ? "done" : "done; the desk has not seen it yet"
        case .known(.declined), .known(.withdrawn), .known(.expired), .known(.failed), .other:
            let reason = visible(swap.reason ?? "", cells: 160)
            return swap.state.text + (reason.isEmpty ? "" : ": \(reason)")
        }
    }

    /// What has become of it, once it is done. The desk takes no part, but people ask it.
    var done: [String] {
        ["Swapped: \(taken) is yours now."]
            + (swap.seen ? [] : ["The desk has not seen it yet; it counts all the same."])
    }

    /// The error for one that ended without a swap; `nil` while it goes on, or if it was made.
    var failure: UserError? {
        let (code, what): (ErrorCode, String)
        switch swap.state {
        case .known(.declined): (code, what) = (.declined, "was declined")
        case .known(.expired): (code, what) = (.expired, "has expired")
        case .known(.withdrawn): (code, what) = (.withdrawn, "was withdrawn")
        case .known(.failed): (code, what) = (.aborted, "came to nothing")
        case .known(.open), .known(.agreed), .known(.stranded), .known(.final), .other: return nil
        }
        return UserError(
            code, "request \(number) \(what)", why: swap.reason,
            advice: line("requests --all"))
    }
}
