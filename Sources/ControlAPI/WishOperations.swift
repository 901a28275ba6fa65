// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// What others may ask a passenger for.
package enum Asking: String, Vocabulary {
    /// Nothing: no request of others is shown.
    case nothing
    /// A window seat for a window seat, an aisle seat for an aisle seat.
    case similar
    /// Anything.
    case anything
}

extension Op {
    /// Says what the user would take instead of what they have. What is missing stays as it is;
    /// without any member nothing changes.
    package struct Wish: ControlOperation {
        package typealias Reply = WishFacts
        package static var operation: OperationName { .wish }
        /// What would be taken, from the best on: `window, next to bo`.
        package var words: String?
        /// Own seats that may be had; none takes the offer back.
        package var offer: [String]?
        /// What others may ask for.
        package var asks: Word<Asking>?
        /// Whether the words and the note stay on this device.
        package var `private`: Bool?
        /// Whether only a better seat than the present one is taken.
        package var stay: Bool?
        /// Words for others.
        package var note: String?
        /// Whether the agent proposes and accepts for the user what serves the wish.
        package var auto: Bool?

        /// Changes what is given, and nothing else.
        package init(
            words: String? = nil, offer: [String]? = nil, asks: Word<Asking>? = nil,
            `private`: Bool? = nil, stay: Bool? = nil, note: String? = nil, auto: Bool? = nil
        ) {
            self.words = words
            self.offer = offer
            self.asks = asks
            self.private = `private`
            self.stay = stay
            self.note = note
            self.auto = auto
        }

        /// Whether it changes nothing.
        package var isEmpty: Bool { self == Wish() }
    }
}

/// The user's wish, and what others see of it.
package struct WishFacts: Codable, Hashable, Sendable {
    /// One of the seats that would be taken, in words and as others see it.
    package struct Choice: Codable, Hashable, Sendable {
        /// The words.
        package var words: String
        /// Blocks of seats: `1-10AF 12A`; missing if no seat is like that now.
        package var seats: String?
        /// Why no seat is.
        package var why: String?

        /// Words and what they come to.
        package init(words: String, seats: String? = nil, why: String? = nil) {
            self.words = words
            self.seats = seats
            self.why = why
        }
    }

    /// Own seats that may be had.
    package var seats: [Seat]
    /// What would be taken, from the best on.
    package var choices: [Choice]
    /// Whether only a better seat than the present one is taken.
    package var stay: Bool
    /// Whether nothing that is wished is better than what the user has.
    @IfTrue package var best: Bool
    /// Whether the words and the note stay on this device.
    package var `private`: Bool
    /// What others may ask for.
    package var asks: Word<Asking>
    /// Words for others.
    package var note: String
    /// Whether the agent proposes and accepts for the user what serves the wish.
    @IfTrue package var auto: Bool
    /// What others see; `nil` for no offer.
    @OrNull package var told: SeatOffer?
    /// Whether others know an earlier wish that was not private.
    @IfTrue package var known: Bool
    /// Whether windows and aisles are those of a layout that nobody chose.
    @IfTrue package var guessed: Bool
    /// Seconds until others are told; missing if they know.
    package var left: Int?
    /// Requests that were met with silence because of this change.
    package var declined: [Int]?

    /// A wish; flags are off unless they are given.
    package init(
        seats: [Seat], choices: [Choice], stay: Bool, best: Bool = false, `private`: Bool,
        asks: Word<Asking>, note: String, auto: Bool = false, told: SeatOffer?, known: Bool = false,
        guessed: Bool = false, left: Int? = nil, declined: [Int]? = nil
    ) {
        self.seats = seats
        self.choices = choices
        self.stay = stay
        self.best = best
        self.private = `private`
        self.asks = asks
        self.note = note
        self.auto = auto
        self.told = told
        self.known = known
        self.guessed = guessed
        self.left = left
        self.declined = declined
    }
}
