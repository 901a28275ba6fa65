// SPDX-License-Identifier: Apache-2.0
/// Decides which authors may open a log here: the flight has places for 1024, and making keys costs
/// nothing (docs/protocol.md section 9).
///
/// Whoever had a session with this agent is always let in, as long as there is a place.
/// Authors that a peer tells of come 16 at once and 2 in a second from each introducing key,
/// and take no more than 896 places. It only delays: the agent asks again later for an author
/// whom it does not admit now.
package struct Admission: Hashable, Sendable {
    /// How many more authors a peer may introduce.
    package struct Room: Hashable, Sendable {
        /// At once.
        package var count: Int
        /// When one more may come; `nil` if only a restart would allow that.
        package var more: Instant?

        /// So many, and more at `more`.
        package init(count: Int, more: Instant?) {
            self.count = count
            self.more = more
        }

        /// As many as come.
        package static let any = Room(count: Int.max, more: nil)
    }

    /// Authors known only because a peer introduced them.
    private var introduced: Set<PeerKey> = []
    private var paces: [PeerKey: TokenBucket] = [:]
    /// The meeting point's, once it introduced somebody.
    private var mailPace: TokenBucket?
    /// Places in all.
    private let places: Int
    /// Of these, those that hearsay may take.
    private let most: Int

    /// Goes on with the logs that are here; none of their authors was met yet. So many places are
    /// `kept` for ledgers, which nobody has to introduce.
    package init(_ logs: LogSet, kept: Int = 0) {
        self.init(places: Limits.authors - kept, hearsay: Limits.authors - Limits.authorsKept)
        introduced = Set(logs.logs.filter { !$0.isLedger }.map(\.author))
    }

    /// So many places, of which hearsay may take so many; nobody is there yet.
    package init(places: Int, hearsay: Int) {
        self.places = places
        most = hearsay
    }

    /// A session with `key` opened: they no longer count as introduced.
    package mutating func met(_ key: PeerKey) { introduced.remove(key) }

    /// What was known of `key` is gone, and so their place is free.
    package mutating func left(_ key: PeerKey) { introduced.remove(key) }

    /// Places that hearsay has taken.
    package var hearsay: Int { introduced.count }

    /// How many unknown authors `introducer` may introduce at `now`.
    package func room(for introducer: PeerKey, at now: Instant) -> Room {
        let left = most - introduced.count
        guard left > 0 else { return Room(count: 0, more: nil) }
        let pace = paces[introducer] ?? Self.fresh(now)
        return Room(
            count: min(left, pace.left(at: now)),
            more: now + .milliseconds(Int64(1000 / Limits.newcomersPerSecond)))
    }

    /// Whether to admit an unknown author. `introducer` sent their entry, `isMet` says whether a
    /// session with the author is open, and `authors` counts those who already have a log here.
    package mutating func admits(
        _ author: PeerKey, from introducer: PeerKey, isMet: Bool, among authors: Int,
        at now: Instant
    ) -> Bool {
        guard authors < places else { return false }
        if isMet { return true }
        guard room(for: introducer, at: now).count > 0, forgets(introducer, at: now) else {
            return false
        }
        var pace = paces[introducer] ?? Self.fresh(now)
        _ = pace.take(1, at: now)
        paces[introducer] = pace
        introduced.insert(author)
        return true
    }

    /// The same of an author whose entry came from a meeting point, which is one introducer: 64 at
    /// once and 8 in a second (docs/meet.md section 3).
    package mutating func admitsMailed(
        _ author: PeerKey, isMet: Bool, among authors: Int, at now: Instant
    ) -> Bool {
        guard authors < places else { return false }
        if isMet { return true }
        var pace =
            mailPace
            ?? TokenBucket(
                perSecond: Limits.mailedPerSecond, burst: Limits.mailedNewcomers, at: now)
        guard introduced.count < most, pace.left(at: now) > 0 else { return false }
        _ = pace.take(1, at: now)
        mailPace = pace
        introduced.insert(author)
        return true
    }

    /// Makes space to remember the pace of `introducer`, by forgetting a full
    /// bucket: it is equal to none.
    private mutating func forgets(_ introducer: PeerKey, at now: Instant) -> Bool {
        guard paces[introducer] == nil, paces.count >= Limits.introducers else { return true }
        paces = paces.filter { $0.value.left(at: now) < Limits.newcomers }
        return paces.count < Limits.introducers
    }

    private static func fresh(_ now: Instant) -> TokenBucket {
        TokenBucket(perSecond: Limits.newcomersPerSecond, burst: Limits.newcomers, at: now)
    }
}
