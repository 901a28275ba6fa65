// SPDX-License-Identifier: Apache-2.0
/// An ask that came: its signature was checked (docs/protocol.md section 33).
public struct DeskAsk: Hashable, Sendable {
    /// The id of the statement.
    public let id: Bytes32
    /// The whole statement: a close carries it.
    public let statement: VenueStatement
    /// What it asks.
    public let ask: BookingAsk

    /// Who asks.
    public var author: PeerKey { statement.author }

    /// The ask that this one takes back; `nil` for one that wants anything else. What takes back is
    /// itself not taken back.
    var target: Bytes32? { if case .withdraw(let id) = ask.wish { id } else { nil } }

    /// The ask that a statement says; `nil` for one that says anything else. `id` is that of the
    /// statement.
    public init?(_ statement: VenueStatement, id: Bytes32) {
        guard let ask = statement.ask else { return nil }
        self.id = id
        self.statement = statement
        self.ask = ask
    }
}

/// How a booking differs from what its grant says: contracts moved it, or a yes binds it.
package struct DeskTenure: Hashable, Sendable {
    /// The present tenure.
    package let slot: Slot
    /// Who holds it.
    package let holder: PeerKey
    /// Whether the holder's open yes to a contract binds it.
    package let isBound: Bool

    /// A tenure.
    package init(slot: Slot, holder: PeerKey, isBound: Bool) {
        self.slot = slot
        self.holder = holder
        self.isBound = isBound
    }
}

/// What happens to a desk (docs/protocol.md section 33).
package enum DeskEvent: Sendable {
    /// Asks came, in that order: all that came in one turn, for which there is one transaction.
    case asks([DeskAsk])
    /// All asks that are open came in this turn.
    case heardAll
    /// The own log may be appended to, or not any more. Shut at the start. `random` as in
    /// ``linked(_:random:)``.
    case gate(isOpen: Bool, random: ThreadID)
    /// A session with somebody is open, or none is any more: told when it changes. None at the
    /// start. The 16 random bytes are for a lot: nobody else can know them before.
    case linked(Bool, random: ThreadID)
    /// What the fold says of bookings that are not with their first holder, or bound; all of them.
    case tenures([DeskTenure])
    /// Somebody's stay.
    case stay(PeerKey, Stay)
    /// These keys are blocked now; all of them.
    case blocked([PeerKey])
    /// Logs or fork proofs came that may belong to ledgers, or the desk asked for them
    /// (``DeskEffects/needsLogs``). `seen` says when an entry was first seen here.
    case logs(LogSet, seen: @Sendable (EntryID) -> UTCTime?)
    /// The operator's words changed.
    case policy(DeskPolicy, VenueClock)
    /// The people at the desk want something; `token` is the number of the answer.
    case intent(DeskIntent, token: Int)
    /// The deadline came.
    case tick
}

/// Whether a desk grants.
public enum DeskState: Hashable, Sendable {
    /// It grants.
    case open
    /// It was away, and gathers asks to draw lots for them.
    case gathering
    /// Its people said so.
    case away
    /// Its disk was put back from a copy: its people have to say that it opens.
    case restored
    /// Nobody was linked since the start: others may know more than this disk.
    case alone
    /// Its log may not be appended to.
    case shut
    /// There is no charter yet, or what it goes on from is not known yet.
    case noCharter
    /// Another desk of its epoch runs. Its people may open it if its ledger counts.
    case twoDesks(PeerKey)
    /// The next epoch has begun: this ledger is over.
    case over
    /// Its ledger forked: it never grants again.
    case forked
}

/// What the desk says to an ask that no entry of its ledger answers: why it is not done, and at
/// which place it waits (docs/protocol.md section 33).
package struct DeskAnswer: Hashable, Sendable {
    /// Who asked.
    package let asker: PeerKey
    /// The id of the ask's statement.
    package let ask: Bytes32
    /// When the ask ends by itself.
    package let until: UTCTime
    /// Why.
    package let reason: DeskReason
    /// The place in the queue, 1...999; 0 for an ask that does not wait, so that the answer is its
    /// end.
    package let waiting: Int

    /// An answer that was given before.
    package init(
        asker: PeerKey, ask: Bytes32, until: UTCTime, reason: DeskReason, waiting: Int
    ) {
        self.asker = asker
        self.ask = ask
        self.until = until
        self.reason = reason
        self.waiting = waiting
    }

    /// An answer to an ask, which stands until the ask is over, at the latest until then.
    init(to ask: DeskAsk, _ reason: DeskReason, waiting: Int = 0, until: UTCTime) {
        self.init(
            asker: ask.author, ask: ask.id, until: min(ask.ask.until, until), reason: reason,
            waiting: waiting)
    }
}

/// What one event asks of the program. Entries come first: nothing else of it is done before they
/// are durable (docs/protocol.md section 33).
package struct DeskEffects: Hashable, Sendable {
    /// Entries for the own log, in order, in one transaction. As soon as one is in the log, and
    /// before any other event, the desk is told: ``VenueDesk/wrote(_:)``.
    package var appends: [LedgerEntry] = []
    /// Answers to asks that no entry answers: statements of the desk, kept on disk until the ask's
    /// time is over, and sent. Of two to one ask the later counts.
    package var answers: [DeskAnswer] = []
    /// Asks that take back others that have not come: on disk before the answers are sent, and
    /// given again at a start.
    package var words: [DeskAsk] = []
    /// Ids of those of them that mean nothing any more.
    package var wordsOver: [Bytes32] = []
    /// People whose stay is to be told again, if there is one.
    package var wantsStays: [PeerKey] = []
    /// Answers to intents.
    package var replies: [Reply] = []
    /// What to tell people.
    package var notices: [DeskNotice] = []
    /// The desk does not know any more what is in its ledger, since entries were not appended as
    /// it asked: it wants ``DeskEvent/logs(_:seen:)`` and does nothing before.
    package var needsLogs = false

    /// Nothing.
    package init() {}

    /// The answer to an intent.
    package struct Reply: Hashable, Sendable {
        /// The number that came with it.
        package let token: Int
        /// What came of it.
        package let result: Result<DeskReply, DeskRefusal>
    }

    /// Appends what a later event asks for.
    package mutating func append(_ more: DeskEffects) {
        appends += more.appends
        answers += more.answers
        words += more.words
        wordsOver += more.wordsOver
        wantsStays += more.wantsStays
        replies += more.replies
        notices += more.notices
        needsLogs = needsLogs || more.needsLogs
    }
}

/// What a desk tells its people.
public enum DeskNotice: Hashable, Sendable {
    /// It is in that state from now on.
    case state(DeskState)
    /// An ask waits for the people at the desk, or in the queue.
    case asked(Bytes32)
    /// A booking was made.
    case booked(Token)
    /// A booking ended.
    case ended(Token, LedgerClose.Reason)
    /// Less than a sixteenth of what members may fill of the ledger is left.
    case ledgerNearlyFull
}
