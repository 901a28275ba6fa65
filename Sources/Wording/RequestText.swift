// SPDX-License-Identifier: Apache-2.0
package import Aviation
import CivilTime
package import ControlAPI
import Protocol
package import Text

/// The words for negotiations.
package struct RequestText {
    /// The negotiation.
    package let request: SwapRequest
    /// The cabin, for the kinds of seats.
    package var cabin: CabinLayout

    /// The words for `request`; `cabin` describes its seats, which the standard cabin cannot.
    package init(_ request: SwapRequest, cabin: CabinLayout = .standard) {
        self.request = request
        self.cabin = cabin
    }

    /// Its number.
    package var number: Int { request.number }
    /// How far it is.
    package var state: Word<RequestState> { request.state }
    /// The number of the request that got its passenger's yes instead.
    package var instead: Int? { request.instead }
    private var moves: [Move] { request.moves }
    /// Whether another passenger made the offer on the table, also as a counter-offer.
    private var isIncoming: Bool { !request.by.me }
    /// Whether the user has to answer it.
    package var needsAnswer: Bool { request.needsAnswer }

    /// Seats that the user gives, in order.
    private var given: [Seat] { moves.filter(\.from.me).map(\.seat) }

    /// Seats that the user gets, in order.
    private var taken: [Seat] { moves.filter(\.to.me).map(\.seat) }

    /// What to know before a yes, or to do once the swap is final; whole sentences.
    package var warnings: [String] { request.warnings.map { visible($0.what) } }

    /// The second question before a yes, if only a claim stands behind whoever votes last.
    package static func risk(_ risk: String?) -> String? {
        risk.map { "Nobody has verified them: \(visible($0)). Go on?" }
    }

    /// Why the user's own agent would refuse a yes; `nil` if it would not.
    package var blocked: UserError? { request.blocked }

    /// The seats that the user gets: `12A`.
    package var takenSeats: String { list(taken) }

    /// The evidence for the others' claims; of more than two, only who has none.
    package var evidence: [String] {
        let claiming = request.with.filter { $0.evidence == nil }
        if !isBetweenTwo, claiming.count != 1 {
            return claiming.isEmpty ? [] : ["\(Self.names(claiming)) only claim their seats."]
        }
        return (isBetweenTwo ? request.with : claiming).map { who in
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
        // The note of a counter-offer is not from whoever asked first.
        return "  \(isIncoming ? WhoText.short(request.by) : "you"): \"\(note)\""
    }

    private var timeLeft: String {
        guard let left = request.left else { return "" }
        return "  \(SpanText.clock(Int64(left))) left"
    }

    /// `bo #c2d9 (22D) asks for your 14C and gives 22D`; of more than two, everybody's moves, the
    /// user's first.
    package var sentence: String {
        let asker = WhoText.full(request.by)
        if !isBetweenTwo {
            let who = isIncoming ? "\(asker) proposes" : "you propose"
            return "\(who): \(MovesText(moves).sentence)"
        }
        if isIncoming { return "\(asker) asks for your \(list(given)) and gives \(list(taken))" }
        return "you ask \(WhoText.full(other)) for \(list(taken)) and give \(list(given))"
    }

    /// One line of `requests`: number, sentence, note, time left, state, what to type.
    package func line(slash: Bool = false) -> String {
        let command = slash ? "/" : "seatagent "
        let next =
            switch state {
            case .known(.open) where needsAnswer: "\(again)  \(command)accept \(number)"
            case .known(.open):
                "  \(waiting)\(recanting(slash: slash))"
            case .known(.agreed): "  \(agreement)\(recanting(slash: slash))"
            case .known(.stranded):
                "  no outcome yet, your seat is locked  \(command)force \(number)"
            case .known(.final): "  done  \(command)receipt \(number)"
            case .known(.declined), .known(.withdrawn), .known(.expired), .known(.failed), .other:
                "  " + outcome
            }
        return "\(number)  \(sentence)\(note)\(timeLeft)\(quotedPlace)\(next)"
    }

    /// `waiting for an answer`, and where the request is meanwhile.
    private var waiting: String {
        guard request.wouldDo == nil else { return request.word }
        return "waiting for \(isWaiting ? missing : "an answer")" + placed
    }

    private var placed: String { request.word.isEmpty ? "" : "; " + request.word }

    /// What it took the place of, or what is to take its place; empty for nothing.
    package var place: String {
        if request.looking { return "another is looked for" }
        if request.counts {
            return "your yes counts for what takes its place: cancel \(number) takes it back"
        }
        guard let after = request.after else { return "" }
        return request.direction == .outgoing
            ? "in place of request \(after)" : "your yes to request \(after) counts here"
    }

    private var quotedPlace: String { place.isEmpty ? "" : "  " + place }

    /// `agreed, confirming...`. In a ring, only once everybody has said yes.
    package var agreement: String {
        guard isWaiting else {
            // Whoever proposes to several signs last.
            let isHeldUp = isIncoming && !isBetweenTwo && request.by.away
            guard isHeldUp else { return "agreed, confirming..." }
            return "agreed; waiting for \(WhoText.tagged(request.by)), who is out of reach"
        }
        let yes = request.automatic ? "your agent said yes for you" : "you said yes"
        guard stands else { return "\(yes), waiting for \(missing)" + placed }
        // Only who asked learns at once who has said yes: no name here could be relied on.
        return "\(yes); it goes through when all have"
    }

    /// How to take back what the agent said; nothing where the user said it, or where it is too
    /// late.
    package func recanting(slash: Bool) -> String {
        guard request.automatic else { return "" }
        let command = slash ? "/" : "seatagent "
        if state == .open {
            return ". Your agent asked for you; to take it back: \(command)cancel \(number)"
        }
        guard state == .agreed else { return "" }
        guard isWaiting else { return isBetweenTwo ? " Your agent said yes for you." : "" }
        return ". To take it back: \(command)decline \(number)"
    }

    /// That the agent said yes, once it is done.
    private var spoken: [String] {
        guard request.automatic else { return [] }
        return [
            request.direction == .outgoing
                ? "Your agent asked for it for you." : "Your agent said yes to it for you."
        ]
    }

    /// Whether the user said yes to a swap of several, and not all others have.
    package var stands: Bool { state == .agreed && isWaiting && !isBetweenTwo }

    /// Who has not said yes.
    private var missing: String { Self.names(request.waitsFor ?? []) }

    /// `bo #c2d9, cy #7f3a and dee #k2aa`.
    private static func names(_ people: [Person]) -> String {
        let names = people.map { WhoText.tagged($0) }
        let others = names.dropLast().joined(separator: ", ")
        return others.isEmpty ? names.joined() : "\(others) and \(names[names.count - 1])"
    }

    /// Why a yes that was given already is asked for once more; nothing where it was not given.
    private var again: String {
        let reason = visible(request.reason ?? "", cells: 160)
        return reason.isEmpty ? "" : "  \(reason)"
    }

    /// Whether everybody has said yes: it is done in a moment if all are connected.
    package var isConfirming: Bool { state == .agreed && !isWaiting }

    /// What it waits for where it is not.
    package var unconfirmed: String {
        "It is not done yet: \(Self.names(request.with)) has to confirm it. Keep your agent"
            + " running: it is done once both are connected."
    }

    /// Whether others still have to say yes after the user did.
    package var isWaiting: Bool { request.waitsFor?.isEmpty == false }

    /// The user's own request for a line that has to be short.
    package var asking: String {
        guard !isBetweenTwo else { return sentence }
        let waits = isWaiting ? ", waiting for \(missing)" : ""
        return "request \(number): your \(list(given)) for \(list(taken))\(waits)"
    }

    /// The request for a line that stays on the screen: without the time left and without commands.
    package var standing: String {
        let word = request.wouldDo == nil ? "" : "  " + request.word
        return "request \(number)  \(sentence)\(note)\(quotedPlace)\(word)"
    }

    /// Why it ended, in a few words.
    private var outcome: String { state.text + because }

    /// The consequences of a yes.
    package var consent: Consent {
        guard isBetweenTwo else {
            return Consent(
                (isIncoming ? "\(WhoText.full(request.by)) proposes" : "You propose") + ":",
                MovesText(moves, cabin: cabin), "Agree?")
        }
        return Consent(
            "Give your \(described(given)) to \(WhoText.full(other)) and take "
                + "\(described(taken))?")
    }

    /// `Swapped: ada is now in 12A, bo in 14C. Receipt 1, signed by both.` In the order of the
    /// seats, so that all parties read the same.
    package var swapped: String { swapped(showing: nil) }

    /// The same, with the command that shows the receipt.
    private func swapped(showing command: String?) -> String {
        let parts = moves.enumerated().map { index, move in
            WhoText.short(move.to) + (index == 0 ? " is now in " : " in ") + move.seat.text
        }
        let count = request.with.count + 1
        return "Swapped: \(parts.joined(separator: ", ")). Receipt \(number), signed by "
            + (count == 2
                ? "both."
                : "all \(count), says who stands up when\(command.map { ": " + $0 } ?? "").")
    }

    /// The same, and what to do next.
    package func closing(slash: Bool) -> String {
        let command = (slash ? "/" : "seatagent ") + "receipt \(number)"
        return ([swapped(showing: command)] + spoken + warnings).joined(separator: " ")
    }

    /// Hash of the contract on the table.
    package var contract: String { request.contract }

    /// `dev (22D) asks for your 14C`, for a notice, which cannot be answered.
    package var ask: String {
        let asker = WhoText.seated(request.by)
        return isBetweenTwo
            ? "\(asker) asks for your \(list(given))"
            : "\(asker) proposes a swap of \(moves.count) seats"
    }

    /// Its note in quotes, with two spaces before it; empty if there is none.
    package var quotedNote: String { note }

    /// The outcome, for a user who was not looking; `nil` for their own step or one that changes
    /// nothing for them.
    package var news: String? {
        let isOwn = request.direction == .outgoing
        return switch state {
        case .known(.final): ([swapped] + spoken).joined(separator: " ")
        case .known(.open) where request.automatic:
            "Your agent asked for you: \(sentence)" + recanting(slash: false)
        case .known(.agreed) where request.automatic && !isOwn && (isWaiting || isBetweenTwo):
            "Your agent said yes to request \(number) for you: \(sentence)"
                + recanting(slash: false)
        case .known(.open) where request.wouldDo != nil: "Request \(number): " + request.word
        case .known(.stranded): "Request \(number) has no outcome yet, and your seat is locked"
        case .known(.failed): "Request \(number) came to nothing" + because
        // Nobody wanted this: a check ended it, here or there.
        case .known(.withdrawn) where instead == nil && !because.isEmpty:
            "Request \(number) was withdrawn" + because
        case .known(.declined) where isOwn: "\(WhoText.seated(other)) declined your request"
        case .known(.expired) where isOwn && isBetweenTwo:
            "Nobody answered your request \(number) in time"
        case .known(.expired) where isOwn:
            "Not everybody said yes to your request \(number) in time"
        case .known(.expired) where !because.isEmpty: "Request \(number) has expired" + because
        case .known(.agreed) where isWaiting && !isOwn && request.after != nil:
            "You said yes to request \(number): \(place)"
        case .known(.open), .known(.agreed), .known(.declined), .known(.withdrawn),
            .known(.expired), .other:
            nil
        }
    }

    private var because: String {
        let reason = visible(request.reason ?? "", cells: 160)
        return reason.isEmpty ? "" : ": " + reason
    }

    /// Whether both move the same seats between the same passengers, who may have moved since.
    package func isAlike(_ other: RequestText) -> Bool {
        func legs(_ text: RequestText) -> [[String]] {
            text.moves.map { [$0.seat.text, $0.from.key, $0.to.key] }
        }
        return legs(self) == legs(other)
    }

    /// The error for a wait that ended without a swap; `nil` while it goes on or if it succeeded.
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
