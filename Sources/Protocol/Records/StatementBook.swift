// SPDX-License-Identifier: Apache-2.0
/// The stays of everybody in a venue, one of each (docs/protocol.md section 31).
///
/// Whoever took the same statements keeps the same ones, in whatever order and parts they came. It
/// is cut by the first six bits of the author, so that two who differ by a few list few.
package struct StatementBook: Sendable {
    /// What to do with a statement that came.
    package enum Verdict: Hashable, Sendable {
        /// Check its signature, then keep it.
        case welcome
        /// It, or what replaces it, is here.
        case known
        /// Its author changes it too often, or whoever sent it introduces too many: it may come
        /// again then.
        case later(Instant)
        /// There is no place for its author.
        case full
        /// It is of no day of this volume, of a day that is over, or of a kind that is not known
        /// here.
        case nothing
    }

    /// A stay that is kept.
    private struct Item: Sendable {
        var statement: VenueStatement
        var stay: Stay
        var mark: StayMark
        /// When its day ends.
        var over: UTCTime
        /// When all changes of the author so far are paid off: each costs one
        /// ``Limits/stayPace``.
        var paid: Instant
        /// Who introduced the author; the author themselves, if they did.
        var introducer: PeerKey
    }

    /// Sorted by author in each bucket.
    private var buckets: [[Item]] = Array(repeating: [], count: Limits.stayBuckets)
    /// Of each bucket, as long as it is as it was.
    private var known: [Bytes32?] = Array(repeating: nil, count: Limits.stayBuckets)
    /// How many stays are kept.
    package private(set) var count = 0
    /// No stay that is kept is over before this.
    private var nextOver: UTCTime?
    private var places = StayPlaces()
    /// Whose agent this is, once they said something.
    private var own: PeerKey?
    private var hours: StayHours

    /// No stays yet, of a volume with these days.
    package init(hours: StayHours) { self.hours = hours }

    /// The bucket of an author: the first six bits of their key.
    package static func bucket(of author: PeerKey) -> Int { StatementBuckets.bucket(of: author) }

    // MARK: Taking

    /// A session with `key` opened: they have a place, whoever fills the book.
    package mutating func arrived(_ key: PeerKey, at now: Instant) {
        places.arrived(key, at: now)
        let bucket = Self.bucket(of: key)
        guard let place = index(of: key) else { return }
        places.left(key, of: buckets[bucket][place].introducer)
        places.introduced(key, by: key, at: now)
        buckets[bucket][place].introducer = key
    }

    /// A session with `key` ended.
    package mutating func departed(_ key: PeerKey) { places.departed(key) }

    /// What to do with a statement that `introducer` sent, before its signature is checked.
    package func verdict(
        on statement: VenueStatement, _ id: Bytes32, from introducer: PeerKey, at now: Moment
    ) -> Verdict {
        guard case .stay(let stay, let revision) = statement.content,
            let over = hours.dayEnd(after: stay.since), now.utc < over
        else { return .nothing }
        let author = statement.author
        let mark = StayMark(author: author, revision: revision, id: id)
        if let item = item(of: author) {
            guard mark.replaces(item.mark) else { return .known }
            return rest(item, at: now.instant).map(Verdict.later) ?? .welcome
        }
        if hasRight(author) { return .welcome }
        guard places.isLinked(introducer) else { return .full }
        let isFull = isFullOfHearsay
        // Whose place it would be takes a look at all of them.
        guard places.pace(of: introducer, at: now.instant) > 0 else {
            let next = now.instant + .milliseconds(Int64(1000 / Limits.stayNewcomersPerSecond))
            return isFull ? .full : .later(next)
        }
        return isFull && loser(to: introducer) == nil ? .full : .welcome
    }

    /// Whether an author keeps their place: the agent's own user, and whoever is linked.
    private func hasRight(_ author: PeerKey) -> Bool { author == own || places.isLinked(author) }

    private var isFull: Bool { count >= Limits.stayAuthors + Limits.stayAuthorsMet }

    /// Whether those who are not linked have all the places that are theirs.
    private var isFullOfHearsay: Bool {
        guard count >= Limits.stayAuthors else { return false }
        let met = places.linkedKeys.count { index(of: $0) != nil }
        return isFull || count - met >= Limits.stayAuthors
    }

    /// Whose place somebody gets.
    private func loser(to introducer: PeerKey?) -> (author: PeerKey, introducer: PeerKey)? {
        places.loser(to: introducer, among: count) { hasRight($0) }
    }

    /// Keeps the agent's own statement, at whatever pace its user moves; `nil` if it is of no day
    /// of this volume, or not newer than what is here.
    package mutating func keepOwn(
        _ statement: VenueStatement, _ id: Bytes32, at now: Moment
    ) -> Kept? {
        own = statement.author
        switch verdict(on: statement, id, from: statement.author, at: now) {
        // Whoever fills the book keeps nobody out of their own.
        case .welcome, .later, .full: break
        case .known, .nothing: return nil
        }
        return put(statement, id, from: statement.author, at: now)
    }

    /// Keeps a statement that is welcome and rightly signed. Gives the stay that its author had
    /// before; `nil` if nothing was kept.
    package mutating func keep(
        _ statement: VenueStatement, _ id: Bytes32, from introducer: PeerKey, at now: Moment
    ) -> Kept? {
        guard verdict(on: statement, id, from: introducer, at: now) == .welcome else { return nil }
        return put(statement, id, from: introducer, at: now)
    }

    /// Puts it in its place; for somebody new another one may have to go.
    private mutating func put(
        _ statement: VenueStatement, _ id: Bytes32, from introducer: PeerKey, at now: Moment
    ) -> Kept? {
        guard case .stay(let stay, let revision) = statement.content,
            let over = hours.dayEnd(after: stay.since)
        else { return nil }
        let author = statement.author
        let bucket = Self.bucket(of: author)
        let mark = StayMark(author: author, revision: revision, id: id)
        known[bucket] = nil
        nextOver = min(nextOver ?? over, over)
        if let place = index(of: author) {
            let old = buckets[bucket][place].stay
            buckets[bucket][place].statement = statement
            buckets[bucket][place].stay = stay
            buckets[bucket][place].mark = mark
            buckets[bucket][place].over = over
            buckets[bucket][place].paid =
                max(now.instant, buckets[bucket][place].paid) + Limits.stayPace
            return Kept(stay: stay, old: old, displaced: nil)
        }
        let isMet = hasRight(author)
        var displaced: PeerKey?
        if isMet ? isFull : isFullOfHearsay {
            displaced = displace(for: isMet ? nil : introducer)
            // One's own stands above all.
            if displaced == nil, author != own { return nil }
        }
        let sponsor = isMet ? author : introducer
        places.introduced(author, by: sponsor, at: now.instant)
        let place = buckets[bucket].partitionPoint { $0.mark.author < author }
        buckets[bucket].insert(
            Item(
                statement: statement, stay: stay, mark: mark, over: over,
                paid: now.instant + Limits.stayPace, introducer: sponsor),
            at: place)
        count += 1
        return Kept(stay: stay, old: nil, displaced: displaced)
    }

    /// Takes a place back from whoever holds most; whose stay went.
    private mutating func displace(for introducer: PeerKey?) -> PeerKey? {
        guard let gone = loser(to: introducer), let place = index(of: gone.author) else {
            return nil
        }
        let bucket = Self.bucket(of: gone.author)
        buckets[bucket].remove(at: place)
        known[bucket] = nil
        count -= 1
        places.left(gone.author, of: gone.introducer)
        return gone.author
    }

    /// A stay that was taken, and what went for it.
    package struct Kept: Hashable, Sendable {
        /// What is kept now.
        package let stay: Stay
        /// What was kept of its author before.
        package let old: Stay?
        /// Whose stay had to go.
        package let displaced: PeerKey?
    }

    /// When the next change of the author of `item` may be taken; `nil` for now.
    private func rest(_ item: Item, at now: Instant) -> Instant? {
        let debt = item.paid - now
        let most = TimeSpan(
            nanoseconds: Limits.stayPace.nanoseconds * Int64(Limits.stayBurst - 1))
        guard debt > most else { return nil }
        return now + TimeSpan(nanoseconds: debt.nanoseconds - most.nanoseconds)
    }

    /// Forgets the stays of days that are over; their authors, bucket by bucket.
    package mutating func expire(at now: UTCTime) -> [PeerKey] {
        guard let due = nextOver, due <= now else { return [] }
        return forget { $0.over <= now }
    }

    /// Goes by other days from now on, and forgets what began on none of them; the authors, bucket
    /// by bucket. What is over by them stays until ``expire(at:)``.
    package mutating func change(_ hours: StayHours) -> [PeerKey] {
        self.hours = hours
        for bucket in buckets.indices {
            for place in buckets[bucket].indices {
                let since = buckets[bucket][place].stay.since
                if let over = hours.dayEnd(after: since) { buckets[bucket][place].over = over }
            }
        }
        return forget { hours.dayEnd(after: $0.stay.since) == nil }
    }

    /// Forgets some; their authors, bucket by bucket. O(n).
    private mutating func forget(_ isGone: (Item) -> Bool) -> [PeerKey] {
        var gone: [PeerKey] = []
        nextOver = nil
        for bucket in buckets.indices {
            let before = gone.count
            for item in buckets[bucket] {
                if isGone(item) {
                    gone.append(item.mark.author)
                } else {
                    nextOver = min(nextOver ?? item.over, item.over)
                }
            }
            guard gone.count > before else { continue }
            buckets[bucket].removeAll(where: isGone)
            known[bucket] = nil
        }
        count -= gone.count
        if !gone.isEmpty { places.left(Set(gone)) }
        return gone
    }

    // MARK: Reading

    /// Where an author stands in their bucket. O(log n).
    private func index(of author: PeerKey) -> Int? {
        let bucket = Self.bucket(of: author)
        let place = buckets[bucket].partitionPoint { $0.mark.author < author }
        guard place < buckets[bucket].count, buckets[bucket][place].mark.author == author else {
            return nil
        }
        return place
    }

    private func item(of author: PeerKey) -> Item? {
        index(of: author).map { buckets[Self.bucket(of: author)][$0] }
    }

    /// The mark of what is kept of an author.
    package func mark(of author: PeerKey) -> StayMark? { item(of: author)?.mark }

    /// The authors whose stay has that tag, sorted, with their stays. O(n).
    package func stays(tagged tag: ThreadID) -> [(author: PeerKey, stay: Stay)] {
        buckets.flatMap { bucket in
            bucket.filter { $0.stay.tag == tag }.map { ($0.mark.author, $0.stay) }
        }
    }

    /// The stay of an author that is kept.
    package func stay(of author: PeerKey) -> Stay? { item(of: author)?.stay }

    /// The statements that are kept, sorted by author.
    package var statements: [VenueStatement] { buckets.flatMap { $0.map(\.statement) } }

    /// What is kept in a bucket behind an author, in short: of `count` authors at most, or as many
    /// as one list carries. `nil` for no bucket.
    package func list(
        of bucket: Int, after: PeerKey? = nil, atMost count: Int = Limits.stayMarks
    ) -> StayList? {
        guard buckets.indices.contains(bucket) else { return nil }
        let items = buckets[bucket]
        let start = after.map { key in items.partitionPoint { $0.mark.author <= key } } ?? 0
        let end = min(items.count, start + max(1, count))
        let marks = items[start..<end].map(\.mark)
        return StayList(
            kept: marks, in: bucket, after: after,
            last: end < items.count ? marks.last?.author : nil)
    }

    /// The lists that cover a bucket, in order, of `count` authors each.
    package func lists(of bucket: Int, atMost count: Int = Limits.stayMarks) -> [StayList] {
        var lists: [StayList] = []
        while let next = list(of: bucket, after: lists.last?.last, atMost: count) {
            lists.append(next)
            guard next.last != nil else { break }
        }
        return lists
    }

    /// What of that part of a bucket is new to a peer who keeps there what they listed, sorted by
    /// author. O(n).
    package func newer(than theirs: StayList) -> [VenueStatement] {
        buckets[theirs.bucket].filter { item in
            guard theirs.speaks(of: item.mark.author) else { return false }
            return theirs.mark(of: item.mark.author).map { item.mark.replaces($0) } ?? true
        }
        .map(\.statement)
    }

    /// The digest of each bucket: SHA-256 over "seatswap/1 statements" and the CBOR array of its
    /// marks.
    package mutating func digests(_ primitives: any Primitives) -> [Bytes32] {
        buckets.indices.map { bucket in
            if let digest = known[bucket] { return digest }
            var writer = CBORWriter(capacity: 8 + 70 * buckets[bucket].count)
            writer.array(buckets[bucket].count)
            for item in buckets[bucket] { writer.bytes(item.mark.bytes) }
            let digest = primitives.sha256(
                Array("seatswap/1 statements".utf8) + writer.bytes)
            known[bucket] = digest
            return digest
        }
    }
}
