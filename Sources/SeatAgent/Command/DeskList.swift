// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import DeskShell
import Protocol
import Text
import Venues

/// What waits at a desk, and the answers of its people.
struct DeskList {
    let call: Invocation
    let agent: VenueAgent

    init(_ call: Invocation, _ agent: VenueAgent) {
        self.call = call
        self.agent = agent
    }

    /// `The desk of Northwest Rec Center is open.`
    static func sentence(_ status: DeskStatus, _ venue: Venue) -> String {
        let name = "The desk of \(visible(venue.name, cells: 60))"
        return switch status.state {
        case .known(.open): "\(name) is open."
        case .known(.gathering): "\(name) is back: it gathers requests, and draws lots for them."
        case .known(.away): "\(name) is closed until: seatagent desk open"
        case .known(.restored):
            "\(name) does not grant: its disk was put back from a copy. What others still know is "
                + "fetched first; then: seatagent desk open --restored"
        case .known(.alone): "\(name) waits for the first agent that it can reach."
        case .known(.shut): "\(name) cannot write its ledger yet."
        case .known(.noCharter): "\(name) has no charter."
        case .known(.twoDesks): twoDesks(status, venue)
        case .known(.over): "\(name) is over: another one has taken over."
        case .known(.forked): "\(name) signed two ledgers, and grants nothing any more."
        case .other(let word): "\(name): \(visible(word))"
        }
    }

    /// Which of two desks counts, and what to do about it.
    private static func twoDesks(_ status: DeskStatus, _ venue: Venue) -> String {
        let other = status.rival?.tag ?? "the other one"
        return status.rivalCounts
            ? "Two desks run: what this one grants does not count, since \(other) is the desk. "
                + "End this one: seatagent venue leave \(ShellWord.quoted(venue.slug))"
            : "Two desks run: what \(other) grants does not count. This one waits until you have "
                + "ended the other; then: seatagent desk open"
    }

    /// By what an ask is named on a command line.
    static func code(_ ask: AskedFacts) -> String {
        bytes(hexadecimal: ask.ask).flatMap { Bytes32($0) }
            .map { BookingCode(Token($0)).text } ?? ask.ask
    }

    func show() throws(UserError) -> ExitCode {
        let status = try agent.ask(Op.Desk())
        var lines = try lines(status.reply)
        var json = status.json
        let later = try agent.laterDesks()
        var others: [JSON] = []
        for agent in later {
            let days = try agent.name().volume.text
            let told = try agent.ask(Op.Desk())
            others.append(told.json.adding(["volume": .string(days)]))
            lines += ["", "\(days):"] + (try DeskList(call, agent).lines(told.reply))
        }
        if !others.isEmpty { json = json.adding(["later": .array(others)]) }
        return call.finish(json, lines)
    }

    /// How a desk stands, and what waits there.
    private func lines(_ status: DeskStatus) throws(UserError) -> [String] {
        let page = try BookingPage(agent)
        let people = DeskPeople(call, agent)
        var lines = [Self.sentence(status, agent.venue)]
        for ask in status.requests { lines.append("  " + line(ask, page)) }
        lines += try people.lines(status.forms).map { "  " + $0 }
        if status.requests.isEmpty, status.forms.isEmpty { lines.append("Nothing waits.") }
        for one in status.lost { lines += self.lines(one, page) }
        return lines
    }

    private func line(_ ask: AskedFacts, _ page: BookingPage) -> String {
        let who = Self.who(ask.who)
        let what: String
        switch ask.kind {
        case .known(.book):
            what =
                page.spot(ask.place, ask.period, count: ask.count)
                .map { $0.words(today: page.today) } ?? "?"
        case .known(.giveBack): what = "gives a booking back"
        case .known(.move): what = "moves a booking"
        case .known(.withdraw), .other: what = "takes a request back"
        }
        let state: String
        switch ask.state {
        case .known(.waiting): state = "in the queue"
        case .known(.refused):
            state =
                "refused: "
                + (ask.reason.flatMap { DeskReason(rawValue: $0) }.map { "\($0)" } ?? "")
        case .known(.asked), .known(.done), .known(.over), .other: state = "waits"
        }
        let note = ask.note.isEmpty ? "" : "  \"\(visible(ask.note, cells: 60))\""
        return "\(Self.code(ask))  \(who)  \(what)  \(state)\(note)"
    }

    /// What was lost with an earlier desk, and the line that grants it again.
    private func lines(_ lost: LostBooking, _ page: BookingPage) -> [String] {
        guard let spot = page.spot(lost.place, lost.period, count: lost.count) else { return [] }
        let words = spot.words(today: page.today)
        let line = page.reader.line(spot).split(separator: " ").dropFirst(2).joined(separator: " ")
        return [
            "Lost with the desk \(lost.desk.tag): \(words), for \(Self.who(lost.holder))",
            "  again, if it is free: seatagent desk book \(line) --for "
                + ShellWord.quoted(lost.holder.tag),
        ]
    }

    static func who(_ person: Person) -> String {
        let name = visible(person.name, cells: 24)
        return name.isEmpty ? person.tag : "\(name) \(person.tag)"
    }

    /// Grants or refuses a request, or refuses somebody who wants to join.
    func answer(_ word: String, grant: Bool) throws(UserError) -> ExitCode {
        let status = try agent.ask(Op.Desk()).reply
        let code = BookingCode.typed(word)
        let found = status.requests.filter { ask in code.map(Self.code(ask).hasPrefix) ?? false }
        if found.isEmpty, !grant {
            if let done = try DeskPeople(call, agent).refuse(word, status.forms) { return done }
        }
        guard let ask = found.first, found.count == 1 else {
            throw UserError(
                found.isEmpty ? .noSuchRecord : .ambiguous,
                found.isEmpty
                    ? "no request has the code \(visible(word, cells: 20))"
                    : "several requests have codes that begin so", advice: "seatagent desk requests"
            )
        }
        let done = try agent.ask(Op.DeskAnswer(ask: ask.ask, grant: grant))
        let page = try BookingPage(agent)
        let spot = page.spot(ask.place, ask.period, count: ask.count)
        let what = spot.map { $0.words(today: page.today) } ?? "the request"
        let who = Self.who(ask.who)
        return call.finish(
            done, [grant ? "Granted: \(what) for \(who)" : "Refused: \(what) for \(who)"])
    }
}
