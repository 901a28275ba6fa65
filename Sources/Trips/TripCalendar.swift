// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol

/// The calendar events of a trip: the flight, and the moment at which its seats open. A pure value.
struct TripCalendar: Hashable, Sendable {
    private let trip: Trip
    private let times: TripTimes

    init(_ trip: Trip, _ times: TripTimes) {
        self.trip = trip
        self.times = times
    }

    /// The events with `uid`, which belongs to this trip. The second is separate because some
    /// calendars ignore reminders in a file; if its time is no longer known, it is cancelled.
    func events(uid: String) -> [CalendarEvent] {
        guard let span else { return [] }
        var flight = CalendarEvent(
            uid: "\(uid)@seatagent.invalid", span: span, summary: summary,
            description: lines.joined(separator: "\n"), location: place)
        guard let opens = times.opens else {
            guard let before = trip.calendar?.opens else { return [flight] }
            return [flight, calledOff(before, uid: uid)]
        }
        flight.alarms = [CalendarEvent.Alarm(before: times.opening.lead, text: "\(seatsOpen) now")]
        return [flight, opening(at: opens, uid: uid)]
    }

    private func calledOff(_ before: UTCTime, uid: String) -> CalendarEvent {
        CalendarEvent(
            uid: openingUID(uid), span: .moments(before, UTCTime(seconds: before.seconds + 900)),
            summary: "\(seatsOpen): \(route)",
            description: "When seats can be chosen is not known any more.", isCancelled: true,
            isBusy: false)
    }

    private func openingUID(_ uid: String) -> String { "\(uid)-opens@seatagent.invalid" }

    private func opening(at opens: UTCTime, uid: String) -> CalendarEvent {
        CalendarEvent(
            uid: openingUID(uid),
            span: .moments(opens, UTCTime(seconds: opens.seconds + 900)),
            summary: "\(seatsOpen): \(route)",
            description: [
                "From now on seats can be chosen: \(times.opening.words).",
                "Choose yours with the airline. Then, on a network with other passengers: "
                    + "seatagent up " + trip.flight.text,
            ].joined(separator: "\n"),
            isBusy: false, alarms: [CalendarEvent.Alarm(before: 0, text: "\(seatsOpen) now")])
    }

    /// The whole day if no time is known; `nil` for a year that calendars do not have.
    private var span: CalendarEvent.Span? {
        guard let departs = times.departs else {
            return FlightDate(trip.flight.date).map { .day($0) }
        }
        return .moments(departs, times.arrives)
    }

    // MARK: Words

    private var seatsOpen: String { "Seats open on \(trip.flight.designator)" }

    /// `DUB-STN`.
    private var route: String { trip.flight.origin + (trip.to.map { "-\($0)" } ?? "") }

    private var summary: String {
        let seats = trip.seats.map(\.text).joined(separator: ", ")
        let words = trip.seats.count == 1 ? ", seat \(seats)" : ", seats \(seats)"
        return "Flight \(trip.flight.designator) \(route)" + (seats.isEmpty ? "" : words)
    }

    private var place: String { Self.name(of: trip.flight.origin) }

    /// `Dublin Airport (DUB)`.
    private static func name(of code: String) -> String {
        Airport.named(code).map { "\($0.name) (\(code))" } ?? code
    }

    private var lines: [String] {
        var out = ["Departs \(place): \(Self.words(times.departure, trip.departs))"]
        if let to = trip.to {
            out.append("Arrives \(Self.name(of: to)): \(Self.words(times.arrival, trip.arrives))")
        }
        if !trip.seats.isEmpty {
            out.append("Seats: " + trip.seats.map(\.text).joined(separator: ", "))
        }
        if !trip.aliases.isEmpty {
            let others = trip.aliases.map(Trip.number).joined(separator: ", ")
            out.append("Others call this flight \(others).")
        }
        out.append("Seats can be chosen from \(times.opening.words).")
        if let opens = times.opens.flatMap({ AirportTime(utc: $0, airport: trip.flight.origin) }) {
            out.append("That is \(opens.text).")
        }
        return out + ["Times are as clocks show them at the airport."]
    }

    private static func words(_ stop: TripTimes.Stop, _ local: LocalMinute?) -> String {
        switch stop {
        case .known(let time): time.text
        case .unknown(.time): "time not known"
        case .unknown(.airport), .unknown(.zone):
            (local.map { "\($0.date.text) \($0.clock)" } ?? "") + ", time zone not known"
        }
    }
}
