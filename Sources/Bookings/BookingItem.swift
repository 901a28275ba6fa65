// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol
package import Text
package import Trips
import Venues

/// A booking as its holder keeps it, beyond the volume of the venue.
package struct BookingItem: Hashable, Sendable {
    /// What became of it.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// The desk has not answered.
        case asked
        /// It is on the waiting list.
        case waiting
        /// It is theirs.
        case booked
        /// They cancelled it.
        case cancelled
        /// The desk ended it.
        case ended
        /// They did not come.
        case noShow = "no-show"
        /// It was not paid in time.
        case unpaid
        /// They handed it back before its time was up.
        case early
        /// It went to somebody else: as a gift or in a swap.
        case passedOn = "passed-on"
        /// The page of the ledger in which it stood does not count.
        case lost
        /// Another booking took its place.
        case moved
        /// The desk refused it, or its time was over.
        case refused
        /// They took it back before the desk answered.
        case withdrawn

        /// Whether it may still be used, or come to be.
        package var isLive: Bool {
            switch self {
            case .asked, .waiting, .booked: true
            case .cancelled, .ended, .noShow, .unpaid, .early, .passedOn, .lost, .moved, .refused,
                .withdrawn:
                false
            }
        }
    }

    /// Its number in the list, which no other one ever gets.
    package internal(set) var number: Int
    /// The venue's own name, and what people call it.
    package let venue: String
    package let venueName: String
    /// The id of the ask; `nil` for one that the desk made.
    package var ask: Bytes32?
    /// The booking; `nil` as long as nothing is booked.
    package var token: Token?
    /// What it is.
    package var spot: BookingSpot
    /// When it was asked for, or booked by the desk.
    package let since: UTCTime
    /// When it begins and ends.
    package var begin: UTCTime
    package var end: UTCTime
    /// What became of it.
    package var state: State
    /// Why the desk refused it.
    package var reason: DeskReason?
    /// The place on the waiting list, if it is on it.
    package var place: Int?
    /// What is to be paid; `nil` for nothing.
    package var due: Grant.Due?
    /// What was paid of it, in the same currency.
    package var paid: Int
    /// What was last written to a calendar file; `nil` for nothing.
    package var calendar: Trip.CalendarMark?

    /// A booking that has no number yet.
    package init(
        venue: String, venueName: String, ask: Bytes32? = nil, token: Token? = nil,
        spot: BookingSpot, since: UTCTime, begin: UTCTime, end: UTCTime, state: State,
        place: Int? = nil, due: Grant.Due? = nil, paid: Int = 0
    ) {
        number = 0
        self.venue = venue
        self.venueName = venueName
        self.ask = ask
        self.token = token
        self.spot = spot
        self.since = since
        self.begin = begin
        self.end = end
        self.state = state
        self.place = place
        self.due = due
        self.paid = paid
    }

    /// What people call it at the counter; `nil` as long as nothing is booked.
    package var code: BookingCode? { token.map { BookingCode($0) } }

    /// Whether something is still to be paid.
    package var isUnpaid: Bool { state == .booked && paid < due?.amount ?? 0 }

    /// Whether both tell of one booking.
    func isSame(as other: BookingItem) -> Bool {
        venue == other.venue
            && (token != nil && token == other.token || ask != nil && ask == other.ask)
    }
}

// MARK: The file

extension BookingItem {
    private static let keys = [
        "number", "venue", "venue_name", "ask", "token", "id", "name", "times", "day", "from",
        "minutes", "count", "since", "begin", "end", "state", "reason", "place", "currency",
        "amount", "paid", "calendar",
    ]
    /// Numbers of bookings, as many as a calendar's sequence.
    private static let numbers = 1...Int(Int32.max)

    /// As it is stored.
    var stored: JSON { facts.adding(present: ["calendar": calendar?.json]) }

    /// As scripts read it: `id` and `name` are the place's, `day` and `from` by the clocks of the
    /// venue, and `code` is what is said at the counter.
    package var json: JSON { facts.adding(present: ["code": code.map { .string($0.text) }]) }

    private var facts: JSON {
        .object(present: [
            "number": .int(number), "venue": .string(venue), "venue_name": .string(venueName),
            "ask": ask.map { .string(hexadecimal($0.bytes)) },
            "token": token.map { .string(hexadecimal($0.bytes)) }, "id": .int(spot.place),
            "name": .string(spot.name), "times": .bool(spot.hasTimes),
            "day": FlightDate(spot.period.day).map { .string($0.text) },
            "from": .int(spot.period.from), "minutes": .int(spot.period.minutes),
            "count": .int(spot.count), "since": .string(RFC3339.text(since)),
            "begin": .string(RFC3339.text(begin)), "end": .string(RFC3339.text(end)),
            "state": .string(state.rawValue), "reason": reason.map { .int($0.rawValue) },
            "place": place.map(JSON.int),
            "currency": due.map { .string($0.currency) }, "amount": due.map { .int($0.amount) },
            "paid": paid == 0 ? nil : .int(paid),
        ])
    }

    /// Reads one of the file. Throws for the first fault.
    init(_ item: JSON, at place: String) throws(FormFault) {
        let form = try FormReader(item, Self.keys, at: place)
        func time(_ key: String) throws(FormFault) -> UTCTime {
            guard let time = RFC3339.parse(try form.text(key, bytes: 40)) else {
                throw form.fault(key, "a date as 2026-12-05T09:12:00Z is wanted")
            }
            return time
        }
        func id(_ key: String) throws(FormFault) -> Bytes32? {
            guard let text = try form.optionalText(key, bytes: 64) else { return nil }
            guard let id = bytes(hexadecimal: text).flatMap({ Bytes32($0) }) else {
                throw form.fault(key, "64 hexadecimal digits are wanted")
            }
            return id
        }
        let calendar = form["calendar"].map { Trip.CalendarMark(json: $0) }
        guard calendar != .some(nil) else {
            throw form.fault("calendar", "it is not what was last written")
        }
        self.init(
            venue: try form.text("venue", bytes: Limits.slug),
            venueName: try form.text("venue_name", bytes: 200), ask: try id("ask"),
            token: try id("token").map { Token($0) }, spot: try Self.spot(form),
            since: try time("since"), begin: try time("begin"), end: try time("end"),
            state: try form.word("state"),
            place: try form.optionalNumber("place", Limits.queue), due: try Self.due(form),
            paid: try form.optionalNumber("paid", 0...Limits.money) ?? 0)
        number = try form.number("number", Self.numbers)
        self.calendar = calendar ?? nil
        if let number = try form.optionalNumber("reason", 0...31) {
            // A reason of a later version is none that is known here.
            reason = DeskReason(rawValue: number)
        }
        guard token != nil || ask != nil else {
            throw form.fault("token", "either it or ask is wanted")
        }
        guard begin <= end else { throw form.fault("end", "it ends before it begins") }
    }

    private static func spot(_ form: FormReader) throws(FormFault) -> BookingSpot {
        let date = FlightDate(try form.text("day", bytes: 10))
        guard let day = date?.venueDay,
            let period = Period(
                day: day, from: try form.number("from", 0...Limits.minutesOfDay - 1),
                minutes: try form.number("minutes", Limits.periodMinutes))
        else { throw form.fault("day", "a date as 2026-12-05 is wanted") }
        return BookingSpot(
            place: try form.number("id", Limits.venuePlaces),
            name: try form.text("name", bytes: 200), hasTimes: try form.flag("times"),
            period: period, count: try form.number("count", Limits.bookingCount))
    }

    private static func due(_ form: FormReader) throws(FormFault) -> Grant.Due? {
        guard let currency = try form.optionalText("currency", bytes: 3) else {
            guard form["amount"] == nil else { throw form.fault("currency", "it is missing") }
            return nil
        }
        guard currency.utf8.count == 3, currency.utf8.allSatisfy({ 65...90 ~= $0 }) else {
            throw form.fault("currency", "three capital letters as EUR are wanted")
        }
        return Grant.Due(currency: currency, amount: try form.number("amount", 0...Limits.money))
    }
}
