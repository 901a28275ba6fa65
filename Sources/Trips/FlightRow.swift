// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol
package import Profile
package import Text

/// One line of `seatagent flights`: a trip of the list, stored records, or both.
package struct FlightRow: Hashable, Sendable {
    /// Stored records of a flight that an agent was on.
    package struct Records: Hashable, Sendable {
        /// Bytes of its files.
        let size: Int
        /// When they are deleted; `nil` for never.
        let deleted: UTCTime?

        /// `12 KiB, deleted after 2026-12-09T07:45:00Z`.
        package var words: String {
            let until = deleted.map { "deleted after \(RFC3339.text($0))" }
            return "\((size + 1023) / 1024) KiB, \(until ?? "kept until forgotten")"
        }
    }

    /// Which flight.
    package let flight: FlightName
    /// The trip in the list; `nil` if only records are stored.
    package let trip: Trip?
    /// The records; `nil` if no agent was on the flight yet.
    package let records: Records?
    /// Whether the profile's agent is on the flight now, with these records.
    package let isRunning: Bool

    /// A row for `flight`, with whatever else there is.
    package init(flight: FlightName, trip: Trip?, records: Records?, isRunning: Bool) {
        self.flight = flight
        self.trip = trip
        self.records = records
        self.isRunning = isRunning
    }

    /// All rows by departure, with the practice flight last. A flight that has records with and
    /// without a cabin code has two files, and so two rows. `running` is the file that the agent
    /// has open.
    package static func all(
        _ book: TripBook, _ files: [KeptFlight], running: String?
    ) -> [FlightRow] {
        var rows: [FlightRow] = []
        for item in files {
            let deleted = item.end.map { UTCTime(seconds: $0.seconds + FlightLife.keptFor) }
            rows.append(
                FlightRow(
                    flight: item.flight, trip: book[item.flight],
                    records: Records(size: item.size, deleted: deleted),
                    isRunning: item.path.split(separator: "/").last.map(String.init) == running))
        }
        for trip in book.trips where !files.contains(where: { trip.isCalled($0.flight) }) {
            rows.append(FlightRow(flight: trip.flight, trip: trip, records: nil, isRunning: false))
        }
        let keyed = rows.map { (row: $0, at: $0.order) }
        return keyed.sorted {
            $0.at != $1.at ? $0.at < $1.at : $0.row.flight.text < $1.row.flight.text
        }
        .map(\.row)
    }

    /// Seconds of the departure; the end of its day if the time is unknown.
    private var order: Int64 {
        if flight.isPractice { return Int64.max }
        if let departs = times?.departs { return departs.seconds }
        return (FlightDate(flight.date)?.days ?? 0) * 86_400 + 86_399
    }

    /// The times of the trip by the airports' clocks.
    var times: TripTimes? { trip.map { TripTimes($0) } }

    // MARK: For scripts

    /// The object of `flights`.
    package func json(at now: UTCTime) -> JSON {
        let window = window(at: now)
        return [
            "flight": .string(flight.isPractice ? "practice" : flight.text),
            "bytes": .int(records?.size ?? 0), "running": .bool(isRunning),
            "deleted": records?.deleted.map { .string(RFC3339.text($0)) } ?? .null,
            "listed": .bool(trip != nil), "trip": trip.map(\.shown) ?? .null,
            "state": .string(state(now)), "window": window.map { JSON($0) } ?? .null,
        ]
    }

    /// `early`, `open`, `closed` or `unknown`.
    package func state(_ now: UTCTime) -> String { window(at: now)?.state.text ?? "unknown" }

    /// The window as in `status`; `nil` if the departure is unknown.
    func window(at now: UTCTime) -> WindowFacts? {
        guard let times, let window = times.window else { return nil }
        return WindowFacts(window, flight, times.opening, at: now)
    }

    // MARK: For people

    /// The flight, then its stored records.
    package func lines(at now: UTCTime, today: FlightDate?) -> [String] {
        let seats = trip?.seats ?? []
        let isPractice = flight.isPractice
        let columns = [
            (isPractice ? "practice" : Trip.number(of: flight), 10),
            (isPractice ? "" : flight.date + (trip?.departs.map { " \($0.clock)" } ?? ""), 18),
            (isPractice ? "" : route, 9), (countdown(at: now, today: today), 16),
            (state(at: now), 26),
        ]
        let line =
            columns.map { padded($0.0, to: $0.1) }.joined()
            + (seats.isEmpty ? "" : SwapNote.list(seats))
        var notes: [String] = []
        if isRunning { notes.append("your agent is on it") }
        if let records { notes.append("records: \(records.words)") }
        if trip == nil { notes.append("not in your list") }
        let trimmed = String(line.reversed().drop { $0 == " " }.reversed())
        return [trimmed] + (notes.isEmpty ? [] : ["  " + notes.joined(separator: "; ")])
    }

    private var route: String { flight.origin + (trip?.to.map { "-\($0)" } ?? "") }

    /// `in 13 d 2 h`, `departed 3 h ago`; by the day if the time is unknown.
    func countdown(at now: UTCTime, today: FlightDate?) -> String {
        if flight.isPractice { return "" }
        if let departs = times?.departs {
            let left = departs.seconds - now.seconds
            return left > 0 ? "in \(SpanText.words(left))" : "left \(SpanText.words(-left)) ago"
        }
        guard let today, let date = FlightDate(flight.date) else { return "" }
        let days = date.days - today.days
        switch days {
        case 0: return "today"
        case 1...: return "in \(days) d"
        default: return "\(-days) d ago"
        }
    }

    private func state(at now: UTCTime) -> String {
        guard trip != nil else { return "" }
        guard let window = times?.window else { return "swaps: times unknown" }
        switch window.state(at: now) {
        case .early(let left): return "swaps open in \(SpanText.words(left))"
        case .open: return "swaps are open"
        case .closed: return "swaps are over"
        }
    }
}
