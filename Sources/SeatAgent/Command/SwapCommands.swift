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
        var wants: [JSON] = []
        let kinds = (call.line.values["for"] ?? []).flatMap { $0.split(separator: ",") }
        for word in kinds.map(String.init) + call.operands {
            let kind = word.lowercased()
            if ["any", "window", "aisle", "front"].contains(kind) {
                wants.append(.string(kind))
            } else {
                wants.append(
                    .string(
                        try SeatText.parse(word, advice: "seatagent offer --for window").text))
            }
        }
        let client = try call.connect(deadline: call.deadline(standard: 30))
        let result = try client.ask(
            "offer", ["for": .array(wants), "note": .string(call.line.value("note") ?? "")])
        let cabin = try client.cabin()
        let seats = (result["seats"]?.list ?? []).compactMap(\.text).map(cabin.described)
        return call.finish(
            result,
            ["You offer \(seats.joined(separator: ", ")) for \(EventText.wants(.array(wants)))."])
    }

    static func withdraw(_ call: Invocation) throws(UserError) -> ExitCode {
        call.finish(try call.ask("withdraw"), ["Your offer is taken back."])
    }

    // MARK: Asking

    static func swap(_ call: Invocation) throws(UserError) -> ExitCode {
        // A word that is no seat may be a passenger: the agent knows where they sit.
        let seat = Seat(call.operands[0])?.text ?? call.operands[0]
        let client = try call.connect(deadline: deadline(call))
        var arguments = try call.line.requestArguments()
        arguments["seat"] = .string(seat)
        // The agent refuses what cannot be asked before the person is bothered.
        let draft = try client.ask("swap", arguments.merging(["draft": true]) { $1 })
        for warning in RequestText.warnings(draft) { call.note(warning) }
        if call.mayAsk, !call.line.has("yes") {
            guard call.confirm(question(draft, try client.cabin())) else { return call.unchanged() }
            // The question named a passenger: nobody else is asked in their place.
            if let key = draft["who"]?["key"] { arguments["holder"] = key }
        }
        guard knows(draft, call, &arguments) else { return call.unchanged() }
        if call.line.has("wait") { _ = try client.ask("watch", ["events": ["request", "swap"]]) }
        let request = try client.ask("swap", arguments)
        let text = RequestText(request: request)
        if call.line.has("wait") {
            call.hint("Request \(text.number): \(text.sentence). Waiting for an answer ...")
            return try SwapWait(call: call, client: client).follow(request)
        }
        call.hint("Next: seatagent requests, seatagent cancel \(text.number)")
        return call.finish(request, ["Request \(text.number): \(text.sentence)."])
    }

    /// The second question, where nothing but a claim stands behind whoever votes last: `--yes`
    /// does not answer it. Where nobody can be asked the agent refuses.
    private static func knows(
        _ object: JSON, _ call: Invocation, _ arguments: inout [String: JSON]
    ) -> Bool {
        guard arguments["unverified"] == nil, let question = RequestText.risk(object), call.mayAsk
        else { return true }
        guard call.confirm(question) else { return false }
        arguments["unverified"] = true
        return true
    }

    private static func question(_ draft: JSON, _ cabin: CabinLayout) -> String {
        "Ask \(WhoText.full(draft["who"])) to swap your "
            + "\(cabin.described(draft["give"]?.text ?? "?")) for "
            + "\(cabin.described(draft["take"]?.text ?? "?"))?"
    }

    private static func deadline(_ call: Invocation) -> Instant? {
        call.deadline(standard: call.line.has("wait") || call.mayAsk ? nil : 30)
    }

    static func requests(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline(standard: 30))
        let result = try client.ask("requests", ["all": .bool(call.line.has("all"))])
        let lines = (result["requests"]?.list ?? []).map { RequestText(request: $0).line() }
        let code = call.finish(result, lines.isEmpty ? ["no open requests"] : lines)
        if let pressing = PressingText(try client.ask("status")["pressing"]) {
            call.hint(pressing.line(slash: false) + ".")
        }
        return code
    }

    // MARK: Answering

    static func accept(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: deadline(call))
        var request = try pick(call, client) { $0.needsAnswer }
        if let blocked = request.blocked { throw blocked }
        for warning in request.warnings { call.note(warning) }
        var arguments = try call.line.requestArguments()
        arguments["request"] = .int(request.number)
        if !call.line.has("yes") {
            guard call.mayAsk else {
                let typed = (arguments["typed"] ?? [:]).adding(["yes": true])
                throw UserError(
                    .usage, "a yes binds you, and nobody can be asked here",
                    why: "standard input is not a terminal",
                    advice: RequestLine(
                        op: "accept", arguments: arguments.merging(["typed": typed]) { $1 }
                    ).text)
            }
            request.cabin = try client.cabin()
            guard call.confirm(request.acceptQuestion) else { return call.unchanged() }
        }
        if call.line.has("wait") { _ = try client.ask("watch", ["events": ["request", "swap"]]) }
        // The yes is to what was shown, and to nothing that came meanwhile.
        if let contract = request.request["contract"] { arguments["contract"] = contract }
        guard knows(request.request, call, &arguments) else { return call.unchanged() }
        let answer = try client.ask("accept", arguments)
        if call.line.has("wait") {
            return try SwapWait(call: call, client: client).follow(answer)
        }
        return call.finish(answer, [RequestText(request: answer).line()])
    }

    static func decline(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: deadline(call))
        let request = try pick(call, client) { $0.needsAnswer }
        let answer = try client.ask(
            "decline",
            [
                "request": .int(request.number), "note": .string(call.line.value("note") ?? ""),
            ])
        let isTold = call.line.value("note")?.isEmpty == false
        return call.finish(
            answer,
            [
                "You said no to request \(request.number)."
                    + (isTold ? "" : " Nobody is told: it runs out by itself.")
            ])
    }

    static func counter(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: deadline(call))
        let request = try pick(call, client) { $0.state == "open" }
        var arguments = try call.line.requestArguments()
        arguments["request"] = .int(request.number)
        // Of what is over the agent says so, whatever else is missing.
        guard arguments["give"] != nil || arguments["take"] != nil || request.state != "open" else {
            throw UserError(
                .usage, "nothing would change",
                why: "--take names another of their seats, --give another of yours",
                advice: RequestLine(
                    op: "counter", arguments: arguments.merging(["take": "12B"]) { $1 }
                ).text)
        }
        // It is a yes too: taken up, it binds without another question.
        let draft = try client.ask("counter", arguments.merging(["draft": true]) { $1 })
        for warning in RequestText.warnings(draft) { call.note(warning) }
        if call.mayAsk, !call.line.has("yes") {
            guard call.confirm(question(draft, try client.cabin())) else { return call.unchanged() }
            // Both seats as they were shown.
            for name in ["give", "take"] { arguments[name] = draft[name] ?? arguments[name] }
        }
        guard knows(draft, call, &arguments) else { return call.unchanged() }
        let answer = try client.ask("counter", arguments)
        let text = RequestText(request: answer)
        return call.finish(answer, ["Request \(text.number): \(text.sentence)."])
    }

    static func cancel(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: deadline(call))
        let request = try pick(call, client) { ["open", "agreed"].contains($0.state) }
        let answer = try client.ask("cancel", ["request": .int(request.number)])
        let text = RequestText(request: answer)
        return call.finish(answer, ["Request \(request.number): \(text.state)."])
    }

    static func force(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: deadline(call))
        let request = try pick(call, client) { $0.state == "stranded" }
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
        let answer = try client.ask("force", ["request": .int(request.number)])
        return call.finish(
            answer, ["Your old seat is claimed anew. If the swap was made after all, it counts."])
    }

    /// The request that operand 0 names, or the only one that fits.
    private static func pick(
        _ call: Invocation, _ client: ControlClient, where fits: (RequestText) -> Bool
    ) throws(UserError) -> RequestText {
        let number = try call.numberOperand(0)
        let list = try client.ask("requests", ["all": .bool(number != nil)])["requests"]?.list ?? []
        let requests = list.map(RequestText.init)
        if let number {
            if let found = requests.first(where: { $0.number == number }) { return found }
            throw UserError(
                .noSuchRequest, "there is no request \(number)", advice: "seatagent requests")
        }
        let fitting = requests.filter(fits)
        if fitting.count == 1 { return fitting[0] }
        let name = call.line.command?.name ?? "accept"
        guard let first = fitting.first else {
            throw UserError(
                .noSuchRequest, "there is no request to \(name)", advice: "seatagent requests")
        }
        throw UserError(
            .usage, "\(fitting.count) requests are open",
            why: "their numbers are " + fitting.map { "\($0.number)" }.joined(separator: ", "),
            advice: RequestLine(
                op: name,
                arguments: try call.line.requestArguments().merging(
                    ["request": .int(first.number)]) { $1 }
            ).text)
    }
}

extension Invocation {
    /// The person thought better of it.
    func unchanged() -> ExitCode {
        hint("Nothing was sent.")
        return .failed
    }
}
