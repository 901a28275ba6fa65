// SPDX-License-Identifier: Apache-2.0
package import Aviation
import CivilTime
package import ControlAPI
import Protocol
package import Text

/// Negotiations in words.
package struct RequestText {
    /// The negotiation.
    package let request: SwapRequest
    /// What kinds of seats there are.
    package var cabin: CabinLayout

    /// The negotiation, with its seats as `cabin` has them; the standard one describes none.
    package init(_ request: SwapRequest, cabin: CabinLayout = .standard) {
        self.request = request
        self.cabin = cabin
    }

    /// Its number.
    package var number: Int { request.number }
    /// How far it is.
    package var state: Word<RequestState> { request.state }
    /// The number of the one that its passenger's yes went to in its place.
    package var instead: Int? { request.instead }
    private var moves: [Move] { request.moves }
    /// Whether what is on the table came from another: also a counter-offer to an own request.
    private var isIncoming: Bool { !request.by.me }
    /// Whether it waits for an answer from here.
    package var needsAnswer: Bool { request.needsAnswer }

    /// Seats that I give, in order.
    private var given: [Seat] { moves.filter(\.from.me).map(\.seat) }

    /// Seats that I get, in order.
    private var taken: [Seat] { moves.filter(\.to.me).map(\.seat) }

    /// What to know before a yes, and once it is final what to do; a whole sentence each.
    package var warnings: [String] { request.warnings.map { visible($0.what) } }

    /// The same of a draft; with it that whoever is going to be asked is away.
    package static func warnings(_ draft: SwapDraft) -> [String] {
        (draft.warnings ?? []).map { visible($0.what) }
            + (ReachText.waits(draft.who).map { [$0] } ?? [])
    }

    /// The second question before a yes, where nothing but a claim stands behind whoever votes
    /// last.
    package static func risk(_ risk: String?) -> String? {
        risk.map { "Nobody has verified them: \(visible($0)). Go on?" }
    }

    /// Why this passenger's own agent refuses a yes; `nil` where it does not.
    package var blocked: UserError? { request.blocked }

    /// The seats that I get, in words: `12A`.
    package var takenSeats: String { list(taken) }

    /// What stands behind the others' claims, a line each.
    package var evidence: [String] {
        request.with.map { who in
            let seats = WhoText.seats(who)
            let claim = who.evidence == nil ? "only claims" : "has"
            return "\(WhoText.tagged(who)) \(claim) \(seats.isEmpty ? "no seat" : seats)."
        }
    }

    private func list(_ seats: [Seat]) -> String { seats.map(\.text).joined(separator: " and ") }

    private func described(_ seats: [Seat]) -> String {
        seats.map { cabin.described($0.text) }.joined(separator: " and ")
    }

    /// The other party of a swap between two.
    private var other: Person? { request.with.first ?? moves.first { $0.from.me }?.to }

    private var isBetweenTwo: Bool { request.with.count == 1 }

    /// `  "snacks included"`, or nothing.
    package var note: String {
        let note = visible(request.note, cells: 60)
        guard !note.isEmpty else { return "" }
        guard request.revised else { return "  \"\(note)\"" }
        // The words of a counter-offer are not those of whoever asked first.
        return "  \(isIncoming ? WhoText.short(request.by) : "you"): \"\(note)\""
    }

    private var timeLeft: String {
        guard state == .open, let left = request.left else { return "" }
        return "  \(SpanText.clock(Int64(left))) left"
    }

    /// `bo #c2d9 (22D) asks for your 14C and gives 22D`.
    package var sentence: String {
        let asker = WhoText.full(request.by)
        if !isBetweenTwo {
            let who = isIncoming ? "\(asker) proposes" : "you propose"
            let parts = moves.map { move in
                let from = move.from.me ? "you" : WhoText.tagged(move.from)
                let to = move.to.me ? "you" : WhoText.tagged(move.to)
                return "\(move.seat.text) from \(from) to \(to)"
            }
            return "\(who): \(parts.joined(separator: ", "))"
        }
        if isIncoming { return "\(asker) asks for your \(list(given)) and gives \(list(taken))" }
        return "you ask \(WhoText.full(other)) for \(list(taken)) and give \(list(given))"
    }

    /// One line of `requests`: number, sentence, note, time left, state, what to type.
    package func line(slash: Bool = false) -> String {
        let command = slash ? "/" : "seatagent "
        let next =
            switch state {
            case .known(.open) where needsAnswer: "  \(command)accept \(number)"
            case .known(.open): "  waiting for an answer"
            case .known(.agreed): "  \(agreement)"
            case .known(.stranded):
                "  no outcome yet, your seat is locked  \(command)force \(number)"
            case .known(.final): "  done  \(command)receipt \(number)"
            case .known(.declined), .known(.withdrawn), .known(.expired), .known(.failed), .other:
                "  " + outcome
            }
        return "\(number)  \(sentence)\(note)\(timeLeft)\(next)"
    }

    /// `agreed, confirming...`; in a ring it is said so only once all said yes, and before that
    /// whose yes is waited for.
    package var agreement: String {
        guard isWaiting else { return "agreed, confirming..." }
        let names = (request.waitsFor ?? []).map { WhoText.tagged($0) }
        return "you said yes, waiting for \(names.joined(separator: " and "))"
    }

    /// Whether others have still to say yes after this passenger did.
    package var isWaiting: Bool { request.waitsFor?.isEmpty == false }

    /// What is asked, for a line that stays: without the time left and what to type.
    package var standing: String { "request \(number)  \(sentence)\(note)" }

    /// Why it ended, in a few words.
    private var outcome: String { state.text + because }

    /// What a yes means, as a question.
    package var acceptQuestion: String {
        guard isBetweenTwo else { return "Agree? \(sentence)." }
        return "Give your \(described(given)) to \(WhoText.full(other)) and take "
            + "\(described(taken))?"
    }

    /// `Swapped: ada is now in 12A, bo in 14C. Receipt 1, signed by both.` In the order of the
    /// seats, so that all parties read the same.
    package var swapped: String {
        let parts = moves.enumerated().map { index, move in
            WhoText.short(move.to) + (index == 0 ? " is now in " : " in ") + move.seat.text
        }
        let count = request.with.count + 1
        return "Swapped: \(parts.joined(separator: ", ")). Receipt \(number), signed by "
            + (count == 2 ? "both." : "all \(count).")
    }

    /// The same, and what to do now.
    package var closing: String { ([swapped] + warnings).joined(separator: " ") }

    /// Hash of the contract on the table.
    package var contract: String { request.contract }

    /// `dev (22D) asks for your 14C`: for a notice, where no yes is given.
    package var ask: String {
        let asker = WhoText.seated(request.by)
        return isBetweenTwo
            ? "\(asker) asks for your \(list(given))"
            : "\(asker) proposes a swap of \(moves.count) seats"
    }

    /// The words that came with it, in quotes, with two spaces before them; or nothing.
    package var quotedNote: String { note }

    /// What came of it, where a passenger who was not looking wants to know; `nil` for a step that
    /// they made themselves, or that changes nothing for them.
    package var news: String? {
        let isOwn = request.direction == .outgoing
        return switch state {
        case .known(.final): swapped
        case .known(.stranded): "Request \(number) has no outcome yet, and your seat is locked"
        case .known(.failed): "Request \(number) came to nothing" + because
        // Nobody's wish: a check ended it, here or there.
        case .known(.withdrawn) where instead == nil && !because.isEmpty:
            "Request \(number) was withdrawn" + because
        case .known(.declined) where isOwn: "\(WhoText.seated(other)) declined your request"
        case .known(.expired) where isOwn: "Nobody answered your request \(number) in time"
        case .known(.open), .known(.agreed), .known(.declined), .known(.withdrawn),
            .known(.expired), .other:
            nil
        }
    }

    private var because: String {
        let reason = visible(request.reason ?? "", cells: 160)
        return reason.isEmpty ? "" : ": " + reason
    }

    /// Whether both move the same seats from and to the same passengers, who may have moved since.
    package func isAlike(_ other: RequestText) -> Bool {
        func legs(_ text: RequestText) -> [[String]] {
            text.moves.map { [$0.seat.text, $0.from.key, $0.to.key] }
        }
        return legs(self) == legs(other)
    }

    /// The error of a wait that ended without a swap; `nil` while it is not over or went well.
    package var failure: UserError? {
        func ended(_ code: ErrorCode, _ what: String) -> UserError {
            UserError(
                code, "request \(number) \(what)", why: request.reason,
                advice: "seatagent requests")
        }
        return switch state {
        case .known(.declined): ended(.declined, "was declined")
        case .known(.expired): ended(.expired, "has expired")
        case .known(.withdrawn):
            if let instead {
                UserError(
                    .withdrawn, "request \(number) was taken back",
                    why: "your yes went to request \(instead), and one seat goes to one passenger",
                    advice: "seatagent requests --all")
            } else {
                ended(.withdrawn, "was withdrawn")
            }
        case .known(.failed): ended(.aborted, "came to nothing")
        case .known(.open), .known(.agreed), .known(.stranded), .known(.final), .other: nil
        }
    }
}
