// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Grammar
import Protocol
import Text
import Wording

/// Commands that look for swaps, show what they found, and propose one of it.
enum MatchCommands {
    static func together(_ call: Invocation) throws(UserError) -> ExitCode {
        try run(Op.Together(), .together, call)
    }

    static func match(_ call: Invocation) throws(UserError) -> ExitCode {
        try run(Op.Match(), .match, call)
    }

    private static func run<Operation: ControlOperation>(
        _ operation: Operation, _ verb: Verb, _ call: Invocation
    ) throws(UserError) -> ExitCode where Operation.Reply == MatchPlans {
        if call.line.has("watch") {
            var watch = try MatchWatch(operation, verb, call)
            return try watch.run()
        }
        let client = try call.connect(deadline: call.deadline(standard: 60))
        let found = try client.ask(operation)
        let picked = try pick(found.reply, verb, call)
        if picked == nil, call.line.has("yes") {
            throw kept("you keep your seat in all that was found", verb)
        }
        let isProposed = call.line.has("yes") || call.mayAsk
        guard let picked, isProposed else {
            let text = try text(found.reply, picked, client, call)
            let code = call.finish(found, text)
            call.hint(next(found.reply, picked, verb))
            return code
        }
        if !call.json { for line in try text(found.reply, picked, client, call) { call.say(line) } }
        var terms = try call.line.swapTerms()
        var typed = terms.typed ?? SwapTerms.Typed()
        (typed.found, typed.pick) = (verb.rawValue, try call.number("pick"))
        terms.typed = typed
        return try SwapCommands.ask(.plan(picked.proposal(terms)), call)
    }

    /// What is proposed: what the user picked, or the first in which they take part.
    private static func pick(
        _ found: MatchPlans, _ verb: Verb, _ call: Invocation
    ) throws(UserError) -> MatchPlan? {
        guard let number = try call.number("pick") else {
            return found.plans.first { $0.yours }
        }
        guard let plan = found.plans.first(where: { $0.number == number }) else {
            throw UserError(
                .usage, "there is no number \(number) among what was found",
                why: "they go from 1 to \(found.plans.count)", advice: "seatagent \(verb.rawValue)")
        }
        guard plan.yours else {
            throw kept("you keep your seat in number \(number)", verb)
        }
        return plan
    }

    private static func kept(_ what: String, _ verb: Verb) -> UserError {
        UserError(
            .notAllowedNow, what,
            why: "whoever proposes a swap takes part in it: one of those who move types "
                + "seatagent \(verb.rawValue)", advice: "seatagent \(verb.rawValue)")
    }

    private static func text(
        _ found: MatchPlans, _ picked: MatchPlan?, _ client: ControlClient, _ call: Invocation
    ) throws(UserError) -> [String] {
        if call.json { return [] }
        let text = MatchPlansText(found)
        guard let plan = picked ?? found.plans.first else { return text.lines }
        let map = try client.ask(Op.Seats()).reply
        let picture = PlanPicture(
            plan: plan, party: found.party, taken: map.seats.map(\.seat),
            cabin: CabinLayout(told: map.cabin) ?? .standard, ascii: call.ascii)
        return text.lines + [""] + picture.lines
    }

    /// What to type next.
    private static func next(_ found: MatchPlans, _ picked: MatchPlan?, _ verb: Verb) -> String {
        guard let picked else {
            return "You keep your seat in all of it, so one of those who move proposes it: "
                + "seatagent \(verb.rawValue), there."
        }
        return "Nobody was asked. Next: seatagent \(verb.rawValue) --pick \(picked.number) --yes"
    }
}
