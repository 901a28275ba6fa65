// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Glibc
import Owner
import Protocol
import System
import Text
import Venues

/// `seatagent book`: asks the desk of a venue for places, in words.
struct BookCommand {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run() throws(UserError) -> ExitCode {
        let known = try VenueAgent(call, call.line.value("venue"), booking: true)
        let agent = try DeskArrival(call, known).agent()
        let first = try BookingPage(agent)
        let wish = try first.reader.read(call.operands)
        // The page of the day that is meant: quotas are of that day, and it may be weeks ahead.
        let day = wish.parts[0].spots[0].period.day
        let page = try BookingPage(agent, from: day)
        let chosen = wish.choices { page.room.free($0.place, $0.period) >= $0.count }
        let spots = try weekly(chosen, page)
        // Of what is booked for weeks, those that cannot be had are listed in the end.
        let judged = isWeekly ? Array(spots.prefix(1)) : spots
        try page.refuseOtherVolumes(judged)
        for spot in judged {
            let refusal = BookingRefusal(page.reader, spot, near: page.near(spot))
            if let fault = refusal.fault { throw fault }
        }
        try refuseStrangers(page)
        guard try isWanted(spots, page) else { return .failed }
        return try ask(spots, page)
    }

    private var isWeekly: Bool { call.line.value("weekly") != nil }

    /// The same in as many weeks as were asked for.
    private func weekly(
        _ spots: [BookingSpot], _ page: BookingPage
    ) throws(UserError) -> [BookingSpot] {
        guard let weeks = try call.number("weekly") else { return spots }
        guard 2...12 ~= weeks, let spot = spots.first, spots.count == 1 else {
            throw UserError(
                .usage, "--weekly takes one place, for 2 to 12 weeks",
                advice: "seatagent book tennis sat 18:00 --weekly 4")
        }
        let all = (0..<weeks).compactMap { week in
            spot.period.day.adding(7 * week).flatMap { day in
                Period(day: day, from: spot.period.from, minutes: spot.period.minutes)
            }.map { spot.at($0) }
        }
        let last = try page.agent.name().volume.last
        let now = all.filter { $0.period.day <= last }
        if now.count < all.count, !now.isEmpty {
            call.hint(
                "Asked for \(now.count) of \(weeks): the others are in a later ledger, which "
                    + "begins after \(DateWords.text(last, today: page.reader.today)).")
        }
        return now.isEmpty ? [spot] : now
    }

    // MARK: Before

    /// Who has to join first is told so before they ask.
    private func refuseStrangers(_ page: BookingPage) throws(UserError) {
        guard page.agent.venue.rules.join != .open, page.facts.desk != nil,
            page.facts.member == nil
        else { return }
        throw UserError(
            .notJoined, "you have not joined \(visible(page.agent.venue.name, cells: 40))",
            why: "it books for members only",
            advice: "seatagent venue join \(ShellWord.quoted(page.agent.venue.slug))")
    }

    /// Whether the user says yes to what it comes to. Without a terminal `--yes` has to be given.
    private func isWanted(_ spots: [BookingSpot], _ page: BookingPage) throws(UserError) -> Bool {
        let text = try page.text
        let lines = spots.map { spot in
            text.question(
                spot,
                due: page.agent.venue.due(
                    spot.period, count: spot.count, memberClass: page.facts.memberClass),
                quotas: page.quotas(of: page.agent.venue.place(spot.place)), at: page.now)
        }
        let again = page.reader.line(spots[0]) + " --yes"
        if !call.line.has("yes") {
            guard call.mayAsk else {
                throw UserError(
                    .usage, "nothing is booked without a yes", why: lines.first, advice: again)
            }
            for line in lines { call.say(line) }
            guard call.confirm(spots.count == 1 ? "Book it?" : "Book them?") else {
                call.hint("Nothing was asked.")
                return false
            }
        }
        _ = try Confirmation.ask(call, again: again)
        return true
    }

    // MARK: Asking

    private func ask(_ spots: [BookingSpot], _ page: BookingPage) throws(UserError) -> ExitCode {
        let tag = try tag(page.agent)
        let wait = try AskWait(call, page.agent)
        var asked: [AskOutcome] = []
        for spot in spots {
            asked.append(
                try wait.ask(
                    Op.Book(
                        place: spot.place, period: PeriodFacts(spot.period), count: spot.count,
                        waits: call.line.has("wait"), tag: tag,
                        note: call.line.value("for-note"))))
        }
        if page.sight != .here {
            let words = DeskStateText.request(page.sight, page.offered.clock, at: page.now)
            call.hint("The request is \(words).")
        }
        let outcomes = try wait.follow(asked, isHere: page.sight == .here)
        let list = try BookingSync(call, page.agent).sync()
        let text = try page.text
        var lines: [String] = []
        var failure: UserError?
        var isOpen = false
        for (spot, outcome) in zip(spots, outcomes) {
            switch outcome.state {
            case .known(.done):
                if let token = Self.token(outcome) { lines.append(text.booked(spot, token)) }
            case .known(.waiting):
                lines.append(text.waiting(spot, number: outcome.waiting ?? 0))
            case .known(.asked):
                isOpen = true
                lines.append(text.asked(spot))
            case .known(.refused), .known(.over), .other:
                let reason = outcome.reason.flatMap { DeskReason(rawValue: $0) } ?? .refused
                let after = try self.page(page.agent, after: reason, to: spot)
                let error = BookingRefusal(
                    after.reader, spot, near: after.near(spot, after: reason),
                    quotas: after.quotas(of: page.agent.venue.place(spot.place))
                ).error(reason)
                failure = failure ?? error
                if isWeekly { lines.append("Refused: \(after.reader.words(spot)): \(error.what)") }
            }
        }
        // What was booked is said, also where something else was refused.
        if let failure, !isWeekly || !outcomes.contains(where: { $0.state.known == .done }) {
            for line in lines { call.say(line) }
            throw failure
        }
        let numbers = zip(spots, outcomes).map { _, outcome -> JSON in
            let item = list.items.first { $0.ask.map { hexadecimal($0.bytes) } == outcome.ask }
            return (item?.json ?? [:]).adding(["outcome": .string(outcome.state.text)])
        }
        let code = call.finish(["bookings": .array(numbers)], lines)
        if let failure { return failure.code.exit }
        if isOpen {
            call.hint("It stays asked, also when this computer is off: seatagent bookings")
            return ErrorCode.timeout.exit
        }
        if list.items.contains(where: { item in
            item.isUnpaid && outcomes.contains { $0.ask == item.ask.map { hexadecimal($0.bytes) } }
        }) {
            call.hint("How to pay: seatagent bookings pay")
        }
        return code
    }

    /// The page after a refusal. An answer may come before the entries that it is about: what the
    /// desk says is taken is not offered as free.
    private func page(
        _ agent: VenueAgent, after reason: DeskReason, to spot: BookingSpot
    ) throws(UserError) -> BookingPage {
        let until = SystemClock.now() + .seconds(3)
        while true {
            let page = try BookingPage(agent, from: spot.period.day)
            let isTaken = page.room.free(spot.place, spot.period) < spot.count
            guard reason == .full || reason == .kept, !isTaken, SystemClock.now() < until else {
                return page
            }
            usleep(100_000)
        }
    }

    private static func token(_ outcome: AskOutcome) -> Token? {
        outcome.token.flatMap { bytes(hexadecimal: $0) }.flatMap { Bytes32($0) }.map { Token($0) }
    }

    /// What finds the booking by the user's address, unless they leave it out.
    private func tag(_ agent: VenueAgent) throws(UserError) -> String? {
        guard !call.line.has("unlisted"), let address = try OwnerDetails.read(call.place)[.mail]
        else { return nil }
        return hexadecimal(try CheckCommand.tag(address, agent).bytes)
    }
}
