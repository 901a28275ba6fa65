// SPDX-License-Identifier: Apache-2.0
import Text

/// From a minute of a day to another one, which may lie in the night behind that day.
package struct OpeningSpan: Hashable, Sendable {
    /// The last minute at which a span may end: 30:00, six in the next morning.
    package static let latest = 30 * 60
    /// Spans of one day.
    static let most = 6

    /// Minutes since midnight, up to 1439.
    package let from: Int
    /// Minutes since the same midnight, up to 1800.
    package let to: Int

    /// `nil` unless it begins in the day and ends later.
    package init?(from: Int, to: Int) {
        guard 0..<1440 ~= from, from < to, to <= Self.latest else { return nil }
        self.from = from
        self.to = to
    }

    /// `08:00-22:00`.
    package var text: String { Self.clock(from) + "-" + Self.clock(to) }

    /// `08:00`; `25:30` for half past one in the night behind the day.
    package static func clock(_ minute: Int) -> String {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return two(minute / 60) + ":" + two(minute % 60)
    }

    /// Minutes of `08:00`, also of `24:00` to `30:00`; `nil` for anything else.
    private static func minute(_ text: Substring) -> Int? {
        let units = Array(text.utf8)
        guard units.count == 5, units[2] == UInt8(ascii: ":"), let hour = Int(text.prefix(2)),
            let minute = Int(text.suffix(2)), units.allSatisfy({ 48...58 ~= $0 }), minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Reads `08:00-12:00,13:00-22:00`; the reason why not, as the end of a sentence, if it cannot.
    static func list(_ text: Substring) -> Result<[OpeningSpan], HoursFault> {
        var spans: [OpeningSpan] = []
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= most else { return .failure(.tooMany) }
        for part in parts {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let from = minute(ends[0]), let to = minute(ends[1]) else {
                return .failure(.form)
            }
            guard let span = OpeningSpan(from: from, to: to) else {
                return .failure(.ends(String(part)))
            }
            if let last = spans.last, span.from <= last.to {
                return .failure(.order(String(part)))
            }
            spans.append(span)
        }
        return .success(spans)
    }
}

/// Why a text is not the hours of a day.
enum HoursFault: Error {
    case tooMany
    case form
    case ends(String)
    case order(String)

    /// The end of a sentence.
    var words: String {
        switch self {
        case .tooMany: "more than \(OpeningSpan.most) spans of a day"
        case .form: "hours as 08:00-22:00 are wanted, several with a comma between them"
        case .ends(let text):
            "\(text) does not begin before 24:00 and end later, at 30:00 at the latest"
        case .order(let text): "\(text) does not begin after the one before it has ended"
        }
    }
}

/// The hours of an ordinary week.
package struct OpeningHours: Hashable, Sendable {
    /// The spans of each day, from Monday on; none for a day on which it is closed.
    package let days: [[OpeningSpan]]

    init(days: [[OpeningSpan]]) { self.days = days }

    /// The spans that begin on that day.
    package func on(_ day: Weekday) -> [OpeningSpan] { days[day.rawValue] }

    /// Reads `{"Mo-Fr": "08:00-22:00", "Sa,Su": "10:00-18:00"}`. Throws for the first fault.
    init(_ form: FormReader, _ key: String) throws(FormFault) {
        var days = [[OpeningSpan]](repeating: [], count: 7)
        let entries = try form.entries(key, most: 7)
        guard !entries.isEmpty else {
            throw form.fault(key, "hours as {\"Mo-Fr\": \"08:00-22:00\"} are wanted")
        }
        for entry in entries {
            guard let named = Self.days(entry.key) else {
                throw FormFault(
                    place: entry.place,
                    why: "days are Mo Tu We Th Fr Sa Su, written as Mo-Fr or Sa,Su")
            }
            guard let text = entry.value.text else {
                throw FormFault(place: entry.place, why: HoursFault.form.words)
            }
            let spans: [OpeningSpan]
            switch OpeningSpan.list(text[...]) {
            case .success(let read): spans = read
            case .failure(let fault): throw FormFault(place: entry.place, why: fault.words)
            }
            for day in named {
                guard days[day.rawValue].isEmpty else {
                    throw FormFault(place: entry.place, why: "\(day.short) stands there twice")
                }
                days[day.rawValue] = spans
            }
        }
        self.init(days: days)
        for day in Weekday.allCases {
            let next = days[(day.rawValue + 1) % 7]
            guard let end = days[day.rawValue].last?.to, let start = next.first?.from,
                end - 1440 > start
            else { continue }
            throw form.fault(
                key, "\(day.short) ends at \(OpeningSpan.clock(end)), after the next day begins")
        }
    }

    /// `Mo-Fr`, `Sa,Su`, `Mo,We-Fr`; `nil` for anything else.
    private static func days(_ text: String) -> [Weekday]? {
        var days: [Weekday] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard 1...2 ~= ends.count, let first = Weekday(short: ends[0]),
                let last = Weekday(short: ends[ends.count - 1]),
                ends.count == 1 || first.rawValue < last.rawValue
            else { return nil }
            days += Weekday.allCases[first.rawValue...last.rawValue]
        }
        return days
    }

    /// Days with the same hours, and these, in the order of the first days.
    package var groups: [(days: String, hours: String)] {
        var left = Weekday.allCases.filter { !on($0).isEmpty }
        var groups: [(String, String)] = []
        while let first = left.first {
            let same = left.filter { on($0) == on(first) }
            left.removeAll { on($0) == on(first) }
            groups.append((Self.text(same), on(first).map(\.text).joined(separator: ",")))
        }
        return groups
    }

    /// `Mo-Fr`, `Sa,Su`: three days or more that follow each other are written with a hyphen.
    private static func text(_ days: [Weekday]) -> String {
        var runs: [[Weekday]] = []
        for day in days {
            if let last = runs.last?.last, last.rawValue == day.rawValue - 1 {
                runs[runs.count - 1].append(day)
            } else {
                runs.append([day])
            }
        }
        return runs.map { run in
            run.count > 2
                ? "\(run[0].short)-\(run[run.count - 1].short)"
                : run.map(\.short).joined(separator: ",")
        }.joined(separator: ",")
    }

    /// The one form.
    var json: JSON {
        .object(
            Dictionary(
                groups.map { ($0.days, JSON.string($0.hours)) }, uniquingKeysWith: { $1 }))
    }
}
