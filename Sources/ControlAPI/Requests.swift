// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import CivilTime
package import Protocol
package import Text

/// A seat that changes hands.
package struct Move: Codable, Hashable, Sendable {
    /// Which seat.
    package var seat: Seat
    /// Who gives it.
    package var from: Person
    /// Who gets it.
    package var to: Person

    /// `seat` goes from one passenger to another.
    package init(seat: Seat, from: Person, to: Person) {
        self.seat = seat
        self.from = from
        self.to = to
    }
}

extension Needs.Fact: Vocabulary {}

/// What to know before a yes, or to do after a swap.
package struct SwapWarning: Codable, Hashable, Sendable {
    /// What it is about.
    package var code: Word<WarningCode>
    /// A whole sentence.
    package var what: String

    /// A warning, as a code for scripts and a sentence for people.
    package init(code: Word<WarningCode>, what: String) {
        self.code = code
        self.what = what
    }
}

/// One negotiation.
package struct SwapRequest: Codable, Hashable, Sendable {
    /// What the user calls it, in this agent only.
    package var number: Int
    /// Who began it.
    package var direction: Word<RequestDirection>
    /// How far it is.
    package var state: Word<RequestState>
    /// Whether it waits for the user.
    package var needsAnswer: Bool
    /// Whether people may move.
    package var final: Bool
    /// Seats that change hands, by seat.
    package var moves: [Move]
    /// The other passengers.
    package var with: [Person]
    /// Passengers who may not have said yes yet, after the user did.
    package var waitsFor: [Person]?
    /// Who made the offer on the table.
    package var by: Person
    /// Words with it, by `by`.
    package var note: String
    /// Whether there was a counter-offer.
    @IfTrue package var revised: Bool
    /// Hash of the contract on the table.
    package var contract: String
    /// When it was made.
    package var created: Stamp
    /// When its last step was made.
    package var updated: Stamp
    /// When it runs out, while it is open.
    package var expires: Stamp?
    /// The same in seconds from now.
    package var left: Int?
    /// Why it ended without a swap.
    package var reason: String?
    /// The number of the request that took the user's yes instead.
    package var instead: Int?
    /// The number of an earlier request: in the place of which the user's agent proposed this one,
    /// or the user's yes to which counts for this one of somebody else's.
    package var after: Int?
    /// The number of the request that the user's agent proposed in its place, or to which their yes
    /// counts now.
    package var replaced: Int?
    /// Whether the user's agent looks for something to propose in its place.
    @IfTrue package var looking: Bool
    /// Whether the user's yes to it counts for what takes its place.
    @IfTrue package var counts: Bool
    /// What may happen to the user's seat after a yes.
    package var risk: String?
    /// What to know before a yes, or to do once it is final.
    package var warnings: [SwapWarning]
    /// Why the user's own agent would refuse a yes.
    package var blocked: UserError?
    /// Whether the user's agent said yes, or proposed it, for them.
    @IfTrue package var automatic: Bool
    /// Whether what the user asked or answered lies at the meeting point; missing unless the others
    /// are away and can be left a letter.
    package var letter: Word<LetterState>?
    /// Until when the one who was asked would do it, as they left word: it binds nothing, and goes
    /// through when both are online.
    package var wouldDo: Stamp?
    /// Who asks too often; in `request` events only.
    package var pressing: Pressing?

    /// A negotiation as it stands; flags are off and what may be missing is missing unless given.
    package init(
        number: Int, direction: Word<RequestDirection>, state: Word<RequestState>,
        needsAnswer: Bool, final: Bool, moves: [Move], with: [Person], waitsFor: [Person]? = nil,
        by: Person, note: String, revised: Bool = false, contract: String, created: Stamp,
        updated: Stamp, expires: Stamp? = nil, left: Int? = nil, reason: String? = nil,
        instead: Int? = nil, after: Int? = nil, replaced: Int? = nil, looking: Bool = false,
        counts: Bool = false,
        risk: String? = nil, warnings: [SwapWarning],
        blocked: UserError? = nil, automatic: Bool = false, letter: Word<LetterState>? = nil,
        wouldDo: Stamp? = nil, pressing: Pressing? = nil
    ) {
        self.number = number
        self.direction = direction
        self.state = state
        self.needsAnswer = needsAnswer
        self.final = final
        self.moves = moves
        self.with = with
        self.waitsFor = waitsFor
        self.by = by
        self.note = note
        self.revised = revised
        self.contract = contract
        self.created = created
        self.updated = updated
        self.expires = expires
        self.left = left
        self.reason = reason
        self.instead = instead
        self.after = after
        self.replaced = replaced
        self.looking = looking
        self.counts = counts
        self.risk = risk
        self.warnings = warnings
        self.blocked = blocked
        self.automatic = automatic
        self.letter = letter
        self.wouldDo = wouldDo
        self.pressing = pressing
    }
}

/// What a request or a counter-offer would be; nothing was sent.
package struct SwapDraft: Codable, Hashable, Sendable {
    /// Who would be asked.
    package var who: Person?
    /// The seat that the user would give.
    package var give: Seat?
    /// The seat that the user would get.
    package var take: Seat?
    /// What may happen to the user's seat.
    package var risk: String?
    /// What to know before.
    package var warnings: [SwapWarning]?
    /// Where each seat would go if it is not one seat for one: those that the user gives first.
    package var moves: [Move]?

    /// What would be asked, of whom, and what the user should know before.
    package init(
        who: Person? = nil, give: Seat? = nil, take: Seat? = nil, risk: String? = nil,
        warnings: [SwapWarning]? = nil, moves: [Move]? = nil
    ) {
        self.who = who
        self.give = give
        self.take = take
        self.risk = risk
        self.warnings = warnings
        self.moves = moves
    }
}

/// The answer to `requests`.
package struct RequestList: Codable, Hashable, Sendable {
    /// By number.
    package var requests: [SwapRequest]

    /// Requests, by number.
    package init(requests: [SwapRequest]) {
        self.requests = requests
    }
}

/// What the user said of the people in their seats.
package struct SeatNeeds: Codable, Hashable, Sendable {
    /// Whoever sits in one of the user's seats.
    package struct Person: Codable, Hashable, Sendable {
        /// The seat.
        package var seat: Seat
        /// Whether it still is the user's.
        package var yours: Bool
        /// What was said of whoever sits there.
        package var facts: [Word<Needs.Fact>]
        /// The seat of whoever has to sit beside them.
        package var with: Seat?

        /// Somebody in an own seat.
        package init(
            seat: Seat, yours: Bool, facts: [Word<Needs.Fact>], with: Seat? = nil
        ) {
            self.seat = seat
            self.yours = yours
            self.facts = facts
            self.with = with
        }
    }

    /// By seat.
    package var people: [Person]

    /// The people in the user's seats, by seat.
    package init(people: [Person]) {
        self.people = people
    }
}

/// The proof of a swap.
package struct SwapReceipt: Codable, Hashable, Sendable {
    /// A passenger by their key alone.
    package struct Party: Codable, Hashable, Sendable {
        /// Public key, 64 hexadecimal digits.
        package var key: String
        /// The tag of the key, in full.
        package var tag: String

        /// A party.
        package init(key: String, tag: String) {
            self.key = key
            self.tag = tag
        }
    }

    /// A seat that changed hands.
    package struct Leg: Codable, Hashable, Sendable {
        /// Which seat.
        package var seat: Seat
        /// Who gave it.
        package var from: Party
        /// Who got it.
        package var to: Party

        /// A leg.
        package init(seat: Seat, from: Party, to: Party) {
            self.seat = seat
            self.from = from
            self.to = to
        }
    }

    /// Number of the request.
    package var number: Int
    /// Name of the flight.
    package var flight: String
    /// Whether the flight has a cabin code.
    package var gated: Bool
    /// The id that signatures cover; `nil` from an agent of an earlier version.
    package var flightId: String?
    /// When it was agreed, by the agent's own clock.
    package var agreed: Stamp
    /// Whether people may move; `nil` from an agent of an earlier version.
    package var final: Bool?
    /// Hash of the contract.
    package var contract: String
    /// Seats that changed hands.
    package var seats: [Leg]
    /// A line for each passenger, which nobody signed.
    package var names: [String]
    /// Base64: the signed swap, then those of earlier swaps that its seats went through.
    package var certificates: [String]
    /// In which order they move, if at least three do; `nil` too from an agent of an earlier
    /// version.
    package var plan: [MovingStep]?
    /// Who sits in their new seat, as far as they said so; `nil` before it is final.
    package var seated: [Person]?
    /// All others of it; `nil` before it is final.
    package var missing: [Person]?

    /// A receipt; an agent of an earlier version tells neither `flightId` nor `final`.
    package init(
        number: Int, flight: String, gated: Bool, flightId: String? = nil, agreed: Stamp,
        final: Bool? = nil, contract: String, seats: [Leg], names: [String],
        certificates: [String], plan: [MovingStep]? = nil, seated: [Person]? = nil,
        missing: [Person]? = nil
    ) {
        self.number = number
        self.flight = flight
        self.gated = gated
        self.flightId = flightId
        self.agreed = agreed
        self.final = final
        self.contract = contract
        self.seats = seats
        self.names = names
        self.certificates = certificates
        self.plan = plan
        self.seated = seated
        self.missing = missing
    }
}
