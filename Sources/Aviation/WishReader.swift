// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text

/// Why words are no wish.
package struct WishFault: Error, Hashable, Sendable {
    /// What is wrong.
    package let what: String
    /// Why.
    package let why: String
    /// A wish like it that can be read.
    package let better: String
    /// Whether it is too much, and not wrong.
    package var isTooMuch = false
}

/// Reads wishes as people type them: choices from the best on, with a comma or `then` between them.
package enum WishReader {
    /// All choices. Throws what is wrong, and a wish that can be read.
    package static func read(_ text: String) throws(WishFault) -> [WishChoice] {
        guard text.utf8.count <= Limits.wishWords else {
            throw WishFault(
                what: "that wish is too long", why: "\(Limits.wishWords) bytes are allowed",
                better: standard, isTooMuch: true)
        }
        let tokens = WishToken.split(text)
        switch parse(tokens) {
        case .success(let choices): return choices
        case .failure(let fault): throw fault.mended(tokens)
        }
    }

    /// A wish that everybody can have.
    package static let standard = "window, aisle"

    /// The words of a command line as one text: a word with blanks behind `to` or `near` is a name.
    package static func text(_ operands: [String]) -> String {
        var text = ""
        for (index, word) in operands.enumerated() {
            let before = index > 0 ? operands[index - 1].lowercased() : ""
            let isName = ["to", "near", "beside"].contains(before)
            if !text.isEmpty { text += " " }
            text += isName ? WishWords.quoted(word) : word
        }
        return text
    }

    /// The same wish as a shell takes it behind `seatagent wish`.
    package static func shell(_ text: String) -> String {
        var words: [String] = []
        for token in WishToken.split(text) {
            guard token.isQuoted || token.raw != WishToken.comma else {
                guard let last = words.popLast() else { continue }
                // A comma behind a quoted name would be one of its letters.
                words += last.hasSuffix("'") ? [last, "then"] : [last + ","]
                continue
            }
            words.append(ShellWord.quoted(token.raw))
        }
        return words.joined(separator: " ")
    }

    static func parse(_ tokens: [WishToken]) -> Result<[WishChoice], Slip> {
        var choices: [WishChoice] = []
        var reader = Reader(tokens: tokens)
        do throws(Slip) {
            while let choice = try reader.choice() { choices.append(choice) }
        } catch {
            return .failure(error)
        }
        guard !choices.isEmpty else {
            return .failure(Slip(what: "that says nothing", why: "a wish names seats", at: nil))
        }
        guard choices.count <= Limits.ranks else {
            return .failure(
                Slip(
                    what: "that is too many wishes", why: "\(Limits.ranks) are allowed",
                    at: reader.fifth, cutsOff: true))
        }
        return .success(choices)
    }

    /// What is wrong, and with which token.
    struct Slip: Error {
        let what: String
        let why: String
        /// The index of the token.
        let at: Int?
        /// What may stand there instead.
        var instead: String?
        /// Whether everything from there on is one too many.
        var cutsOff = false

        /// The same with a wish that can be read.
        func mended(_ tokens: [WishToken]) -> WishFault {
            var tries: [[WishToken]] = []
            if let at, cutsOff {
                tries.append(Array(tokens[..<at]))
            } else if let at {
                if let instead {
                    tries.append(
                        tokens[..<at] + WishToken.split(instead) + tokens[(at + 1)...])
                }
                var rest = tokens
                rest.remove(at: at)
                tries.append(rest)
            }
            let good = tries.lazy.filter { tokens in
                if case .success = WishReader.parse(tokens) { true } else { false }
            }.map(WishToken.line).first { $0.utf8.count <= Limits.wishWords }
            return WishFault(
                what: what, why: why, better: good ?? WishReader.standard, isTooMuch: cutsOff)
        }
    }

    /// The words that begin something.
    package static let words = [
        "window", "aisle", "middle", "front", "back", "rows", "row", "near", "next to", "away",
        "exit", "legroom", "not", "any", "toilets",
    ]

    /// Words that change nothing.
    static let filling = [
        "a", "an", "the", "seat", "seats", "and", "in", "on", "at", "of", "extra", "further",
        "more", "please",
    ]

    /// Words for the one place that is no seat and nobody.
    static let toilets = ["toilet", "toilets", "lavatory", "lavatories", "loo", "wc"]

    /// Reads token by token.
    struct Reader {
        let tokens: [WishToken]
        private var index = 0
        /// Where the first choice too many begins.
        private(set) var fifth = 0
        private var count = 0

        init(tokens: [WishToken]) { self.tokens = tokens }

        private var word: String? { index < tokens.count ? tokens[index].word : nil }

        private mutating func take(_ words: String...) -> Bool { take(words) }

        private mutating func take(_ words: [String]) -> Bool {
            guard let word, !tokens[index].isQuoted, words.contains(word) else { return false }
            index += 1
            return true
        }

        private mutating func skip() {
            while take(WishReader.filling) {}
        }

        /// The next choice; `nil` at the end.
        mutating func choice() throws(Slip) -> WishChoice? {
            while take(WishToken.comma) {}
            guard index < tokens.count else { return nil }
            let start = index
            count += 1
            if count == Limits.ranks + 1 { fifth = start }
            var alternatives: [[WishChoice.Part]] = [[]]
            var isAny = false
            while true {
                skip()
                guard let word, word != WishToken.comma else { break }
                if take("or") {
                    guard alternatives.last?.isEmpty == false else {
                        throw slip("\"or\" joins two wishes", index - 1)
                    }
                    alternatives.append([])
                } else if take("any", "anything", "anywhere") {
                    isAny = true
                } else {
                    alternatives[alternatives.count - 1] += try parts()
                }
            }
            if isAny, alternatives == [[]] { alternatives = [[WishChoice.Part(.any)]] }
            guard !alternatives.contains(where: \.isEmpty) else {
                throw slip("nothing is said there", max(index - 1, start))
            }
            return WishChoice(alternatives: alternatives)
        }

        private func slip(
            _ why: String, _ index: Int, instead: String? = nil
        ) -> Slip {
            Slip(
                what: "\"\(visible(tokens[index].raw, cells: 32))\" is no word of a wish", why: why,
                at: index, instead: instead)
        }

        /// A word with what belongs to it; after `not` several seats.
        private mutating func parts() throws(Slip) -> [WishChoice.Part] {
            let start = index
            if take("away", "far") { return [try away(start)] }
            guard take("not", "no", "except", "without") else {
                return [WishChoice.Part(try term())]
            }
            skip()
            guard word != nil, word != WishToken.comma else {
                throw slip("\"not\" stands before another word", start, instead: "not middle")
            }
            if take("any", "or") {
                throw slip("that cannot be left out", index - 1, instead: "middle")
            }
            var parts = [WishChoice.Part(try term(), isNot: true)]
            while case .block = parts[0].term {
                let end = index
                skip()
                if take("or", "nor") { skip() }
                guard let block = nextBlock() else {
                    index = end
                    break
                }
                parts.append(WishChoice.Part(.block(block), isNot: true))
            }
            return parts
        }

        /// Seats that stand here; `nil` for anything else.
        private mutating func nextBlock() -> SeatSet.Block? {
            guard index < tokens.count, !tokens[index].isQuoted else { return nil }
            let token = tokens[index].word
            // A row alone waits for its letter.
            if WishWords.row(token) != nil, index + 1 < tokens.count,
                tokens[index + 1].isLetter,
                let block = WishWords.block(token + tokens[index + 1].word)
            {
                // "12 a window" is row 12 and a window.
                if tokens[index + 1].word != "a" || index + 2 >= tokens.count
                    || tokens[index + 2].word == WishToken.comma
                {
                    index += 2
                    return block
                }
            }
            guard let block = WishWords.block(token) else { return nil }
            index += 1
            return block
        }

        private mutating func term() throws(Slip) -> WishChoice.Term {
            let start = index
            if let block = nextBlock() { return .block(block) }
            if take("window", "windows") { return .window }
            if take("aisle", "aisles") { return .aisle }
            if take("middle", "middles", "centre", "center") { return .middle }
            if take("front", "forward") { return .front }
            if take("back", "rear", "behind") { return .back }
            if take("row", "rows") { return .rows(try rows(start)) }
            if take("legroom") { return .legroom }
            if take("exit", "exits") {
                // "exit row 7" is an exit in row 7.
                let next = index + 1 < tokens.count ? tokens[index + 1].word : ""
                if WishWords.block(next) == nil { _ = take("row", "rows") }
                return .exit
            }
            if take("near", "close") {
                _ = take("to")
                skip()
                if take(WishReader.toilets) {
                    return .toilets
                }
                return .near(try place(start))
            }
            if take("next", "beside") {
                _ = take("to")
                return .beside(try place(start))
            }
            throw slip(Self.unknown, start, instead: meant(start))
        }

        /// The word that is most like the one that is none; "nex to bo" is one letter off.
        private func meant(_ start: Int) -> String? {
            let words = WishReader.words.map { $0 == "next to" ? "next" : $0 }
            let near = Suggestions.nearest(
                to: String(tokens[start].word.prefix(32)), among: words)
            let follows = start + 1 < tokens.count ? tokens[start + 1].word : ""
            return near == "next" && follows != "to" ? "next to" : near
        }

        private static let unknown =
            "words are window, aisle, middle, front, back, rows 1-10, near 14C, next to bo, away "
            + "from toilets, exit, legroom, any, not, and seats"

        private mutating func away(_ start: Int) throws(Slip) -> WishChoice.Part {
            _ = take("from")
            skip()
            guard take(WishReader.toilets) else {
                throw slip(
                    "away is away from toilets; from a seat or a passenger it is not near",
                    min(index, tokens.count - 1),
                    instead: index < tokens.count ? "toilets" : "away from toilets")
            }
            return WishChoice.Part(.toilets, isNot: true)
        }

        /// `1-10`, `1 - 10`, `1 to 10`, `7`.
        private mutating func rows(_ start: Int) throws(Slip) -> ClosedRange<Int> {
            guard let word, !tokens[index].isQuoted else {
                throw slip("which rows is not said", start, instead: "rows 1-10")
            }
            if let block = WishWords.block(word), block.columns == SeatSet.allColumns {
                index += 1
                guard block.first == block.last else { return block.first...block.last }
                let before = index
                guard take("-", "to", "until") else { return block.first...block.last }
                if let next = self.word.flatMap(WishWords.row), next >= block.first {
                    index += 1
                    return block.first...next
                }
                index = before
                throw slip("rows go from a smaller number to a greater one", before)
            }
            throw slip(
                "rows are written as 1-10, from 1 to 255", index, instead: "1-10")
        }

        /// A seat, or somebody.
        private mutating func place(_ start: Int) throws(Slip) -> WishChoice.Place {
            guard let word, word != WishToken.comma || tokens[index].isQuoted else {
                throw slip("of what is not said", start, instead: "near 14C")
            }
            let token = tokens[index]
            index += 1
            if !token.isQuoted, WishWords.row(word) != nil, index < tokens.count,
                tokens[index].isLetter, let seat = Seat(word + tokens[index].raw)
            {
                index += 1
                return .seat(seat)
            }
            let name = WishWords.withoutQuotes(token.raw)
            return Seat(name).map { .seat($0) } ?? .person(name)
        }
    }
}
