// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Grammar
import Protocol
import QR
import System
import Text
import Venues

/// `seatagent bookings`: the user's own bookings; one of them; and what can be done with it.
struct BookingsCommand {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run() throws(UserError) -> ExitCode {
        let words = call.operands
        switch words.first.flatMap(BookingsWord.init) {
        case .cancel: return try cancel(try operand(.cancel))
        case .give:
            guard words.count == 3 else { throw BookingsWord.give.incomplete }
            return try give(words[1], to: words[2])
        case .pay: return try pay(words.count > 1 ? words[1] : nil)
        case .swap, .propose, .requests, .accept, .decline, .withdraw:
            return try BookingSwapCommand(call).run()
        case .wish: return try BookingWishCommand(call).wish()
        case .match: return try BookingWishCommand(call).match()
        case nil: break
        }
        if let address = call.line.value("mail") { return try find(address) }
        let list = try synced()
        if let word = words.first { return show(try list.find(word)) }
        return show(list)
    }

    private func operand(_ word: BookingsWord) throws(UserError) -> String {
        guard call.operands.count == 2 else { throw word.incomplete }
        return call.operands[1]
    }

    /// The list, brought up to date with the agents of venues that run.
    private func synced() throws(UserError) -> BookingHistory { try Self.synced(call) }

    /// The same for other commands.
    static func synced(_ call: Invocation) throws(UserError) -> BookingHistory {
        for known in try KnownVenues.read(call.place).venues {
            guard known.signed?.venue.hasBookings == true else { continue }
            // What is wrong with one venue is no reason to hide the others.
            guard let agent = try? VenueAgent(call, known) else { continue }
            for one in [agent] + ((try? agent.laterAgents()) ?? []) {
                guard (try? one.status()) != nil else { continue }
                _ = try? BookingSync(call, one).sync()
            }
        }
        return try BookingHistory.read(call.place)
    }

    // MARK: Showing

    private func show(_ list: BookingHistory) -> ExitCode {
        let now = SystemClock.utc()
        let items = call.line.has("all") ? list.items : list.live(at: now)
        let code = call.finish(
            ["bookings": .array(items.map(\.json))],
            BookingList(items, today: nil).lines)
        if items.isEmpty, !list.items.isEmpty {
            call.hint("Those that are over: seatagent bookings --all")
        }
        return code
    }

    private func show(_ item: BookingItem) -> ExitCode {
        if call.line.has("share"), let page = try? page(item), let text = try? page.text {
            return call.finish(item.json, text.shared(item.spot))
        }
        var lines = BookingList([item], today: nil).lines
        if let page = try? page(item) {
            let terms = BookingTerms(page.offered)
            if item.state == .booked {
                lines.append(terms.cancelWords(item.spot.period, at: page.now))
            } else if item.state == .asked, page.sight != .here {
                lines.append(
                    DeskStateText.request(page.sight, page.offered.clock, at: page.now))
            }
            lines += page.alarms
        }
        return call.finish(item.json, lines)
    }

    /// The bookings of whoever has that address.
    private func find(_ text: String) throws(UserError) -> ExitCode {
        let address = try MailLookup.address(text)
        let (agent, _) = try VenueAgent(call, call.line.value("venue"), booking: true).ensure()
        let page = try BookingPage(agent)
        let tag = hexadecimal(try CheckCommand.tag(address, agent).bytes)
        let found = try agent.ask(Op.Bookings(tag: tag)).reply.bookings.filter { $0.ended == nil }
        guard !found.isEmpty else { throw MailLookup.none(address, agent.venue) }
        let lines = found.compactMap { booking -> String? in
            guard let spot = page.spot(booking.place, booking.period, count: booking.count),
                let token = booking.tokenValue
            else { return nil }
            return "\(spot.words(today: page.today)), code \(BookingCode(token).text)"
        }
        return call.finish(["bookings": .array(found.map { JSON($0) })], lines)
    }

    private func page(_ item: BookingItem) throws(UserError) -> BookingPage {
        let day = item.spot.period.day
        let agent = try VenueAgent(call, item.venue, booking: true).of(day)
        return try BookingPage(try agent.ensure().agent)
    }

    // MARK: Doing

    private func cancel(_ word: String) throws(UserError) -> ExitCode {
        let item = try synced().find(word)
        let page = try page(item)
        let text = try page.text
        guard let token = item.token else { return try withdraw(item, page) }
        let terms = BookingTerms(page.offered)
        let isLate = page.now >= terms.cancelUntil(item.spot.period)
        let words = page.reader.words(item.spot)
        try confirm(
            "Cancel \(words)?" + (isLate ? " It is late, so it still counts for that day." : ""),
            "seatagent bookings cancel \(item.number)")
        let wait = try AskWait(call, page.agent)
        let asked = try wait.ask(Op.GiveBack(token: hexadecimal(token.bytes)))
        let outcome = try wait.follow([asked])[0]
        let list = try BookingSync(call, page.agent).sync()
        switch outcome.state {
        case .known(.done):
            let after = list.items.first { $0.number == item.number }
            let spent = try page.agent.ask(Op.Bookings()).reply.bookings
                .first { $0.token == hexadecimal(token.bytes) }?.spent
            return call.finish(
                (after ?? item).json, [text.cancelled(item.spot, spent: spent ?? isLate)])
        case .known(.asked), .known(.waiting): return open(page)
        case .known(.refused), .known(.over), .other: throw refused(item.spot, outcome, page)
        }
    }

    private func withdraw(_ item: BookingItem, _ page: BookingPage) throws(UserError) -> ExitCode {
        guard let ask = item.ask, item.state.isLive else {
            throw UserError(
                .changed, "that booking is over", why: BookingList.state(item),
                advice: "seatagent bookings --all")
        }
        _ = try page.agent.ask(Op.WithdrawAsk(ask: hexadecimal(ask.bytes)))
        try BookingHistory.change(call.place) { list in
            list.mark(item.number) { $0.state = .withdrawn }
        }
        let list = try BookingHistory.read(call.place)
        let after = list.items.first { $0.number == item.number } ?? item
        return call.finish(
            after.json, ["Withdrawn: \(page.reader.words(item.spot)); nothing was booked"])
    }

    private func give(_ word: String, to who: String) throws(UserError) -> ExitCode {
        let item = try synced().find(word)
        let page = try page(item)
        guard let token = item.token else {
            throw UserError(
                .notAllowedNow, "nothing is booked that could be given",
                why: BookingList.state(item), advice: "seatagent bookings")
        }
        let words = page.reader.words(item.spot)
        try confirm(
            "Give \(words) to \(visible(who, cells: 40))?",
            "seatagent bookings give \(item.number) \(ShellWord.quoted(who))")
        let wait = try AskWait(call, page.agent)
        let asked = try wait.ask(Op.GiveBack(token: hexadecimal(token.bytes), to: who))
        let outcome = try wait.follow([asked])[0]
        _ = try BookingSync(call, page.agent).sync()
        switch outcome.state {
        case .known(.done):
            return call.finish(
                JSON(outcome), ["Given: \(words) is \(visible(who, cells: 40))'s now"])
        case .known(.asked), .known(.waiting): return open(page)
        case .known(.refused), .known(.over), .other: throw refused(item.spot, outcome, page)
        }
    }

    private func pay(_ word: String?) throws(UserError) -> ExitCode {
        let list = try synced()
        let unpaid = list.items.filter(\.isUnpaid)
        let item: BookingItem
        if let word {
            item = try list.find(word)
        } else if let only = unpaid.first, unpaid.count == 1 {
            item = only
        } else {
            throw UserError(
                unpaid.isEmpty ? .nothingFound : .ambiguous,
                unpaid.isEmpty ? "nothing is to be paid" : "several bookings are to be paid",
                why: unpaid.isEmpty
                    ? nil : unpaid.prefix(6).map { String($0.number) }.joined(separator: ", "),
                advice: unpaid.first.map { "seatagent bookings pay \($0.number)" }
                    ?? "seatagent bookings")
        }
        let page = try page(item)
        guard let due = item.due, item.isUnpaid, let code = item.code,
            let money = page.agent.venue.money
        else {
            throw UserError(
                .alreadySo, "nothing is to be paid for it", why: BookingList.state(item),
                advice: "seatagent bookings")
        }
        _ = try Confirmation.ask(call, again: "seatagent bookings pay \(item.number)")
        let left = Grant.Due(currency: due.currency, amount: due.amount - item.paid)
        let payment = BookingPayment(left, code, money)
        var lines = ["Due: \(left.words), code \(code.text)"]
        if let words = BookingTerms(page.offered).payWords(item.spot.period, granted: item.since) {
            lines.append(words)
        }
        lines.append("At the counter: say the code.")
        lines += [payment.link.map { "Online: " + visible($0) }, payment.payto.map { visible($0) }]
            .compactMap(\.self)
        if let transfer = payment.transfer, let code = QRCode(transfer) {
            lines += code.lines(ascii: call.ascii)
        }
        return call.finish(
            item.json.adding([
                "due": .string(left.words), "code": .string(code.text),
                "link": payment.link.map(JSON.string) ?? .null,
                "payto": payment.payto.map(JSON.string) ?? .null,
                "transfer": payment.transfer.map(JSON.string) ?? .null,
            ]), lines)
    }

    // MARK: Words

    private func confirm(_ question: String, _ line: String) throws(UserError) {
        try Self.confirm(call, question, line)
    }

    /// Asks before something binds, unless `--yes` says so, and lets `confirm.command` decide.
    static func confirm(
        _ call: Invocation, _ question: String, _ line: String
    ) throws(UserError) {
        if !call.line.has("yes") {
            guard call.mayAsk else {
                throw UserError(
                    .usage, "that is not done without a yes", why: question,
                    advice: line + " --yes")
            }
            guard call.confirm(question) else {
                throw UserError(.gaveUp, "nothing was done", advice: line)
            }
        }
        _ = try Confirmation.ask(call, again: line)
    }

    private func open(_ page: BookingPage) -> ExitCode {
        let words = DeskStateText.silence(page.sight, page.offered.clock, at: page.now)
        call.say("Asked: \(words)")
        call.hint("It stays asked, also when this computer is off: seatagent bookings")
        return ErrorCode.timeout.exit
    }

    private func refused(
        _ spot: BookingSpot, _ outcome: AskOutcome, _ page: BookingPage
    ) -> UserError {
        let reason = outcome.reason.flatMap { DeskReason(rawValue: $0) } ?? .refused
        return BookingRefusal(page.reader, spot).error(reason)
    }
}
