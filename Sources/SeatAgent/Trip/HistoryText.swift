import Protocol

/// What was, in words, and found by them.
extension HistoryItem {
    /// `2026-12-05`: the day of the flight, or that on which the swap became final.
    private var day: String {
        switch what {
        case .flown: flight.date
        case .swapped: LocalDay(at)?.text ?? String(RFC3339.text(at).prefix(10))
        }
    }

    /// One line.
    var line: String {
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

    /// All that is remembered, below the line.
    var details: [String] {
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
    var object: JSON {
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

    /// Whether every word is in it: numbers in any spelling, seats, airports and their cities,
    /// dates, names; without regard to case.
    func fits(_ words: [String]) -> Bool {
        let text = haystack
        let compact = text.filter { !$0.isWhitespace }
        return words.allSatisfy { word in
            let wanted = word.lowercased()
            return text.contains(wanted) || compact.contains(wanted)
        }
    }

    private var haystack: String {
        var words = [line, flight.text, Airlines.named(flight.carrier)?.name ?? ""]
        words += details
        var codes = [flight.origin]
        if case .flown(let trip) = what, let to = trip.to { codes.append(to) }
        for airport in codes.compactMap({ Airport.named($0) }) {
            words += [airport.name, airport.city]
        }
        return words.joined(separator: " ").lowercased()
    }
}
