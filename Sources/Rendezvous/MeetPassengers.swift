// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Whose cards were read (docs/meet.md section 3).
package struct MeetPassengers: Hashable, Sendable {
    /// Sorted by author.
    package private(set) var cards: [MeetCard] = []
    /// When cards were made that would be good, had their time come by this clock: their authors'
    /// clocks are ahead, or this one is behind. Few are remembered.
    private(set) var early: [PeerKey: UTCTime] = [:]
    private static let earlyMost = 8
    /// In which epoch the newest card of each was found.
    private var epochs: [PeerKey: MeetEpoch] = [:]
    /// When each box is looked at again, of those that have more than is here.
    private var looks: [PeerKey: Look] = [:]

    /// When somebody without a card was last looked for: anybody can make up such people, so that
    /// few are remembered.
    private var strangers: [PeerKey: Instant] = [:]
    private static let strangersMost = 64
    private static let strangerRest = TimeSpan.seconds(60)

    private struct Look: Hashable {
        /// Not before.
        var due: Instant
        /// After that, so long.
        var wait: TimeSpan
        /// How much of the log was here.
        var known: Int
    }

    /// A card that is younger shows that its author is there.
    package static let away: Int64 = 900
    /// A box that has more than is here is looked at again after 5 s, 10 s ... 10 minutes.
    private static let firstWait = TimeSpan.seconds(5)
    private static let longestWait = TimeSpan.seconds(600)

    /// Takes a card that is good. Returns whether it is newer than what was known, and whether it
    /// is its author's first; `false` where the flight is full. The log comes behind a first card,
    /// so the box is not read for it again at once.
    mutating func take(
        _ read: MeetCard, in epoch: MeetEpoch, at now: Moment
    ) -> (isNewer: Bool, isFirst: Bool) {
        var card = read
        early[card.author] = nil
        // What they witness of others is not kept.
        card.items = []
        if let index = index(of: card.author) {
            guard card.replaces(cards[index]) else { return (false, false) }
            cards[index] = card
            epochs[card.author] = epoch
            return (true, false)
        }
        if cards.count >= Limits.authors { forgetOver(at: now.utc) }
        guard cards.count < Limits.authors else { return (false, false) }
        cards.insert(card, at: place(of: card.author))
        epochs[card.author] = epoch
        if looks[card.author] == nil, looks.count < Limits.authors {
            looks[card.author] = Look(
                due: now.instant + Self.firstWait, wait: Self.firstWait, known: 0)
        }
        return (true, true)
    }

    /// Whether a card says anything new, if it is good: asked before that is found out, which costs
    /// much more.
    func wants(_ card: MeetCard) -> Bool {
        index(of: card.author).map { card.replaces(cards[$0]) } ?? true
    }

    /// A card of this passenger is from a time that has not come.
    mutating func sees(early author: PeerKey, made: UTCTime) {
        guard early[author] != nil || early.count < Self.earlyMost else { return }
        early[author] = made
    }

    /// Where the newest card of a passenger was found.
    func epoch(of author: PeerKey) -> MeetEpoch? { epochs[author] }

    /// Makes space by those whose cards do not count any more.
    private mutating func forgetOver(at now: UTCTime) {
        for card in cards where card.until <= now {
            epochs[card.author] = nil
            looks[card.author] = nil
        }
        cards.removeAll { $0.until <= now }
    }

    private func index(of author: PeerKey) -> Int? {
        let index = place(of: author)
        return index < cards.count && cards[index].author == author ? index : nil
    }

    /// Whether a card of this passenger was read.
    func knows(_ author: PeerKey) -> Bool { index(of: author) != nil }

    /// The card of a passenger, if it was read.
    func card(of author: PeerKey) -> MeetCard? { index(of: author).map { cards[$0] } }

    /// When the newest card of a passenger was made; `nil` if none was read.
    package func made(by author: PeerKey) -> UTCTime? { index(of: author).map { cards[$0].made } }

    private func place(of author: PeerKey) -> Int {
        cards.partitionPoint { $0.author < author }
    }

    /// Whether a box should be looked at now that is known to have more than the `known` entries
    /// that are here. A log that grew meanwhile begins with the shortest wait.
    mutating func asks(for author: PeerKey, known: Int, at now: Instant) -> Bool {
        var look = looks[author] ?? Look(due: now, wait: Self.firstWait, known: known)
        if look.known != known { look = Look(due: now, wait: Self.firstWait, known: known) }
        guard look.due <= now else { return false }
        guard looks[author] != nil || looks.count < Limits.authors else { return false }
        look.due = now + look.wait
        look.wait = min(look.wait + look.wait, Self.longestWait)
        looks[author] = look
        return true
    }

    /// Whether the box of somebody should be looked at whose card was not read.
    mutating func asks(forStranger author: PeerKey, at now: Instant) -> Bool {
        strangers = strangers.filter { now < $0.value + Self.strangerRest }
        guard strangers[author] == nil, strangers.count < Self.strangersMost else { return false }
        strangers[author] = now
        return true
    }

    /// When the next box is due to be looked at, of those that lack something here: at once where
    /// one never was.
    func nextLook(_ lacking: [PeerKey]) -> Instant? { lacking.compactMap(due).min() }

    private func due(_ author: PeerKey) -> Instant? {
        looks[author]?.due ?? (looks.count < Limits.authors ? .zero : nil)
    }

    /// Those whose boxes are due, `first` those whom the user knows, then those who wait longest:
    /// no number of made-up passengers keeps anybody from having their turn.
    func dueLooks(
        _ lacking: [PeerKey], first: Set<PeerKey>, at now: Instant
    ) -> [PeerKey] {
        let all = lacking.compactMap { author in
            due(author).flatMap { $0 <= now ? (author: author, due: $0) : nil }
        }
        guard all.count > 1 else { return all.map(\.author) }
        return all.sorted {
            let (one, other) = (first.contains($0.author), first.contains($1.author))
            return one == other ? $0.due < $1.due : one
        }.map(\.author)
    }

    /// Whether the card of a passenger is younger than 15 minutes.
    func isThere(_ author: PeerKey, at now: UTCTime) -> Bool {
        made(by: author).map { now.seconds - $0.seconds < Self.away } ?? false
    }

    /// How many cards were made less than 15 minutes ago.
    package func online(at now: UTCTime) -> Int { cards.count { isThere($0, at: now) } }

    /// Whose they are.
    package func there(at now: UTCTime) -> Set<PeerKey> {
        Set(cards.filter { isThere($0, at: now) }.map(\.author))
    }

    private func isThere(_ card: MeetCard, at now: UTCTime) -> Bool {
        now.seconds - card.made.seconds < Self.away
    }
}

/// How many live messages a reader takes: everybody who knows the flight can send them.
struct LiveIntake: Hashable, Sendable {
    private var messages: TokenBucket
    private var entries: TokenBucket
    /// Until when live messages are not wanted.
    private(set) var restsUntil: Instant?

    private static let rest = TimeSpan.seconds(60)

    init(at now: Instant) {
        messages = TokenBucket(perSecond: 10, burst: 40, at: now)
        entries = TokenBucket(perSecond: 200, burst: 800, at: now)
    }

    /// Whether a message with so many entries is taken. After one too many none is for a minute.
    mutating func takes(_ count: Int, at now: Instant) -> Bool {
        guard restsUntil == nil else { return false }
        guard messages.left(at: now) > 0, entries.left(at: now) >= count else {
            restsUntil = now + Self.rest
            return false
        }
        _ = messages.take(1, at: now)
        _ = entries.take(count, at: now)
        return true
    }

    /// Whether a rest is over now.
    mutating func wakes(at now: Instant) -> Bool {
        guard let until = restsUntil, until <= now else { return false }
        restsUntil = nil
        return true
    }

    var nextDeadline: Instant? { restsUntil }
}
