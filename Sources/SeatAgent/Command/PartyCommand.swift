// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Grammar
import Keys
import Profile
import Protocol
import QR
import Text
import Trips
import Wording

/// `seatagent party`: who travels with the user. Without an agent it keeps a code for the next one.
struct PartyCommand {
    private let call: Invocation
    private let words: [String]

    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let typed = call.operands.first ?? PartyWord.show.rawValue
        guard let word = PartyWord(rawValue: typed) else { throw unknown(typed) }
        let command = PartyCommand(call: call, words: Array(call.operands.dropFirst()))
        return try command.run(word)
    }

    private static func unknown(_ word: String) -> UserError {
        UserError(
            .usage, "party has no \(visible(word, cells: 40))",
            why: "it has " + PartyWord.words.joined(separator: ", "),
            advice: Suggestions.nearest(to: word, among: PartyWord.words)
                .flatMap(PartyWord.init)?.sampleLine ?? "seatagent help party")
    }

    private func wanted(_ word: PartyWord) -> String {
        switch word {
        case .join: "the code that whoever made the party reads out"
        case .say: "a text"
        default: "a seat, a name or a key tag"
        }
    }

    private func run(_ word: PartyWord) throws(UserError) -> ExitCode {
        switch word {
        case .show, .new, .invite, .leave:
            guard words.isEmpty else {
                throw UserError(
                    .usage, "party \(word.rawValue) has too many words", advice: word.sampleLine)
            }
        case .trust:
            guard words.isEmpty || words == ["on"] || words == ["off"] else {
                throw UserError(
                    .usage, "party trust is on or off", advice: word.sampleLine)
            }
        case .join, .yes, .no, .say, .remove:
            guard !words.isEmpty else {
                // A code of the sample would be a party of nobody.
                throw UserError(
                    .usage, "party \(word.rawValue) wants \(wanted(word))",
                    advice: word == .join ? "seatagent help party" : word.sampleLine)
            }
        }
        switch word {
        case .show: return try show()
        case .new: return try new()
        case .join: return try join(words.joined(separator: " "))
        case .invite: return try next(try ask(Op.InviteToParty()), isDrawn: true)
        case .yes: return try next(try ask(Op.AnswerParty(who: who, companion: true)))
        case .no:
            let code = try told(try ask(Op.AnswerParty(who: who, companion: false)))
            call.hint(
                "They can still read what the party says. Next: seatagent party remove "
                    + ShellWord.quoted(who))
            return code
        case .say:
            let said = try ask(Op.SayToParty(text: try call.text(from: 1)))
            call.hint("Said to your companions.")
            return call.finish(said)
        case .remove: return try remove()
        case .trust: return words.isEmpty ? try show() : try trust(words == ["on"])
        case .leave: return try leave()
        }
    }

    private var who: String { words.joined(separator: " ") }

    private func ask<Operation: ControlOperation>(
        _ operation: Operation
    ) throws(UserError) -> Answer<Operation.Reply> {
        try call.ask(operation)
    }

    /// The agent's answer; `nil` if no agent runs.
    private func askIfThere<Operation: ControlOperation>(
        _ operation: Operation
    ) throws(UserError) -> Answer<Operation.Reply>? {
        do throws(UserError) {
            return try call.ask(operation)
        } catch {
            guard error.code == .noAgent else { throw error }
            return nil
        }
    }

    // MARK: With an agent, and without

    private func show() throws(UserError) -> ExitCode {
        if let known = try askIfThere(Op.Party()) {
            return try next(known, isDrawn: call.line.has("qr"))
        }
        guard let home = try HomeParty.waiting(in: call.place) ?? fromMovedFlight else {
            let code = call.finish(
                JSON(PartyStatus()), ["No code of a party waits for your next agent."])
            call.hint("Next: seatagent party new; seatagent up for the party of your flight")
            return code
        }
        return atHome(home, isDrawn: call.line.has("qr"))
    }

    /// The code that goes along to a flight of the list from the one before it.
    private var fromMovedFlight: HomeParty? {
        let trips = (try? TripBook.current(call.place))?.trips ?? []
        return trips.lazy.compactMap { trip in
            trip.moved?.party.map { HomeParty($0, flight: trip.flight) }
        }.first
    }

    private func forgetMoved() throws(UserError) {
        guard fromMovedFlight != nil else { return }
        try TripBook.change(call.place) { book in
            for trip in book.trips { book.settle(trip.flight) { $0.party = nil } }
        }
    }

    private func new() throws(UserError) -> ExitCode {
        if let made = try askIfThere(Op.NewParty()) { return try next(made, isDrawn: true) }
        try checkNoneWaits()
        guard SodiumPrimitives() != nil,
            let secret = PartySecret(SodiumPrimitives.random(PartySecret.count))
        else { throw UserError(.failed, "this machine gives no random numbers") }
        let home = HomeParty(secret)
        try home.keep(in: call.place)
        return atHome(home, isDrawn: call.session.console.writesTerminal)
    }

    private func join(_ text: String) throws(UserError) -> ExitCode {
        // What is no code at all needs no agent to say so.
        let (secret, flight) = try PartyCode.read(text)
        if let joined = try askIfThere(Op.JoinParty(code: text)) {
            let code = try told(joined)
            if joined.reply.candidates.isEmpty {
                call.hint("Say yes to those who travel with you: seatagent party yes WHO")
            }
            return code
        }
        try checkNoneWaits()
        let home = HomeParty(secret, flight: flight)
        try home.keep(in: call.place)
        return atHome(home, isDrawn: false)
    }

    private func checkNoneWaits() throws(UserError) {
        guard try HomeParty.waiting(in: call.place) == nil else {
            throw UserError(
                .alreadySo, "the code of a party waits for your agent already",
                why: "one at a time", advice: "seatagent party show")
        }
    }

    private func leave() throws(UserError) -> ExitCode {
        let isLeft = "You are in no party now."
        let left = try askIfThere(Op.LeaveParty())
        try HomeParty.forget(in: call.place)
        if let left { return call.finish(left, [isLeft]) }
        try forgetMoved()
        let code = call.finish(
            JSON(PartyStatus()), ["No code of a party waits for your next agent any more."])
        call.hint("The party of a flight is left while its agent runs: seatagent up")
        return code
    }

    private func remove() throws(UserError) -> ExitCode {
        if !call.line.has("yes") {
            guard call.mayAsk else {
                throw UserError(
                    .usage, "that changes the code of all your companions",
                    why: "nobody can be asked here",
                    advice: "seatagent party remove \(ShellWord.quoted(who)) --yes")
            }
            let person = try ask(Op.Who(who: who)).reply.peer.person
            let question = "Take \(PartyWords.named(person)) out, and give the others a new code?"
            guard call.confirm(question) else { return call.unchanged() }
        }
        return try told(try ask(Op.RemoveFromParty(who: who)))
    }

    private func trust(_ isOn: Bool) throws(UserError) -> ExitCode {
        try told(try ask(Op.TrustParty(on: isOn)))
    }

    // MARK: Output

    private func told(_ party: Answer<PartyStatus>) throws(UserError) -> ExitCode {
        let code = call.finish(party, PartyWords.lines(party.reply))
        if let next = PartyWords.next(party.reply) { call.hint(next) }
        return code
    }

    /// With the code for others to take.
    private func shown(_ party: Answer<PartyStatus>) throws(UserError) -> ExitCode {
        let isDrawn = call.line.has("qr") || call.session.console.writesTerminal
        return call.finish(
            party,
            PartyWords.lines(party.reply) + link(party.link ?? "", isDrawn: isDrawn))
    }

    /// The party, and what its members can do now.
    private func next(
        _ party: Answer<PartyStatus>, isDrawn: Bool = false
    ) throws(UserError) -> ExitCode {
        let code = isDrawn ? try shown(party) : try told(party)
        for line in PartyWords.next(party.reply, slash: false) { call.hint(line) }
        return code
    }

    private func atHome(_ home: HomeParty, isDrawn: Bool) -> ExitCode {
        let link = SeatLink.party(home.secret, flight: home.flight).text
        let status = PartyStatus(code: home.secret.code, link: link, fromHome: true)
        let code = call.finish(
            JSON(status),
            ["Code: \(home.secret.code)"] + self.link(link, isDrawn: isDrawn))
        call.hint("The next agent that starts takes it along. Give the code to your companions.")
        return code
    }

    private func link(_ text: String, isDrawn: Bool) -> [String] {
        let picture = isDrawn && !call.json ? QRCode(text)?.lines(ascii: call.ascii) : nil
        return ["Link: \(visible(text))"] + (picture ?? [])
    }
}
