// SPDX-License-Identifier: Apache-2.0
package import Aviation
import CivilTime
package import Text

/// Negotiations in words, from the objects of the control socket.
package struct RequestText {
    /// The object.
    package let request: JSON
    /// What kinds of seats there are.
    package var cabin: CabinLayout

    /// The negotiation in the words of the standard cabin, where no seat is described.
    package init(request: JSON) { self.init(request: request, cabin: .standard) }

    /// The negotiation, with its seats as `cabin` has them.
    package init(request: JSON, cabin: CabinLayout) {
        self.request = request
        self.cabin = cabin
    }

    /// Its number.
    package var number: Int { request["number"]?.number ?? 0 }
    /// How far it is.
    package var state: String { request["state"]?.text ?? "" }
    /// The number of the one that its passenger's yes went to in its place.
    package var instead: Int? { request["instead"]?.number }
    private var moves: [JSON] { request["moves"]?.list ?? [] }
    /// Whether what is on the table came from another: also a counter-offer to an own request.
    private var isIncoming: Bool { !WhoText.isMe(request["by"]) }
    /// Whether it waits for an answer from here.
    package var needsAnswer: Bool { request["needs_answer"] == true }

    /// Seats that I give, in order.
    private var given: [String] {
        moves.filter { WhoText.isMe($0["from"]) }.compactMap { $0["seat"]?.text }
    }

    /// Seats that I get, in order.
    private var taken: [String] {
        moves.filter { WhoText.isMe($0["to"]) }.compactMap { $0["seat"]?.text }
    }

    /// What to know before a yes, and once it is final what to do; a whole sentence each.
    package var warnings: [String] { Self.warnings(request) }

    /// The same of any object that has them.
    package static func warnings(_ object: JSON) -> [String] {
        let told = (object["warnings"]?.list ?? []).compactMap {
            $0["what"]?.text.map { visible($0) }
        }
        // Of a draft: whoever is going to be asked.
        return told + (ReachText.waits(object["who"]).map { [$0] } ?? [])
    }

    /// The second question before a yes, where nothing but a claim stands
    /// behind whoever votes last.
    package static func risk(_ object: JSON) -> String? {
        object["risk"]?.text.map { "Nobody has verified them: \(visible($0)). Go on?" }
    }

    /// Why this passenger's own agent refuses a yes; `nil` where it does not.
    package var blocked: UserError? { request["blocked"].map(UserError.init(json:)) }

    /// The seats that I get, in words: `12A`.
    package var takenSeats: String { list(taken) }

    /// What stands behind the others' claims, a line each.
    package var evidence: [String] {
        (request["with"]?.list ?? []).map { who in
            let seats = WhoText.seats(who)
            let claim = who["evidence"] == nil ? "only claims" : "has"
            return "\(WhoText.tagged(who)) \(claim) \(seats.isEmpty ? "no seat" : seats)."
        }
    }

    private func list(_ seats: [String]) -> String {
        seats.map { visible($0, cells: 4) }.joined(separator: " and ")
    }

    private func described(_ seats: [String]) -> String {
        seats.map { cabin.described(visible($0, cells: 4)) }.joined(separator: " and ")
    }

    /// The other party of a swap between two.
    private var other: JSON? {
        let mine = moves.first { WhoText.isMe($0["from"]) }
        return request["with"]?.list?.first ?? mine?["to"]
    }

    private var isBetweenTwo: Bool { (request["with"]?.list ?? []).count == 1 }

    /// `  "snacks included"`, or nothing.
    package var note: String {
        let note = visible(request["note"]?.text ?? "", cells: 60)
        guard !note.isEmpty else { return "" }
        guard request["revised"] == true else { return "  \"\(note)\"" }
        // The words of a counter-offer are not those of whoever asked first.
        return "  \(isIncoming ? WhoText.short(request["by"]) : "you"): \"\(note)\""
    }

    private var timeLeft: String {
        guard state == "open", let left = request["left"]?.number else { return "" }
        return "  \(SpanText.clock(Int64(left))) left"
    }

    /// `bo #c2d9 (22D) asks for your 14C and gives 22D`.
    package var sentence: String {
        let asker = WhoText.full(request["by"])
        if !isBetweenTwo {
            let who = isIncoming ? "\(asker) proposes" : "you propose"
            let parts = moves.map { move in
                let from = WhoText.isMe(move["from"]) ? "you" : WhoText.tagged(move["from"])
                let to = WhoText.isMe(move["to"]) ? "you" : WhoText.tagged(move["to"])
                return "\(visible(move["seat"]?.text ?? "?", cells: 4)) from \(from) to \(to)"
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
            case "open" where needsAnswer: "  \(command)accept \(number)"
            case "open": "  waiting for an answer"
            case "agreed": "  \(agreement)"
            case "stranded": "  no outcome yet, your seat is locked  \(command)force \(number)"
            case "final": "  done  \(command)receipt \(number)"
            default: "  " + outcome
            }
        return "\(number)  \(sentence)\(note)\(timeLeft)\(next)"
    }

    /// `agreed, confirming...`; in a ring it is said so only once all said yes, and before that
    /// whose yes is waited for.
    package var agreement: String {
        guard isWaiting else { return "agreed, confirming..." }
        let names = (request["waits_for"]?.list ?? []).map(WhoText.tagged)
        return "you said yes, waiting for \(names.joined(separator: " and "))"
    }

    /// Whether others have still to say yes after this passenger did.
    package var isWaiting: Bool { request["waits_for"]?.list?.isEmpty == false }

    /// What is asked, for a line that stays: without the time left and what to type.
    package var standing: String { "request \(number)  \(sentence)\(note)" }

    /// Why it ended, in a few words.
    private var outcome: String {
        let reason = visible(request["reason"]?.text ?? "", cells: 160)
        return reason.isEmpty ? state : "\(state): \(reason)"
    }

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
            let seat = visible(move["seat"]?.text ?? "?", cells: 4)
            return WhoText.short(move["to"]) + (index == 0 ? " is now in " : " in ") + seat
        }
        let count = (request["with"]?.list ?? []).count + 1
        return "Swapped: \(parts.joined(separator: ", ")). Receipt \(number), signed by "
            + (count == 2 ? "both." : "all \(count).")
    }

    /// The same, and what to do now.
    package var closing: String { ([swapped] + warnings).joined(separator: " ") }

    /// Hash of the contract on the table.
    package var contract: String { request["contract"]?.text ?? "" }

    /// `dev (22D) asks for your 14C`: for a notice, where no yes is given.
    package var ask: String {
        let asker = WhoText.seated(request["by"])
        return isBetweenTwo
            ? "\(asker) asks for your \(list(given))"
            : "\(asker) proposes a swap of \(moves.count) seats"
    }

    /// The words that came with it, in quotes, with two spaces before them; or nothing.
    package var quotedNote: String { note }

    /// What came of it, where a passenger who was not looking wants to know; `nil` for a step that
    /// they made themselves, or that changes nothing for them.
    package var news: String? {
        let isOwn = request["direction"] == "out"
        return switch state {
        case "final": swapped
        case "stranded": "Request \(number) has no outcome yet, and your seat is locked"
        case "failed": "Request \(number) came to nothing" + because
        // Nobody's wish: a check ended it, here or there.
        case "withdrawn" where instead == nil && !because.isEmpty:
            "Request \(number) was withdrawn" + because
        case "declined" where isOwn: "\(WhoText.seated(other)) declined your request"
        case "expired" where isOwn: "Nobody answered your request \(number) in time"
        default: nil
        }
    }

    private var because: String {
        let reason = visible(request["reason"]?.text ?? "", cells: 160)
        return reason.isEmpty ? "" : ": " + reason
    }

    /// Whether both move the same seats from and to the same passengers, who may have moved since.
    package func isAlike(_ other: RequestText) -> Bool {
        func legs(_ text: RequestText) -> [[JSON?]] {
            text.moves.map { [$0["seat"], $0["from"]?["key"], $0["to"]?["key"]] }
        }
        return legs(self) == legs(other)
    }

    /// The error of a wait that ended without a swap; `nil` while it is not over or went well.
    package var failure: UserError? {
        let reason = request["reason"]?.text
        func ended(_ code: ErrorCode, _ what: String) -> UserError {
            UserError(code, "request \(number) \(what)", why: reason, advice: "seatagent requests")
        }
        return switch state {
        case "declined": ended(.declined, "was declined")
        case "expired": ended(.expired, "has expired")
        case "withdrawn":
            if let instead {
                UserError(
                    .withdrawn, "request \(number) was taken back",
                    why: "your yes went to request \(instead), and one seat goes to one passenger",
                    advice: "seatagent requests --all")
            } else {
                ended(.withdrawn, "was withdrawn")
            }
        case "failed": ended(.aborted, "came to nothing")
        default: nil
        }
    }
}
