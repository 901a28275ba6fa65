// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Grammar
import Protocol
import Text
import Wording

/// Commands that offer, ask and answer.
enum SwapCommands {
    // MARK: Offers

    static func offer(_ call: Invocation) throws(UserError) -> ExitCode {
        var wants: [SeatWish] = []
        let kinds = (call.line.values["for"] ?? []).flatMap { $0.split(separator: ",") }
        for word in kinds.map(String.init) + call.operands {
            switch SeatWish(text: word.lowercased()) {
            case .any, .window, .aisle, .front: wants.append(SeatWish(text: word.lowercased()))
            case .seats:
                let seat = try SeatText.parse(word, advice: "seatagent offer --for window")
                wants.append(.seats(seat.text))
            }
        }
        let client = try call.connect(deadline: call.deadline(standard: 30))
        let result = try client.ask(
            Op.Offer(for: wants.map(\.text), note: call.line.value("note") ?? ""))
        let cabin = try client.cabin()
        let seats = (result.seats ?? []).map { cabin.described($0.text) }
        return call.finish(
            result,
            [
                "You offer \(seats.joined(separator: ", ")) for "
                    + "\(EventText.wants(result.wants ?? wants))."
            ])
    }

    static func withdraw(_ call: Invocation) throws(UserError) -> ExitCode {
        try call.show(Op.Withdraw()) { _ in ["Your offer is taken back."] }
    }

    // MARK: Asking

    static func swap(_ call: Invocation) throws(UserError) -> ExitCode {
        // A word that is not a seat may be a passenger: the agent knows where they sit.
        let seat = SeatText.listed(call.operands[0]) ?? call.operands[0]
        return try ask(.swap(Op.Swap(seat: seat, terms: try call.line.swapTerms())), call)
    }

    static func ring(_ call: Invocation) throws(UserError) -> ExitCode {
        let seats = call.operands.map { Seat($0)?.text ?? $0 }
        return try ask(.ring(Op.Ring(seats: seats, terms: try call.line.swapTerms())), call)
    }

    static func undo(_ call: Invocation) throws(UserError) -> ExitCode {
        guard let number = try call.numberOperand(0) else { return .usage }
        return try ask(.undo(Op.Undo(request: number, terms: try call.line.swapTerms())), call)
    }

    /// Shows what would be asked, asks the user, then the others.
    static func ask(_ what: Drafted, _ call: Invocation) throws(UserError) -> ExitCode {
        var asked = what
        let client = try call.connect(deadline: deadline(call))
        // The agent refuses what cannot be asked before the user is bothered.
        let draft = try client.draft(asked)
        let isQuestion = call.mayAsk && !call.line.has("yes")
        if isQuestion {
            warn(of: draft.reply, call)
            guard let consent = RequestText.consent(draft.reply, try client.cabin()),
                call.confirm(consent)
            else { return call.unchanged() }
            // The question named passengers, so nobody else is asked in their place.
            asked.shown(draft.reply)
        }
        guard knows(draft.risk, call, &asked.terms) else { return call.unchanged() }
        if call.line.has("wait") { try watch(client) }
        let request = try client.send(asked)
        if !isQuestion { warn(of: draft.reply, call) }
        let text = RequestText(request.reply)
        if let code = try met(request, call, client) { return code }
        if call.line.has("wait") {
            call.hint("Request \(text.number): \(text.sentence). Waiting for an answer ...")
            return try SwapWait(call: call, client: client).follow(request.reply, request.json)
        }
        let code = call.finish(request, ["Request \(text.number): \(text.sentence)."])
        if let away = LetterText.asked(request.reply) { call.hint(away) }
        call.hint("Next: seatagent requests, seatagent cancel \(text.number)")
        return code
    }

    /// What the user should know of a request: before the question, or once it is sent.
    private static func warn(of draft: SwapDraft, _ call: Invocation) {
        for warning in RequestText.warnings(draft) { call.note(warning) }
    }

    /// Where the other side had asked for the same, this was the user's yes to it (docs/protocol.md
    /// section 16): tells so, and the end of it. `nil` where the request has to be answered.
    private static func met(
        _ request: Answer<SwapRequest>, _ call: Invocation, _ client: ControlClient
    ) throws(UserError) -> ExitCode? {
        let text = RequestText(request.reply)
        guard text.state != .open else { return nil }
        call.hint("They asked for the same, so this is your yes to their request \(text.number).")
        return try agreed(request, call, client)
    }

    /// What a yes led to.
    private static func agreed(
        _ answer: Answer<SwapRequest>, _ call: Invocation, _ client: ControlClient
    ) throws(UserError) -> ExitCode {
        if call.line.has("wait") {
            return try SwapWait(call: call, client: client).follow(answer.reply, answer.json)
        }
        _ = call.finish(answer, [RequestText(answer.reply).line()])
        if let away = LetterText.answered(answer.reply) { call.hint(away) }
        return try SwapWait.close(answer.reply, call)
    }

    private static func watch(_ client: ControlClient) throws(UserError) {
        _ = try client.ask(Op.Watch(events: [Word(.request), Word(.swap)]))
    }

    /// Asks the second question, if only a claim stands behind whoever votes last; `--yes` does not
    /// answer it. If nobody can be asked, the agent refuses.
    private static func knows(
        _ risk: String?, _ call: Invocation, _ terms: inout SwapTerms
    ) -> Bool {
        guard !terms.unverified, let question = RequestText.risk(risk), call.mayAsk else {
            return true
        }
        guard call.confirm(question) else { return false }
        terms.unverified = true
        return true
    }

    private static func deadline(_ call: Invocation) -> Instant? {
        call.deadline(standard: call.line.has("wait") || call.mayAsk ? nil : 30)
    }

    static func requests(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline(standard: 30))
        let result = try client.ask(Op.Requests(all: call.line.has("all")))
        let lines = result.requests.map { RequestText($0).line() }
        let code = call.finish(result, lines.isEmpty ? ["no open requests"] : lines)
        if lines.isEmpty, !call.line.has("all"),
            let last = try client.ask(Op.Requests(all: true)).requests.last
        {
            call.hint("The last one is over: \(RequestText(last).line())")
        }
        if let pressing = PressingText(try client.ask(Op.Status()).pressing) {
            call.hint(pressing.line(slash: false) + ".")
        }
        return code
    }

    // MARK: Answering

    static func accept(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: deadline(call))
        var request = try pick(.accept, call, client) { $0.needsAnswer }
        if let blocked = request.blocked { throw blocked }
        for warning in request.warnings { call.note(warning) }
        // The yes is to what was shown, and to nothing that came meanwhile.
        var yes = Op.Accept(
            request: request.number, contract: request.contract, keep: !call.line.has("once"),
            terms: try call.line.swapTerms())
        if !call.line.has("yes") {
            guard call.mayAsk else {
                var terms = yes.terms
                terms.typed = terms.typed ?? SwapTerms.Typed()
                terms.typed?.yes = true
                throw UserError(
                    .usage, "a yes binds you, and nobody can be asked here",
                    why: "standard input is not a terminal",
                    advice: RequestLine(
                        .accept, RequestWords(request: request.number, terms: terms)
                    ).text)
            }
            request.cabin = try client.cabin()
            guard call.confirm(request.consent) else { return call.unchanged() }
        }
        if call.line.has("wait") { try watch(client) }
        guard knows(request.request.risk, call, &yes.terms) else { return call.unchanged() }
        return try agreed(try client.ask(yes), call, client)
    }

    static func decline(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: deadline(call))
        let request = try pick(.decline, call, client) { $0.needsAnswer }
        let note = call.line.value("note") ?? ""
        let answer = try client.ask(Op.Decline(request: request.number, note: note))
        return call.finish(
            answer,
            [
                "You said no to request \(request.number)."
                    + (note.isEmpty ? " Nobody is told: it runs out by itself." : "")
            ])
    }

    static func counter(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: deadline(call))
        let request = try pick(.counter, call, client) { $0.state == .open }
        var counter = Op.Counter(request: request.number, terms: try call.line.swapTerms())
        // If the request is over, the agent says so, whatever else is missing.
        guard counter.terms.give != nil || counter.terms.take != nil || request.state != .open
        else {
            var terms = counter.terms
            // Of several, another seat of that request, which is not the user's and not theirs yet.
            let others = request.request.moves.filter { !$0.from.me && !$0.to.me }
            terms.take = others.first?.seat.text ?? "12B"
            throw UserError(
                .usage, "nothing would change",
                why: "--take names another of their seats, --give another of yours",
                advice: RequestLine(
                    .counter, RequestWords(request: request.number, terms: terms)
                ).text)
        }
        // It is a yes too: if it is accepted, it binds without another question.
        let draft = try client.ask(Op.DraftCounter(counter))
        let isQuestion = call.mayAsk && !call.line.has("yes")
        if isQuestion {
            warn(of: draft.reply, call)
            guard let consent = RequestText.consent(draft.reply, try client.cabin()),
                call.confirm(consent)
            else { return call.unchanged() }
            // Both seats as they were shown.
            counter.terms.give = draft.give?.text ?? counter.terms.give
            counter.terms.take = draft.take?.text ?? counter.terms.take
        }
        counter.legs = draft.moves?.map { move in
            Op.Propose.Leg(seat: move.seat.text, to: move.to.key, from: move.from.key)
        }
        guard knows(draft.risk, call, &counter.terms) else { return call.unchanged() }
        let answer = try client.ask(counter)
        if !isQuestion { warn(of: draft.reply, call) }
        if let code = try met(answer, call, client) { return code }
        let text = RequestText(answer.reply)
        return call.finish(answer, ["Request \(text.number): \(text.sentence)."])
    }

    static func cancel(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: deadline(call))
        let request = try pick(.cancel, call, client) {
            $0.state == .open || $0.state == .agreed || $0.request.looking || $0.request.counts
        }
        let answer = try client.ask(Op.Cancel(request: request.number))
        var words = "Request \(request.number): \(answer.state.text)."
        if request.state == .agreed, RequestText(answer.reply).needsAnswer {
            words = "Your yes to request \(request.number) is taken back: it waits for you again."
        } else if request.request.counts {
            words = "Your yes to request \(request.number) counts for nothing else any more."
        } else if request.request.looking {
            words = "Nothing takes the place of request \(request.number)."
        }
        return call.finish(answer, [words])
    }

    static func force(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: deadline(call))
        let request = try pick(.force, call, client) { $0.state == .stranded }
        if !call.line.has("yes") {
            let question =
                "Leave request \(request.number) although its outcome is not known, and claim "
                + "your old seat anew?"
            guard call.mayAsk else {
                throw UserError(
                    .usage, "this may leave others in doubt, and nobody can be asked here",
                    why: "standard input is not a terminal",
                    advice: "seatagent force \(request.number) --yes")
            }
            guard call.confirm(question) else { return call.unchanged() }
        }
        let answer = try client.ask(Op.Force(request: request.number))
        return call.finish(
            answer, ["Your old seat is claimed anew. If the swap was made after all, it counts."])
    }

    /// The request that operand 0 names, or the only one that matches.
    private static func pick(
        _ operation: OperationName, _ call: Invocation, _ client: ControlClient,
        where fits: (RequestText) -> Bool
    ) throws(UserError) -> RequestText {
        let number = try call.numberOperand(0)
        let requests = try client.ask(Op.Requests(all: number != nil)).requests
            .map { RequestText($0) }
        if let number {
            if let found = requests.first(where: { $0.number == number }) { return found }
            throw UserError(
                .noSuchRequest, "there is no request \(number)", advice: "seatagent requests")
        }
        let fitting = requests.filter(fits)
        if fitting.count == 1 { return fitting[0] }
        guard let first = fitting.first else {
            throw UserError(
                .noSuchRequest, "there is no request to \(operation.rawValue)",
                advice: "seatagent requests")
        }
        throw UserError(
            .usage, "\(fitting.count) requests are open",
            why: "their numbers are " + fitting.map { "\($0.number)" }.joined(separator: ", "),
            advice: RequestLine(
                operation, RequestWords(request: first.number, terms: try call.line.swapTerms())
            ).text)
    }
}

extension Invocation {
    /// The user changed their mind.
    func unchanged() -> ExitCode {
        hint("Nothing was sent.")
        return .failed
    }
}
