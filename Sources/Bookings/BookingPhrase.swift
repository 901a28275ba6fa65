// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What somebody said of what they want to book, word by word, before it is complete.
struct BookingPhrase: Hashable, Sendable {
    /// A word of it, with what belongs to it.
    enum Part: Hashable, Sendable {
        /// Places by a name.
        case name(BookingNames.Meaning)
        /// A part of several names.
        case several([BookingNames.Meaning])
        /// How many of the place before it, if `isBehind`, else of the one after it.
        case count(Int, isBehind: Bool)
        /// The day, and the last one.
        case day(DateWords.Day)
        case lastDay(DateWords.Day)
        case days(DateWords.Day, DateWords.Day)
        /// When it begins, and when it ends on another day.
        case clock(TimeWords.Clock)
        case endClock(TimeWords.Clock)
        /// How long.
        case length(Int)
        /// Says nothing.
        case filling
        /// Nothing that anybody knows.
        case unknown
    }

    /// A part, and the tokens that say it.
    struct Piece: Hashable, Sendable {
        let part: Part
        let tokens: Range<Int>
    }

    let tokens: [BookingToken]
    let pieces: [Piece]

    /// What the tokens of a piece say.
    func text(_ piece: Piece) -> String {
        tokens[piece.tokens].map(\.raw).joined(separator: " ")
    }

    // MARK: Reading

    /// Reads tokens in the way that leaves the fewest of them unknown: dates, times and names of
    /// places may look alike (`tennis 2 dec 5`).
    init(_ tokens: [BookingToken], names: BookingNames) {
        self.tokens = tokens
        var search = Search(tokens: tokens, names: names)
        _ = search.best(0, 0)
        var pieces: [Piece] = []
        var (index, seen) = (0, 0)
        while index < tokens.count, let step = search.steps[Search.Key(index: index, seen: seen)] {
            pieces.append(Piece(part: step.part, tokens: index..<index + step.count))
            index += step.count
            seen |= step.says
        }
        self.pieces = pieces
    }

    /// What is said.
    private enum Said {
        static let day = 1
        static let clock = 2
        static let lastDay = 4
        static let endClock = 8
        static let length = 16
        /// What comes at most once.
        static let once = 31
        /// A name, of which there may be several.
        static let name = 32
    }

    /// A way to read on.
    private struct Step {
        let part: Part
        let count: Int
        var cost = 0
        /// Which of ``Said`` it says.
        var says = 0
        /// Which of ``Said`` has to be said before.
        var needs = 0
    }

    /// Each beginning of the rest is looked at once: O(tokens x alternatives x what is said).
    private struct Search {
        struct Key: Hashable {
            let index: Int
            let seen: Int
        }

        let tokens: [BookingToken]
        let names: BookingNames
        private(set) var steps: [Key: Step] = [:]
        private var costs: [Key: Int] = [:]
        /// The ways to read on from each token.
        private var ways: [Int: [Step]] = [:]

        init(tokens: [BookingToken], names: BookingNames) {
            self.tokens = tokens
            self.names = names
        }

        private static let unknown = 100
        private static let partOfName = 10
        private static let bareTime = 5
        /// One place is meant rather than two.
        private static let wholeName = 1
        private static let noDay = 30
        private static let noName = 29
        private static let noClock = 4

        /// What it costs at least to read from a token on. At the end, what is not said costs too:
        /// where a word may be a name or a day, it is the one that is missing.
        mutating func best(_ index: Int, _ seen: Int) -> Int {
            guard index < tokens.count else {
                return (seen & Said.name == 0 ? Self.noName : 0)
                    + (seen & Said.day == 0 ? Self.noDay : 0)
                    + (seen & Said.clock == 0 ? Self.noClock : 0)
            }
            let key = Key(index: index, seen: seen)
            if let known = costs[key] { return known }
            var least = Int.max
            var chosen: Step?
            let ways = self.ways[index] ?? alternatives(index)
            self.ways[index] = ways
            for step in ways
            where step.says & seen & Said.once == 0 && step.needs & seen == step.needs {
                let cost = step.cost + best(index + step.count, seen | step.says)
                if cost < least { (least, chosen) = (cost, step) }
            }
            costs[key] = least
            steps[key] = chosen
            return least
        }

        /// Words up to the next quotes.
        private func words(_ index: Int, most: Int) -> [String] {
            tokens[index...].prefix(most).prefix { !$0.isQuoted }.map(\.word)
        }

        private func alternatives(_ index: Int) -> [Step] {
            var steps: [Step] = []
            if tokens[index].isQuoted {
                let name = BookingToken.split(tokens[index].word).map(\.word)
                if let meaning = names.exact(name) {
                    steps.append(
                        Step(
                            part: .name(meaning), count: 1, cost: Self.wholeName, says: Said.name))
                } else if let part = part(name) {
                    steps.append(
                        Step(part: part, count: 1, cost: Self.partOfName, says: Said.name))
                }
                return steps + [Step(part: .unknown, count: 1, cost: Self.unknown)]
            }
            let here = words(index, most: 8)
            let run = words(index, most: max(names.longest, 1))
            for count in stride(from: run.count, to: 0, by: -1) {
                guard let meaning = names.exact(Array(run[..<count])) else { continue }
                steps.append(
                    Step(
                        part: .name(meaning), count: count, cost: Self.wholeName, says: Said.name))
            }
            steps += days(here[...])
            if let length = TimeWords.length(here[...]) {
                steps.append(
                    Step(part: .length(length.minutes), count: length.count, says: Said.length))
            }
            for (clock, count) in TimeWords.read(here[...]) {
                let cost = clock.isBare ? Self.bareTime : 0
                steps.append(
                    Step(part: .clock(clock), count: count, cost: cost, says: Said.clock))
                guard clock.to == nil else { continue }
                steps.append(
                    Step(
                        part: .endClock(clock), count: count, cost: cost, says: Said.endClock,
                        needs: Said.lastDay | Said.clock))
            }
            steps += counts(here)
            if Self.fillings.contains(here[0]) { steps.append(Step(part: .filling, count: 1)) }
            for count in stride(from: min(run.count, 4), to: 0, by: -1) {
                guard let part = part(Array(run[..<count])) else { continue }
                steps.append(
                    Step(part: part, count: count, cost: Self.partOfName, says: Said.name))
            }
            return steps + [Step(part: .unknown, count: 1, cost: Self.unknown)]
        }

        private func part(_ words: [String]) -> Part? {
            let found = names.part(words)
            return found.isEmpty ? nil : found.count == 1 ? .name(found[0]) : .several(found)
        }

        /// `5 dec`, `to 7 dec`, `12-14 jun`.
        private func days(_ words: ArraySlice<String>) -> [Step] {
            var steps = DateWords.read(words).map { found in
                Step(part: .day(found.day), count: found.count, says: Said.day)
            }
            for (first, last, count) in Self.range(Array(words)) {
                steps.append(
                    Step(part: .days(first, last), count: count, says: Said.day | Said.lastDay))
            }
            guard let word = words.first, Self.until.contains(word) else { return steps }
            return steps
                + DateWords.read(words.dropFirst()).map { found in
                    Step(
                        part: .lastDay(found.day), count: found.count + 1, says: Said.lastDay,
                        needs: Said.day)
                }
        }

        /// Two days of one month: `12-14 jun`, `12 - 14 jun 2027`.
        private static func range(
            _ words: [String]
        ) -> [(DateWords.Day, DateWords.Day, count: Int)] {
            var ends: (first: String, last: String, count: Int)?
            let halves = words[0].split(separator: "-", omittingEmptySubsequences: false)
            if halves.count == 2 {
                ends = (String(halves[0]), String(halves[1]), 1)
            } else if words.count > 2, until.contains(words[1]) {
                ends = (words[0], words[2], 3)
            }
            guard let ends, let first = DateWords.day(ends.first) else { return [] }
            return DateWords.read([ends.last] + words[ends.count...]).compactMap { found in
                guard case .date(_, let month, let year, nil) = found.day, found.count > 1,
                    DateWords.day(ends.last) != nil
                else { return nil }
                return (
                    .date(day: first, month: month, year: year, weekday: nil), found.day,
                    ends.count + found.count - 1
                )
            }
        }

        /// `x2`, `2x`, `2 x`.
        private func counts(_ words: [String]) -> [Step] {
            let word = words[0]
            var digits: Substring?
            var count = 1
            if word.hasPrefix("x") {
                digits = word.dropFirst()
            } else if word.hasSuffix("x") {
                digits = word.dropLast()
            } else if words.count > 1, words[1] == "x" {
                (digits, count) = (word[...], 2)
            }
            guard let number = digits.flatMap(DateWords.digits) else { return [] }
            let part = Part.count(number, isBehind: word.hasPrefix("x"))
            return [Step(part: part, count: count)]
        }

        private static let until = ["to", "until", "till", "-"]
        private static let fillings = [
            "a", "an", "and", "at", "for", "from", "in", "of", "on", "please", "the",
        ]
    }
}
