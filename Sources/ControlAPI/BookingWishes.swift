// SPDX-License-Identifier: Apache-2.0
package import Text

/// A booking that somebody would take for one of theirs.
package struct WantFacts: Codable, Hashable, Sendable {
    /// The number of the place in the venue's file, 1...4095; absent for any.
    package var place: Int?
    /// It begins and ends in this time.
    package var window: PeriodFacts

    /// Bookings of `place`, or of any place, within `window`.
    package init(place: Int?, window: PeriodFacts) {
        self.place = place
        self.window = window
    }
}

/// People whose wishes fit: each takes the booking of another.
package struct BookingRing: Codable, Hashable, Sendable {
    /// Who gives which booking to whom; what the user gives first, then what they get.
    package var moves: [BookingMove]
    /// How many of them get something better by their own order.
    package var helped: Int

    /// An exchange that could be proposed.
    package init(moves: [BookingMove], helped: Int) {
        self.moves = moves
        self.helped = helped
    }
}

extension Op {
    /// Says what the user would take for which of their bookings; without bookings takes that back.
    package struct WishBookings: ControlOperation {
        package static var operation: OperationName { .wishBookings }
        /// Own bookings, 64 hexadecimal digits each; at most 9.
        package var tokens: [String]
        /// What would be taken for any one of them, the best first: at most 4 ranks of 1 to 16.
        package var ranks: [[WantFacts]]?
        package var note: String?

        /// That wish.
        package init(tokens: [String], ranks: [[WantFacts]]? = nil, note: String? = nil) {
            self.tokens = tokens
            self.ranks = ranks
            self.note = note
        }

        /// When others are told.
        package struct Reply: Codable, Hashable, Sendable {
            /// In how many seconds; absent for at once.
            package var later: Int?

            package init(later: Int?) { self.later = later }
        }
    }

    /// Who could exchange bookings with whom, by the wishes of all.
    package struct BookingRings: ControlOperation {
        package static var operation: OperationName { .bookingRings }

        package init() {}

        /// The rings, best first; nobody is in two of them.
        package struct Reply: Codable, Hashable, Sendable {
            package var rings: [BookingRing]
            /// Whether there may be better ones: it was too much to look at.
            @IfTrue package var cut: Bool

            package init(rings: [BookingRing], cut: Bool) {
                self.rings = rings
                self.cut = cut
            }
        }
    }
}
