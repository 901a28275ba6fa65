// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import Protocol

/// A flight as typed, in pieces: `FR 202 2026-12-05 DUB STN`, `FR202/2026-12-05/DUB`.
///
/// Only splits the text; callers check the pieces.
package struct FlightWords: Hashable, Sendable {
    /// The part before the date: airline and number, without blanks. Empty if nothing was typed.
    package let number: String
    /// The date as typed; `nil` if there is none.
    package let date: String?
    /// The part after number and date, upper case: origin, then destination.
    package let airports: [String]
    /// The first word that is none of these, as typed: no airport, or an airport too many. `nil` if
    /// there is none.
    package let stray: String?

    /// Splits words at blanks and slashes.
    package init(_ words: some StringProtocol) {
        let pieces = Self.pieces(words)
        let dated = pieces.dropFirst().firstIndex(where: Self.looksLikeDate)
        let count = Self.numberLength(Array(pieces[..<(dated ?? pieces.count)]))
        self.init(pieces[..<count].joined(), Array(pieces[count...]))
    }

    /// Splits what was typed after a number that is known, so that no letter of it is taken for a
    /// part of that.
    package init(number: String, rest: some StringProtocol) {
        self.init(number, Self.pieces(rest))
    }

    /// What stands between blanks and slashes.
    package static func pieces(_ words: some StringProtocol) -> [String] {
        words.split(whereSeparator: { $0.isWhitespace || $0 == "/" }).map { String($0) }
    }

    private init(_ number: String, _ pieces: [String]) {
        let dated = pieces.firstIndex(where: Self.looksLikeDate)
        self.number = number
        let rest = pieces.filter { $0 != dated.map { pieces[$0] } }
        date = dated.map { pieces[$0] }
        airports = rest.map { $0.uppercased() }
        stray =
            rest.enumerated().first { place, word in
                place > 1 || !Trip.isAirport(word.uppercased())
            }?.element
    }

    /// Whether `name` may be meant: its number is `number`, and everything else that was typed
    /// matches.
    package func fit(_ name: FlightName, _ number: FlightNumber) -> Bool {
        name.designator == number.designator
            && date.map { $0 == name.date } ?? true
            && airports.first.map { $0 == name.origin } ?? true
    }

    /// The number of pieces that make up the flight number: the longest run that reads as one, or
    /// all pieces if none does. What reads as one takes no more digits: `FR202 5 dec` is FR 202.
    private static func numberLength(_ pieces: [String]) -> Int {
        var fits: Int?
        for count in 1...max(1, min(pieces.count, 4)) where count <= pieces.count {
            if fits != nil, pieces[count - 1].utf8.first.map({ 48...57 ~= $0 }) == true { break }
            if (try? FlightNumber.read(pieces[..<count].joined())) != nil { fits = count }
        }
        return fits ?? pieces.count
    }

    /// Digits with hyphens or full stops between them: `2026-12-05`, and what is meant for one.
    private static func looksLikeDate(_ piece: String) -> Bool {
        let bytes = piece.utf8
        let digits = bytes.count { 48...57 ~= $0 }
        return digits >= 4 && digits < bytes.count
            && bytes.allSatisfy { 48...57 ~= $0 || $0 == 45 || $0 == 46 }
    }
}
