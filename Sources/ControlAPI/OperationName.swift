// SPDX-License-Identifier: Apache-2.0
package import Text

/// What an agent can be asked: one name from the command line to the agent, in the order of the
/// manual.
package enum OperationName: String, Vocabulary {
    case hello, status, peers, seats, cabin
    case useCabin = "cabin-use"
    case answerCabin = "cabin-answer"
    case suggestCabin = "cabin-suggest"
    case suggestions = "cabin-suggestions"
    case needs
    case setNeeds = "needs-set"
    case party
    case newParty = "party-new"
    case joinParty = "party-join"
    case inviteToParty = "party-invite"
    case answerParty = "party-answer"
    case sayToParty = "party-say"
    case removeFromParty = "party-remove"
    case trustParty = "party-trust"
    case leaveParty = "party-leave"
    case who, say
    case message = "msg"
    case game, play, search, log, watch, wish, offer, withdraw, together, match, swap, ring
    case propose, requests
    case accept, decline, counter, cancel, force, undo, receipt, seated
    case verify, compared
    case cancelVerify = "verify-cancel"
    case hosting
    case vouch, block, unblock, silence, rename, claim, release, export
    case addPeer = "peer-add"
    case venue
    case checkIn = "checkin"
    case checkOut = "checkout"
    case friend
    case day, days, book
    case giveBack = "give-back"
    case moveBooking = "move-booking"
    case withdrawAsk = "withdraw-ask"
    case asked, bookings
    case swapBookings = "booking-swap"
    case bookingSwaps = "booking-swaps"
    case answerSwap = "booking-answer"
    case wishBookings = "booking-wish"
    case bookingRings = "booking-rings"
    case sendForm = "form"
    case forms, desk
    case deskOpen = "desk-open"
    case deskAway = "desk-away"
    case deskAnswer = "desk-answer"
    case deskBook = "desk-book"
    case deskBlock = "desk-block"
    case deskClose = "desk-close"
    case deskPaid = "desk-paid"
    case deskVisit = "desk-visit"
    case deskLate = "desk-late"
    case deskMember = "desk-member"
    case deskMove = "desk-move"
    case deskDecide = "desk-decide"
    case deskBookings = "desk-bookings"
    case deskBackup = "desk-backup"
    case takeKey = "take-key"
    case stay, forget, down
}

/// One question to an agent, and what its answer is.
package protocol ControlOperation: Codable, Hashable, Sendable {
    /// The answer.
    associatedtype Reply: Codable, Sendable
    /// The name by which it is asked.
    static var operation: OperationName { get }
    /// Members of which the operation makes nothing: the agent only repeats them in the line that
    /// it says to try. Whatever stands there, the request is carried out.
    static var repeated: [String] { get }
}

extension ControlOperation {
    package static var repeated: [String] { [] }
}

/// An answer that only says that it is done.
package struct Done: Codable, Hashable, Sendable {
    /// Done.
    package init() {}
}

/// An answer as it came and as it was understood: `--json` prints the former, people read the
/// latter.
@dynamicMemberLookup
package struct Answer<Reply: Codable & Sendable>: Sendable {
    /// What was understood.
    package let reply: Reply
    /// As it came, with members that this program does not know.
    package let json: JSON

    /// Reads an answer. Throws ``JSONFault``.
    package init(_ json: JSON) throws(JSONFault) {
        reply = try Reply(told: json)
        self.json = json
    }

    /// A member of the answer.
    package subscript<Value>(dynamicMember path: KeyPath<Reply, Value>) -> Value {
        reply[keyPath: path]
    }
}

/// A question of any kind.
package struct ControlCall: Hashable, Sendable {
    /// What is asked.
    package let operation: OperationName
    /// The arguments.
    package let arguments: JSON

    /// A question by its name.
    package init(operation: OperationName, arguments: JSON) {
        self.operation = operation
        self.arguments = arguments
    }

    /// The question `operation`.
    package init<Operation: ControlOperation>(_ operation: Operation) {
        self.operation = Operation.operation
        arguments = JSON(operation)
    }
}
