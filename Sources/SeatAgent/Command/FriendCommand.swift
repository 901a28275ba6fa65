// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Grammar
import Owner
import Protocol
import Text
import Venues
import Wording

/// `seatagent friend`: finds somebody in a venue by their address, if they allowed that.
struct FriendCommand {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run() throws(UserError) -> ExitCode {
        let word = call.operands[0]
        switch FriendWord(rawValue: word.lowercased()) {
        case .allow: return try allow()
        case .hide: return try hide()
        case nil: return try find(try address(word))
        }
    }

    private func address(_ text: String) throws(UserError) -> String {
        do throws(FormFault) {
            return try OwnerField.mail.check(text).lowercased()
        } catch {
            throw UserError(
                .usage, "\"\(visible(text, cells: 60))\" is no e-mail address", why: error.why,
                advice: "seatagent friend kiki@example.org")
        }
    }

    // MARK: Being found

    private func allow() throws(UserError) -> ExitCode {
        guard let address = try OwnerDetails.read(call.place)[.mail] else {
            throw UserError(
                .usage, "your address is not known", why: "friends find you by it",
                advice: OwnerField.mail.line)
        }
        try FriendBook.change(call.place) { $0.isFindable = true }
        return call.finish(
            ["findable": true, "address": .string(address)],
            [
                "Who knows \(visible(address, cells: 60)) finds you where you check in, from your "
                    + "next check-in on.",
                "They learn the place and the time, that day only.",
            ])
    }

    private func hide() throws(UserError) -> ExitCode {
        try FriendBook.change(call.place) { $0.isFindable = false }
        return call.finish(
            ["findable": false],
            [
                "Nobody finds you by your address, from your next check-in on. Who is in the same "
                    + "venue keeps what you said before until the day is over."
            ])
    }

    // MARK: Finding

    private func find(_ address: String) throws(UserError) -> ExitCode {
        let (agent, status) = try VenueAgent(call, call.line.value("venue")).ensure()
        let tag = hexadecimal(try CheckCommand.tag(address, agent).bytes)
        let stays = try agent.ask(Op.Friend(tag: tag)).reply.stays
        let book = try FriendBook.read(call.place)
        let isKnown = book.found.contains(address)
        if !stays.isEmpty {
            try FriendBook.change(call.place) { $0.note(address) }
        }
        let who = visible(address, cells: 60)
        let found = stays.map { item -> JSON in
            CheckCommand.item(item.stay, agent).json.adding(["in": .bool(item.isIn)])
        }
        let answer =
            stays.first.map { $0.isIn ? "in" : "was-in" } ?? (isKnown ? "nothing" : "unknown")
        let text =
            stays.isEmpty
            ? [
                status.linked == 0
                    ? "No other agent is within reach yet, so nothing is known of \(who)."
                    : isKnown
                        ? "\(who) has not checked in today."
                        : "\(who) is unknown here: they do not let themselves be found, or are "
                            + "not in \(agent.venue.name)."
            ] : stays.map { line(who, $0, agent) }
        let code = call.finish(
            [
                "answer": .string(answer), "stays": .array(found), "linked": .int(status.linked),
                "text": .array(text.map(JSON.string)), "tag": .string(tag),
            ], text)
        return stays.isEmpty ? ErrorCode.nothingFound.exit : code
    }

    private func line(
        _ who: String, _ item: Op.Friend.Reply.Found, _ agent: VenueAgent
    ) -> String {
        let name = agent.venue.place(item.stay.place)?.name ?? "place \(item.stay.place)"
        let since = agent.time(item.stay.begin)
        guard !item.isIn else { return "\(who) is at \(name), since \(since)." }
        let end = (item.stay.end ?? item.stay.closing).map { agent.time($0) } ?? "?"
        return "\(who) was at \(name) today, from \(since) to \(end)."
    }
}
