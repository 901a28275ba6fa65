// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// What people call a booking by at the counter: the first 40 bits of its token, `K7Q2M5XA`.
///
/// Two bookings of one code do not come by chance; whoever looks one up is told if they do.
package struct BookingCode: Hashable, Sendable {
    /// 8 capital letters and digits.
    package let text: String

    /// Characters of a code, and the fewest by which one is looked up.
    package static let length = 8
    private static let least = 4

    /// The code of a booking.
    package init(_ token: Token) {
        text = Base32.encode(token.bytes.prefix(5)).uppercased()
    }

    /// What somebody typed for a code, as far as it goes: 4 to 8 characters in either case, with or
    /// without hyphens; 0, 1 and 8 are read as the letters that they are taken for. `nil` for
    /// anything else.
    package static func typed(_ text: String) -> String? {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "-", " ": continue
            case "0": out += "O"
            case "1": out += "I"
            case "8": out += "B"
            case "A"..."Z", "a"..."z", "2"..."7": out += String(scalar).uppercased()
            default: return nil
            }
            guard out.utf8.count <= length else { return nil }
        }
        return out.utf8.count >= least ? out : nil
    }

    /// The booking with the code that somebody typed. Throws `no-such-booking`, and `ambiguous` if
    /// several begin so; `list` shows them.
    package static func find(
        _ word: String, among tokens: [Token], list: String
    ) throws(UserError) -> Token {
        let shown = visible(word, cells: 20)
        guard let code = typed(word) else {
            throw UserError(
                .noSuchBooking, "\"\(shown)\" is no code of a booking",
                why: "a code has 8 letters and digits, as K7Q2M5XA", advice: list)
        }
        let found = tokens.filter { BookingCode($0).text.hasPrefix(code) }
        guard let token = found.first else {
            throw UserError(.noSuchBooking, "no booking has the code \(code)", advice: list)
        }
        guard found.count == 1 else {
            let codes = found.prefix(6).map { BookingCode($0).text }.joined(separator: ", ")
            throw UserError(
                .ambiguous, "several bookings have codes that begin with \(code)",
                why: code.utf8.count == length ? "its number in the list names one of them" : codes,
                advice: list)
        }
        return token
    }
}
