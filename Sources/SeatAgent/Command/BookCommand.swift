// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
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
        let pages = BookPages(call, agent)
        let page = try pages.page(of: wish.parts[0].spots[0].period.day)
        let chosen = wish.choices { page.room.free($0.place, $0.period) >= $0.count }
        var shares: [BookShare] = []
        for spot in try weekly(chosen, page) { shares += try pages.shares(of: spot) }
        // Of what is booked for weeks, those that cannot be had are listed in the end.
        for share in isWeekly ? Array(shares.prefix(1)) : shares {
            let page = share.page
            try page.refuseOtherVolumes([share.spot])
            let refusal = BookingRefusal(page.reader, share.spot, near: page.near(share.spot))
            if let fault = refusal.fault { throw fault }
        }
        let joining = LaterJoining(call, agent, first)
        for share in shares { try joining.check(share.page) }
        guard try isWanted(shares, memberClass: first.facts.memberClass) else { return .failed }
        for share in shares { try joining.join(share.page) }
        return try BookAsking(call, shares, isWeekly: isWeekly).run()
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
        let last = try page.agent.lastDay()
        let now = all.filter { $0.period.day <= last }
        if now.count < all.count, !now.isEmpty {
            call.hint(
                "Asked for \(now.count) of \(weeks): the others are in a ledger that begins later, "
                    + "after \(DateWords.text(last, today: page.today)).")
        }
        return now.isEmpty ? [spot] : now
    }

    // MARK: Before

    /// Whether the user says yes to what it comes to. Without a terminal `--yes` has to be given.
    private func isWanted(
        _ shares: [BookShare], memberClass: Int?
    ) throws(UserError) -> Bool {
        var lines: [String] = []
        for share in shares {
            let (page, spot) = (share.page, share.spot)
            let due = page.agent.venue.due(
                spot.period, count: spot.count, memberClass: page.facts.memberClass ?? memberClass)
            lines.append(
                try page.text.question(
                    spot, due: due, quotas: page.quotas(of: page.agent.venue.place(spot.place)),
                    at: page.now))
        }
        if let share = shares.first(where: { $0.isPart }) {
            lines.append(
                "That is in two ledgers, so it is two bookings: they are asked for together, and "
                    + "one is given back if \(visible(share.page.agent.venue.name, cells: 40)) "
                    + "refuses the other.")
        }
        let again = shares[0].page.reader.line(shares[0].whole) + " --yes"
        if !call.line.has("yes") {
            guard call.mayAsk else {
                throw UserError(
                    .usage, "nothing is booked without a yes", why: lines.first, advice: again)
            }
            for line in lines { call.say(line) }
            guard call.confirm(shares.count == 1 ? "Book it?" : "Book them?") else {
                call.hint("Nothing was asked.")
                return false
            }
        }
        _ = try Confirmation.ask(call, again: again)
        return true
    }
}
