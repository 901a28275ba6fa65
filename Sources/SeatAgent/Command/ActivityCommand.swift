// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol
import System
import Text
import Venues
import Wording

/// `seatagent activity`: where the user was and for how long, which only they can read.
struct ActivityCommand {
    let call: Invocation
    private let now = SystemClock.utc()

    init(_ call: Invocation) { self.call = call }

    func run() throws(UserError) -> ExitCode {
        try catchUp()
        var book = try ActivityBook.read(call.place)
        if call.line.has("week"), let today = today(book) {
            let monday = today.adding(-Int64(Weekday(today).rawValue))
            var week = ActivityBook()
            for item in book.items(from: monday, through: monday.adding(6)).reversed() {
                week.note(item)
            }
            book = week
        }
        if call.line.has("csv") {
            guard !call.json else {
                throw UserError(
                    .usage, "--csv and --json exclude each other",
                    advice: "seatagent activity --csv")
            }
            for line in csv(book) { call.say(line) }
            return .done
        }
        let seconds = book.items.reduce(0) { $0 + $1.seconds(at: now) }
        return call.finish(
            [
                "stays": .array(book.items.map(json)), "seconds": .int(Int(seconds)),
            ], lines(book, seconds))
    }

    /// Takes over what agents of venues know and the list does not: a command that was killed
    /// between the agent's answer and its own note.
    private func catchUp() throws(UserError) {
        for known in try KnownVenues.read(call.place).venues where known.signed != nil {
            // What is wrong with one venue hides nothing of the others.
            guard let agent = try? VenueAgent(call, known), let status = try? agent.status(),
                let stay = status.stay, status.runBy == known.runBy.text
            else { continue }
            let item = CheckCommand.item(stay, agent)
            try ActivityBook.change(call.place) { $0.note(item) }
        }
    }

    /// Today by the clocks of the venue where the user was last.
    private func today(_ book: ActivityBook) -> FlightDate? {
        let offset = Int64(book.items.first?.offset ?? 0) * 60
        return FlightDate("1970-01-01")?.adding((now.seconds + offset) / 86_400)
    }

    private func clock(_ time: UTCTime, _ item: ActivityBook.Item) -> String {
        let minutes = (time.seconds + Int64(item.offset) * 60) / 60 % 1440
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return two(minutes / 60) + ":" + two(minutes % 60)
    }

    // MARK: For people

    private func lines(_ book: ActivityBook, _ seconds: Int64) -> [String] {
        guard !book.items.isEmpty else {
            return ["You have not checked in anywhere yet: seatagent checkin"]
        }
        var lines: [String] = []
        var last: FlightDate?
        for item in book.items {
            if let date = item.date, date != last {
                let day = book.items(from: date, through: date)
                let sum = day.reduce(0) { $0 + $1.seconds(at: now) }
                lines.append("\(Weekday(date).short) \(date.text)  \(SpanText.words(sum))")
                last = date
            }
            lines.append("  " + line(item))
        }
        if call.line.has("week") || last != book.items.first?.date {
            lines.append("Together  \(SpanText.words(seconds))")
        }
        return lines
    }

    private func line(_ item: ActivityBook.Item) -> String {
        let end = item.end(at: now)
        let until = end.map { clock($0, item) } ?? "now"
        let how = item.isClosed(at: now) ? ", closed by itself" : ""
        return "\(clock(item.since, item)) to \(until)  \(item.name)  "
            + SpanText.words(item.seconds(at: now)) + how
    }

    // MARK: For scripts

    private func json(_ item: ActivityBook.Item) -> JSON {
        item.json.adding(present: [
            "seconds": .int(Int(item.seconds(at: now))),
            "end": item.end(at: now).map { .string(RFC3339.text($0)) },
            "closed": item.isClosed(at: now) ? .bool(true) : nil,
        ])
    }

    private func csv(_ book: ActivityBook) -> [String] {
        ["date,venue,place,since,until,seconds,ended"]
            + book.items.map { item in
                let end = item.end(at: now)
                return CSVText.row([
                    item.date?.text ?? "", item.venue, item.name, RFC3339.text(item.since),
                    end.map { RFC3339.text($0) } ?? "", String(item.seconds(at: now)),
                    end == nil ? "no" : item.isClosed(at: now) ? "closed" : "yes",
                ])
            }
    }
}
