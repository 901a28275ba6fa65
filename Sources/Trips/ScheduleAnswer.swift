// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import Protocol
import Text

/// The answer of a schedule service about a flight. A pure value.
package enum ScheduleAnswer: Hashable, Sendable {
    /// The flight is in the schedule.
    case found(ScheduledFlight)
    /// The flight is not in the schedule. This proves nothing, because services know only some days
    /// and airlines.
    case unknown
    /// There was no usable answer, for this reason.
    case failed(String)

    /// Reads an answer about `flight`; `zones` gives the rules of a zone by its name.
    init(
        _ bytes: [UInt8], for flight: FlightName,
        zones: (String) -> TimeZoneRules? = { TimeZoneRules.named($0) }
    ) {
        guard let json = try? JSON(line: bytes) else {
            self = .failed("the service did not answer in the form that is known")
            return
        }
        guard let entries = json.list else {
            let error = visible(json["error"]?.text ?? "", cells: 80)
            let isEmpty = error.lowercased().firstPlace(of: "no record") != nil
            self = isEmpty ? .unknown : .failed("the service says: \(error.isEmpty ? "?" : error)")
            return
        }
        for entry in entries {
            if let found = ScheduledFlight(entry, for: flight, zones: zones) {
                self = .found(found)
                return
            }
        }
        self = .unknown
    }
}

/// A flight in a schedule.
package struct ScheduledFlight: Hashable, Sendable {
    /// Three-letter code of the airport of arrival.
    let to: String?
    /// Scheduled departure, local at the origin.
    let departs: LocalMinute?
    /// Scheduled arrival, local at the destination.
    let arrives: LocalMinute?
    /// The number of the airline that operates the flight, if this one only sells it: `LH440`.
    let operatedAs: String?

    /// Reads the entry if it is about `flight`.
    fileprivate init?(
        _ entry: JSON, for flight: FlightName, zones: (String) -> TimeZoneRules?
    ) {
        func code(_ part: String, _ name: String) -> String? {
            // Services write these in either case.
            entry[part]?[name]?.text?.uppercased()
        }
        // Airlines of one family write a flight differently: EC8724 is U2 8724.
        let number = code("flight", "iataNumber").flatMap { try? FlightNumber.read($0).number }
        guard number?.designator == flight.designator,
            code("departure", "iataCode") == flight.origin
        else { return nil }
        let leaves = entry["departure"]?["scheduledTime"]?.text
        // A list for today also has flights of neighbouring days.
        if let leaves, leaves.utf8.count > 5, leaves.prefix(10) != flight.date { return nil }
        departs = Self.minute(leaves, on: flight.date)
        to = code("arrival", "iataCode").flatMap { Trip.isAirport($0) ? $0 : nil }
        arrives = Self.arrival(
            entry["arrival"]?["scheduledTime"]?.text, departs,
            from: Airport.named(flight.origin)?.zone.flatMap(zones),
            to: to.flatMap { Airport.named($0)?.zone }.flatMap(zones))
        operatedAs = entry["codeshared"]?["flight"]?["iataNumber"]?.text.flatMap {
            (try? FlightNumber.read($0))?.number.designator
        }
    }

    /// Reads `2023-07-11T20:45:00.000`, or `20:45` without a date; `nil` for anything else.
    private static func minute(_ text: String?, on date: String) -> LocalMinute? {
        guard let text else { return nil }
        return text.utf8.count == 5 ? LocalMinute("\(date)T\(text)") : LocalMinute(text.prefix(16))
    }

    /// The arrival: without a date, the first such time after departure, by the clocks of both
    /// places.
    private static func arrival(
        _ text: String?, _ departs: LocalMinute?, from: TimeZoneRules?, to: TimeZoneRules?
    ) -> LocalMinute? {
        guard let text else { return nil }
        guard text.utf8.count == 5 else {
            let there = minute(text, on: "")
            guard let there, let departs else { return there }
            // An arrival in another month is an error of the service.
            return TripReading.days ~= there.date.days - departs.date.days ? there : nil
        }
        guard let departs, let from, let to else { return nil }
        let start = from.utc(of: departs)
        for days in -1...2 as ClosedRange<Int64> {
            guard let there = minute(text, on: departs.date.adding(days).text) else { continue }
            let time = to.utc(of: there)
            if start < time, time.seconds <= start.seconds + 86_400 { return there }
        }
        return nil
    }
}

extension Trip {
    /// The trip completed from the schedule where the person said nothing, and what differs, in
    /// words.
    package func completed(by found: ScheduledFlight) -> (trip: Trip, differences: [String]) {
        var trip = self
        var differences: [String] = []
        func merge<T: Equatable>(_ own: inout T?, _ theirs: T?, _ words: (T) -> String) {
            if own == nil {
                own = theirs
            } else if let theirs, theirs != own {
                differences.append(words(theirs))
            }
        }
        merge(&trip.to, found.to) { "it goes to \($0) there" }
        merge(&trip.departs, found.departs) { "it departs at \($0.date.text) \($0.clock) there" }
        // An arrival elsewhere is not an arrival of this trip.
        if trip.to == found.to {
            merge(&trip.arrives, found.arrives) {
                "it arrives at \($0.date.text) \($0.clock) there"
            }
        }
        // If a schedule makes no sense, only its departure is used.
        if !trip.isInOrder { trip.arrives = arrives }
        if let other = found.operatedAs, other != flight.designator {
            differences.append("\(other) is the number of the airline that flies it")
        }
        return (trip, differences)
    }
}
