// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol
import Text

/// Bookings at a venue with a desk, as its members and guests see them.
extension ControlDesk {
    /// Days of one answer.
    private static let mostDays = 31

    private var scribe: BookingScribe { BookingScribe(host.node) }

    func days(_ asked: Op.Days) throws(UserError) -> Work<BookFacts> {
        guard host.node.venueView != nil else { throw noVenue }
        return .done(facts(of: try self.days(asked.first, asked.last)))
    }

    /// What is booked on these days, of everybody, and what the user has used on the first one.
    func facts(of days: ClosedRange<Int>) -> BookFacts {
        let (view, scribe) = (host.node.bookView, scribe)
        let member = view.member(of: host.node.me)
        var found: [BookView.Booking] = []
        var known: Set<Token> = []
        for number in days {
            guard let day = VenueDay(number: number) else { continue }
            for booking in view.bookings(on: day) where known.insert(booking.token).inserted {
                found.append(booking)
            }
        }
        let quotas = VenueDay(number: days.lowerBound).map { scribe.quotas(on: $0) } ?? []
        return BookFacts(
            desk: scribe.desk, member: member?.number, memberClass: member?.class,
            bookings: found.map(scribe.booking), asks: scribe.ownAsks, quotas: quotas)
    }

    func bookings(_ asked: Op.Bookings) throws(UserError) -> Work<Op.Bookings.Reply> {
        guard host.node.venueView != nil else { throw noVenue }
        let (view, scribe) = (host.node.bookView, scribe)
        let tag = try asked.tag.map { (text) throws(UserError) in try self.tag(text) }
        let found = tag.map { view.bookings(tagged: $0) } ?? view.bookings(of: host.node.me)
        return .done(
            Op.Bookings.Reply(
                desk: scribe.desk, bookings: found.map(scribe.booking), asks: scribe.ownAsks))
    }

    /// The numbers of the days from one to another. Throws `bad-request`.
    func days(_ first: String, _ last: String?) throws(UserError) -> ClosedRange<Int> {
        guard let begin = DayNumber.day(first), let end = DayNumber.day(last ?? first),
            begin.number <= end.number, end.number - begin.number < Self.mostDays
        else {
            throw UserError(
                .badRequest, "days are written 2026-12-05, at most \(Self.mostDays) of them")
        }
        return begin.number...end.number
    }

    // MARK: Asking

    func book(_ asked: Op.Book) throws(UserError) -> Work<AskOutcome> {
        let period = try period(asked.period)
        let tag = try asked.tag.map { (text) throws(UserError) in try self.tag(text) }
        return try ask(
            .book(
                place: asked.place, period: period, count: asked.count ?? 1,
                waits: asked.waits ?? false, tag: tag, note: asked.note ?? ""),
            until: asked.until?.time)
    }

    func giveBack(_ asked: Op.GiveBack) throws(UserError) -> Work<AskOutcome> {
        let booking = try own(asked.token)
        let to = try asked.to.map { (word) throws(UserError) in
            try passenger(word, "bookings give").key
        }
        return try ask(.giveBack(booking.slot, to: to), until: nil)
    }

    func moveBooking(_ asked: Op.MoveBooking) throws(UserError) -> Work<AskOutcome> {
        let booking = try own(asked.token)
        return try ask(
            .move(booking.slot, place: asked.place, period: try period(asked.period)), until: nil)
    }

    func withdrawAsk(_ asked: Op.WithdrawAsk) throws(UserError) -> Work<Done> {
        guard host.node.venueView != nil else { throw noVenue }
        return .perform(.booking(.withdraw(try id(asked.ask)))) { _, _ in Done() }
    }

    func asked(_ asked: Op.Asked) throws(UserError) -> Work<AskOutcome> {
        guard host.node.venueView != nil else { throw noVenue }
        return .done(scribe.outcome(try id(asked.ask), host.askEndings))
    }

    /// An ask stands until then, or until the volume is over: who waits for a desk that is away
    /// waits for days.
    private func ask(
        _ wish: BookingAsk.Wish, until: UTCTime?
    ) throws(UserError) -> Work<AskOutcome> {
        guard let venue = host.node.venueView else { throw noVenue }
        let end = until ?? Self.end(of: venue.name.volume)
        return .perform(.booking(.ask(wish, until: end))) { reply, desk in
            guard case .asked(let id) = reply else { return nil }
            return BookingScribe(desk.host.node).outcome(id, desk.host.askEndings)
        }
    }

    /// A day after the last one, anywhere on earth.
    private static func end(of volume: Volume) -> UTCTime {
        UTCTime(seconds: 946_684_800 + Int64(volume.last.number + 2) * 86_400)
    }

    // MARK: Forms

    func sendForm(_ asked: Op.SendForm) throws(UserError) -> Work<FormFacts> {
        guard host.node.venueView != nil else { throw noVenue }
        guard let kind = asked.kind.known,
            let form = VenueForm(
                kind.kind, asked.fields.map { VenueForm.Field(number: $0.number, text: $0.text) })
        else {
            throw UserError(
                .badRequest, "the form cannot be sent",
                why: "it has at most \(Limits.formFields) answers of \(Limits.formText) bytes, "
                    + "each to another question")
        }
        return .perform(.booking(.form(form))) { reply, desk in
            guard case .form(let record) = reply else { return nil }
            return BookingScribe(desk.host.node).form(record)
        }
    }

    func forms() throws(UserError) -> Work<Op.Forms.Reply> {
        let node = host.node
        guard node.venueView != nil else { throw noVenue }
        let member = node.bookView.member(of: node.me)
        let own = node.forms.filter { $0.key.peer == node.me }
        return .done(
            Op.Forms.Reply(
                forms: own.compactMap(scribe.form), member: member?.number,
                memberClass: member?.class))
    }

    // MARK: Reading requests

    /// The booking of the user's that is meant. Throws `no-such-booking` and `not-yours`.
    private func own(_ text: String) throws(UserError) -> BookView.Booking {
        let booking = try booking(text)
        guard booking.holder == host.node.me else {
            throw UserError(
                .notYours, "that booking is not yours", advice: "seatagent bookings")
        }
        return booking
    }

    /// The booking of a token. Throws `no-such-booking`.
    func booking(_ text: String) throws(UserError) -> BookView.Booking {
        guard host.node.venueView != nil else { throw noVenue }
        guard let booking = host.node.bookView.booking(Token(try id(text))) else {
            throw UserError(
                .noSuchBooking, "there is no such booking", why: "no ledger that counts has it",
                advice: "seatagent bookings")
        }
        return booking
    }

    func period(_ facts: PeriodFacts) throws(UserError) -> Period {
        guard let period = facts.period else {
            throw UserError(.badRequest, "that is no period", why: "a day is written 2026-12-05")
        }
        return period
    }

    func id(_ text: String) throws(UserError) -> Bytes32 {
        guard let id = bytes(hexadecimal: text).flatMap({ Bytes32($0) }) else {
            throw UserError(.badRequest, "an id is 64 hexadecimal digits")
        }
        return id
    }
}
