// SPDX-License-Identifier: Apache-2.0
import Protocol

/// The rule of a time zone for all years to come: `IST-1GMT0,M10.5.0,M3.5.0/1` (POSIX, with the
/// wider hours of RFC 9636 3.3.2).
struct PosixRule: Hashable, Sendable {
    typealias LocalKind = TimeZoneRules.LocalKind

    /// A day of every year.
    enum Day: Hashable, Sendable {
        /// 1...365; 29 February is never counted.
        case withoutLeap(Int64)
        /// 0...365; 29 February is counted.
        case withLeap(Int64)
        /// The `week`th such weekday (0 is Sunday) of the month; the fifth is the last.
        case weekday(month: Int64, week: Int64, day: Int64)
    }

    /// A change of every year.
    struct Turn: Hashable, Sendable {
        /// The day, as clocks show it before the change.
        let day: Day
        /// Seconds from that day's start; may be negative and more than a day.
        let time: Int64
    }

    /// Daylight-saving time, and when it begins and ends.
    struct Daylight: Hashable, Sendable {
        let kind: LocalKind
        let begins: Turn
        let ends: Turn
    }

    /// Standard time.
    let standard: LocalKind
    /// Where there is one.
    let daylight: Daylight?

    /// What clocks show at `time`.
    func kind(at time: UTCTime) -> LocalKind {
        changes(around: time).last { $0.at <= time }?.to ?? standard
    }

    /// The changes of the year that `time` lies in, of the two before and
    /// of the one after, by time.
    func changes(around time: UTCTime) -> [TimeZoneRules.Change] {
        guard let daylight else { return [] }
        // So far from any date that is meant that a sum may not overflow.
        let seconds = min(max(time.seconds, -(1 << 59)), 1 << 59)
        let year = RFC3339.civil(days: seconds / 86_400).0
        var found: [TimeZoneRules.Change] = []
        for year in (year - 2)...(year + 1) {
            let begins = Self.moment(daylight.begins, in: year) - standard.offset
            let ends = Self.moment(daylight.ends, in: year) - daylight.kind.offset
            found += [
                TimeZoneRules.Change(at: UTCTime(seconds: begins), to: daylight.kind),
                TimeZoneRules.Change(at: UTCTime(seconds: ends), to: standard),
            ]
        }
        found = found.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map(\.element)
        // Daylight-saving time all year round ends when it begins: those ends are none.
        return found.indices.filter { index in
            index + 1 == found.count || found[index].at < found[index + 1].at
        }.map { found[$0] }
    }

    /// Civil seconds of a turn in a year.
    private static func moment(_ turn: Turn, in year: Int64) -> Int64 {
        let start = RFC3339.days(year: year, month: 1, date: 1)
        let days: Int64
        switch turn.day {
        case .withoutLeap(let day):
            let isLeap = RFC3339.length(of: 2, in: year) == 29
            days = start + day - (isLeap && day >= 60 ? 0 : 1)
        case .withLeap(let day):
            days = start + day
        case .weekday(let month, let week, let day):
            let first = RFC3339.days(year: year, month: month, date: 1)
            // 1970-01-01 was a Thursday.
            let weekday = ((first + 4) % 7 + 7) % 7
            var date = (day - weekday + 7) % 7 + (week - 1) * 7
            while date >= RFC3339.length(of: month, in: year) { date -= 7 }
            days = first + date
        }
        return days * 86_400 + turn.time
    }
}

/// Reading it.
extension PosixRule {
    /// Reads the text; `nil` for anything that is not such a rule.
    init?(_ text: some Sequence<UInt8>) {
        var reader = PosixReader(rest: Array(text)[...])
        guard let name = reader.name(), let west = reader.time(hours: 24) else { return nil }
        standard = LocalKind(offset: -west, isDaylight: false, abbreviation: name)
        if reader.rest.isEmpty {
            daylight = nil
            return
        }
        guard let summer = reader.name() else { return nil }
        var offset = -west + 3600
        if let next = reader.rest.first, next != UInt8(ascii: ",") {
            guard let west = reader.time(hours: 24) else { return nil }
            offset = -west
        }
        guard let begins = reader.turn(), let ends = reader.turn(), reader.rest.isEmpty else {
            return nil
        }
        daylight = Daylight(
            kind: LocalKind(offset: offset, isDaylight: true, abbreviation: summer),
            begins: begins, ends: ends)
    }
}

/// Reads the parts of a rule from the front.
private struct PosixReader {
    var rest: ArraySlice<UInt8>

    private static func isLetter(_ byte: UInt8) -> Bool { 65...90 ~= byte & 0xDF }
    private static func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }

    /// `IST`, or `<+0530>` without its brackets.
    mutating func name() -> String? {
        let isQuoted = skip("<")
        let part = rest.prefix { byte in
            Self.isLetter(byte)
                || isQuoted && (Self.isDigit(byte) || byte == 0x2B || byte == 0x2D)
        }
        rest = rest.dropFirst(part.count)
        guard part.count >= 3, !isQuoted || skip(">") else { return nil }
        return String(decoding: part, as: UTF8.self)
    }

    /// `-1`, `5:30`, `+02:00:00`, in seconds.
    mutating func time(hours limit: Int64) -> Int64? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = number(), hours <= limit else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] as [Int64] where skip(":") {
            guard let count = number(), count < 60 else { return nil }
            seconds += count * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// `,M3.5.0/1`.
    mutating func turn() -> PosixRule.Turn? {
        guard skip(","), let day = day() else { return nil }
        guard skip("/") else { return PosixRule.Turn(day: day, time: 7200) }
        return time(hours: 167).map { PosixRule.Turn(day: day, time: $0) }
    }

    private mutating func day() -> PosixRule.Day? {
        if skip("J") {
            guard let day = number(), 1...365 ~= day else { return nil }
            return .withoutLeap(day)
        }
        guard skip("M") else {
            guard let day = number(), day <= 365 else { return nil }
            return .withLeap(day)
        }
        guard let month = number(), 1...12 ~= month, skip("."), let week = number(), 1...5 ~= week,
            skip("."), let day = number(), day <= 6
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }

    /// Up to three digits.
    private mutating func number() -> Int64? {
        let digits = rest.prefix(while: Self.isDigit)
        guard 1...3 ~= digits.count else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }

    private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
