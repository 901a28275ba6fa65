// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Launch
import Protocol
import Text
import Wording

/// Commands that send words, and the stream of events.
enum TalkCommands {
    static func say(_ call: Invocation) throws(UserError) -> ExitCode {
        let text = try call.text(from: 0)
        let result = try call.ask(Op.Say(text: text))
        let linked = result.linked
        let elsewhere =
            linked == 0 ? MeetingText.heard(try call.ask(Op.Status()).reply) : nil
        call.hint(
            elsewhere
                ?? (linked == 0
                    ? "No one is within reach. Whoever comes aboard later will read it."
                    : "Said to everyone, \(linked) within reach."))
        return call.finish(result)
    }

    static func message(_ call: Invocation) throws(UserError) -> ExitCode {
        let text = try call.text(from: 1)
        let client = try call.connect(
            deadline: call.deadline(standard: call.line.has("wait") ? nil : 30))
        if call.line.has("wait") { _ = try client.ask(Op.Watch(events: [Word(.message)])) }
        let message = try client.ask(Op.Message(who: call.operands[0], text: text))
        var state = message.state
        while call.line.has("wait"), state == .waiting {
            guard let told = try client.nextEvent() else { break }
            if case .message(let moved) = told.event.what, moved.id == message.id {
                state = moved.state
            }
        }
        if state == .gaveUp {
            throw UserError(
                .gaveUp, "the message has not arrived",
                why: "it waited for an hour, or for a day where there is a meeting point",
                advice: "seatagent peers")
        }
        let mark = EventText.mark(state, ascii: call.ascii)
        let words = state == .waiting ? LetterText.message(message.reply) : "arrived"
        return call.finish(
            message.json.adding(["state": .string(state.text)]),
            ["\(mark) to \(WhoText.seated(message.who)): \(words)"])
    }

    static func watch(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline())
        let events = call.operands.map { Word<EventName>(text: $0) }
        _ = try client.ask(Op.Watch(events: events.isEmpty ? nil : events))
        client.output = 1
        while let told = try client.nextEvent() { call.session.console.out(told.json.line) }
        // Whoever read it has had enough.
        if client.isReaderGone { return .done }
        throw LastAgent(call.place).explaining(
            UserError(
                .noAgent, "the agent has gone", why: "it closed the stream",
                advice: LastAgent.example))
    }
}

/// Commands about people and the user's own claims.
enum PeopleCommands {
    static func block(_ call: Invocation) throws(UserError) -> ExitCode {
        let result = try call.ask(Op.Block(who: call.operands[0]))
        return call.finish(
            result, ["\(WhoText.tagged(result.who)) is blocked: hidden and refused, here only."])
    }

    static func unblock(_ call: Invocation) throws(UserError) -> ExitCode {
        let result = try call.ask(Op.Unblock(who: call.operands[0]))
        return call.finish(result, ["\(WhoText.tagged(result.who)) is not blocked any more."])
    }

    /// Silences everybody who is not verified, of the party or vouched for.
    static func silence(_ call: Invocation) throws(UserError) -> ExitCode {
        let word = call.operands.first?.lowercased() ?? "on"
        guard ["on", "off"].contains(word) else {
            throw UserError(
                .usage, "silence is on or off, not \"\(visible(word, cells: 24))\"",
                why: "one passenger is silenced with block", advice: "seatagent silence off")
        }
        let result = try call.ask(Op.Silence(on: word == "on"))
        guard word == "on" else {
            return call.finish(result, ["Everybody may ask you again."])
        }
        let code = call.finish(result, [SilenceText.silenced])
        call.hint("Next: seatagent silence off")
        return code
    }

    static func rename(_ call: Invocation) throws(UserError) -> ExitCode {
        let name = call.operands.joined(separator: " ")
        let result = try call.ask(Op.Rename(name: name))
        let taken = visible(result.me.name)
        return call.finish(result, ["Others now see you as \(taken)."])
    }

    static func claim(_ call: Invocation) throws(UserError) -> ExitCode {
        let seat = try SeatText.parse(call.operands[0]).text
        let result = try call.ask(
            Op.Claim(seat: seat, dependant: call.line.has("dependant")))
        let code = call.finish(result, ["\(seat) is yours too, as far as others know."])
        let others = result.others ?? []
        if !others.isEmpty {
            let more = others.count > 3 ? ["\(others.count - 3) more"] : []
            let names = (others.prefix(3).map { WhoText.tagged($0) } + more).joined(
                separator: " and ")
            call.hint(
                "\(names) \(others.count == 1 ? "claims" : "claim") \(seat) too. "
                    + "If it is not your seat: seatagent release \(seat)")
        }
        return code
    }

    static func release(_ call: Invocation) throws(UserError) -> ExitCode {
        let seat = try SeatText.parse(call.operands[0]).text
        let result = try call.ask(Op.Release(seat: seat))
        return call.finish(result, ["\(seat) is not yours any more."])
    }
}
