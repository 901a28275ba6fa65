// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// What somebody does when the seats of a swap are taken.
package enum MovingKind: String, Vocabulary {
    /// They stand up and wait in the aisle.
    case waits
    /// They move into the seat that is free.
    case moves
    /// They waited, and sit down.
    case sits
}

/// A step of the order in which the passengers of a swap move.
package struct MovingStep: Codable, Hashable, Sendable {
    /// Who does it.
    package var who: Person
    /// What they do.
    package var step: Word<MovingKind>
    /// The seat that they leave, or left.
    package var from: Seat
    /// The seat that they take; `nil` for somebody who waits.
    package var to: Seat?

    /// A step.
    package init(who: Person, step: MovingKind, from: Seat, to: Seat? = nil) {
        self.who = who
        self.step = Word(step)
        self.from = from
        self.to = to
    }
}
