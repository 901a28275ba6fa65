// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
package import Protocol
import Text

/// The words for a trip.
extension Trip {
    /// `FR 202 (Ryanair)`.
    var named: String {
        let airline = Airlines.named(flight.carrier).map { " (\($0.name))" } ?? ""
        return Trip.number(of: flight) + airline
    }

    /// `FR 202 on 2026-03-05 from DUB to STN, 06:30 to 07:45`.
    package var summary: String {
        var text = sentence + (to.map { " to \($0)" } ?? "")
        if let departs { text += ", \(departs.clock)" }
        if let arrives { text += (departs == nil ? ", arriving " : " to ") + clock(of: arrives) }
        return text
    }

    /// `07:45`, `00:15 on 2026-03-06`.
    private func clock(of time: LocalMinute) -> String {
        time.date.text == flight.date ? time.clock : "\(time.clock) on \(time.date.text)"
    }

    /// Everything that is known, as names and values.
    package func rows(at now: UTCTime) -> [(String, String)] {
        let times = TripTimes(self)
        var rows = [("Flight", named), ("From", Self.place(flight.origin))]
        if let to { rows.append(("To", Self.place(to))) }
        let departure = times.departure.time?.text ?? departs.map(Self.clocks)
        rows.append(("Departs", departure ?? "\(flight.date), time not known"))
        if let arrives {
            rows.append(("Arrives", times.arrival.time?.text ?? Self.clocks(arrives)))
        }
        let row = FlightRow(flight: flight, trip: self, records: nil, isRunning: false)
        if times.window != nil {
            rows.append(("Swaps", WindowText.line(row.window(at: now))))
            rows.append(("", "from \(times.opening.words)"))
        } else {
            rows.append(("Swaps", "open \(times.opening.words)"))
        }
        rows.append(("Seats", seats.isEmpty ? "not known" : SwapNote.list(seats)))
        if let compartment { rows.append(("Class", visible(compartment, cells: 8))) }
        if let cabin { rows.append(("Cabin", visible(cabin, cells: 40))) }
        if !aliases.isEmpty {
            rows.append(("Also", aliases.map { Self.number(of: $0) }.joined(separator: ", ")))
        }
        if let moved {
            let waits = [moved.party.map { _ in "party" }, moved.wish.map { _ in "wish" }]
            let words = waits.compactMap(\.self).joined(separator: " and ")
            rows.append(
                (
                    "Moved",
                    "from \(Self.sentence(of: moved.from))"
                        + (words.isEmpty ? "" : "; your next agent here takes along: \(words)")
                ))
        }
        return rows
    }

    /// `2026-03-05 06:30`.
    private static func clocks(_ time: LocalMinute) -> String { "\(time.date.text) \(time.clock)" }

    /// `Dublin (DUB)`; only the code if nothing else is known.
    static func place(_ code: String) -> String {
        guard let airport = Airport.named(code) else { return code }
        return "\(visible(airport.name, cells: 40)) (\(code))"
    }
}
