// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Grammar
import Protocol
import System
import Text
import Venues

/// `seatagent bookings swap`, `propose`, `requests`, `accept`, `decline` and `withdraw`: bookings
/// change hands between people, and no desk is needed.
struct BookingSwapCommand {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// Seconds for which a command waits for the others' signatures after a yes.
    private static let patience = 20

    func run() throws(UserError) -> ExitCode {
        switch call.operands.first.flatMap(BookingsWord.init) {
        case .swap: return try swap()
        case .propose: return try propose()
        case .accept: return try accept()
        case .decline:
            let (agent, number) = try numbered(.decline)
            return try said(
                Op.AnswerSwap(request: number, answer: .decline, note: call.line.value("note")),
                agent, "You said no to request \(call.operands[1]).")
        case .withdraw:
            let (agent, number) = try numbered(.withdraw)
            return try said(
                Op.AnswerSwap(request: number, answer: .cancel), agent,
                "Request \(call.operands[1]): taken back.")
        case .requests, .cancel, .give, .pay, .wish, .match, nil: return try requests()
        }
    }

    // MARK: Asking

    private func swap() throws(UserError) -> ExitCode {
        let words = Array(call.operands.dropFirst())
        guard words.count > 1 else { throw BookingsWord.swap.incomplete }
        let item = try BookingsCommand.synced(call).find(words[0])
        guard let token = item.token else { throw unbooked(item) }
        let agent = try self.agent(of: item)
        let wanted = try self.wanted(Array(words.dropFirst()), agent)
        let page = try BookingPage(agent, from: min(item.spot.period.day, wanted.day))
        guard
            let spot = page.spot(
                wanted.facts.place, wanted.facts.period, count: wanted.facts.count)
        else { throw BookingsWord.swap.incomplete }
        let line = again(words)
        try refuse(wanted.facts, spot, for: item, line)
        let theirs = "\(spot.words(today: page.today))"
        let who = wanted.facts.holder
        try BookingsCommand.confirm(
            call,
            "Give your \(page.reader.words(item.spot)) to \(name(who)) and take \(theirs)? "
                + BookingTerms.swapRisk,
            line)
        return try ask(
            Op.SwapBookings(
                legs: [
                    .init(token: hexadecimal(token.bytes), to: who.key),
                    .init(token: wanted.facts.token, to: "me"),
                ], note: call.line.value("note"), override: call.line.has("override")), page)
    }

    private func propose() throws(UserError) -> ExitCode {
        let words = Array(call.operands.dropFirst())
        guard words.count > 1 else { throw BookingsWord.propose.incomplete }
        let list = try BookingsCommand.synced(call)
        let own = words.compactMap { word in
            word.split(separator: ":").first.flatMap { Int($0) }.flatMap { number in
                list.items.first { $0.number == number }
            }
        }
        let agent = own.isEmpty ? try self.agent() : try self.agent(of: own[0])
        let page = try BookingPage(agent)
        let known = page.facts.bookings.filter { $0.ended == nil }
        var legs: [Op.SwapBookings.Leg] = []
        for word in words {
            guard let colon = word.lastIndex(of: ":"), colon != word.startIndex,
                word.index(after: colon) != word.endIndex
            else { throw BookingsWord.propose.incomplete }
            let (booking, who) = (String(word[..<colon]), String(word[word.index(after: colon)...]))
            let token: Token
            if Int(booking) != nil, let own = try list.find(booking).token {
                token = own
            } else {
                token = try BookingCode.find(
                    booking, among: known.compactMap(\.tokenValue),
                    list: "seatagent venue show \(ShellWord.quoted(agent.venue.slug))")
            }
            legs.append(.init(token: hexadecimal(token.bytes), to: who))
        }
        let moves = zip(legs, words).map { leg, word in
            let facts = known.first { $0.token == leg.token }
            let spot = facts.flatMap { page.spot($0.place, $0.period, count: $0.count) }
            return "\(spot?.words(today: page.today) ?? visible(word, cells: 20)) goes to "
                + (leg.to == "me" ? "you" : visible(leg.to, cells: 40))
        }
        try BookingsCommand.confirm(
            call, moves.joined(separator: "; ") + ". Ask them all? " + BookingTerms.swapRisk,
            again(words))
        return try ask(
            Op.SwapBookings(
                legs: legs, note: call.line.value("note"), override: call.line.has("override")),
            page)
    }

    private func ask(_ asked: Op.SwapBookings, _ page: BookingPage) throws(UserError) -> ExitCode {
        let waits = call.line.has("wait")
        let client = try ControlClient(
            page.agent.place.socket, deadline: call.deadline(standard: waits ? nil : 30))
        _ = try client.ask(Op.Watch(events: [Word(.booking)]))
        let swap = try client.ask(asked).reply
        if waits {
            call.hint(
                "Request \(BookingSwapText(swap, page).number): waiting for an answer ...")
            return try follow(swap, client, page.agent, until: { $0 != .open && $0 != .agreed })
        }
        let text = BookingSwapText(swap, page)
        let code = call.finish(JSON(swap), ["Request \(text.number): \(text.sentence)."])
        call.hint("Next: \(text.line("requests")), \(text.line("withdraw \(text.number)"))")
        return code
    }

    // MARK: What is asked for

    /// The booking of somebody else that is meant: by its code, or by place and time.
    private func wanted(
        _ words: [String], _ agent: VenueAgent
    ) throws(UserError) -> (facts: BookingFacts, day: VenueDay) {
        let first = try BookingPage(agent)
        if words.count == 1, let code = BookingCode.typed(words[0]) {
            let found = first.facts.bookings.filter { booking in
                booking.ended == nil
                    && booking.tokenValue.map { BookingCode($0).text.hasPrefix(code) } == true
            }
            if let only = found.first, found.count == 1, let day = only.period.period?.day {
                return (only, day)
            }
        }
        let wish = try first.reader.read(words)
        let spots = wish.parts.flatMap(\.spots)
        guard wish.parts.count == 1, let spot = spots.first else {
            throw BookingsWord.swap.incomplete
        }
        guard try agent.name().volume.contains(spot.period.day) else {
            throw UserError(
                .notAllowedNow, "bookings of two ledgers are not swapped",
                why: "\(first.reader.words(spot)) is in another one than yours",
                advice: "seatagent bookings")
        }
        let page = try BookingPage(agent, from: spot.period.day)
        let found = page.facts.bookings.filter { booking in
            guard booking.ended == nil, let period = booking.period.period else { return false }
            return spots.contains { one in
                one.place == booking.place && period.start <= one.period.start
                    && one.period.start < period.end
            }
        }
        let lines = found.compactMap { booking in
            booking.tokenValue.map { "\(name(booking.holder)) \(BookingCode($0).text)" }
        }
        guard let only = found.first else {
            throw UserError(
                .noSuchBooking, "nobody has \(page.reader.words(spot))",
                why: "it can be booked, if the desk gives it out", advice: page.reader.line(spot))
        }
        guard found.count == 1 else {
            throw UserError(
                .ambiguous, "several have something there", why: lines.joined(separator: ", "),
                advice: only.tokenValue.map {
                    "seatagent bookings swap \(call.operands[1]) \(BookingCode($0).text)" + venue
                })
        }
        return (only, spot.period.day)
    }

    /// Refuses what the user's own agent would refuse, with a line that works.
    private func refuse(
        _ facts: BookingFacts, _ spot: BookingSpot, for item: BookingItem, _ line: String
    ) throws(UserError) {
        guard !facts.holder.me else {
            throw UserError(.yourself, "that booking is yours", advice: "seatagent bookings")
        }
        guard !facts.blocked else {
            throw UserError(
                .notAllowedNow, "the venue keeps that for itself",
                advice: "seatagent bookings requests")
        }
        guard !call.line.has("override") else { return }
        let (mine, theirs) = (item.spot, spot)
        if mine.period.minutes * mine.count != theirs.period.minutes * theirs.count {
            throw UserError(
                .notAllowedNow, "the bookings are not of one length",
                why: "you give \(mine.hours), and would get \(theirs.hours)",
                advice: line + " --override")
        }
        if let due = facts.due, facts.paid < due.amount {
            throw UserError(
                .notAllowedNow, "that booking is not paid", why: "whoever has it pays, or loses it",
                advice: line + " --override")
        }
    }

    // MARK: Answering

    private func requests() throws(UserError) -> ExitCode {
        guard call.operands.count == 1 else { throw BookingsWord.requests.incomplete }
        let agent = try self.agent()
        let question = Op.BookingSwaps(all: call.line.has("all"))
        let answer = try agent.ask(question)
        var lines = try self.lines(answer.reply, agent)
        var later: [JSON] = []
        for other in try agent.laterRunning() {
            let told = try other.ask(question)
            guard !told.reply.swaps.isEmpty else { continue }
            lines += try self.lines(told.reply, other)
            later.append(told.json.adding(["volume": .string(try other.name().volume.text)]))
        }
        return call.finish(
            later.isEmpty ? answer.json : answer.json.adding(["later": .array(later)]),
            lines.isEmpty ? ["no open requests"] : lines)
    }

    private func lines(
        _ known: Op.BookingSwaps.Reply, _ agent: VenueAgent
    ) throws(UserError) -> [String] {
        let page = try BookingPage(agent)
        return known.swaps.map { BookingSwapText($0, page).line }
    }

    private func accept() throws(UserError) -> ExitCode {
        let (agent, number) = try numbered(.accept)
        guard
            let swap = try agent.ask(Op.BookingSwaps(all: true)).reply.swaps
                .first(where: { $0.number == number })
        else {
            throw UserError(
                .noSuchRequest, "there is no request \(visible(call.operands[1], cells: 20))",
                advice: "seatagent bookings requests")
        }
        if swap.needsAnswer {
            let text = BookingSwapText(swap, try BookingPage(agent))
            try BookingsCommand.confirm(
                call, text.question, "seatagent bookings accept \(text.number)" + venue)
        }
        // The time for reading the question is the user's own.
        let client = try ControlClient(
            agent.place.socket, deadline: call.deadline(standard: Self.patience))
        _ = try client.ask(Op.Watch(events: [Word(.booking)]))
        // The yes is to what was shown, and to nothing that came meanwhile.
        let said = try client.ask(
            Op.AnswerSwap(
                request: number, answer: .accept, contract: swap.contract,
                override: call.line.has("override"))
        ).reply
        return try follow(said, client, agent) { $0 != .agreed }
    }

    private func said(
        _ answer: Op.AnswerSwap, _ agent: VenueAgent, _ words: String
    ) throws(UserError) -> ExitCode { call.finish(try agent.ask(answer), [words]) }

    // MARK: Waiting

    /// Waits until the negotiation has come that far, or time is up.
    private func follow(
        _ swap: BookingSwap, _ client: ControlClient, _ agent: VenueAgent,
        until isOver: (RequestState?) -> Bool
    ) throws(UserError) -> ExitCode {
        var swap = swap
        while !isOver(swap.state.known) {
            do throws(UserError) {
                guard let told = try client.nextEvent() else { break }
                guard case .booking = told.event.what else { continue }
                let list = try client.ask(Op.BookingSwaps(all: true)).reply.swaps
                swap = list.first { $0.number == swap.number } ?? swap
            } catch {
                guard error.code == .timeout else { throw error }
                break
            }
        }
        let text = BookingSwapText(swap, try BookingPage(agent))
        if let failure = text.failure { throw failure }
        guard swap.state.known == .final else {
            call.say(text.line)
            call.hint("It goes on, also when this command has ended: \(text.line("requests"))")
            return ErrorCode.timeout.exit
        }
        try BookingSync(call, agent).sync()
        return call.finish(JSON(swap), text.done)
    }

    // MARK: Words

    private func agent() throws(UserError) -> VenueAgent {
        try VenueAgent(call, call.line.value("venue"), booking: true).ensure().agent
    }

    /// The agent of the ledger in which a booking stands.
    private func agent(of item: BookingItem) throws(UserError) -> VenueAgent {
        try VenueAgent(call, item.venue, booking: true).of(item.spot.period.day).ensure().agent
    }

    /// The request that is meant: `3`, or `2027-01/3` among those about later days.
    private func numbered(
        _ word: BookingsWord
    ) throws(UserError) -> (agent: VenueAgent, number: Int) {
        let parts = call.operands.dropFirst().first?.split(
            separator: "/", omittingEmptySubsequences: false)
        guard call.operands.count == 2, let parts, 1...2 ~= parts.count,
            let number = parts.last.flatMap({ Int($0) })
        else { throw word.incomplete }
        let agent = try self.agent()
        guard parts.count == 2 else { return (agent, number) }
        let days = String(parts[0])
        let later = try agent.laterAgents().first { $0.later?.text == days }
        guard let later else {
            throw UserError(
                .noSuchRequest, "there is no request \(visible(call.operands[1], cells: 20))",
                advice: "seatagent bookings requests")
        }
        return (try later.ensure().agent, number)
    }

    /// The line that was typed, for another try.
    private func again(_ words: [String]) -> String {
        ((["seatagent", "bookings", call.operands[0]] + words).map { ShellWord.quoted($0) })
            .joined(separator: " ") + venue
    }

    private var venue: String {
        call.line.value("venue").map { " --venue " + ShellWord.quoted($0) } ?? ""
    }

    private func name(_ who: Person) -> String {
        let name = visible(who.name, cells: 24)
        return name.isEmpty ? visible(who.tag, cells: 16) : "\(name) \(visible(who.tag, cells: 16))"
    }

    private func unbooked(_ item: BookingItem) -> UserError {
        UserError(
            .notAllowedNow, "nothing is booked that could be swapped",
            why: BookingList.state(item), advice: "seatagent bookings")
    }
}
