// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol
package import Text

/// A change with a passenger.
package struct PeerNews: Codable, Hashable, Sendable {
    /// What changed.
    package var change: Word<PeerChange>
    /// Who.
    package var who: Person
    /// The name before, of one who was renamed.
    package var was: String?
    /// The name after, in the log.
    package var name: String?
    /// The record, in the log.
    package var id: String?

    /// Says that `change` happened with `who`; the rest depends on the kind of change.
    package init(
        change: Word<PeerChange>, who: Person, was: String? = nil, name: String? = nil,
        id: String? = nil
    ) {
        self.change = change
        self.who = who
        self.was = was
        self.name = name
        self.id = id
    }
}

/// A line to everyone.
package struct ChatNews: Codable, Hashable, Sendable {
    /// Who said it.
    package var who: Person
    /// The text as it came.
    package var text: String
    /// The record.
    package var id: String
    /// The record that it answers.
    package var replyTo: String?
    /// When, by the clock of whoever said it.
    package var saidAt: Stamp?
    /// Whether that clock is ahead.
    @IfTrue package var clockAhead: Bool
    /// Whether it came after later lines were told.
    @IfTrue package var late: Bool

    /// A line of `who`, with the times and marks that it came with.
    package init(
        who: Person, text: String, id: String, replyTo: String? = nil, saidAt: Stamp? = nil,
        clockAhead: Bool = false, late: Bool = false
    ) {
        self.who = who
        self.text = text
        self.id = id
        self.replyTo = replyTo
        self.saidAt = saidAt
        self.clockAhead = clockAhead
        self.late = late
    }
}

/// A message to or from one passenger.
package struct PrivateMessage: Codable, Hashable, Sendable {
    /// What distinguishes it from others.
    package var id: String
    /// The other passenger.
    package var who: Person
    /// Whether the user wrote it.
    package var outgoing: Bool
    /// As it was written.
    package var text: String
    /// How far it has come.
    package var state: Word<MessageState>
    /// Whether it lies at the meeting point while it waits; missing unless its receiver is away and
    /// can be left a letter.
    package var letter: Word<LetterState>?

    /// A message to `who` if it is outgoing, else from them.
    package init(
        id: String, who: Person, outgoing: Bool, text: String, state: Word<MessageState>,
        letter: Word<LetterState>? = nil
    ) {
        self.id = id
        self.who = who
        self.outgoing = outgoing
        self.text = text
        self.state = state
        self.letter = letter
    }
}

/// An offer that was made or taken back.
@dynamicMemberLookup
package struct OfferNews: Codable, Hashable, Sendable {
    /// Who offers.
    package var who: Person
    /// What.
    @Flat package var offer: SeatOffer
    /// What they may be asked for.
    package var asks: Word<Asking>?

    /// Says what `who` offers, and what they may be asked for.
    package init(who: Person, offer: SeatOffer, asks: Word<Asking>? = nil) {
        self.who = who
        self.offer = offer
        self.asks = asks
    }

    /// What is said of every offer.
    package subscript<Value>(dynamicMember path: KeyPath<SeatOffer, Value>) -> Value {
        offer[keyPath: path]
    }
}

/// A seat with other holders than before.
package struct SeatNews: Codable, Hashable, Sendable {
    /// Which seat.
    package var seat: Seat
    /// Whether one passenger has it.
    package var state: Word<SeatHolding>
    /// Who is shown in it.
    package var holders: [Person]

    /// Says who is shown in `seat` now.
    package init(seat: Seat, state: Word<SeatHolding>, holders: [Person]) {
        self.seat = seat
        self.state = state
        self.holders = holders
    }
}

/// A claim that was made or given up, in the log.
package struct ClaimNews: Codable, Hashable, Sendable {
    /// Which seat.
    package var seat: Seat
    /// What was said of it.
    package var change: Word<ClaimChange>
    /// By whom.
    package var who: Person
    /// The record.
    package var id: String

    /// Says that `who` claimed `seat`, or gave it up, in the record `id`.
    package init(seat: Seat, change: Word<ClaimChange>, who: Person, id: String) {
        self.seat = seat
        self.change = change
        self.who = who
        self.id = id
    }
}

/// A swap between any passengers, as the log has it.
package struct SwapNews: Codable, Hashable, Sendable {
    /// Signed by all, or left.
    package var state: Word<SwapRecordState>
    /// Whose record it is.
    package var who: Person
    /// Hash of the contract.
    package var contract: String
    /// Seats that change hands.
    package var moves: [Move]
    /// The record.
    package var id: String

    /// Says what became of a contract, in the record `id` of `who`.
    package init(
        state: Word<SwapRecordState>, who: Person, contract: String, moves: [Move], id: String
    ) {
        self.state = state
        self.who = who
        self.contract = contract
        self.moves = moves
        self.id = id
    }
}

/// A step of comparing codes with a passenger.
package struct ComparingNews: Codable, Hashable, Sendable {
    /// Which step.
    package var state: Word<ComparingStep>
    /// With whom.
    package var who: Person
    /// Three numbers that both read aloud.
    package var code: String?
    /// Why it ended, or is an alarm.
    package var why: Word<ComparingEnd>?

    /// Says how far comparing with `who` has come; `code` and `why` where the step has one.
    package init(
        state: Word<ComparingStep>, who: Person, code: String? = nil,
        why: Word<ComparingEnd>? = nil
    ) {
        self.state = state
        self.who = who
        self.code = code
        self.why = why
    }
}

/// Another layout is drawn from now on.
package struct CabinNews: Codable, Hashable, Sendable {
    /// The layout's name for commands.
    package var id: String
    /// The layout's name for people.
    package var name: String

    /// Names the layout that the cabin is drawn by now.
    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// The user is asked about a layout, or is not any more.
package enum LayoutNews: Codable, Hashable, Sendable {
    /// From now on.
    case asked(LayoutQuestion)
    /// Not any more, or the user has answered.
    case gone

    private enum CodingKeys: String, CodingKey { case state }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let state = try container.decode(Word<LayoutQuestionState>.self, forKey: .state)
        self = state == .asked ? .asked(try LayoutQuestion(from: decoder)) : .gone
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .asked(let question):
            try question.encode(to: encoder)
            try container.encode(LayoutQuestionState.asked.rawValue, forKey: .state)
        case .gone: try container.encode(LayoutQuestionState.gone.rawValue, forKey: .state)
        }
    }
}

/// The computer is kept from sleeping, or may sleep again.
package struct AwakeNews: Codable, Hashable, Sendable {
    /// Whether it is kept awake.
    package var held: Bool

    /// Says whether the computer is kept awake.
    package init(held: Bool) {
        self.held = held
    }
}

/// The computer slept.
package struct WokeNews: Codable, Hashable, Sendable {
    /// A request that waits or binds.
    package struct Item: Codable, Hashable, Sendable {
        /// Its number.
        package var number: Int
        /// How far it is.
        package var state: Word<RequestState>
        /// Whether it waits for the user.
        package var needsAnswer: Bool

        /// A request.
        package init(number: Int, state: Word<RequestState>, needsAnswer: Bool) {
            self.number = number
            self.state = state
            self.needsAnswer = needsAnswer
        }
    }

    /// Seconds.
    package var slept: Int
    /// What waits or binds.
    package var open: [Item]

    /// Says how long the computer slept, and what is open since.
    package init(slept: Int, open: [Item]) {
        self.slept = slept
        self.open = open
    }
}

/// Something is wrong with more than one message.
package struct TroubleNews: Codable, Hashable, Sendable {
    /// What, for programs.
    package var code: Word<TroubleCode>
    /// What, for people.
    package var what: String
    /// The passenger whom it concerns.
    package var who: Person?
    /// Two records that convict somebody.
    package var misdeed: Conviction?
    /// The name of the flight that somebody else is on.
    package var flight: String?

    /// Names a trouble, and whom or what it concerns.
    package init(
        code: Word<TroubleCode>, what: String, who: Person? = nil, misdeed: Conviction? = nil,
        flight: String? = nil
    ) {
        self.code = code
        self.what = what
        self.who = who
        self.misdeed = misdeed
        self.flight = flight
    }
}
