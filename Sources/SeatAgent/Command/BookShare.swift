// SPDX-License-Identifier: Apache-2.0
import Bookings
import Protocol
import Text

/// What is booked in one ledger: all of a booking, or the part of one that goes over the end of a
/// ledger.
struct BookShare {
    /// The page of its ledger.
    let page: BookingPage
    let spot: BookingSpot
    /// The booking that it is a part of; the same as `spot` for all of one.
    let whole: BookingSpot

    /// Whether the rest of it is in another ledger.
    var isPart: Bool { spot != whole }
}

/// The pages of the ledgers of one line, each with its agent.
final class BookPages {
    private let call: Invocation
    private let agent: VenueAgent
    private var known: [(volume: Volume, page: BookingPage)] = []

    init(_ call: Invocation, _ agent: VenueAgent) {
        self.call = call
        self.agent = agent
    }

    /// The page from a day on, of the ledger that the day is in; its agent is started if none runs.
    func page(of day: VenueDay) throws(UserError) -> BookingPage {
        let meant = try agent.of(day)
        let volume = try meant.name().volume
        let found = known.first { $0.volume == volume && $0.page.knows(day) }
        if let found { return found.page }
        var page = try BookingPage(agent, from: day)
        if meant.later != nil {
            let later = try DeskArrival(call, meant).agent()
            page = try BookingPage(later, from: day)
            if try LaterJoining(call, agent).join(page) {
                page = try BookingPage(later, from: day)
            }
        }
        known.append((volume, page))
        return page
    }

    /// The parts of a booking, one for each ledger.
    func shares(of spot: BookingSpot) throws(UserError) -> [BookShare] {
        var shares: [BookShare] = []
        var rest = spot
        while true {
            let page = try page(of: rest.period.day)
            let last = try page.agent.name().volume.last
            let border = (last.number + 1) * Limits.minutesOfDay
            guard rest.period.end > border + Limits.pastMidnight, let next = last.adding(1),
                try page.agent.lastDay() > last,
                let first = Period(
                    day: rest.period.day, from: rest.period.from,
                    minutes: border - rest.period.start),
                let second = Period(day: next, from: 0, minutes: rest.period.end - border)
            else {
                shares.append(BookShare(page: page, spot: rest, whole: spot))
                return shares
            }
            shares.append(BookShare(page: page, spot: rest.at(first), whole: spot))
            rest = rest.at(second)
        }
    }
}
