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
        _ = try client.ask(Op.Watch(events: [Word(.verify)]))
        if call.line.has("cancel") {
            return call.finish(try client.ask(Op.CancelVerify()), ["You stopped comparing."])
        }
        if call.line.has("match") || call.line.has("mismatch") {
            let isSame = call.line.has("match") && !call.line.has("mismatch")
            return try decide(call, client, isSame)
        }
        guard let who = call.operands.first else {
            throw UserError(
                .usage, "nobody was named to compare with", why: "WHO is a seat, a name or a tag",
                advice: "seatagent peers")
        }
        let begun = try client.ask(Op.Verify(who: who))
        var (json, person, code) = (begun.json, begun.who, begun.code)
        if begun.state != .compare {
            call.hint("Waiting: \(WhoText.full(begun.who)) has to verify you too.")
            let step = try next(client) { $0 == .compare }
            (json, person, code) = (step.json, step.news.who, step.news.code)
        }
        let shown = VerifyText.code(code)
        guard call.mayAsk else {
            return call.finish(
                json, ["Compare aloud: \(shown)", "Next: seatagent verify --match, or --mismatch"])
        }
        call.say("")
        call.say("    \(shown)")
        call.say("")
        // A no tells both that somebody may be in between, so only the word itself counts as one.
        let question = "Does \(WhoText.full(person)) read the same numbers?"
        guard let same = call.decide(question) else {
            call.hint("Nothing was said. Next: seatagent verify --match, or --mismatch")
            return .failed
        }
        return try decide(call, client, same, code: code)
    }

    /// Sends the user's answer, then waits for the outcome.
    private static func decide(
        _ call: Invocation, _ client: ControlClient, _ isSame: Bool, code: String? = nil
    ) throws(UserError) -> ExitCode {
        let said = try client.ask(Op.Compared(same: isSame, code: code))
        if said.state == .matched { call.hint("Waiting for the other side to say so too ...") }
        // The event may have come before the answer.
        let step = try next(client) { $0 == .verified }
        return call.finish(
            step.json, ["\(WhoText.full(step.news.who)): you verified each other."])
    }

    /// The awaited step. Throws if comparing ended in another way.
    private static func next(
        _ client: ControlClient, where isWanted: (Word<ComparingStep>) -> Bool
    ) throws(UserError) -> (news: ComparingNews, json: JSON) {
        while let told = try client.nextEvent() {
            guard case .verify(let news) = told.event.what else { continue }
            if let failure = failure(news) { throw failure }
            if isWanted(news.state) { return (news, told.json) }
        }
        throw UserError(
            .unreachable, "the agent has gone", why: "it closed the connection",
            advice: "seatagent status")
    }

    /// Why it ended in another way; `nil` if it did not.
    private static func failure(_ news: ComparingNews) -> UserError? {
        switch news.state {
        case .known(.alarm):
            return UserError(
                .alarm, VerifyText.alarm(news.why, WhoText.full(news.who)),
                why: "the two agents do not share one connection", advice: "seatagent peers")
        case .known(.ended) where news.why == .some(.known(.expired)):
            return UserError(
                .timeout, "time ran out", why: "two minutes have passed",
                advice: "seatagent verify \(ShellWord.quoted(visible(news.who.tag, cells: 8)))")
        case .known(.ended):
            return UserError(
                .withdrawn, "comparing ended", why: VerifyText.ended(news.why),
                advice: "seatagent peers")
        case .known(.asked), .known(.compare), .known(.verified), .known(.void), .other: return nil
        }
    }

    static func vouch(_ call: Invocation) throws(UserError) -> ExitCode {
        let result = try call.ask(Op.Vouch(who: call.operands[0]))
        return call.finish(result, ["Everyone can see now that you verified this passenger."])
    }
}
