// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Text

/// A booking that changes hands.
package struct BookingMove: Codable, Hashable, Sendable {
    /// The booking, 64 hexadecimal digits.
    package var token: String
    /// The number of the place in the venue's file; absent for a booking that is not known here.
    package var place: Int?
    /// When; absent with the place.
    package var period: PeriodFacts?
    package var count: Int
    /// Who gives it.
    package var from: Person
    /// Who gets it.
    package var to: Person

    /// That booking goes from one to another.
    package init(
        token: String, place: Int?, period: PeriodFacts?, count: Int, from: Person, to: Person
    ) {
        self.token = token
        self.place = place
        self.period = period
        self.count = count
        self.from = from
        self.to = to
    }
}

/// A negotiation about bookings, which needs no desk.
package struct BookingSwap: Codable, Hashable, Sendable {
    /// What the user calls it, in this agent only.
    package var number: Int
    /// How far it is.
    package var state: Word<RequestState>
    /// Whether it waits for the user.
    package var needsAnswer: Bool
    /// Bookings that change hands, those that the user gives first, then those that they get.
    package var moves: [BookingMove]
    /// The others who take part.
    package var with: [Person]
    /// Who may not have said yes yet, after the user did.
    package var waitsFor: [Person]
    /// Who made the offer on the table.
    package var by: Person
    /// Words with it.
    package var note: String
    /// Hash of the contract on the table, 64 hexadecimal digits.
    package var contract: String
    /// When it runs out, while it is open.
    package var expires: Stamp?
    /// Why it ended without a swap.
    package var reason: String?
    /// Whether the desk has it too: it is linked.
    @IfTrue package var seen: Bool

    /// A negotiation as it stands.
    package init(
        number: Int, state: RequestState, needsAnswer: Bool, moves: [BookingMove], with: [Person],
        waitsFor: [Person], by: Person, note: String, contract: String, expires: Stamp?,
        reason: String?, seen: Bool
    ) {
        self.number = number
        self.state = Word(state)
        self.needsAnswer = needsAnswer
        self.moves = moves
        self.with = with
        self.waitsFor = waitsFor
        self.by = by
        self.note = note
        self.contract = contract
        self.expires = expires
        self.reason = reason
        self.seen = seen
    }
}

/// What the user says to a negotiation about bookings.
package enum SwapAnswer: String, Vocabulary {
    case accept, decline
    /// Takes back what the user asked, or a yes that is not binding yet.
    case cancel
}

extension Op {
    /// Asks others to exchange bookings. The desk is not asked: each of them signs.
    package struct SwapBookings: ControlOperation {
        package typealias Reply = BookingSwap
        package static var operation: OperationName { .swapBookings }
        /// At least two bookings; each of those who take part gives and gets as many.
        package var legs: [Leg]
        package var note: String?
        /// Seconds until nobody can say yes any more.
        package var expires: Int?
        /// Whether the user knows that the periods differ, or that what they get is not paid.
        package var `override`: Bool?

        /// A booking and who gets it.
        package struct Leg: Codable, Hashable, Sendable {
            /// The booking, 64 hexadecimal digits.
            package var token: String
            /// Who gets it: a name, a tag or a key; `me` is the user.
            package var to: String

            /// That booking goes to `to`.
            package init(token: String, to: String) {
                self.token = token
                self.to = to
            }
        }

        /// Asks for that.
        package init(
            legs: [Leg], note: String? = nil, expires: Int? = nil, override: Bool? = nil
        ) {
            self.legs = legs
            self.note = note
            self.expires = expires
            self.override = override
        }
    }

    /// Negotiations about bookings: those that are open or agreed, or all of them.
    package struct BookingSwaps: ControlOperation {
        package static var operation: OperationName { .bookingSwaps }
        package var all: Bool?

        /// The open ones, or all.
        package init(all: Bool? = nil) { self.all = all }

        /// By their numbers.
        package struct Reply: Codable, Hashable, Sendable {
            package var swaps: [BookingSwap]

            package init(swaps: [BookingSwap]) { self.swaps = swaps }
        }
    }

    /// The user's answer to one of them. A yes is on disk before it is sent.
    package struct AnswerSwap: ControlOperation {
        package typealias Reply = BookingSwap
        package static var operation: OperationName { .answerSwap }
        package var request: Int
        package var answer: Word<SwapAnswer>
        /// The contract that the user saw: a yes counts for no other.
        package var contract: String?
        package var note: String?
        package var `override`: Bool?

        /// Says that to it.
        package init(
            request: Int, answer: SwapAnswer, contract: String? = nil, note: String? = nil,
            override: Bool? = nil
        ) {
            self.request = request
            self.answer = Word(answer)
            self.contract = contract
            self.note = note
            self.override = override
        }
    }
}
