// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import DeskShell
import Protocol
import Text
import Venues

/// What the people at a desk do for whoever stands in front of it.
struct DeskCounterWork {
    let call: Invocation
    let agent: VenueAgent

    init(_ call: Invocation, _ agent: VenueAgent) {
        self.call = call
        self.agent = agent
    }

    // MARK: Booking

    func book(_ words: [String]) throws(UserError) -> ExitCode {
        let parts = try parts(of: words)
        let name = call.line.value("for")
        var member: Int?
        if let word = call.line.value("member") {
            guard let number = Int(word), number > 0 else {
                throw UserError(
                    .usage, "\"\(visible(word, cells: 20))\" is no number of a member",
                    advice: "seatagent desk members")
            }
            member = number
        }
        let isTag = name?.hasPrefix("#") == true
        let mail = try call.line.value("mail").map { (text) throws(UserError) in
            try MailLookup.address(text)
        }
        var lines: [String] = []
        var made: [String] = []
        var whole: [(agent: VenueAgent, token: String)] = []
        for part in parts {
            let (spot, there) = (part.spot, part.page.agent)
            if !part.goesOn { whole = [] }
            do throws(UserError) {
                let tag = try mail.map { (address) throws(UserError) in
                    hexadecimal(try CheckCommand.tag(address, there).bytes)
                }
                let done = try there.ask(
                    Op.DeskBook(
                        place: spot.place, period: PeriodFacts(spot.period), count: spot.count,
                        member: member, who: isTag ? name : nil,
                        override: call.line.has("override") ? true : nil, tag: tag,
                        note: isTag ? nil : name)
                ).reply
                made += done.bookings
                whole += done.bookings.map { (there, $0) }
                for token in done.bookings.compactMap(Self.token) {
                    lines.append(try part.page.text.booked(spot, token))
                }
            } catch {
                // Half of what goes over the end of a ledger is of no use to anybody.
                for one in whole where part.goesOn {
                    _ = try? one.agent.ask(
                        Op.DeskClose(token: one.token, reason: .error, spent: nil))
                }
                throw error
            }
        }
        let code = call.finish(["bookings": .array(made.map(JSON.string))], lines)
        if let token = made.first.flatMap(Self.token) {
            call.hint("Its slip: seatagent desk slip \(BookingCode(token).text)")
        }
        return code
    }

    func block(_ words: [String]) throws(UserError) -> ExitCode {
        var lines: [String] = []
        var answers: [JSON] = []
        for part in try parts(of: words) {
            let (page, spot, agent) = (part.page, part.spot, part.page.agent)
            let done = try agent.ask(
                Op.DeskBlock(
                    place: spot.place, period: PeriodFacts(spot.period), count: spot.count,
                    note: call.line.value("for-note")))
            let kept = try kept(done.reply, at: spot.place, agent)
            answers.append(done.json.adding(present: ["code": kept.map { .string($0.text) }]))
            lines += blocked(done.reply, spot, kept, page)
        }
        return call.finish(["blocked": .array(answers)], lines)
    }

    /// What is kept from others is a booking of the venue's own: its code ends that.
    func kept(
        _ done: DeskDone, at place: Int, _ agent: VenueAgent
    ) throws(UserError) -> BookingCode? {
        guard let period = done.period else { return nil }
        return try Self.all(agent).last { booking in
            booking.blocked && booking.ended == nil && booking.place == place
                && booking.period == period
        }?.tokenValue.map { BookingCode($0) }
    }

    func blocked(
        _ done: DeskDone, _ spot: BookingSpot, _ kept: BookingCode?, _ page: BookingPage
    ) -> [String] {
        let words = page.reader.words(spot)
        var lines = [
            done.period == nil
                ? "Not kept: \(words); all of it is booked"
                : "Kept: \(words)" + (kept.map { ", code \($0.text)" } ?? "")
        ]
        for token in done.stay.compactMap(Self.token) {
            lines.append("  in the way, and not taken: \(BookingCode(token).text)")
        }
        return lines
    }

    // MARK: One booking

    /// The booking with a code.
    func booking(_ word: String) throws(UserError) -> (BookingFacts, Token) {
        let all = try Self.all(agent)
        let list = "seatagent desk requests"
        let token = try BookingCode.find(word, among: all.compactMap(\.tokenValue), list: list)
        guard let found = all.first(where: { $0.tokenValue == token }) else {
            throw UserError(
                .noSuchBooking, "no booking has that code", advice: list)
        }
        return (found, token)
    }

    /// Every booking of the volume.
    static func all(_ agent: VenueAgent) throws(UserError) -> [BookingFacts] {
        let volume = try agent.name().volume
        var found: [BookingFacts] = []
        var day: VenueDay? = volume.first
        while let first = day, first <= volume.last {
            let last = min(first.adding(30) ?? volume.last, volume.last)
            found += try agent.ask(
                Op.DeskBookings(first: DayNumber.text(first), last: DayNumber.text(last))
            ).reply.bookings
            day = last.adding(1)
        }
        return found
    }

    private static func token(_ text: String) -> Token? {
        bytes(hexadecimal: text).flatMap { Bytes32($0) }.map { Token($0) }
    }

    private func words(_ booking: BookingFacts) throws(UserError) -> String {
        let page = try BookingPage(agent)
        return page.spot(booking.place, booking.period, count: booking.count)
            .map { page.reader.words($0) } ?? "the booking"
    }

    func close(_ word: String) throws(UserError) -> ExitCode {
        let (booking, _) = try booking(word)
        let reason = call.line.value("reason") ?? BookingEnding.desk.rawValue
        guard let known = BookingEnding(rawValue: reason), known != .asked, known != .replaced
        else {
            throw UserError(
                .usage, "a desk ends no booking for \"\(visible(reason, cells: 20))\"",
                why: "reasons are desk, no-show, unpaid, error, stranded and early",
                advice: "seatagent desk close \(visible(word, cells: 20)) --reason error")
        }
        let done = try agent.ask(
            Op.DeskClose(
                token: booking.token, reason: known,
                spent: call.line.has("spent") ? true : nil))
        let words = try words(booking)
        return call.finish(done, ["Ended: \(words)"])
    }

    func paid(_ operands: [String]) throws(UserError) -> ExitCode {
        let (booking, token) = try booking(operands[0])
        let code = BookingCode(token)
        guard let due = booking.due, due.amount > booking.paid else {
            throw UserError(
                .alreadySo, "nothing is to be paid for \(code.text)",
                advice: "seatagent desk slip \(code.text)")
        }
        let open = due.amount - booking.paid
        let amount =
            operands.count > 1
            ? try DeskWords.amount(operands[1], due.currency, code: code) : open
        guard 1...open ~= amount else {
            throw UserError(
                .usage,
                "\(MoneyText.words(open, due.currency)) is to be paid for \(code.text), and not "
                    + MoneyText.words(amount, due.currency),
                why: "the ledger keeps for good what is noted",
                advice: "seatagent desk paid \(code.text)")
        }
        let means = try PaidMeans.read(call.line.value("by") ?? PaidMeans.cash.word)
        let done = try agent.ask(
            Op.DeskPaid(token: booking.token, amount: amount, means: means.rawValue))
        let left = open - amount
        let words = MoneyText.words(amount, due.currency)
        return call.finish(
            done,
            [
                "Paid: \(words) for \(code.text)"
                    + (left > 0 ? ", \(MoneyText.words(left, due.currency)) left" : "")
            ])
    }

    func visit(_ word: String, _ visit: VisitWord) throws(UserError) -> ExitCode {
        let (booking, token) = try booking(word)
        let done = try agent.ask(Op.DeskVisit(token: booking.token, visit: visit))
        let what =
            switch visit {
            case .arrived: "Arrived"
            case .handedOut: "Handed out"
            case .returned: "Returned"
            }
        let words = try words(booking)
        return call.finish(done, ["\(what): \(BookingCode(token).text), \(words)"])
    }

    func late(_ operands: [String]) throws(UserError) -> ExitCode {
        let (booking, token) = try booking(operands[0])
        let minutes = try DeskWords.late(Array(operands.dropFirst()))
        let done = try agent.ask(Op.DeskLate(token: booking.token, minutes: minutes))
        let kept = try kept(done.reply, at: booking.place, agent)
        let what = keptWords(booking, done.reply)
        var lines = [
            "Late: \(BookingCode(token).text)"
                + (kept == nil ? ", and nothing is left to keep" : ", kept: \(what)")
        ]
        for token in done.reply.stay.compactMap(Self.token) {
            lines.append("  in the way, and not taken: \(BookingCode(token).text)")
        }
        lines += try keepOn(booking, for: minutes)
        let code = call.finish(
            done.json.adding(present: ["code": kept.map { .string($0.text) }]), lines)
        if let kept { call.hint("When it is back: seatagent desk close \(kept.text)") }
        return code
    }

    /// `Piraat, Sat 6 Dec`: what is kept of a place.
    private func keptWords(_ booking: BookingFacts, _ done: DeskDone) -> String {
        guard let page = try? BookingPage(agent),
            let spot = page.spot(booking.place, done.period, count: booking.count)
        else { return "until it is back" }
        return page.reader.words(spot)
    }
}
