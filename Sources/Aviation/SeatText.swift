// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// Seats as people write them.
package enum SeatText {
    /// Reads a seat, which must be in `cabin` if that is certain to be the aeroplane's. Throws
    /// `no-such-seat`.
    package static func parse(
        _ text: String, in cabin: CabinLayout? = nil, advice: String = "seatagent seats"
    ) throws(UserError) -> Seat {
        if let seat = Seat(text), cabin?.contains(seat) ?? true { return seat }
        throw UserError(
            .noSuchSeat, "\"\(text)\" is not a seat on this plane",
            why: cabin?.extent ?? "a seat is a row from 1 to 255 and a letter, as 14C",
            advice: advice)
    }

    /// The seats of a text such as `14C,14D`, in its order. Throws `no-such-seat` for the first
    /// that is none.
    package static func list(_ text: String) throws(UserError) -> [Seat] {
        var seats: [Seat] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            seats.append(try parse(String(word)))
        }
        return seats
    }

    /// The same as text; `nil` if one of them is no seat.
    package static func listed(_ text: String) -> String? {
        (try? list(text)).map { seats in seats.map(\.text).joined(separator: ",") }
    }

    /// The seats in a text such as `14C,14D` or `14C 14D`; `14 C` is one.
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
            // Nothing between two commas is a mistake and reported as one.
            return pieces.isEmpty ? [""] : pieces
        }
    }
}
