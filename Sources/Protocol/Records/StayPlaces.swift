// SPDX-License-Identifier: Apache-2.0
/// Whose places the stays in a book take (docs/protocol.md section 31): making keys costs nothing,
/// so that whoever introduces many takes places that others may want back.
///
/// An author with whom a session is open introduces themselves. As long as there are free places
/// everybody may use them. In a full book each peer whose session is open has a right to the same
/// share, and all that are gone to one share together: whoever has less than that takes a place
/// from whoever has most.
package struct StayPlaces: Sendable {
    /// A peer whose session is open.
    private struct Linked: Sendable {
        var sessions = 1
        var pace: TokenBucket
    }

    /// Who holds places together.
    package enum Holder: Hashable, Sendable {
        /// A peer whose session is open.
        case linked(PeerKey)
        /// All others.
        case gone
    }

    /// An author whose stay is kept. Numbers grow with each that is new.
    private struct Guest: Sendable {
        var number: Int
        var author: PeerKey
    }

    private var linked: [PeerKey: Linked] = [:]
    /// Whom each introduced, in order; nobody has none.
    private var held: [PeerKey: [Guest]] = [:]
    private var number = 0

    // MARK: Who is there

    /// A session with `key` opened.
    package mutating func arrived(_ key: PeerKey, at now: Instant) {
        guard linked[key] == nil else {
            linked[key]?.sessions += 1
            return
        }
        linked[key] = Linked(
            pace: TokenBucket(
                perSecond: Limits.stayNewcomersPerSecond, burst: Limits.stayNewcomers, at: now))
    }

    /// A session with `key` ended. Their pace is forgotten: a new key would have a new one too.
    package mutating func departed(_ key: PeerKey) {
        guard let sessions = linked[key]?.sessions else { return }
        linked[key]?.sessions = sessions - 1
        if sessions <= 1 { linked[key] = nil }
    }

    /// Whether a session with `key` is open.
    package func isLinked(_ key: PeerKey) -> Bool { linked[key] != nil }

    /// Those with whom a session is open, sorted.
    package var linkedKeys: [PeerKey] { linked.keys.sorted() }

    // MARK: Introducing

    /// How many more `introducer` may introduce now.
    package func pace(of introducer: PeerKey, at now: Instant) -> Int {
        linked[introducer]?.pace.left(at: now) ?? 0
    }

    /// `introducer` introduced an author who is kept. It costs them one of their pace; nobody pays
    /// for themselves.
    package mutating func introduced(
        _ author: PeerKey, by introducer: PeerKey, at now: Instant
    ) {
        number += 1
        held[introducer, default: []].append(Guest(number: number, author: author))
        if author != introducer { _ = linked[introducer]?.pace.take(1, at: now) }
    }

    /// An author whom `introducer` introduced is not kept any more.
    package mutating func left(_ author: PeerKey, of introducer: PeerKey) {
        guard let place = held[introducer]?.lastIndex(where: { $0.author == author }) else {
            return
        }
        held[introducer]?.remove(at: place)
        if held[introducer]?.isEmpty == true { held[introducer] = nil }
    }

    /// Many are not kept any more.
    package mutating func left(_ authors: Set<PeerKey>) {
        held = held.mapValues { $0.filter { !authors.contains($0.author) } }
            .filter { !$0.value.isEmpty }
    }

    // MARK: A full book

    /// Who may give a place up in a book of `count` stays, those who hold most first. Without an
    /// introducer, for somebody who has a right to a place, anybody. O(n log n) in links.
    package func givers(to introducer: PeerKey?, among count: Int) -> [Holder] {
        var rest = count
        var holders: [(holder: Holder, count: Int)] = []
        for key in linkedKeys {
            let own = held[key]?.count ?? 0
            rest -= own
            if key != introducer, own > 0 { holders.append((.linked(key), own)) }
        }
        if rest > 0 { holders.insert((.gone, rest), at: 0) }
        if let introducer {
            let own = held[introducer]?.count ?? 0
            guard own < Limits.stayAuthors / (linked.count + 1) else { return [] }
            holders.removeAll { $0.count <= own + 1 }
        }
        return holders.indices
            .sorted { (-holders[$0].count, $0) < (-holders[$1].count, $1) }
            .map { holders[$0].holder }
    }

    /// Whose place somebody gets in a full book of `count` stays: of whoever holds most and has one
    /// that may be taken, the newest. `nil` where there is none.
    package func loser(
        to introducer: PeerKey?, among count: Int, except hasRight: (PeerKey) -> Bool
    ) -> (author: PeerKey, introducer: PeerKey)? {
        for holder in givers(to: introducer, among: count) {
            if let gone = newest(of: holder, except: hasRight) { return gone }
        }
        return nil
    }

    /// Whose place it is: of the authors of `holder` the one who came last, so that what was known
    /// before a flood stays. `nil` where all of them have a right to it.
    package func newest(
        of holder: Holder, except hasRight: (PeerKey) -> Bool
    ) -> (author: PeerKey, introducer: PeerKey)? {
        func last(_ introducer: PeerKey) -> Guest? {
            held[introducer]?.last { !hasRight($0.author) }
        }
        if case .linked(let key) = holder { return last(key).map { ($0.author, key) } }
        var newest: (guest: Guest, introducer: PeerKey)?
        // Numbers are all different: the order in which these come decides nothing.
        for introducer in held.keys where linked[introducer] == nil {
            guard let guest = last(introducer), guest.number > newest?.guest.number ?? 0 else {
                continue
            }
            newest = (guest, introducer)
        }
        return newest.map { ($0.guest.author, $0.introducer) }
    }
}
