/// What one event asks of the shell, in the order in which it is done:
/// writes in one durable transaction, then sends, closes and dials, then notices.
///
/// "Durable before sent" is a property of this type: when the writes fail nothing else happens.
package struct Effects: Hashable, Sendable {
    /// Rows for one transaction.
    package var writes: [Write] = []
    /// Bytes for connections, in order.
    package var sends: [Transmission] = []
    /// Connections to close once their bytes are out.
    package var closes: [LinkID] = []
    /// Connections whose reading stops (`true`) or goes on (`false`).
    package var holds: [Hold] = []
    /// Connections that proved membership: they no longer count as strangers.
    package var proven: [LinkID] = []
    /// Addresses to dial.
    package var dials: [Dial] = []
    /// What becomes of the ends of circuits, in order.
    package var circuits: [CircuitOrder] = []
    /// Whether mDNS is asked from now on; `nil` where nothing changes.
    package var browse: Bool?
    /// Answers to intents, given once the writes are durable.
    package var replies: [Reply] = []
    /// What people and scripts are told.
    package var notices: [Notice] = []

    /// Nothing.
    package init() {}

    /// Whether other links may be those of passengers whom the user verified.
    package var changesFavour: Bool {
        !proven.isEmpty
            || writes.contains { write in
                switch write {
                case .verified, .unverified: true
                case .entry, .forkProof, .lock, .unlock, .swap, .forgotten, .message, .block,
                    .layout:
                    false
                }
            }
    }

    /// Adds what another event asks for, after this.
    package mutating func append(_ more: Effects) {
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
    package struct Reply: Hashable, Sendable {
        /// The number that the shell gave the intent.
        package var token: Int
        /// What it came to.
        package var result: Result<IntentReply, Refusal>
    }

    /// Bytes for one connection.
    package struct Transmission: Hashable, Sendable {
        /// Which connection.
        package var link: LinkID
        /// Plaintext bytes of whole frames.
        package var bytes: [UInt8]
    }

    /// Whether a connection is read.
    package struct Hold: Hashable, Sendable {
        /// Which connection.
        package var link: LinkID
        /// Whether reading stops.
        package var held: Bool
    }
}

/// One row for the store.
package enum Write: Hashable, Sendable {
    /// An entry of anybody, with the time at which it was first seen here.
    case entry(Entry, seen: UTCTime)
    /// The strongest proof against an author; replaces an earlier one.
    case forkProof(ForkProof)
    /// A yes was given on a slot: nobody else gets one until it is released.
    case lock(SlotLock)
    /// The slot is free again.
    case unlock(SlotLock)
    /// A negotiation's state; replaces the row of its thread.
    case swap(SwapRecord)
    /// A negotiation that came to nothing, and is forgotten.
    case forgotten(SwapRecord)
    /// A direct message's state; replaces the row of its id.
    case message(DirectMessage)
    /// Somebody was verified; replaces the row of their key.
    case verified(VerifiedPeer)
    /// They are not any more.
    case unverified(PeerKey)
    /// A key is blocked or not any more.
    case block(PeerKey, Bool)
    /// The own suggestion of a layout; replaces the one before.
    case layout(LayoutSuggestion)
}

/// What the store gives back after a start: the core goes on from here.
package struct Stored: Hashable, Sendable {
    /// Entries in the order in which they came.
    package var entries: [SeenEntry] = []
    /// Rows of entries and proofs that were not what was written: left out, and asked for again.
    package var damaged = 0
    /// The last place of the own log that the disk is known to have held, damaged or not.
    package var ownSeq = 0
    /// Fork proofs.
    package var proofs: [ForkProof] = []
    /// Open yeses.
    package var locks: [SlotLock] = []
    /// Negotiations.
    package var swaps: [SwapRecord] = []
    /// Direct messages, oldest first.
    package var messages: [DirectMessage] = []
    /// Bytes of direct messages that came from each key, by ``DirectMessage/cost(_:)``; `messages`
    /// may be the last of many.
    package var received: [PeerKey: Int] = [:]
    /// Blocked keys.
    package var blocked: [PeerKey] = []
    /// Passengers whom the user verified.
    package var verified: [VerifiedPeer] = []
    /// The own suggestion of a layout, also one that was taken back.
    package var layout: LayoutSuggestion?

    /// An empty store: a first start.
    package init() {}

    /// The logs that it holds, with what its fork proofs cut off. Takes time
    /// by the number of entries.
    package var logs: LogSet {
        var logs = LogSet()
        for proof in proofs { _ = logs.insert(proof: proof) }
        for seen in entries { logs.restore(seen.entry) }
        return logs
    }
}

/// An entry and when it was first seen here.
package struct SeenEntry: Hashable, Sendable {
    /// The entry.
    package var entry: Entry
    /// Local time of arrival.
    package var seen: UTCTime

    /// All of it.
    package init(entry: Entry, seen: UTCTime) {
        self.entry = entry
        self.seen = seen
    }
}
