// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import Protocol
package import Text

/// The words for past events, and the search for them.
extension HistoryItem {
    /// `2026-12-05`: the day of the flight, or the day on which the swap became final.
    private var day: String {
        switch what {
        case .flown: flight.date
        case .swapped: LocalDay(at)?.text ?? String(RFC3339.text(at).prefix(10))
        }
    }

    /// One line.
    package var line: String {
        switch what {
        case .flown(let trip):
            let route = flight.origin + (trip.to.map { "-\($0)" } ?? "")
            let seats = trip.seats.isEmpty ? "" : ", in \(SwapNote.list(trip.seats))"
            return "\(day)  flight  \(Trip.number(of: flight)) \(route)\(seats)"
        case .swapped(let note):
            let number = flight.isPractice ? "the practice flight" : Trip.number(of: flight)
            return "\(day)  swap    \(note.sentence)\(Self.with(note)), on \(number)"
        }
    }

    private static func with(_ note: SwapNote) -> String {
        if note.with.isEmpty { return "" }
        return " with " + note.with.map { visible($0, cells: 24) }.joined(separator: ", ")
    }

    /// Everything that is remembered, for below the line.
    package var details: [String] {
        switch what {
        case .flown(let trip): return [trip.summary]
        case .swapped(let note):
            let names =
                note.with.isEmpty
                ? "names of others are kept no longer than the flight's records" : nil
            return [
                "final \(RFC3339.text(at)), contract \(note.contract)",
                Trip.sentence(of: flight) + (names.map { "; \($0)" } ?? ""),
            ]
        }
    }

    /// The object of `history`.
    package var object: JSON {
        json.adding([
            "kind": isSwap ? "swap" : "flight", "number": .string(Trip.number(of: flight)),
        ])
    }

    private var isSwap: Bool {
        switch what {
        case .flown: false
        case .swapped: true
        }
    }

    /// Whether every word matches: a flight's number in any spelling, a complete seat, the
    /// beginning of a date, of an airport's code, name or city, of an airline or of a name, `swap`
    /// or `flight`. Ignores case.
    package func fits(_ words: [String]) -> Bool {
        let (whole, beginnings) = (wholeWords, beginnings)
        return words.allSatisfy { word in
            let wanted = word.lowercased()
            return whole.contains(wanted) || beginnings.contains { $0.hasPrefix(wanted) }
                || (try? FlightNumber.read(word))?.number.designator == flight.designator
        }
    }

    private var wholeWords: [String] {
        let seats =
            switch what {
            case .flown(let trip): trip.seats
            case .swapped(let note): note.gave + note.got
            }
        let number = "\(flight.number)\(flight.suffix)"
        let words = [
            isSwap ? "swap" : "flight", flight.isPractice ? "practice" : "", flight.carrier,
        ]
        return (words + [number] + seats.map(\.text)).map { $0.lowercased() }
    }

    private var beginnings: [String] {
        var words = [flight.date, day]
        if let airline = Airlines.named(flight.carrier)?.name { words.append(airline) }
        var codes = [flight.origin]
        switch what {
        case .flown(let trip): codes += [trip.to].compactMap { $0 }
        case .swapped(let note): words += note.with
        }
        words += codes
        words += codes.compactMap { Airport.named($0) }.flatMap { [$0.name, $0.city] }
        return words.flatMap { text in
            [text] + text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map(String.init)
        }
        .map { $0.lowercased() }
    }
}
