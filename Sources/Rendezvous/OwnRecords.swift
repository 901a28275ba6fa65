// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What an agent leaves of its own: its log in parts, and a card (docs/meet.md section 3).
package struct OwnRecords: Hashable, Sendable {
    /// The log as it is on the disk.
    private(set) var log: [[UInt8]] = []
    /// Whether it is left; otherwise a card alone.
    var isLeft = true
    /// The first 8 bytes of the last entry's id; 0 for none.
    private(set) var head8: UInt64 = 0
    /// The log in parts.
    package private(set) var parts: [[[UInt8]]] = []
    /// What the card says of them: four also where an entry that is too long ended them, since more
    /// is not left then, either (docs/meet.md section 3).
    var partsTold: Int {
        let count = parts.reduce(0) { $0 + $1.count }
        return isLeft && count < log.count ? MeetLimits.parts : parts.count
    }
    /// Entries that were not said to those who are connected yet.
    private(set) var unsaid: [[UInt8]] = []
    /// Goes up with each new card; 0 before the first.
    package private(set) var cardVersion = 0
    /// The card that is left now.
    private(set) var card: SignedCard?
    /// The epoch whose boxes are written.
    var epoch = MeetEpoch(number: 0)
    /// When a newer epoch's boxes are written instead.
    var moveAt: Instant?
    /// When the card is due for renewal, so that others see that its owner is there.
    var cardDue: Instant = .zero
    /// The newest card of ours that was seen or made.
    var lastMade = UTCTime(seconds: 0)
    /// How long the own log is by a card of ours that was found: more than is on an old copy of
    /// the disk.
    var told = 0
    /// The stamp of the epoch, once found.
    private(set) var stamp: [UInt8]?
    private var stampNext: UInt64 = 0

    /// Cards are renewed so often: one that is older than 15 minutes shows that its owner is away.
    static let renewal = TimeSpan.seconds(600)
    /// After a change, more changes are waited for so long.
    static let settle = TimeSpan.milliseconds(200)
    /// Hashes of one turn while a stamp is looked for: about 10 ms.
    static let stampTries = 10_000

    /// The log grew.
    mutating func wrote(_ new: [[UInt8]], head8: UInt64, at now: Instant) {
        guard new != log else { return }
        if !isLeft {
            unsaid = []
        } else if log.isEmpty {
            // Whoever is there already hears that somebody came, and looks at the box.
            unsaid = Array(new.suffix(1))
        } else if new.count > log.count, new.starts(with: log) {
            unsaid += new[log.count...]
        }
        log = new
        self.head8 = head8
        parts = isLeft ? OwnBox.parts(of: new) : []
        cardDue = min(cardDue, now + Self.settle)
    }

    mutating func takeUnsaid() -> [[UInt8]] {
        defer { unsaid = [] }
        return unsaid
    }

    // MARK: Stamp and card

    /// Nothing is left before the epoch's stamp is found.
    var isLookingForStamp: Bool { stamp == nil && !log.isEmpty }

    mutating func look(
        for author: PeerKey, group: String, bits: Int, _ primitives: any Primitives
    ) {
        stamp = MeetStamp.find(
            of: author, group: group, from: stampNext, tries: Self.stampTries, bits: bits,
            primitives: primitives)
        stampNext += UInt64(Self.stampTries)
    }

    /// Another epoch, another stamp and another card.
    mutating func moved(to epoch: MeetEpoch) {
        self.epoch = epoch
        moveAt = nil
        stamp = nil
        stampNext = 0
        card = nil
        cardVersion += 1
        cardDue = .zero
    }

    /// A new card with these.
    mutating func renew(_ card: SignedCard, at now: Instant) {
        self.card = card
        lastMade = max(lastMade, card.card.made)
        cardVersion += 1
        cardDue = now + Self.renewal
    }

    var nextDeadline: Instant? {
        [moveAt, card == nil && stamp == nil ? nil : cardDue].compactMap(\.self).min()
    }
}
