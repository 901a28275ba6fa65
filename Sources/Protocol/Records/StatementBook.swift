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
    }

    /// Sorted by author in each bucket.
    private var buckets: [[Item]] = Array(repeating: [], count: Limits.stayBuckets)
    /// Of each bucket, as long as it is as it was.
    private var known: [Bytes32?] = Array(repeating: nil, count: Limits.stayBuckets)
    /// How many stays are kept.
    package private(set) var count = 0
    /// No stay that is kept is over before this.
    private var nextOver: UTCTime?
    private var admission = Admission(
        places: Limits.stayAuthors + Limits.stayAuthorsMet, hearsay: Limits.stayAuthors)
    private let hours: StayHours

    /// No stays yet, of a volume with these days.
    package init(hours: StayHours) { self.hours = hours }

    /// The bucket of an author: the first six bits of their key.
    package static func bucket(of author: PeerKey) -> Int { StatementBuckets.bucket(of: author) }

    // MARK: Taking

    /// A session with `key` opened: they have a place, whoever fills the book.
    package mutating func met(_ key: PeerKey) { admission.met(key) }

    /// What to do with a statement that `introducer` sent, before its signature is checked. `isMet`
    /// says whether a session with its author is open.
    package func verdict(
        on statement: VenueStatement, _ id: Bytes32, from introducer: PeerKey, isMet: Bool,
        at now: Moment
    ) -> Verdict {
        guard case .stay(let stay, let revision) = statement.content,
            let over = hours.dayEnd(after: stay.since), now.utc < over
        else { return .nothing }
        let mark = StayMark(author: statement.author, revision: revision, id: id)
        if let item = item(of: statement.author) {
            guard mark.replaces(item.mark) else { return .known }
            return rest(item, at: now.instant).map(Verdict.later) ?? .welcome
        }
        guard count < Limits.stayAuthors + Limits.stayAuthorsMet else { return .full }
        if isMet { return .welcome }
        let room = admission.room(for: introducer, at: now.instant)
        guard room.count < 1 else { return .welcome }
        return room.more.map(Verdict.later) ?? .full
    }

    /// Keeps the agent's own statement, at whatever pace its user moves; `nil` if it is of no day
    /// of this volume, or not newer than what is here.
    package mutating func keepOwn(
        _ statement: VenueStatement, _ id: Bytes32, at now: Moment
    ) -> Kept? {
        let verdict = verdict(on: statement, id, from: statement.author, isMet: true, at: now)
        switch verdict {
        // Whoever fills the book keeps nobody out of their own.
        case .welcome, .later, .full: break
        case .known, .nothing: return nil
        }
        return put(statement, id, from: nil, isMet: true, at: now)
    }

    /// Keeps a statement that is welcome and rightly signed. Gives the stay that its author had
    /// before; `nil` if nothing was kept.
    package mutating func keep(
        _ statement: VenueStatement, _ id: Bytes32, from introducer: PeerKey, isMet: Bool,
        at now: Moment
    ) -> Kept? {
        guard verdict(on: statement, id, from: introducer, isMet: isMet, at: now) == .welcome else {
            return nil
        }
        return put(statement, id, from: introducer, isMet: isMet, at: now)
    }

    /// Puts it in its place; without an introducer whoever else is there.
    private mutating func put(
        _ statement: VenueStatement, _ id: Bytes32, from introducer: PeerKey?, isMet: Bool,
        at now: Moment
    ) -> Kept? {
        guard case .stay(let stay, let revision) = statement.content,
            let over = hours.dayEnd(after: stay.since)
        else { return nil }
        let author = statement.author
        let bucket = Self.bucket(of: author)
        var item = Item(
            statement: statement, stay: stay,
            mark: StayMark(author: author, revision: revision, id: id), over: over,
            paid: now.instant + Limits.stayPace)
        let place = buckets[bucket].partitionPoint { $0.mark.author < author }
        var old: Stay?
        if place < buckets[bucket].count, buckets[bucket][place].mark.author == author {
            old = buckets[bucket][place].stay
            item.paid = max(now.instant, buckets[bucket][place].paid) + Limits.stayPace
            buckets[bucket][place] = item
        } else {
            if let introducer {
                guard
                    admission.admits(
                        author, from: introducer, isMet: isMet, among: count, at: now.instant)
                else { return nil }
            }
            buckets[bucket].insert(item, at: place)
            count += 1
        }
        known[bucket] = nil
        nextOver = min(nextOver ?? over, over)
        return Kept(stay: stay, old: old)
    }

    /// A stay that was taken, and the one that it replaced.
    package struct Kept: Hashable, Sendable {
        /// What is kept now.
        package let stay: Stay
        /// What was kept of its author before.
        package let old: Stay?
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
        var gone: [PeerKey] = []
        nextOver = nil
        for bucket in buckets.indices {
            let before = gone.count
            for item in buckets[bucket] {
                if item.over <= now {
                    gone.append(item.mark.author)
                } else {
                    nextOver = min(nextOver ?? item.over, item.over)
                }
            }
            guard gone.count > before else { continue }
            buckets[bucket].removeAll { $0.over <= now }
            known[bucket] = nil
        }
        count -= gone.count
        for author in gone { admission.left(author) }
        return gone
    }

    // MARK: Reading

    private func item(of author: PeerKey) -> Item? {
        let items = buckets[Self.bucket(of: author)]
        let place = items.partitionPoint { $0.mark.author < author }
        return place < items.count && items[place].mark.author == author ? items[place] : nil
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

    /// What is kept in a bucket, in short, sorted by author; of the first
    /// ``Limits/stayMarks`` authors, as one list carries.
    package func marks(in bucket: Int) -> [StayMark] {
        guard buckets.indices.contains(bucket) else { return [] }
        return buckets[bucket].prefix(Limits.stayMarks).map(\.mark)
    }

    /// What of a bucket is new to a peer who keeps `theirs` there, sorted by author. A full list
    /// says nothing of the authors behind its last one.
    package func newer(in bucket: Int, than theirs: [StayMark]) -> [VenueStatement] {
        guard buckets.indices.contains(bucket) else { return [] }
        let sorted = theirs.sorted { $0.author < $1.author }
        let last = sorted.count < Limits.stayMarks ? nil : sorted.last?.author
        return buckets[bucket].filter { item in
            if let last, last < item.mark.author { return false }
            let place = sorted.partitionPoint { $0.author < item.mark.author }
            guard place < sorted.count, sorted[place].author == item.mark.author else {
                return true
            }
            return item.mark.replaces(sorted[place])
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
