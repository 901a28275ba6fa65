// SPDX-License-Identifier: Apache-2.0
import Aviation
import Launch
import Protocol
import Text
import Wording

/// Commands that send words, and the stream of events.
enum TalkCommands {
    static func say(_ call: Invocation) throws(UserError) -> ExitCode {
        let text = try call.text(from: 0)
        let result = try call.ask("say", ["text": .string(text)])
        let linked = result["linked"]?.number ?? 0
        call.hint(
            linked == 0
                ? "No one is within reach. Whoever comes aboard later will read it."
                : "Said to everyone, \(linked) within reach.")
        return call.finish(result)
    }

    static func message(_ call: Invocation) throws(UserError) -> ExitCode {
        let text = try call.text(from: 1)
        let client = try call.connect(
            deadline: call.deadline(standard: call.line.has("wait") ? nil : 30))
        if call.line.has("wait") { _ = try client.ask("watch", ["events": ["message"]]) }
        var message = try client.ask(
            "msg", ["who": .string(call.operands[0]), "text": .string(text)])
        let id = message["id"]
        while call.line.has("wait"), message["state"] == "waiting" {
            guard let event = try client.nextEvent() else { break }
            if event["id"] == id { message = message.adding(["state": event["state"] ?? .null]) }
        }
        if message["state"] == "gave-up" {
            throw UserError(
                .gaveUp, "the message has not arrived", why: "an hour has passed",
                advice: "seatagent peers")
        }
        let mark = EventText.mark(message["state"]?.text ?? "", ascii: call.ascii)
        let words = message["state"] == "waiting" ? "waiting until it arrives" : "arrived"
        return call.finish(message, ["\(mark) to \(WhoText.seated(message["who"])): \(words)"])
    }

    static func watch(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline())
        let events = call.operands.map(JSON.string)
        _ = try client.ask("watch", events.isEmpty ? [:] : ["events": .array(events)])
        client.output = 1
        while let event = try client.nextEvent() { call.session.console.out(event.line) }
        // Whoever read it has had enough.
        if client.isReaderGone { return .done }
        throw LastAgent(call.place).explaining(
            UserError(
                .noAgent, "the agent has gone", why: "it closed the stream",
                advice: LastAgent.example))
    }
}

/// Commands about people and one's own claims.
enum PeopleCommands {
    static func block(_ call: Invocation) throws(UserError) -> ExitCode {
        let result = try call.ask("block", ["who": .string(call.operands[0])])
        return call.finish(
            result, ["\(WhoText.tagged(result["who"])) is blocked: hidden and refused, here only."])
    }

    static func unblock(_ call: Invocation) throws(UserError) -> ExitCode {
        let result = try call.ask("unblock", ["who": .string(call.operands[0])])
        return call.finish(result, ["\(WhoText.tagged(result["who"])) is not blocked any more."])
    }

    /// Silence for whoever is not verified, of the party or vouched for.
    static func silence(_ call: Invocation) throws(UserError) -> ExitCode {
        let word = call.operands.first?.lowercased() ?? "on"
        guard ["on", "off"].contains(word) else {
            throw UserError(
                .usage, "silence is on or off, not \"\(visible(word, cells: 24))\"",
                why: "one passenger is silenced with block", advice: "seatagent silence off")
        }
        let result = try call.ask("silence", ["on": .bool(word == "on")])
        guard word == "on" else {
            return call.finish(result, ["Everybody may ask you again."])
        }
        let code = call.finish(result, [SilenceText.silenced])
        call.hint("Next: seatagent silence off")
        return code
    }

    static func rename(_ call: Invocation) throws(UserError) -> ExitCode {
        let name = call.operands.joined(separator: " ")
        let result = try call.ask("rename", ["name": .string(name)])
        let taken = visible(result["me"]?["name"]?.text ?? name)
        return call.finish(result, ["Others now see you as \(taken)."])
    }

    static func claim(_ call: Invocation) throws(UserError) -> ExitCode {
        let seat = try SeatText.parse(call.operands[0]).text
        let result = try call.ask(
            "claim", ["seat": .string(seat), "dependant": .bool(call.line.has("dependant"))])
        let code = call.finish(result, ["\(seat) is yours too, as far as others know."])
        let others = result["others"]?.list ?? []
        if !others.isEmpty {
            let more = others.count > 3 ? ["\(others.count - 3) more"] : []
            let names = (others.prefix(3).map(WhoText.tagged) + more).joined(separator: " and ")
            call.hint(
                "\(names) \(others.count == 1 ? "claims" : "claim") \(seat) too. "
                    + "If it is not your seat: seatagent release \(seat)")
        }
        return code
    }

    static func release(_ call: Invocation) throws(UserError) -> ExitCode {
        let seat = try SeatText.parse(call.operands[0]).text
        let result = try call.ask("release", ["seat": .string(seat)])
        return call.finish(result, ["\(seat) is not yours any more."])
    }
}
