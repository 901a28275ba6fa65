// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Profile
import Protocol
import Text

/// Brings the user's own list of bookings up to what the agent of a venue knows.
struct BookingSync {
    let call: Invocation
    let agent: VenueAgent

    init(_ call: Invocation, _ agent: VenueAgent) {
        self.call = call
        self.agent = agent
    }

    /// Notes what is new, and returns the list.
    @discardableResult
    func sync() throws(UserError) -> BookingHistory {
        let page = try BookingPage(agent)
        let told = try agent.ask(Op.Bookings()).reply
        let items =
            told.bookings.compactMap { item($0, page) }
            + told.asks.compactMap { item($0, page) }
        let volume = try agent.name().volume
        let lost = try lost(items, page.facts.desk)
        try BookingHistory.change(call.place) { list in
            for item in items { list.note(item) }
            // Of other volumes this agent knows nothing.
            for old in list.items
            where old.venue == agent.venue.slug && volume.first <= old.spot.period.day
                && old.spot.period.day <= volume.last
            {
                guard let state = Self.state(of: old, in: items, lost: lost) else { continue }
                list.mark(old.number) { $0.state = state }
            }
        }
        return try BookingHistory.read(call.place)
    }

    /// What became of one of the list that the agent does not tell of any more; `nil` for nothing
    /// new.
    private static func state(
        of old: BookingItem, in items: [BookingItem], lost: Set<Token>
    ) -> BookingItem.State? {
        switch old.state {
        // It came to nothing.
        case .asked, .waiting: items.contains { $0.ask == old.ask } ? nil : .refused
        // It is somebody else's now.
        case .booked:
            items.contains { $0.token == old.token }
                ? nil : old.token.map(lost.contains) == true ? .lost : .passedOn
        case .cancelled, .ended, .noShow, .unpaid, .early, .passedOn, .moved, .refused, .withdrawn:
            nil
        // Its page may have come to count after all.
        case .lost: items.contains { $0.token == old.token } ? .booked : nil
        }
    }

    /// Those of the list that stood in a page which does not count, so that nobody has them.
    private func lost(
        _ items: [BookingItem], _ desk: DeskSightFacts?
    ) throws(UserError) -> Set<Token> {
        guard let desk, desk.fork != nil || desk.lost > 0 || !desk.rivals.isEmpty else { return [] }
        let old = try BookingHistory.read(call.place).items.filter { item in
            item.venue == agent.venue.slug && item.state == .booked
                && !items.contains { $0.token == item.token }
        }
        var lost: Set<Token> = []
        for item in old {
            guard let token = item.token else { continue }
            let day = DayNumber.text(item.spot.period.day)
            // A day of another volume is refused.
            guard let told = try? agent.ask(Op.Days(first: day)).reply else { continue }
            if !told.bookings.contains(where: { $0.tokenValue == token }) { lost.insert(token) }
        }
        return lost
    }

    private func item(_ booking: BookingFacts, _ page: BookingPage) -> BookingItem? {
        guard let spot = page.spot(booking.place, booking.period, count: booking.count),
            let token = booking.tokenValue, !booking.blocked
        else { return nil }
        let span = page.offered.clock.span(spot.period)
        return BookingItem(
            venue: agent.venue.slug, venueName: agent.venue.name,
            ask: booking.ask.flatMap { booking.id($0) }, token: token, spot: spot,
            since: booking.seen?.time ?? page.now, begin: span.begin, end: span.end,
            state: Self.state(booking), due: booking.due?.due, paid: booking.paid)
    }

    private static func state(_ booking: BookingFacts) -> BookingItem.State {
        switch booking.ended {
        case nil: .booked
        case .known(.asked): .cancelled
        case .known(.noShow): .noShow
        case .known(.unpaid): .unpaid
        case .known(.early): .early
        case .known(.replaced): .moved
        case .known(.desk), .known(.error), .known(.stranded), .other: .ended
        }
    }

    private func item(_ ask: AskedFacts, _ page: BookingPage) -> BookingItem? {
        guard ask.kind.known == .book, let id = Self.id(ask.ask),
            let spot = page.spot(ask.place, ask.period, count: ask.count)
        else { return nil }
        let span = page.offered.clock.span(spot.period)
        let state: BookingItem.State
        switch ask.state {
        case .known(.asked): state = .asked
        case .known(.waiting): state = .waiting
        case .known(.refused), .known(.over), .known(.done), .other: state = .refused
        }
        return BookingItem(
            venue: agent.venue.slug, venueName: agent.venue.name, ask: id, spot: spot,
            since: page.now, begin: span.begin, end: span.end, state: state, place: ask.waiting)
    }

    private static func id(_ text: String) -> Bytes32? {
        bytes(hexadecimal: text).flatMap { Bytes32($0) }
    }
}
