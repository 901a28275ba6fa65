// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Text

// MARK: The party of companions

/// The user's party: its code, and who has it.
package struct PartyStatus: Codable, Hashable, Sendable {
    /// The code, as people read it aloud; `nil` in no party.
    @OrNull package var code: String?
    /// The same as a link; `nil` in no party.
    @OrNull package var link: String?
    /// Whether the code was handed over before anybody was aboard: it needs no invitation.
    package var fromHome: Bool
    /// For how many seconds the code works; `nil` if it does not, or came from home.
    @OrNull package var openFor: Int?
    /// Whom the user said yes to, sorted by key.
    package var companions: [Companion]
    /// Who has the code and waits for the user's answer, in the order in which they came.
    package var candidates: [Person]
    /// Whom the user said no to, or took out, and who has a code.
    package var others: [Person]
    /// Whether the agent says yes for the user to what seats the party better together.
    package var trust: Bool

    /// A passenger whom the user travels with.
    package struct Companion: Codable, Hashable, Sendable {
        /// Who.
        package var who: Person
        /// Whether they show that they are in the party; if not, they count for nothing.
        package var here: Bool
        /// Whether they have the code of now.
        package var current: Bool

        /// Says how a companion stands.
        package init(who: Person, here: Bool, current: Bool) {
            self.who = who
            self.here = here
            self.current = current
        }
    }

    /// A party; without a code the user is in none.
    package init(
        code: String? = nil, link: String? = nil, fromHome: Bool = false, openFor: Int? = nil,
        companions: [Companion] = [], candidates: [Person] = [], others: [Person] = [],
        trust: Bool = false
    ) {
        self.code = code
        self.link = link
        self.fromHome = fromHome
        self.openFor = openFor
        self.companions = companions
        self.candidates = candidates
        self.others = others
        self.trust = trust
    }
}

/// What happens in the user's party.
package struct PartyNews: Codable, Hashable, Sendable {
    /// What.
    package var change: Word<PartyChange>
    /// Who has the code, speaks, or was taken out; `nil` for a change of the party as a whole.
    package var who: Person?
    /// Who took them out.
    package var by: Person?
    /// What was said. Hostile text.
    package var text: String?
    /// The record in which it was said.
    package var id: String?
    /// When, by the clock of whoever said it.
    package var saidAt: Stamp?

    /// Says that `change` happened; the rest depends on the kind of change.
    package init(
        change: Word<PartyChange>, who: Person? = nil, by: Person? = nil, text: String? = nil,
        id: String? = nil, saidAt: Stamp? = nil
    ) {
        self.change = change
        self.who = who
        self.by = by
        self.text = text
        self.id = id
        self.saidAt = saidAt
    }
}

/// What can happen in a party.
package enum PartyChange: String, Vocabulary {
    /// Somebody has the code: does the user travel with them?
    case asked
    /// A companion, or the user, said something to the others.
    case said
    /// Somebody is a companion now or does not count any more, or the code is another one.
    case changed
    /// A companion took somebody out.
    case removed
}

extension Op {
    /// The party, and who is in it.
    package struct Party: ControlOperation {
        package typealias Reply = PartyStatus
        package static var operation: OperationName { .party }
        package init() {}
    }

    /// Makes a party.
    package struct NewParty: ControlOperation {
        package typealias Reply = PartyStatus
        package static var operation: OperationName { .newParty }
        package init() {}
    }

    /// Joins a party.
    package struct JoinParty: ControlOperation {
        package typealias Reply = PartyStatus
        package static var operation: OperationName { .joinParty }
        /// A code or a link.
        package var code: String

        /// Joins the party whose code, or link, is `code`.
        package init(code: String) {
            self.code = code
        }
    }

    /// Lets the code work for ten minutes.
    package struct InviteToParty: ControlOperation {
        package typealias Reply = PartyStatus
        package static var operation: OperationName { .inviteToParty }
        package init() {}
    }

    /// Whether the user travels with somebody who has the code.
    package struct AnswerParty: ControlOperation {
        package typealias Reply = PartyStatus
        package static var operation: OperationName { .answerParty }
        /// A seat, a name, a tag or a key.
        package var who: String
        /// Whether they are a companion.
        package var companion: Bool

        /// Says whether the passenger whom `who` names is a companion.
        package init(who: String, companion: Bool) {
            self.who = who
            self.companion = companion
        }
    }

    /// Takes somebody out, and gives the others a new code.
    package struct RemoveFromParty: ControlOperation {
        package typealias Reply = PartyStatus
        package static var operation: OperationName { .removeFromParty }
        /// A seat, a name, a tag or a key.
        package var who: String

        /// Takes the passenger whom `who` names out.
        package init(who: String) {
            self.who = who
        }
    }

    /// Whether the agent says yes for the user to what seats the party better together.
    package struct TrustParty: ControlOperation {
        package typealias Reply = PartyStatus
        package static var operation: OperationName { .trustParty }
        /// Whether it does.
        package var on: Bool

        /// Says whether the agent says yes for the user.
        package init(on: Bool) {
            self.on = on
        }
    }

    /// Leaves the party.
    package struct LeaveParty: ControlOperation {
        package typealias Reply = PartyStatus
        package static var operation: OperationName { .leaveParty }
        package init() {}
    }

    /// A line to the companions.
    package struct SayToParty: ControlOperation {
        package typealias Reply = Say.Reply
        package static var operation: OperationName { .sayToParty }
        /// The words.
        package var text: String

        /// Says `text` to the companions.
        package init(text: String) {
            self.text = text
        }
    }
}
