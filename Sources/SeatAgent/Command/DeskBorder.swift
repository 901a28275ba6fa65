// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Protocol
import Text

/// What the people at a desk book or keep, as the ledgers have it: a ledger gives nothing out
/// beyond its days, so what goes on is in the next one, whose desk runs here too.
extension DeskCounterWork {
    /// All of a booking, or the part of it in one ledger.
    struct Part {
        /// The page of its ledger.
        let page: BookingPage
        let spot: BookingSpot
        /// Whether the part before it is in the ledger before.
        let goesOn: Bool
    }

    /// What `words` say. Throws `no-agent` if the desk of one of the ledgers does not run here.
    func parts(of words: [String]) throws(UserError) -> [Part] {
        let page = try BookingPage(agent)
        let wish: BookingWish
        do throws(UserError) {
            wish = try page.reader.read(words)
        } catch {
            throw Self.atDesk(error)
        }
        let first = try self.page(of: wish.parts[0].spots[0].period.day)
        var parts: [Part] = []
        for spot in wish.choices({ first.room.free($0.place, $0.period) >= $0.count }) {
            let periods = spot.period.parts(try agent.name().volume.kind)
            guard !periods.isEmpty else { throw BookingPage.beyond(spot, agent) }
            for period in periods {
                let page = first.knows(period.day) ? first : try self.page(of: period.day)
                try page.refuseOtherVolumes([spot.at(period)])
                let goesOn = period.start > spot.period.start
                parts.append(Part(page: page, spot: spot.at(period), goesOn: goesOn))
            }
        }
        return parts
    }

    /// What is typed at the desk is tried there again: without `desk`, it would be a booking of the
    /// clerk's own.
    private static func atDesk(_ error: UserError) -> UserError {
        var error = error
        if let line = error.advice, line.hasPrefix("seatagent book ") {
            error.advice = "seatagent desk " + line.dropFirst("seatagent ".count)
        }
        return error
    }

    private func page(of day: VenueDay) throws(UserError) -> BookingPage {
        try BookingPage(try agent.of(day).running().agent, from: day)
    }

    /// Keeps a late return from others in the ledgers behind this one as well, where it goes on so
    /// long. What there is to say of that.
    func keepOn(_ booking: BookingFacts, for minutes: Int) throws(UserError) -> [String] {
        let volume = try agent.name().volume
        let end = volume.minutes.upperBound
        guard let period = booking.period.period,
            let rest = OfferedPeriods.period(end, period.end + minutes - end)
        else { return [] }
        let here = try BookingPage(agent)
        var lines: [String] = []
        for part in rest.parts(volume.kind) {
            let facts = PeriodFacts(part)
            guard let spot = here.spot(booking.place, facts, count: booking.count) else { continue }
            do throws(UserError) {
                let there = try page(of: part.day)
                try there.refuseOtherVolumes([spot])
                let done = try there.agent.ask(
                    Op.DeskBlock(place: spot.place, period: facts, count: spot.count, note: nil)
                ).reply
                lines += blocked(
                    done, spot, try kept(done, at: spot.place, there.agent), there)
            } catch {
                let line = here.reader.line(spot).split(separator: " ").dropFirst(2)
                lines += [
                    "  not kept: \(here.reader.words(spot)): \(error.what)",
                    "  try: seatagent desk block " + line.joined(separator: " "),
                ]
            }
        }
        return lines
    }
}
