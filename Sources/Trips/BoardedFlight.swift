// SPDX-License-Identifier: Apache-2.0
package import Aviation
import CivilTime
package import Protocol
package import Text

/// A flight read from a pass, before it enters the passenger's list. A pure value.
package struct BoardedFlight: Hashable, Sendable {
    /// The trip for the list.
    package var trip: Trip
    /// What to tell the person, one line each.
    package var remarks: [String]

    /// Why a flight of a pass cannot enter the list.
    package enum Obstacle: Error, Hashable, Sendable {
        /// The part of the pass is blank.
        case blank
        /// The pass names no day that exists.
        case noDate
        /// Anything else, as a sentence.
        case other(String)
    }

    /// Makes the trip of a leg; `departs` is the departure, if the file of the pass has it.
    package init(_ leg: BoardingLeg, departs: UTCTime?, now: UTCTime) throws(Obstacle) {
        guard let from = leg.from, leg.to != nil else { throw .blank }
        guard let number = leg.flight else { throw .other("the pass has no flight number") }
        guard let date = leg.date else { throw .noDate }
        let reading: FlightText.Reading
        do throws(UserError) {
            reading = try FlightText.read("\(number)/\(date.text)/\(from)")
        } catch {
            throw .other(error.why ?? error.what)
        }
        trip = Trip(flight: reading.flight, added: now)
        remarks = reading.remarks
        trip.to = leg.to
        trip.compartment = leg.compartment
        trip.departs = departs.flatMap { Self.minute($0, at: from, on: date) }
        if let text = leg.seat.seat {
            if let seat = Seat(text) {
                trip.seats = [seat]
                trip.waiting = leg.isWaiting ? [seat] : []
            } else {
                remarks.append("No aeroplane has a row as far back as seat \(text).")
            }
        }
        let today = FlightDate(RFC3339.text(now).prefix(10))
        if let today, date > TripReading.lastDay(from: today) {
            throw .other("\(date.text) is more than two years ahead")
        }
        if let end = trip.end, end < now { throw .other("it was on \(date.text) and is over") }
    }

    /// What clocks at the airport show at `time`; `nil` if its zone is unknown or the day is
    /// another.
    private static func minute(
        _ time: UTCTime, at airport: String, on date: FlightDate
    ) -> LocalMinute? {
        guard let zone = Airport.named(airport)?.zone, let rules = TimeZoneRules.named(zone) else {
            return nil
        }
        let civil = rules.civil(at: time)
        guard civil >= 0, civil / 86_400 == date.days else { return nil }
        return LocalMinute(date: date, minute: Int(civil % 86_400 / 60))
    }

    /// What is shown under the flight before it is added.
    package var facts: String? {
        var facts: [String] = []
        if let departs = trip.departs { facts.append("departs at \(departs.clock), local time") }
        if let letter = trip.compartment {
            facts.append("class \(letter)" + (Self.cabin(letter).map { ", \($0) as a rule" } ?? ""))
        }
        return facts.isEmpty ? nil : facts.joined(separator: "; ")
    }

    /// The cabin that a class usually belongs to. Letters are the airline's own, so this is only a
    /// hint.
    static func cabin(_ word: String) -> String? {
        guard let letter = word.first, letter.isASCII, letter.isLetter else { return nil }
        switch (word, letter) {
        case ("FIRST", _), (_, "F"), (_, "P"), (_, "A"), (_, "R"): return "first class"
        case ("BUSINESS", _), (_, "J"), (_, "C"), (_, "D"), (_, "I"), (_, "Z"): return "business"
        case (_, "W"): return "premium economy"
        default: return "economy"
        }
    }
}

extension TripBook {
    /// The effect of adding a flight from a pass.
    package enum Boarded: Hashable, Sendable {
        /// It is new in the list.
        case added
        /// The flight was in the list; the seat is another one of the party.
        case seatAdded(Seat)
        /// Flight and seat were in the list.
        case known
    }

    /// Adds the flight, or its seat to a flight that is in the list. Throws `too-long` for a full
    /// list.
    package mutating func board(_ boarded: BoardedFlight) throws(UserError) -> Boarded {
        guard var trip = self[boarded.trip.flight] else {
            try add(boarded.trip)
            return .added
        }
        let old = trip
        trip.to = trip.to ?? boarded.trip.to
        trip.compartment = trip.compartment ?? boarded.trip.compartment
        trip.departs = trip.departs ?? boarded.trip.departs
        // An old pass read again may name a seat that somebody else has by now.
        let away = swappedAway(on: trip.flight)
        let seat = boarded.trip.seats.first { !trip.seats.contains($0) && !away.contains($0) }
        if let seat { trip.seats.append(seat) }
        // The last pass of a seat is the one that counts.
        trip.waiting.removeAll { boarded.trip.seats.contains($0) }
        trip.waiting += boarded.trip.waiting
        if trip != old { put(trip) }
        return seat.map(Boarded.seatAdded) ?? .known
    }
}
