// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Whose cards were read (docs/meet.md section 3).
package struct MeetPassengers: Hashable, Sendable {
    /// Sorted by author.
    package private(set) var cards: [MeetCard] = []
    private var boxes: [MeetBox: PeerKey] = [:]
    private var curious: [PeerKey: Instant] = [:]

    /// A card that is younger shows that its author is there.
    package static let away: Int64 = 900
    /// A box is looked at again, because somebody spoke of it, so often at most.
    private static let again = TimeSpan.seconds(60)
    private static let curiousMost = 256

    /// Takes a card that is good. Returns whether it is newer than what was known, and whether it is
    /// its author's first; `false` where the flight is full.
    mutating func take(_ card: MeetCard) -> (isNewer: Bool, isFirst: Bool) {
        let index = place(of: card.author)
        if index < cards.count, cards[index].author == card.author {
            guard card.replaces(cards[index]) else { return (false, false) }
            cards[index] = card
            return (true, false)
        }
        guard cards.count < Limits.authors else { return (false, false) }
        cards.insert(card, at: index)
        return (true, true)
    }

    /// Whether a card of this passenger was read.
    func knows(_ author: PeerKey) -> Bool {
        let index = place(of: author)
        return index < cards.count && cards[index].author == author
    }

    private func place(of author: PeerKey) -> Int {
        cards.partitionPoint { $0.author < author }
    }

    /// Whether the box of somebody who was spoken of should be looked at now.
    mutating func asks(for author: PeerKey, at now: Instant) -> Bool {
        if let last = curious[author], now < last + Self.again { return false }
        if curious.count >= Self.curiousMost {
            curious = curious.filter { now < $0.value + Self.again }
            guard curious.count < Self.curiousMost else { return false }
        }
        curious[author] = now
        return true
    }

    /// Those whose card was made less than 15 minutes ago.
    package func online(at now: UTCTime) -> Int {
        cards.count { now.seconds - $0.made.seconds < Self.away }
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
