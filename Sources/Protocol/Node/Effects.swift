// SPDX-License-Identifier: Apache-2.0
/// What one event asks of the program, in the order in which to do it:
/// writes in one durable transaction, then sends, closes and dials, then notices.
///
/// "Durable before sent" is a property of this type: if the writes fail, do nothing else of it.
public struct Effects: Hashable, Sendable {
    /// Rows for one transaction.
    public var writes: [Write] = []
    /// Bytes for connections, in order.
    public var sends: [Transmission] = []
    /// Connections to close once their bytes were sent.
    public var closes: [LinkID] = []
    /// Connections to stop reading from, or to read from again.
    public var holds: [Hold] = []
    /// Connections that proved membership: they no longer count as strangers.
    public var proven: [LinkID] = []
    /// Addresses to dial.
    public var dials: [Dial] = []
    /// What to do with the ends of circuits, in order.
    public var circuits: [CircuitOrder] = []
    /// Whether to look for others by mDNS from now on; `nil` if nothing changes.
    public var browse: Bool?
    /// Answers to intents, to be given once the writes are durable.
    public var replies: [Reply] = []
    /// What to tell people and scripts.
    public var notices: [Notice] = []

    /// Nothing.
    public init() {}

    /// Whether the set of links to verified passengers and members may have changed.
    public var changesFavour: Bool {
        !proven.isEmpty
            || writes.contains { write in
                switch write {
                case .verified, .unverified: true
                case .entry(let entry, _):
                    if case .note(.member)? = entry.ledger { true } else { false }
                case .forkProof, .lock, .unlock, .swap, .forgotten, .message, .block,
                    .layout, .wish, .party, .stay, .statement, .forgetStatement, .form,
                    .forgetForm:
                    false
                }
            }
    }

    /// Appends what a later event asks for.
    public mutating func append(_ more: Effects) {
        writes += more.writes
        sends += more.sends
        closes += more.closes
        holds += more.holds
        proven += more.proven
        dials += more.dials
        circuits += more.circuits
        browse = more.browse ?? browse
        replies += more.replies
        notices += more.notices
    }

    /// The answer to an intent.
    public struct Reply: Hashable, Sendable {
        /// The number that the program gave the intent.
        public var token: Int
        /// What came of it.
        public var result: Result<IntentReply, Refusal>
    }

    /// Bytes for one connection.
    public struct Transmission: Hashable, Sendable {
        /// Which connection.
        public var link: LinkID
        /// Plaintext bytes of whole frames.
        public var bytes: [UInt8]
    }

    /// Whether a connection is read.
    public struct Hold: Hashable, Sendable {
        /// Which connection.
        public var link: LinkID
        /// Whether reading stops.
        public var held: Bool
    }
}

/// One row for the store.
public enum Write: Hashable, Sendable {
    /// An entry of anybody, with the time at which it was first seen here.
    case entry(Entry, seen: UTCTime)
    /// The strongest proof against an author; replaces an earlier one.
    case forkProof(ForkProof)
    /// A yes was given on a slot: nobody else gets one until it is released.
    case lock(SlotLock)
    /// The slot is free again: delete the row.
    case unlock(SlotLock)
    /// A negotiation's state; replaces the row of its thread.
    case swap(SwapRecord)
    /// A negotiation that ended without a swap: delete the row of its thread.
    case forgotten(SwapRecord)
    /// A direct message's state; replaces the row of its id.
    case message(DirectMessage)
    /// Somebody was verified; replaces the row of their key.
    case verified(VerifiedPeer)
    /// They are no longer verified: delete the row of their key.
    case unverified(PeerKey)
    /// A key is blocked (`true`) or no longer blocked.
    case block(PeerKey, Bool)
    /// The own suggestion of a layout; replaces the one before.
    case layout(LayoutSuggestion)
    /// The own wish, with what of it stays here; replaces the one before.
    case wish(OwnWish)
    /// The party; replaces the one before. `nil`: the user is in none any more.
    case party(PartyState?)
    /// The own stay in a venue; replaces the one before.
    case stay(VenueStatement)
    /// An own ask, the desk's answer to one, or an own desk's answer, by the statement's id.
    case statement(Bytes32, VenueStatement)
    /// It is over: delete the row of that id.
    case forgetStatement(Bytes32)
    /// A form for the desk; replaces the row of its key.
    case form(FormRecord)
    /// Delete the row of that form.
    case forgetForm(FormKey)
}

/// What the store returns after a start: the core continues from here.
public struct Stored: Hashable, Sendable {
    /// Entries in the order in which they came.
    public var entries: [SeenEntry] = []
    /// How many rows of entries and proofs were damaged: left out, and fetched again from others.
    public var damaged = 0
    /// The last position of the own log that the disk is known to have held, damaged or not.
    public var ownSeq = 0
    /// Fork proofs.
    public var proofs: [ForkProof] = []
    /// Open yeses.
    public var locks: [SlotLock] = []
    /// Negotiations.
    public var swaps: [SwapRecord] = []
    /// Direct messages, oldest first.
    public var messages: [DirectMessage] = []
    /// Bytes of direct messages that came from each key, by ``DirectMessage/cost(_:)``; `messages`
    /// may be the last of many.
    public var received: [PeerKey: Int] = [:]
    /// Blocked keys.
    public var blocked: [PeerKey] = []
    /// Passengers whom the user verified.
    public var verified: [VerifiedPeer] = []
    /// The own suggestion of a layout, also one that was taken back.
    public var layout: LayoutSuggestion?
    /// The own wish; `nil` if none was said, or only to an agent of an earlier version.
    public var wish: OwnWish?
    /// The party of the user.
    public var party: PartyState?
    /// The own stay in a venue, also one that is over.
    public var stay: VenueStatement?
    /// Own asks, the desk's answers to them, and answers of an own desk, oldest first.
    public var statements: [VenueStatement] = []
    /// Forms for the desk, own and those that came to an own desk, oldest first.
    public var forms: [FormRecord] = []

    /// An empty store: a first start.
    public init() {}

    /// The logs that it holds, cut off at its fork proofs. O(entries).
    package var logs: LogSet {
        var logs = LogSet()
        for proof in proofs { _ = logs.insert(proof: proof) }
        for seen in entries { logs.restore(seen.entry) }
        return logs
    }
}

/// An entry and when it was first seen here.
public struct SeenEntry: Hashable, Sendable {
    /// The entry.
    public var entry: Entry
    /// Local time of arrival.
    public var seen: UTCTime

    /// An entry, and when this agent first saw it.
    public init(entry: Entry, seen: UTCTime) {
        self.entry = entry
        self.seen = seen
    }
}
