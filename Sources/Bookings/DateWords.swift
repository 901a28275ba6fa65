// SPDX-License-Identifier: Apache-2.0
package import Protocol
import Venues

/// Days as people type them: `sat`, `tomorrow`, `5 dec`, `dec 5 2026`, `2026-12-05`, `sat 5 dec`.
package enum DateWords {
    /// A day as typed, before anybody knows what today is.
    enum Day: Hashable, Sendable {
        /// So many days from today.
        case ahead(Int)
        /// 0 for Monday to 6 for Sunday.
        case weekday(Int)
        /// A day of a month, perhaps with a year and the day of the week that it should be.
        case date(day: Int, month: Int, year: Int?, weekday: Int?)
    }

    /// Why a day is none.
    enum Fault: Error, Hashable {
        /// The calendar has no such day.
        case noSuchDay
        /// It is another day of the week.
        case weekday(VenueDay)
    }

    // MARK: Reading

    /// The days that begin with the first of these words, and how many words each takes.
    static func read(_ words: ArraySlice<String>) -> [(day: Day, count: Int)] {
        guard let first = words.first else { return [] }
        switch first {
        case "today": return [(.ahead(0), 1)]
        case "tomorrow": return [(.ahead(1), 1)]
        default: break
        }
        if let date = iso(first) { return [(date, 1)] }
        if let weekday = weekday(first) {
            var found: [(day: Day, count: Int)] = []
            for (date, count) in dates(words.dropFirst()) {
                guard case .date(let day, let month, let year, nil) = date else { continue }
                found.append(
                    (.date(day: day, month: month, year: year, weekday: weekday), count + 1))
            }
            return found + [(.weekday(weekday), 1)]
        }
        return dates(words)
    }

    /// `5 dec 2026`, `5 dec`, `dec 5 2026`, `dec 5`, with the longest first.
    private static func dates(_ words: ArraySlice<String>) -> [(day: Day, count: Int)] {
        let words = Array(words.prefix(3))
        guard words.count > 1 else { return words.first.flatMap(iso).map { [($0, 1)] } ?? [] }
        if let date = iso(words[0]) { return [(date, 1)] }
        let number: Int
        let month: Int
        if let day = day(words[0]), let named = self.month(words[1]) {
            (number, month) = (day, named)
        } else if let named = self.month(words[0]), let day = day(words[1]) {
            (number, month) = (day, named)
        } else {
            return []
        }
        let short = (Day.date(day: number, month: month, year: nil, weekday: nil), 2)
        guard words.count > 2, let year = year(words[2]) else { return [short] }
        return [(.date(day: number, month: month, year: year, weekday: nil), 3), short]
    }

    /// `2026-12-05`.
    private static func iso(_ word: String) -> Day? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let year = year(parts[0]), parts[1].utf8.count == 2,
            parts[2].utf8.count == 2, let month = digits(parts[1]), let day = digits(parts[2])
        else { return nil }
        return .date(day: day, month: month, year: year, weekday: nil)
    }

    /// Mondays to Sundays by their names, and these cut short: `sa`, `sat`, `saturday`.
    static func weekday(_ word: String) -> Int? {
        let word = word.hasSuffix(".") ? String(word.dropLast()) : word
        guard word.utf8.count >= 2 else { return nil }
        return Weekday.allCases.firstIndex { $0.name.lowercased().hasPrefix(word) }
    }

    /// 1 for `jan`, `january`.
    static func month(_ word: String) -> Int? {
        let word = word.hasSuffix(".") ? String(word.dropLast()) : word
        guard word.utf8.count >= 3 else { return nil }
        return months.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    /// `5`, `05`, `5.`, `5th`.
    static func day(_ word: String) -> Int? {
        var digits = word[...]
        for end in ["st", "nd", "rd", "th", "."] where digits.hasSuffix(end) {
            digits = digits.dropLast(end.count)
            break
        }
        guard 1...2 ~= digits.utf8.count, let day = self.digits(digits), 1...31 ~= day else {
            return nil
        }
        return day
    }

    private static func year(_ word: some StringProtocol) -> Int? {
        guard word.utf8.count == 4, let year = digits(word), 2000...2179 ~= year else {
            return nil
        }
        return year
    }

    /// A number of digits alone.
    static func digits(_ text: some StringProtocol) -> Int? {
        guard 1...6 ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }) else {
            return nil
        }
        return Int(text)
    }

    /// Words that stand for a day, for suggestions.
    static let known =
        ["today", "tomorrow"] + Weekday.allCases.map { $0.name.lowercased() }
        + months.map { String($0.prefix(3)) }

    // MARK: Meaning

    /// The day that is meant: the first one from today on if no year was typed.
    static func resolve(_ day: Day, today: VenueDay) throws(Fault) -> VenueDay {
        switch day {
        case .ahead(let count):
            guard let found = today.adding(count) else { throw .noSuchDay }
            return found
        case .weekday(let wanted):
            guard let found = today.adding((wanted - today.weekday + 7) % 7) else {
                throw .noSuchDay
            }
            return found
        case .date(let number, let month, let year, let weekday):
            let found: VenueDay?
            if let year {
                found = VenueDay(year: year, month: month, day: number)
            } else {
                // The 29th of February comes every fourth year, or every eighth.
                let first = today.date.year
                found = (first...first + 8).lazy.compactMap {
                    VenueDay(year: $0, month: month, day: number)
                }.first { $0 >= today }
            }
            guard let found else { throw .noSuchDay }
            if let weekday, found.weekday != weekday { throw .weekday(found) }
            return found
        }
    }

    /// The day that a text names, and nothing else; `nil` for any other text.
    package static func day(_ text: String, today: VenueDay) -> VenueDay? {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        let found = read(words[...]).first { $0.count == words.count }
        return found.flatMap { try? resolve($0.day, today: today) }
    }

    // MARK: Writing

    /// `Sat 5 Dec`, with the year where it would be read as another one, and where nobody knows
    /// when it is read.
    package static func text(_ day: VenueDay, today: VenueDay?) -> String {
        today.map { isNear(day, $0) } ?? false ? DayText.short(day) : DayText.words(day)
    }

    /// `5 dec`, as it is typed, with the year where it is needed.
    static func typed(_ day: VenueDay, today: VenueDay) -> String {
        let date = day.date
        let short = "\(date.day) \(DayText.months[date.month - 1].lowercased())"
        return isNear(day, today) ? short : "\(short) \(date.year)"
    }

    /// Whether a day is the one that is meant without a year.
    private static func isNear(_ day: VenueDay, _ today: VenueDay) -> Bool {
        let date = day.date
        let meant = Day.date(day: date.day, month: date.month, year: nil, weekday: nil)
        return (try? resolve(meant, today: today)) == day
    }
}
