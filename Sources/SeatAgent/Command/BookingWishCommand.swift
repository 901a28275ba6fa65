// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Grammar
import Protocol
import Text
import Venues
import Wording

/// `seatagent bookings wish` and `match`: what somebody would take for a booking, and who could
/// exchange theirs so that nobody is worse off.
struct BookingWishCommand {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    // MARK: Wishing

    func wish() throws(UserError) -> ExitCode {
        let words = Array(call.operands.dropFirst())
        guard let first = words.first else { throw BookingsWord.wish.incomplete }
        if first == "off" {
            guard words.count == 1 else { throw BookingsWord.wish.incomplete }
            let agent = try VenueAgent(call, call.line.value("venue"), booking: true).ensure().agent
            let reply = try agent.ask(Op.WishBookings(tokens: []))
            return call.finish(reply, ["Your wish is taken back."])
        }
        guard words.count > 1 else { throw BookingsWord.wish.incomplete }
        let item = try BookingsCommand.synced(call).find(first)
        guard let token = item.token, item.state == .booked else {
            throw UserError(
                .notAllowedNow, "nothing is booked that could be offered",
                why: BookingList.state(item), advice: "seatagent bookings")
        }
        let agent = try VenueAgent(call, item.venue, booking: true)
            .of(item.spot.period.day).ensure().agent
        let page = try BookingPage(agent)
        let wish = try page.reader.read(Array(words.dropFirst()))
        guard wish.parts.count <= Limits.ranks else {
            throw UserError(
                .usage, "that is too much to wish for", why: "\(Limits.ranks) kinds are read",
                advice: BookingsWord.wish.sampleLine)
        }
        var ranks: [[WantFacts]] = []
        for part in wish.parts {
            ranks.append(
                part.spots.prefix(Limits.seatBlocks).map { spot in
                    WantFacts(
                        place: spot.place,
                        window: PeriodFacts(Self.window(spot.period, item.spot.period)))
                })
        }
        let reply = try agent.ask(
            Op.WishBookings(
                tokens: [hexadecimal(token.bytes)], ranks: ranks, note: call.line.value("note")))
        let told = wish.parts.compactMap(\.spots.first).map { $0.words(today: page.today) }
        let code = call.finish(
            reply,
            [
                "Offered: \(page.reader.words(item.spot)). Wanted for it, as long as that is: "
                    + told.joined(separator: ", or ")
            ])
        call.hint("Who it fits: seatagent bookings match" + venue(agent))
        return code
    }

    /// The time in which a booking as long as the own one has to lie.
    private static func window(_ wanted: Period, _ own: Period) -> Period {
        Period(
            day: wanted.day, from: wanted.from, minutes: max(wanted.minutes, own.minutes))
            ?? wanted
    }

    private func venue(_ agent: VenueAgent) -> String {
        agent.isOneOfSeveral ? " --venue " + ShellWord.quoted(agent.venue.slug) : ""
    }

    // MARK: Matching

    func match() throws(UserError) -> ExitCode {
        guard call.operands.count == 1 else { throw BookingsWord.match.incomplete }
        let agent = try VenueAgent(call, call.line.value("venue"), booking: true).ensure().agent
        var lines: [String] = []
        var json: [JSON] = []
        for one in [agent] + (try agent.laterRunning()) {
            let answer = try one.ask(Op.BookingRings())
            json.append(answer.json.adding(["volume": .string(try one.name().volume.text)]))
            lines += try self.lines(answer.reply, one)
        }
        let code = call.finish(
            ["ledgers": .array(json)],
            lines.isEmpty ? ["no wishes of two to four people fit together yet"] : lines)
        if lines.isEmpty { call.hint("Say what you would take: seatagent help bookings") }
        return code
    }

    private func lines(
        _ known: Op.BookingRings.Reply, _ agent: VenueAgent
    ) throws(UserError) -> [String] {
        let page = try BookingPage(agent)
        let own = known.rings.filter { $0.moves.contains(where: \.from.me) }
        var lines: [String] = []
        for ring in own {
            lines.append(ring.moves.map { words($0, page) }.joined(separator: "; "))
            lines.append("  " + line(ring, agent))
        }
        let others = known.rings.count - own.count
        if others > 0 {
            lines.append(
                others == 1
                    ? "Others could exchange bookings among them."
                    : "Others could make \(others) exchanges among them.")
        }
        return lines
    }

    /// `you give Tennis 1, Sat 5 Dec 18:00-19:00 to bo #c2d9`.
    private func words(_ move: BookingMove, _ page: BookingPage) -> String {
        let what =
            page.spot(move.place, move.period, count: move.count)
            .map { $0.words(today: page.today) } ?? "a booking"
        let giver = move.from.me ? "you give" : "\(WhoText.tagged(move.from)) gives"
        return "\(giver) \(what) to \(move.to.me ? "you" : WhoText.tagged(move.to))"
    }

    /// The line that proposes it.
    private func line(_ ring: BookingRing, _ agent: VenueAgent) -> String {
        let moves = ring.moves.map { move in
            let code =
                bytes(hexadecimal: move.token).flatMap { Bytes32($0) }
                .map { BookingCode(Token($0)).text } ?? move.token
            return code + ":" + (move.to.me ? "me" : move.to.tag)
        }
        return (["seatagent", "bookings", "propose"] + moves.map { ShellWord.quoted($0) })
            .joined(separator: " ") + venue(agent)
    }
}
