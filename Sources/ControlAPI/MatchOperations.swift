// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

// MARK: Who could change seats

/// How a party sits.
package enum PartyShape: String, Vocabulary {
    /// At least one of them sits away from the others.
    case apart
    /// In two rows, one before the other.
    case near
    /// Two and two, or each child beside a grown-up and the rest one row before or behind.
    case pairs
    /// Side by side but for the aisle.
    case row
    /// Side by side, with nobody and no aisle between.
    case block
}

/// Why somebody would say yes to an exchange.
package enum MoveReason: String, Vocabulary {
    /// To sit with their party.
    case together
    /// It is a wish of theirs.
    case wish
    /// It is as good as what they have: a favour.
    case alike
}

/// An exchange that was found. Nobody was asked.
package struct MatchPlan: Codable, Hashable, Sendable {
    /// Somebody who would sit elsewhere.
    package struct Change: Codable, Hashable, Sendable {
        /// Who.
        package var who: Person
        /// The seat that they leave.
        package var from: Seat
        /// The seat that they get.
        package var to: Seat
        /// Why they would.
        package var reason: Word<MoveReason>
        /// Which of their wishes it is, 1 for the first.
        package var rank: Int?
        /// Whether they are of the user's party, or the user.
        @IfTrue package var own: Bool

        /// Somebody who would go from one seat to another.
        package init(
            who: Person, from: Seat, to: Seat, reason: Word<MoveReason>, rank: Int? = nil,
            own: Bool = false
        ) {
            self.who = who
            self.from = from
            self.to = to
            self.reason = reason
            self.rank = rank
            self.own = own
        }
    }

    /// Its place in the list, 1 for the best.
    package var number: Int
    /// Everybody who would sit elsewhere, by the seat that they leave.
    package var changes: [Change]
    /// Seats that would change hands: those that the user gives first.
    package var moves: [Move]
    /// A sentence for each of them with the reason, the user's first.
    package var sentences: [String]
    /// How the party would sit.
    package var shape: Word<PartyShape>
    /// How many of the party would sit together.
    package var together: Int
    /// How many people would come to something better by their own order.
    package var helped: Int
    /// How many others would move without a gain.
    package var favours: Int
    /// Whether the user gives and gets a seat in it: only then can they propose it.
    package var yours: Bool

    /// An exchange, and what the party is like after it.
    package init(
        number: Int, changes: [Change], moves: [Move], sentences: [String],
        shape: Word<PartyShape>, together: Int, helped: Int, favours: Int, yours: Bool
    ) {
        self.number = number
        self.changes = changes
        self.moves = moves
        self.sentences = sentences
        self.shape = shape
        self.together = together
        self.helped = helped
        self.favours = favours
        self.yours = yours
    }

    /// The request for it.
    package func proposal(_ terms: SwapTerms) -> Op.Propose {
        let found = terms.typed?.found.flatMap(OperationName.init(rawValue:))
        let patience = terms.typed?.once == true ? nil : terms.typed?.patience ?? Self.patience
        return Op.Propose(
            legs: moves.map { move in
                Op.Propose.Leg(seat: move.seat.text, to: move.to.key, from: move.from.key)
            }, terms: terms, finder: found.map { Word($0) }, patience: patience)
    }

    /// Seconds in which all are to answer, unless the user says otherwise.
    package static let patience = 180
}

/// What a search found.
package struct MatchPlans: Codable, Hashable, Sendable {
    /// The user and their companions, the user first.
    package var party: [Person]
    /// How they sit now.
    package var shape: Word<PartyShape>
    /// How many of them sit together now.
    package var together: Int
    /// Exchanges, the best first; at least one.
    package var plans: [MatchPlan]
    /// Whether the search came to its end: if not, there may be better ones.
    package var whole: Bool
    /// Whether there were more people than a search looks at.
    @IfTrue package var cut: Bool
    /// Whether seats are those of a layout that nobody chose.
    @IfTrue package var guessed: Bool

    /// What was found; flags are off unless they are given.
    package init(
        party: [Person], shape: Word<PartyShape>, together: Int, plans: [MatchPlan], whole: Bool,
        cut: Bool = false, guessed: Bool = false
    ) {
        self.party = party
        self.shape = shape
        self.together = together
        self.plans = plans
        self.whole = whole
        self.cut = cut
        self.guessed = guessed
    }
}

extension Op {
    /// Looks for exchanges that seat the user's party better together.
    package struct Together: ControlOperation {
        package typealias Reply = MatchPlans
        package static var operation: OperationName { .together }
        package init() {}
    }

    /// Looks for exchanges that bring the user what they wish.
    package struct Match: ControlOperation {
        package typealias Reply = MatchPlans
        package static var operation: OperationName { .match }
        package init() {}
    }
}
