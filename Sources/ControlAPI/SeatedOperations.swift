// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// Who of a swap sits in their new seat, as far as they said so.
package struct SeatedNews: Codable, Hashable, Sendable {
    /// Number of the swap.
    package var number: Int
    /// Who said it last: in an answer the user.
    package var who: Person
    /// The seats that the swap gave them.
    package var seats: [Seat]
    /// Whether they sit there; else they took back that they do.
    package var sits: Bool
    /// All of the swap who sit in their new seats, by seat.
    package var seated: [Person]
    /// All others of it, by seat.
    package var missing: [Person]

    /// Says that `who` sits where swap `number` put them, or not, and what all others said.
    package init(
        number: Int, who: Person, seats: [Seat], sits: Bool, seated: [Person], missing: [Person]
    ) {
        self.number = number
        self.who = who
        self.seats = seats
        self.sits = sits
        self.seated = seated
        self.missing = missing
    }
}

extension Op {
    /// Tells the others of a swap that the user sits in their new seat.
    package struct Seated: ControlOperation {
        package typealias Reply = SeatedNews
        package static var operation: OperationName { .seated }
        /// Number of the swap; the last one that is final where it is left out.
        package var request: Int?
        /// Takes it back.
        @IfTrue package var off: Bool

        /// Says it of that swap, or of the last one.
        package init(request: Int? = nil, off: Bool = false) {
            self.request = request
            self.off = off
        }
    }
}
