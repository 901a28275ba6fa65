// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// Seats as people write them.
package enum SeatText {
    /// Reads a seat; one of `cabin`, where that is sure to be the plane's. Throws `no-such-seat`.
    package static func parse(
        _ text: String, in cabin: CabinLayout? = nil, advice: String = "seatagent seats"
    ) throws(UserError) -> Seat {
        if let seat = Seat(text), cabin?.contains(seat) ?? true { return seat }
        throw UserError(
            .noSuchSeat, "\"\(text)\" is not a seat on this plane",
            why: cabin?.extent ?? "a seat is a row from 1 to 255 and a letter, as 14C",
            advice: advice)
    }

    /// The seats in a text: `14C,14D`, `14C 14D`, and `14 C` is one.
    package static func pieces(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).flatMap { part in
            var pieces: [String] = []
            for word in part.split(whereSeparator: \.isWhitespace) {
                // A row alone waits for its letter.
                if let last = pieces.last, last.utf8.allSatisfy({ 48...57 ~= $0 }), word.count == 1
                {
                    pieces[pieces.count - 1] = last + word
                } else {
                    pieces.append(String(word))
                }
            }
            // Nothing between two commas is a slip, and said to be one.
            return pieces.isEmpty ? [""] : pieces
        }
    }
}
