// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

// MARK: Offers

extension Op {
    /// Says that the user's seats may be had.
    package struct Offer: ControlOperation {
        /// What is offered.
        package struct Reply: Codable, Hashable, Sendable {
            /// The record.
            @OrNull package var id: String?
            /// Which seats.
            package var seats: [Seat]?
            /// What for, the best first.
            package var wants: [SeatWish]?
            /// Words with it.
            package var note: String?

            /// What is offered.
            package init(
                id: String?, seats: [Seat]? = nil, wants: [SeatWish]? = nil, note: String? = nil
            ) {
                self.id = id
                self.seats = seats
                self.wants = wants
                self.note = note
            }
        }

        package static var operation: OperationName { .offer }
        /// `window`, `aisle`, `front`, `any` or seats, the best first.
        package var `for`: [String]
        /// Words with it.
        package var note: String?

        /// Offers the user's seats for what `for` lists.
        package init(`for`: [String], note: String? = nil) {
            self.for = `for`
            self.note = note
        }
    }

    /// Takes the offer back.
    package struct Withdraw: ControlOperation {
        package typealias Reply = Done
        package static var operation: OperationName { .withdraw }
        package init() {}
    }
}

// MARK: Asking and answering

/// What may be said with a request or a yes, on the command line and on the socket.
package struct SwapTerms: Codable, Hashable, Sendable {
    /// Options of a command line that the agent only repeats in `try`.
    package struct Typed: Codable, Hashable, Sendable {
        /// Nothing is asked.
        @IfTrue package var yes: Bool
        /// The command waits for the outcome.
        @IfTrue package var wait: Bool
        /// So many seconds.
        package var timeout: Int?
        /// The command that found what is proposed: `together` or `match`.
        package var found: String?
        /// Which of what it found.
        package var pick: Int?
        /// Nothing is to take its place.
        @IfTrue package var once: Bool
        /// So many seconds for an answer.
        package var patience: Int?

        /// Typed options.
        package init(
            yes: Bool = false, wait: Bool = false, timeout: Int? = nil, found: String? = nil,
            pick: Int? = nil, once: Bool = false, patience: Int? = nil
        ) {
            self.yes = yes
            self.wait = wait
            self.timeout = timeout
            self.found = found
            self.pick = pick
            self.once = once
            self.patience = patience
        }

        /// Whether none was typed.
        package var isEmpty: Bool { self == Typed() }
    }

    /// The seat that the user gives; of `swap`, several with commas.
    package var give: String?
    /// The seat that the user gets.
    package var take: String?
    /// Which of several who claim the seat.
    package var from: String?
    /// Words with it.
    package var note: String?
    /// Seconds for which it stands.
    package var expires: Int?
    /// A seat that two claim, or a passenger with a misdeed, is taken knowingly.
    @IfTrue package var override: Bool
    /// The user knows that nothing but a claim stands behind whoever votes last.
    @IfTrue package var unverified: Bool
    /// Other options of the command line.
    package var typed: Typed?

    /// Terms of which only some are said; flags are off unless they are given.
    package init(
        give: String? = nil, take: String? = nil, from: String? = nil, note: String? = nil,
        expires: Int? = nil, override: Bool = false, unverified: Bool = false, typed: Typed? = nil
    ) {
        self.give = give
        self.take = take
        self.from = from
        self.note = note
        self.expires = expires
        self.override = override
        self.unverified = unverified
        self.typed = typed
    }
}

/// A request as it was typed, from the arguments of its operation.
package struct RequestWords: Codable, Hashable, Sendable {
    /// The seat that is asked for.
    package var seat: String?
    /// The seats of a ring.
    package var seats: [String]?
    /// The number that is answered.
    package var request: Int?
    /// What is said with it.
    @Flat package var terms: SwapTerms

    /// A request or an answer as it was typed.
    package init(
        seat: String? = nil, seats: [String]? = nil, request: Int? = nil,
        terms: SwapTerms = SwapTerms()
    ) {
        self.seat = seat
        self.seats = seats
        self.request = request
        self.terms = terms
    }
}

extension Op {
    /// Asks for a seat.
    package struct Swap: ControlOperation {
        package typealias Reply = SwapRequest
        package static var operation: OperationName { .swap }
        package static var repeated: [String] { ["take", "typed"] }
        /// The seat that is asked for; several with commas.
        package var seat: String
        /// What is said with it.
        @Flat package var terms: SwapTerms
        /// The key of whom the user was asked about.
        package var holder: String?
        /// The same for several seats, in the order of `seat`.
        package var holders: [String]?
        /// Sends nothing; the answer is a ``SwapDraft``.
        @IfTrue package var draft: Bool

        /// Asks for `seat`; `holder` is the key of the passenger whom the user was asked about.
        package init(
            seat: String, terms: SwapTerms = SwapTerms(), holder: String? = nil,
            holders: [String]? = nil, draft: Bool = false
        ) {
            self.seat = seat
            self.terms = terms
            self.holder = holder
            self.holders = holders
            self.draft = draft
        }
    }

    /// What asking for a seat would be.
    package struct DraftSwap: ControlOperation {
        package typealias Reply = SwapDraft
        package static var operation: OperationName { .swap }
        package static var repeated: [String] { Swap.repeated }
        /// The question.
        @Flat package var swap: Swap

        /// A draft of `swap`.
        package init(_ swap: Swap) {
            self.swap = swap
            self.swap.draft = true
        }
    }

    /// Asks several passengers.
    package struct Propose: ControlOperation {
        package typealias Reply = SwapRequest

        /// A seat and who gets it.
        package struct Leg: Codable, Hashable, Sendable {
            /// Which seat.
            package var seat: String?
            /// Who gets it.
            package var to: String?
            /// Which of several who claim it.
            package var from: String?

            /// A leg.
            package init(seat: String? = nil, to: String? = nil, from: String? = nil) {
                self.seat = seat
                self.to = to
                self.from = from
            }
        }

        package static var operation: OperationName { .propose }
        package static var repeated: [String] { Ring.repeated }
        /// All seats.
        package var legs: [Leg]?
        /// What is said with it.
        @Flat package var terms: SwapTerms
        /// What found it, `together` or `match`, and looks again if it comes to nothing.
        package var finder: Word<OperationName>?
        /// Seconds in which all are to answer; without it nothing takes its place.
        package var patience: Int?
        /// Sends nothing; the answer is a ``SwapDraft``.
        @IfTrue package var draft: Bool

        /// Asks for all moves of `legs` at once.
        package init(
            legs: [Leg]? = nil, terms: SwapTerms = SwapTerms(),
            finder: Word<OperationName>? = nil, patience: Int? = nil, draft: Bool = false
        ) {
            self.legs = legs
            self.terms = terms
            self.finder = finder
            self.patience = patience
            self.draft = draft
        }
    }

    /// What asking several passengers would be.
    package struct DraftPropose: ControlOperation {
        package typealias Reply = SwapDraft
        package static var operation: OperationName { .propose }
        package static var repeated: [String] { Propose.repeated }
        /// The request.
        @Flat package var propose: Propose

        /// A draft of `propose`.
        package init(_ propose: Propose) {
            self.propose = propose
            self.propose.draft = true
        }
    }

    /// Negotiations.
    package struct Requests: ControlOperation {
        package typealias Reply = RequestList
        package static var operation: OperationName { .requests }
        /// Whether those that are over are wanted too.
        @IfTrue package var all: Bool

        /// Asks for the open requests, or for all.
        package init(all: Bool = false) {
            self.all = all
        }
    }

    /// Says yes, which binds.
    package struct Accept: ControlOperation {
        package typealias Reply = SwapRequest
        package static var operation: OperationName { .accept }
        package static var repeated: [String] {
            ["give", "take", "from", "note", "expires", "typed"]
        }
        /// Its number.
        package var request: Int
        /// The contract that was shown.
        package var contract: String?
        /// Whether the yes counts for what takes its place, where the user gives and gets the same.
        @IfTrue package var keep: Bool
        /// What is said with it.
        @Flat package var terms: SwapTerms

        /// Says yes to that request, and to no other contract than `contract` where it is given.
        package init(
            request: Int, contract: String? = nil, keep: Bool = false,
            terms: SwapTerms = SwapTerms()
        ) {
            self.request = request
            self.contract = contract
            self.keep = keep
            self.terms = terms
        }
    }

    /// Says no.
    package struct Decline: ControlOperation {
        package typealias Reply = SwapRequest
        package static var operation: OperationName { .decline }
        /// Its number.
        package var request: Int
        /// Words that reach whoever asked.
        package var note: String?

        /// Says no to that request.
        package init(request: Int, note: String? = nil) {
            self.request = request
            self.note = note
        }
    }

    /// Makes another offer.
    package struct Counter: ControlOperation {
        package typealias Reply = SwapRequest
        package static var operation: OperationName { .counter }
        package static var repeated: [String] { ["from", "expires", "typed"] }
        /// Its number.
        package var request: Int
        /// Of several, all moves that a draft showed.
        package var legs: [Propose.Leg]?
        /// What is said with it.
        @Flat package var terms: SwapTerms
        /// Sends nothing; the answer is a ``SwapDraft``.
        @IfTrue package var draft: Bool

        /// Makes another offer in that request, or only a draft of one.
        package init(request: Int, terms: SwapTerms = SwapTerms(), draft: Bool = false) {
            self.request = request
            self.terms = terms
            self.draft = draft
        }
    }

    /// What another offer would be.
    package struct DraftCounter: ControlOperation {
        package typealias Reply = SwapDraft
        package static var operation: OperationName { .counter }
        package static var repeated: [String] { Counter.repeated }
        /// The offer.
        @Flat package var counter: Counter

        /// A draft of `counter`.
        package init(_ counter: Counter) {
            self.counter = counter
            self.counter.draft = true
        }
    }

    /// Takes back a request, or a yes that is not signed yet.
    package struct Cancel: ControlOperation {
        package typealias Reply = SwapRequest
        package static var operation: OperationName { .cancel }
        /// Its number.
        package var request: Int

        /// Takes back that request, or the yes to it.
        package init(request: Int) {
            self.request = request
        }
    }

    /// Leaves a swap without an outcome.
    package struct Force: ControlOperation {
        package typealias Reply = SwapRequest
        package static var operation: OperationName { .force }
        /// Its number.
        package var request: Int

        /// Leaves the swap of that request.
        package init(request: Int) {
            self.request = request
        }
    }
}
