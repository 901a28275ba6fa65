// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text
import Wording

/// Verification by voice from the command line: both sides name each other and compare.
enum VerifyCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        if call.line.has("key") { return try KeyComparison.run(call) }
        guard call.operands.count < 2 else {
            throw UserError(
                .usage, "\"\(call.operands[1])\" is too much for verify",
                why: "a key is compared with --key",
                advice: "seatagent verify \(ShellWord.quoted(call.operands[0]))")
        }
        let client = try call.connect(deadline: call.deadline(standard: 130))
        _ = try client.ask("watch", ["events": ["verify"]])
        if call.line.has("cancel") {
            return call.finish(try client.ask("verify-cancel"), ["You stopped comparing."])
        }
        if call.line.has("match") || call.line.has("mismatch") {
            let isSame = call.line.has("match") && !call.line.has("mismatch")
            return try decide(call, client, isSame)
        }
        guard let who = call.operands.first else {
            throw UserError(
                .usage, "it is not said with whom", why: "WHO is a seat, a name or a tag",
                advice: "seatagent peers")
        }
        var state = try client.ask("verify", ["who": .string(who)])
        if state["state"] != "compare" {
            call.hint("Waiting: \(WhoText.full(state["who"])) has to verify you too.")
        }
        while state["state"] != "compare" { state = try next(client) }
        let code = VerifyText.code(state)
        guard call.mayAsk else {
            return call.finish(
                state, ["Compare aloud: \(code)", "Next: seatagent verify --match, or --mismatch"])
        }
        call.say("")
        call.say("    \(code)")
        call.say("")
        // A no tells both that somebody may stand in between: only the word itself is one.
        let question = "Does \(WhoText.full(state["who"])) read the same numbers?"
        guard let same = call.decide(question) else {
            call.hint("Nothing was said. Next: seatagent verify --match, or --mismatch")
            return .failed
        }
        return try decide(call, client, same, code: state["code"])
    }

    /// The user's word, then the outcome.
    private static func decide(
        _ call: Invocation, _ client: ControlClient, _ isSame: Bool, code: JSON? = nil
    ) throws(UserError) -> ExitCode {
        var arguments: [String: JSON] = ["same": .bool(isSame)]
        if let code { arguments["code"] = code }
        var state = try client.ask("compared", arguments)
        if state["state"] == "matched" { call.hint("Waiting for the other side to say so too ...") }
        // The event may have come before the answer.
        while state["state"] != "verified" { state = try next(client) }
        return call.finish(state, ["\(WhoText.full(state["who"])): you verified each other."])
    }

    /// The next step. Throws when it ended otherwise than well.
    private static func next(_ client: ControlClient) throws(UserError) -> JSON {
        guard let event = try client.nextEvent() else {
            throw UserError(
                .unreachable, "the agent has gone", why: "it closed the connection",
                advice: "seatagent status")
        }
        let who = WhoText.full(event["who"])
        switch event["state"]?.text {
        case "alarm":
            throw UserError(
                .alarm, VerifyText.alarm(event["why"]?.text, who),
                why: "the two agents do not share one connection", advice: "seatagent peers")
        case "ended" where event["why"] == "expired":
            throw UserError(
                .timeout, "time ran out", why: "two minutes have passed",
                advice: event["who"]?["tag"]?.text.map {
                    "seatagent verify \(ShellWord.quoted(visible($0, cells: 8)))"
                } ?? "seatagent peers")
        case "ended":
            throw UserError(
                .withdrawn, "comparing ended", why: VerifyText.ended(event["why"]?.text),
                advice: "seatagent peers")
        default: return event
        }
    }

    static func vouch(_ call: Invocation) throws(UserError) -> ExitCode {
        let result = try call.ask("vouch", ["who": .string(call.operands[0])])
        return call.finish(result, ["Everyone can see now that you verified this passenger."])
    }
}
