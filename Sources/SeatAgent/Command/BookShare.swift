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
        let there = meant.later == nil ? agent : try DeskArrival(call, meant).agent()
        let page = try BookingPage(there, from: day)
        known.append((volume, page))
        return page
    }

    /// The parts of a booking, one for each ledger. Throws what keeps it from being had in parts.
    func shares(of spot: BookingSpot) throws(UserError) -> [BookShare] {
        let kind = try agent.name().volume.kind
        let parts = spot.period.parts(kind)
        guard !parts.isEmpty else { throw BookingPage.beyond(spot, agent) }
        var shares: [BookShare] = []
        for part in parts {
            let page = try page(of: part.day)
            shares.append(BookShare(page: page, spot: spot.at(part), whole: spot))
        }
        guard parts.count > 1, let first = shares.first else { return shares }
        for share in shares { try check(share, first.page) }
        return shares
    }

    /// A part of a booking is asked for where nothing speaks against any of them: what is granted
    /// in one ledger and refused in the other has to be given back.
    private func check(_ share: BookShare, _ first: BookingPage) throws(UserError) {
        let page = share.page
        if let fault = BookingRefusal(first.reader, share.whole).fault { throw fault }
        try page.refuseOtherVolumes([share.spot])
        let line = page.reader.line([page.agent.venue.place(share.spot.place)].compactMap(\.self))
        guard !call.line.has("wait"), !call.line.has("weekly"), page.sight == .here else {
            throw UserError(
                .notAllowedNow, "a ledger ends within that time, so two have to be asked at once",
                why: page.sight == .here
                    ? "that is done without --wait and --weekly"
                    : DeskStateText.silence(page.sight, page.offered.clock, at: page.now),
                advice: line)
        }
        guard page.room.free(share.spot.place, share.spot.period) >= share.spot.count else {
            throw BookingRefusal(page.reader, share.spot, near: page.near(share.spot)).error(.full)
        }
    }
}
