// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A seat that somebody would take, in the words of people: several in one, the best first, make a
/// wish.
///
/// A choice is one or more alternatives. In one of them seats and kinds of seats add up (`window
/// aisle` is either), and everything else narrows them (`window front`).
package struct WishChoice: Hashable, Sendable {
    /// One word of it, with what belongs to it.
    package enum Term: Hashable, Sendable {
        case any
        case window, aisle, middle
        /// Further forward, or further back, than any own seat.
        case front, back
        case rows(ClosedRange<Int>)
        /// At most two rows away.
        case near(Place)
        /// Beside, without an aisle between.
        case beside(Place)
        case exit, legroom
        case toilets
        /// Columns of some rows: `12A`, `1-10AF`.
        case block(SeatSet.Block)

        /// Whether it adds seats; others narrow what the rest of the alternative says.
        var adds: Bool {
            switch self {
            case .any, .window, .aisle, .middle, .block: true
            case .front, .back, .rows, .near, .beside, .exit, .legroom, .toilets: false
            }
        }
    }

    /// Where somebody or something is.
    package enum Place: Hashable, Sendable {
        case seat(Seat)
        /// Somebody, by whatever word names them.
        case person(String)
    }

    /// A word, or that it must not hold.
    package struct Part: Hashable, Sendable {
        package var term: Term
        package var isNot: Bool

        package init(_ term: Term, isNot: Bool = false) {
            self.term = term
            self.isNot = isNot
        }

        /// The seats, if it names some.
        var block: SeatSet.Block? {
            if case .block(let block) = term { block } else { nil }
        }
    }

    /// Any of them will do; each has at least one part.
    package var alternatives: [[Part]]

    package init(alternatives: [[Part]]) { self.alternatives = alternatives }

    /// The words that name somebody, in their order.
    package var people: [String] {
        alternatives.flatMap(\.self).compactMap { part in
            switch part.term {
            case .near(.person(let who)), .beside(.person(let who)): who
            case .any, .window, .aisle, .middle, .front, .back, .rows, .near, .beside, .exit,
                .legroom, .toilets, .block:
                nil
            }
        }
    }

    /// Whether a layout says which seats are meant.
    package var needsLayout: Bool {
        alternatives.flatMap(\.self).contains { part in
            switch part.term {
            case .window, .aisle, .middle, .beside: true
            case .any, .front, .back, .rows, .near, .exit, .legroom, .toilets, .block: false
            }
        }
    }

    /// The same with other words for somebody.
    package func naming<E: Error>(_ name: (String) throws(E) -> String) throws(E) -> WishChoice {
        var choice = self
        for (row, alternative) in alternatives.enumerated() {
            for (index, part) in alternative.enumerated() {
                switch part.term {
                case .near(.person(let who)):
                    choice.alternatives[row][index].term = .near(.person(try name(who)))
                case .beside(.person(let who)):
                    choice.alternatives[row][index].term = .beside(.person(try name(who)))
                case .any, .window, .aisle, .middle, .front, .back, .rows, .near, .beside, .exit,
                    .legroom, .toilets, .block:
                    break
                }
            }
        }
        return choice
    }
}

/// Writes wishes in the words that ``WishReader`` reads.
package enum WishWords {
    /// `window, not middle front`: all choices, the best first.
    package static func text(_ choices: [WishChoice]) -> String {
        choices.map(text).joined(separator: ", ")
    }

    /// One choice.
    package static func text(_ choice: WishChoice) -> String {
        var left: SeatSet.Block?
        return choice.alternatives.map { parts in
            parts.map { part in
                // Seats behind seats that are left out would be left out too.
                let stands = left != nil && !part.isNot ? part.block : nil
                left = part.isNot ? part.block : nil
                return (stands == nil ? "" : "any ") + text(part)
            }.joined(separator: " ")
        }.joined(separator: " or ")
    }

    private static func text(_ part: WishChoice.Part) -> String {
        if part.term == .toilets { return part.isNot ? "away from toilets" : "near toilets" }
        return (part.isNot ? "not " : "") + text(part.term)
    }

    private static func text(_ term: WishChoice.Term) -> String {
        switch term {
        case .any: "any"
        case .window: "window"
        case .aisle: "aisle"
        case .middle: "middle"
        case .front: "front"
        case .back: "back"
        case .rows(let rows):
            rows.count == 1
                ? "row \(rows.lowerBound)" : "rows \(rows.lowerBound)-\(rows.upperBound)"
        case .near(let place): "near " + text(place)
        case .beside(let place): "next to " + text(place)
        case .exit: "exit"
        case .legroom: "legroom"
        case .toilets: "near toilets"
        case .block(let block): text(block)
        }
    }

    private static func text(_ place: WishChoice.Place) -> String {
        switch place {
        case .seat(let seat): seat.text
        case .person(let who): name(who)
        }
    }

    /// Somebody who is called like a word that is read over is quoted too.
    private static func name(_ who: String) -> String {
        let name = quoted(who)
        let isRead = WishReader.filling + WishReader.toilets + ["to"]
        return isRead.contains(name.lowercased()) ? "\"" + name + "\"" : name
    }

    /// A word that stands for one person, whatever is in it.
    package static func quoted(_ who: String) -> String {
        let name = withoutQuotes(who)
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            return properties.isAlphabetic || properties.numericType != nil
                || properties.canonicalCombiningClass != .notReordered
                || "#-_.".unicodeScalars.contains(scalar)
        }
        guard !isPlain || name.isEmpty || name.lowercased() == "then" else { return name }
        return "\"" + name + "\""
    }

    /// The same name: it has no quote that a reader needs.
    static func withoutQuotes(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.filter { $0 != "\"" }))
    }

    /// `1-10AF`, `12A`, and `3-5` for all columns.
    package static func text(_ block: SeatSet.Block) -> String {
        let rows = block.first == block.last ? "\(block.first)" : "\(block.first)-\(block.last)"
        guard block.columns != SeatSet.allColumns else { return rows }
        let letters = (0..<26).filter { block.columns & 1 << $0 != 0 }
        return rows + letters.map { String(Unicode.Scalar(UInt8(65 + $0))) }.joined()
    }

    /// `1-10AF 12A`: a set as others see it.
    package static func text(_ set: SeatSet) -> String {
        set.blocks.map(text).joined(separator: " ")
    }

    /// `1-10AF`, `12AB` or `3-5`; `nil` for anything else.
    package static func block(_ text: some StringProtocol) -> SeatSet.Block? {
        let letters = text.reversed().prefix { $0.isASCII && $0.isLetter }
        guard letters.count < text.count, letters.count <= 26 else { return nil }
        let ends = text.dropLast(letters.count)
            .split(separator: "-", omittingEmptySubsequences: false)
        guard 1...2 ~= ends.count, let first = row(ends[0]), let last = row(ends[ends.count - 1]),
            first <= last
        else { return nil }
        var columns = 0
        for letter in letters {
            let bit = 1 << (Int(letter.asciiValue ?? 0) & 0x1F - 1)
            // A letter twice is a mistake.
            guard columns & bit == 0 else { return nil }
            columns |= bit
        }
        if letters.isEmpty { columns = SeatSet.allColumns }
        return SeatSet.Block(columns: columns, first: first, last: last)
    }

    /// 1 to 255, digits only.
    static func row(_ text: some StringProtocol) -> Int? {
        guard 1...3 ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }),
            let number = Int(text), 1...255 ~= number
        else { return nil }
        return number
    }
}
