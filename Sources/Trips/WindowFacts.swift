// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Text

/// Where the selection window stands.
package enum WindowState: String, Vocabulary {
    /// Seats cannot be swapped yet.
    case early
    /// Seats can be swapped.
    case open
    /// Seats can no longer be swapped.
    case closed
}

/// The source for how long before departure seats can be chosen.
package enum OpeningSource: String, Vocabulary {
    /// The passenger.
    case own
    /// What the program knows about the airline.
    case airline
    /// None.
    case standard = "default"
}

/// How certain that is, for an airline.
package enum OpeningSureness: String, Vocabulary {
    case stated
    case conflicting
    case weak
    case general
}

/// When seats can be swapped.
package struct WindowFacts: Codable, Hashable, Sendable {
    /// The three times by the clocks at the airport of departure.
    package struct Local: Codable, Hashable, Sendable {
        /// The airport.
        package var airport: String
        /// When it opens.
        package var opens: String
        /// When the flight departs.
        package var departs: String
        /// When it closes.
        package var closes: String

        /// Times at `airport`.
        package init(airport: String, opens: String, departs: String, closes: String) {
            self.airport = airport
            self.opens = opens
            self.departs = departs
            self.closes = closes
        }
    }

    /// The state now.
    package var state: Word<WindowState>
    /// Seconds to the next change, or since it closed.
    package var seconds: Int
    /// When it opens.
    package var opens: Stamp
    /// When the flight departs.
    package var departs: Stamp
    /// When it closes.
    package var closes: Stamp
    /// By the clocks of the airport, if its zone is known.
    @OrNull package var local: Local?
    /// How long before departure it opens, and the source for that.
    @OrNull package var opening: OpeningFacts?

    /// A window in that state, with `seconds` to its next change or since its end.
    package init(
        state: Word<WindowState>, seconds: Int, opens: Stamp, departs: Stamp, closes: Stamp,
        local: Local?, opening: OpeningFacts?
    ) {
        self.state = state
        self.seconds = seconds
        self.opens = opens
        self.departs = departs
        self.closes = closes
        self.local = local
        self.opening = opening
    }
}

/// How long before departure seats can be chosen, and the source for that.
package struct OpeningFacts: Codable, Hashable, Sendable {
    /// Seconds before departure.
    package var seconds: Int
    /// The source.
    package var source: Word<OpeningSource>
    /// A sentence for people.
    package var words: String
    /// Name of the airline.
    package var airline: String?
    /// When that was looked up.
    package var asOf: String?
    /// How certain it is.
    package var sure: Word<OpeningSureness>?
    /// Where it was found.
    package var from: String?
    /// Anything else to know about it.
    package var note: String?

    /// The opening for a flight, with the source that it was read from.
    package init(
        seconds: Int, source: Word<OpeningSource>, words: String, airline: String? = nil,
        asOf: String? = nil, sure: Word<OpeningSureness>? = nil, from: String? = nil,
        note: String? = nil
    ) {
        self.seconds = seconds
        self.source = source
        self.words = words
        self.airline = airline
        self.asOf = asOf
        self.sure = sure
        self.from = from
        self.note = note
    }
}
