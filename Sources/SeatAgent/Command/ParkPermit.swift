// SPDX-License-Identifier: Apache-2.0
import Bookings
import CivilTime
import ControlAPI
import Parking
import Protocol
import System
import Text
import Venues

/// Asks the desk of a building for a bay for a parked car. The desk alone learns plate and suite,
/// in a form; the bay is a booking like any other, of a key and not of a car.
struct ParkPermit {
    private let call: Invocation
    private let record: ParkingRecord

    init(_ call: Invocation, _ record: ParkingRecord) {
        self.call = call
        self.record = record
    }

    private var again: String { "seatagent park permit \(record.number)" }

    /// The venue whose desk gives out bays of the building; `nil` if the user knows none.
    func venue() throws(UserError) -> KnownVenue? {
        try KnownVenues.read(call.place).venues(with: .granted).first { known in
            known.signed?.venue.building == record.building
        }
    }

    // MARK: Commands

    /// Asks for the permit of a car that was just saved, unless nobody is there to be asked: the
    /// car is saved in any case, and errors say so. Returns the record with what it got, what to
    /// say about that, and why nothing was asked.
    func added() throws(UserError) -> (record: ParkingRecord, lines: [String], error: UserError?) {
        guard !call.line.has("no-permit") else { return (record, [], nil) }
        do throws(UserError) {
            guard let known = try venue() else { return (record, [], nil) }
            let (kept, line) = try ask(known)
            return (kept, [line], nil)
        } catch {
            var error = error
            guard error.code == .deskAway || error.code == .nothingFound else {
                let saved = "the car is saved, as record \(record.number)"
                error.why = [saved, error.why].compactMap(\.self).joined(separator: "; ")
                throw error
            }
            call.note([error.what, error.why].compactMap(\.self).joined(separator: ": "))
            if let advice = error.advice { call.hint("  try: \(advice)") }
            return (record, [], error)
        }
    }

    /// `seatagent park permit 1`. Throws `no-such-venue` where no venue of the building is known,
    /// and whatever keeps the car from a bay.
    func run() throws(UserError) -> ExitCode {
        guard let known = try venue() else {
            throw UserError(
                .noSuchVenue, "you know no venue with the code \(record.building)",
                why: "the operator of one hands out its file, or a sign with a code",
                advice: "seatagent help venue")
        }
        let (kept, line) = try ask(known)
        return call.finish(kept.json, [line])
    }

    /// Asks the desk of `known`; the record with the bay that it gave, and that in words. Throws
    /// `desk-away` if there is none on this network, `full`, `quota` and others as `book` does, and
    /// `declined` if the desk does not admit the driver.
    private func ask(_ known: KnownVenue) throws(UserError) -> (ParkingRecord, String) {
        let start = try VenueAgent(call, known)
        // What cannot be had at any time starts no agent.
        _ = try minutes(start.venue, at: SystemClock.utc())
        call.hint("Asking the desk of \(Self.name(start.venue)) for a bay.")
        let agent = try DeskArrival(call, start).agent()
        let page = try BookingPage(agent)
        try checkDesk(page)
        try checkPermit(agent, page)
        try confirm(try spot(page), page)
        try admit(agent)
        // That took a moment, and what has begun is not given out.
        let next = try BookingPage(agent)
        let (token, line) = try book(try spot(next), next)
        let kept = try ParkingBook.change(call.place) { (book) throws(UserError) in
            var record = try book.find(self.record.number)
            record.permit = token
            book.put(record)
            return record
        }
        return (kept, line)
    }

    private static func name(_ venue: Venue) -> String { visible(venue.name, cells: 40) }

    // MARK: Before

    /// How long the bay is needed. Throws `expired`, and `nothing-found` if the building gives no
    /// bay out for such a time.
    private func minutes(_ venue: Venue, at now: UTCTime) throws(UserError) -> Int {
        guard record.ends > now else {
            throw UserError(
                .expired, "the time of record \(record.number) is over",
                why: "a permit is for the time that is left",
                advice: "seatagent park add \(record.building) --plate \(record.plate) --suite "
                    + "\(record.suite) --hours \(record.hours)h")
        }
        let found = BayChoice.minutes(of: venue, hours: record.hours, until: record.ends, at: now)
        guard let found else {
            throw UserError(
                .nothingFound, "\(Self.name(venue)) gives out no bay for \(record.hours) h",
                why: "no permit was asked for",
                advice: "seatagent venue show \(ShellWord.quoted(venue.slug))")
        }
        return found
    }

    /// Throws `desk-away` for a desk that does not answer now: nothing is sent then.
    private func checkDesk(_ page: BookingPage) throws(UserError) {
        let name = Self.name(page.agent.venue)
        if page.facts.desk?.me == true {
            let spot = try self.spot(page)
            let words = page.reader.line(spot).split(separator: " ").dropFirst(2)
            throw UserError(
                .notAllowedNow, "this computer is the desk of \(name)",
                why: "a desk sends itself no form; no permit was asked for",
                advice: "seatagent desk book " + words.joined(separator: " "))
        }
        guard page.sight != .here else { return }
        let why =
            page.facts.desk == nil
            ? "no desk of it was met on this network"
            : DeskStateText.silence(page.sight, page.offered.clock, at: page.now)
        throw UserError(
            .deskAway, "\(name) was not asked for a permit", why: why, advice: again)
    }

    /// Throws `already-so` if the car has a bay.
    private func checkPermit(_ agent: VenueAgent, _ page: BookingPage) throws(UserError) {
        guard let token = record.permit else { return }
        let own = try agent.ask(Op.Bookings()).reply.bookings.first { booking in
            booking.tokenValue == token && booking.ended == nil && booking.holder.me
        }
        guard let own, let spot = page.spot(own.place, own.period, count: own.count),
            page.offered.clock.span(spot.period).end > page.now
        else { return }
        throw UserError(
            .alreadySo, "record \(record.number) has a permit",
            why: "\(page.reader.words(spot)), code \(BookingCode(token).text)",
            advice: "seatagent bookings")
    }

    /// The bay from now on. Throws what `book` throws for what is not offered.
    private func spot(_ page: BookingPage) throws(UserError) -> BookingSpot {
        let minutes = try minutes(page.agent.venue, at: page.now)
        let choice = BayChoice(page.offered, at: page.now)
        guard let spot = choice.spot(minutes: minutes, isFree: { page.room.free($0.id, $1) > 0 })
        else {
            throw UserError(
                .failed, "this computer's clock shows a time that nobody means", advice: "date")
        }
        if let fault = BookingRefusal(page.reader, spot, near: page.near(spot)).fault {
            throw fault
        }
        try page.refuseOtherVolumes([spot])
        return spot
    }

    /// What costs money is asked for with a yes only.
    private func confirm(_ spot: BookingSpot, _ page: BookingPage) throws(UserError) {
        let due = page.agent.venue.due(
            spot.period, count: 1, memberClass: page.facts.memberClass)
        if due != nil, !call.line.has("yes") {
            let sentence = try page.text.question(
                spot, due: due, quotas: page.quotas(of: page.agent.venue.place(spot.place)),
                at: page.now)
            let isWanted = call.mayAsk && call.confirm(sentence + " Ask for it?")
            guard isWanted else {
                throw UserError(
                    .notConfirmed, "no permit was asked for: it is not free", why: sentence,
                    advice: again + " --yes")
            }
        }
        _ = try Confirmation.ask(call, again: again)
    }

    // MARK: The form

    /// Tells the desk alone which car it is, and waits until it says yes.
    private func admit(_ agent: VenueAgent) throws(UserError) {
        let name = Self.name(agent.venue)
        call.hint("Plate and suite go to the desk of \(name) alone, sealed.")
        let client = try ControlClient(
            agent.place.socket, deadline: call.deadline(standard: AskWait.patience))
        _ = try client.ask(Op.Watch(events: [Word(.booking)]))
        let answers = PermitAnswers(plate: record.plate, suite: record.suite)
        var form = try client.ask(
            Op.SendForm(
                kind: .permit,
                fields: answers.fields.map { Op.SendForm.Field(number: $0.number, text: $0.text) })
        ).reply
        do throws(UserError) {
            while true {
                let forms = try client.ask(Op.Forms()).reply.forms
                form = forms.first { $0.id == form.id } ?? form
                if form.state.known == .admitted { return }
                if form.state.known == .refused || form.state.known == .unknown { break }
                guard try client.nextEvent() != nil else { break }
            }
        } catch {
            guard error.code == .timeout else { throw error }
        }
        switch form.state {
        case .known(.refused), .known(.unknown):
            throw UserError(
                .declined, "the desk of \(name) gives no permit",
                why: visible(form.text, cells: 200),
                advice: "seatagent venue show \(ShellWord.quoted(agent.venue.slug))")
        case .known(.kept):
            throw UserError(
                .timeout, "the permit waits for the people at the desk of \(name)",
                why: "they look at your card there; ask again after it", advice: again)
        case .known(.waiting), .known(.admitted), .other:
            throw UserError(
                .deskAway, "the permit waits for the desk of \(name)",
                why: "it has not answered; no bay is booked yet", advice: again)
        }
    }

    // MARK: The bay

    /// What begins in a minute is of no use to anybody later, so the request ends then.
    private func book(
        _ spot: BookingSpot, _ page: BookingPage
    ) throws(UserError) -> (Token, String) {
        let wait = try AskWait(call, page.agent)
        let asked = try wait.ask(
            Op.Book(
                place: spot.place, period: PeriodFacts(spot.period),
                until: Stamp(page.offered.clock.span(spot.period).begin)))
        let outcome = try wait.follow([asked]).first ?? asked
        try BookingSync(call, page.agent).sync()
        if let token = outcome.booked {
            if page.offered.clock.span(spot.period).end < record.ends {
                call.hint("The bay is yours until midnight: another ledger begins then.")
                call.hint("Ask for the rest of the time after it: \(again)")
            }
            return (token, try page.text.booked(spot, token))
        }
        switch outcome.state {
        case .known(.done), .known(.waiting), .known(.asked):
            throw UserError(
                .timeout, "the desk of \(Self.name(page.agent.venue)) has not answered",
                why: "no bay is booked yet", advice: again)
        case .known(.refused), .known(.over), .other:
            let reason = outcome.reason.flatMap { DeskReason(rawValue: $0) }
            throw try refusal(
                reason ?? (outcome.state.known == .over ? .expired : .refused), spot, page.agent)
        }
    }

    /// Why the desk gives no bay. Visitors of one suite are one person to it.
    private func refusal(
        _ reason: DeskReason, _ spot: BookingSpot, _ agent: VenueAgent
    ) throws(UserError) -> UserError {
        let page = try BookingPage.after(reason, to: spot, agent)
        var error = BookingRefusal(
            page.reader, spot, near: page.near(spot, after: reason),
            quotas: page.quotas(of: agent.venue.place(spot.place))
        ).error(reason)
        if reason == .quota, agent.venue.rules.member == .suite {
            let shared = "all visitors of suite \(record.suite) count together"
            error.why = [shared, error.why].compactMap(\.self).joined(separator: "; ")
        }
        return error
    }
}
