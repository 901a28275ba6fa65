// SPDX-License-Identifier: Apache-2.0
/// Times of a day and lengths as people type them: `18:00`, `18-20`, `18:00 to 20:00`, `6pm`, `2h`,
/// `1h30`, `2 h 30 min`, `3 days`.
enum TimeWords {
    /// A time, or two.
    struct Clock: Hashable, Sendable {
        /// Minutes after midnight, up to 1440.
        let from: Int
        /// Minutes after the same midnight; not after `from` for the next day.
        let to: Int?
        /// Whether it was a number alone, which could also be a part of a name.
        var isBare = false
    }

    // MARK: Times

    /// The times that begin with the first of these words, and how many words each takes.
    static func read(_ words: ArraySlice<String>) -> [(clock: Clock, count: Int)] {
        guard let first = words.first else { return [] }
        var found: [(clock: Clock, count: Int)] = []
        let words = Array(words.prefix(3))
        if words.count == 3, ["to", "until", "till", "-"].contains(words[1]),
            let from = minute(words[0]), let to = minute(words[2])
        {
            found.append((Clock(from: from, to: to), 3))
        }
        if let range = range(first) { found.append((range, 1)) }
        if let from = minute(first) {
            let isBare = DateWords.digits(first) != nil
            found.append((Clock(from: from, to: nil, isBare: isBare), 1))
        }
        return found
    }

    /// `18-20`, `18:00-20:00`.
    private static func range(_ word: String) -> Clock? {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let from = minute(ends[0]), let to = minute(ends[1]) else {
            return nil
        }
        return Clock(from: from, to: to)
    }

    /// `18`, `18:00`, `18:30`, `6pm`, `6:30pm`; 24:00 is the end of a day.
    static func minute(_ word: some StringProtocol) -> Int? {
        var text = word[...]
        var noon: Int?
        for (end, hours) in [("am", 0), ("pm", 12)] where text.hasSuffix(end) {
            text = text.dropLast(2)
            noon = hours
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, 1...2 ~= parts[0].utf8.count,
            var hour = DateWords.digits(parts[0])
        else { return nil }
        var minute = 0
        if parts.count == 2 {
            guard parts[1].utf8.count == 2, let typed = DateWords.digits(parts[1]), typed < 60
            else { return nil }
            minute = typed
        }
        if let noon {
            guard 1...12 ~= hour else { return nil }
            hour = hour % 12 + noon
        }
        let sum = hour * 60 + minute
        return sum <= 1440 ? sum : nil
    }

    // MARK: Lengths

    private static let units: [(names: [String], minutes: Int)] = [
        (["min", "mins", "minute", "minutes", "m"], 1),
        (["h", "hr", "hrs", "hour", "hours"], 60), (["d", "day", "days"], 1440),
    ]

    /// The length that begins with the first of these words, and how many words it takes; `nil` for
    /// none. Larger units come first: `1 h 30 min`.
    static func length(_ words: ArraySlice<String>) -> (minutes: Int, count: Int)? {
        var sum = 0
        var last = Int.max
        var taken = 0
        var rest = words
        while let part = part(rest), part.unit < last {
            sum += part.minutes
            last = part.unit
            taken += part.count
            rest = rest.dropFirst(part.count)
        }
        return taken > 0 && sum > 0 ? (sum, taken) : nil
    }

    /// `2h`, `2 h`, `1.5h`, `1h30`: minutes, the unit in minutes, and how many words it takes.
    private static func part(
        _ words: ArraySlice<String>
    ) -> (minutes: Int, unit: Int, count: Int)? {
        guard let first = words.first else { return nil }
        let number = first.prefix { ("0"..."9").contains($0) || $0 == "." }
        let behind = first[number.endIndex...]
        guard behind.isEmpty else {
            // `1h30` and `1h30m` in one word.
            let name = behind.prefix { !("0"..."9").contains($0) }
            guard let unit = unit(name), let minutes = times(number, unit) else { return nil }
            guard name.endIndex < behind.endIndex else { return (minutes, unit, 1) }
            var more = behind[name.endIndex...]
            if more.hasSuffix("m") { more = more.dropLast() }
            guard unit == 60, !number.contains("."), more.utf8.count == 2,
                let rest = DateWords.digits(more), rest < 60
            else { return nil }
            return (minutes + rest, 1, 1)
        }
        guard words.count > 1, let unit = unit(words[words.startIndex + 1]),
            let minutes = times(number, unit)
        else { return nil }
        return (minutes, unit, 2)
    }

    private static func unit(_ name: some StringProtocol) -> Int? {
        units.first { $0.names.contains(String(name)) }?.minutes
    }

    /// Whole minutes of `2` or `1.5` units.
    private static func times(_ number: Substring, _ unit: Int) -> Int? {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, 1...4 ~= parts[0].utf8.count,
            let whole = DateWords.digits(parts[0])
        else { return nil }
        guard parts.count == 2 else { return whole * unit }
        guard 1...2 ~= parts[1].utf8.count, let tenths = DateWords.digits(parts[1]) else {
            return nil
        }
        let scale = parts[1].utf8.count == 1 ? 10 : 100
        guard tenths * unit % scale == 0 else { return nil }
        return whole * unit + tenths * unit / scale
    }

    // MARK: Writing

    /// `18:00`.
    static func clock(_ minute: Int) -> String {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(two(minute / 60 % 24)):\(two(minute % 60))"
    }

    /// `2h`, `1h30`, `90m`, `3d`, as it is typed.
    static func typed(_ minutes: Int) -> String {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        if minutes % 1440 == 0 { return "\(minutes / 1440)d" }
        if minutes % 60 == 0 { return "\(minutes / 60)h" }
        return minutes < 60 ? "\(minutes)m" : "\(minutes / 60)h\(two(minutes % 60))"
    }
}

/// A length alone, as other words of bookings have it.
package enum LengthText {
    /// Minutes of `2h`, `1 d 12 h`; `nil` for anything else.
    package static func minutes(_ text: String) -> Int? {
        let words = text.lowercased().split(separator: " ").map(String.init)
        guard let found = TimeWords.length(words[...]), found.count == words.count else {
            return nil
        }
        return found.minutes
    }
}
