// SPDX-License-Identifier: Apache-2.0
/// What the user wants of the desk of a venue (docs/protocol.md section 32).
public enum BookingIntent: Hashable, Sendable {
    /// Ask the desk for something; the ask stands until then. On disk before it is sent.
    case ask(BookingAsk.Wish, until: UTCTime)
    /// Take back an own ask, by the id of its statement.
    case withdraw(Bytes32)
    /// Tell the desk, and nobody else, something about oneself. It waits on the disk for the desk.
    case form(VenueForm)
    /// Forget an own form here.
    case dropForm(ThreadID)
    /// Say what would be taken for which own bookings, in ranks, the best first; without tokens
    /// take that back. At most 9 tokens, 4 ranks of 1 to 16 wants, and a note of 200 bytes.
    case wish([Token], [[BookingWant]], note: String)
}

/// What a desk does with its ledger, with asks and with forms. The people at the desk, or an
/// automaton, decide; what is said here is carried out as it stands.
public enum LedgerIntent: Hashable, Sendable {
    /// Write these, in this order and in one transaction. An empty log is begun with a genesis; the
    /// first of it MUST then be a charter.
    case append([LedgerEntry])
    /// Answer an ask by a statement: for that reason, 0...31, and at that place in the queue. At a
    /// place of 1...999 the ask stays; 0 ends it.
    case answer(ask: Bytes32, reason: Int, waiting: Int)
    /// Tell whoever sent a form what becomes of it, in at most 200 bytes. What the form said is
    /// forgotten here, unless it is ``FormState/kept`` still.
    case decide(FormKey, FormState, String)
    /// Forget all forms of a key.
    case eraseForms(of: PeerKey)
}

/// What became of an own ask, by its id.
public enum AskNotice: Hashable, Sendable {
    /// A ledger granted it: the booking.
    case granted(Bytes32, Token)
    /// A ledger closed the booking that it gave back.
    case closed(Bytes32, Token)
    /// The desk answered (``Node/ownAsks``).
    case answered(Bytes32)
    /// Its time is over, and the desk did not answer.
    case expired(Bytes32)
}

/// An own ask that no ledger has granted or closed.
public struct AskFacts: Hashable, Sendable {
    /// How it stands.
    public enum Standing: Hashable, Sendable {
        /// The desk has not said anything.
        case asked
        /// It waits at that place in the queue.
        case waiting(Int)
        /// The desk says no, for a reason of 0...31.
        case refused(Int)
    }

    /// The id of the statement.
    public let id: Bytes32
    /// What was asked.
    public let ask: BookingAsk
    /// How it stands.
    public let standing: Standing
}

/// An ask of anybody that the desk has neither granted nor ended.
public struct OpenAsk: Hashable, Sendable {
    /// The id of the statement.
    public let id: Bytes32
    /// The whole statement: a close carries it.
    public let statement: VenueStatement
    /// What is asked.
    public let ask: BookingAsk
    /// The place in the queue; 0 for none.
    public let waiting: Int

    /// Who asks.
    public var author: PeerKey { statement.author }
}

/// Who is the desk of a venue, as this agent knows it.
public struct DeskFacts: Hashable, Sendable {
    /// Who writes the ledger that counts.
    public let key: PeerKey
    /// Which desk of the venue it is, 1...255.
    public let epoch: Int
    /// Whether it is this agent.
    public let isMe: Bool
    /// Whether a session with it is open.
    public let isLinked: Bool
    /// Whether it is about: linked, linked with a peer of ours, or heard of within 45 s.
    public let isHeard: Bool
    /// When something of it came last, or when it was last within reach if that was later, in this
    /// process; `nil` for neither.
    public let heardAt: UTCTime?
    /// Where its ledger forked; `nil` for a whole one.
    public let fork: Int?
    /// Other desks of this epoch whose ledgers do not count, sorted.
    public let rivals: [PeerKey]

    /// Whether `other` says the same, but for when something came.
    func isSaid(by other: DeskFacts?) -> Bool {
        guard let other else { return false }
        return key == other.key && epoch == other.epoch && isLinked == other.isLinked
            && isHeard == other.isHeard && fork == other.fork && rivals == other.rivals
    }
}
