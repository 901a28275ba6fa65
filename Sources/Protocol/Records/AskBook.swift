// SPDX-License-Identifier: Apache-2.0
/// What people ask of the desk of a venue and what it answered, as long as neither the ledger says
/// the rest nor its time is over (docs/protocol.md section 32).
///
/// Whoever took the same statements of people with at most ``Limits/openAsks`` asks keeps the same
/// ones, in whatever order and parts they came. It is cut by the first six bits of the asker, as
/// stays are.
package struct AskBook: Sendable {
    /// What to do with a statement that came: as of a stay.
    package typealias Verdict = StatementBook.Verdict

    /// Sorted by asker in each bucket.
    private var buckets: [[AskGuest]] = Array(repeating: [], count: Limits.stayBuckets)
    /// Of each bucket, as long as it is as it was.
    private var known: [Bytes32?] = Array(repeating: nil, count: Limits.stayBuckets)
    /// How many people's asks are kept.
    package private(set) var count = 0
    /// Nothing that is kept is over before this.
    private var nextOver: UTCTime?
    private var places = StayPlaces()
    private var paces = AskPaces()
    /// Of whom something is kept that is about an ask: its asker, and whoever else says that they
    /// take it back.
    private var owners: [Bytes32: [PeerKey]] = [:]
    private var lastNumber = 0
    /// Whose agent this is.
    private let own: PeerKey

    /// Who is the desk, by the ledgers that are known here.
    package private(set) var desk: PeerKey?
    /// Asks that a ledger has granted or closed.
    private var settled: Set<Bytes32> = []
    /// Keys with a member note in a ledger.
    private var members: Set<PeerKey> = []

    /// Nothing is asked yet; the agent's own user always may.
    package init(own: PeerKey) { self.own = own }

    // MARK: Who is there

    /// A session with `key` opened: they have a place, whoever fills the book.
    package mutating func arrived(_ key: PeerKey, at now: Instant) {
        places.arrived(key, at: now)
        guard let (bucket, place) = index(of: key) else { return }
        places.left(key, of: buckets[bucket][place].introducer)
        places.introduced(key, by: key, at: now)
        buckets[bucket][place].introducer = key
    }

    /// A session with `key` ended.
    package mutating func departed(_ key: PeerKey) { places.departed(key) }

    // MARK: What ledgers say

    /// The ledgers are read anew: what they said before means nothing.
    package mutating func forgetLedgers() {
        settled = []
        members = []
    }

    /// Somebody else, or nobody, is the desk: what the one before answered is no answer any more.
    package mutating func serves(_ key: PeerKey?) {
        guard key != desk else { return }
        desk = key
        for asker in askers { change(asker) { $0.forgetAnswers(but: key) } }
    }

    /// Whether a key has a member note.
    package func isMember(_ key: PeerKey) -> Bool { members.contains(key) }

    /// Keys with a member note need no introduction.
    package mutating func noted(_ keys: [PeerKey]) { members.formUnion(keys) }

    /// A ledger has granted or closed these: they are over.
    package mutating func settle(_ asks: [Bytes32]) {
        settled.formUnion(asks)
        for ask in asks {
            for asker in owners[ask] ?? [] { change(asker) { $0.forget { $0 == ask } } }
        }
    }

    // MARK: Taking

    /// What to do with a statement that `introducer` sent, before its signature is checked.
    package func verdict(
        on statement: VenueStatement, _ id: Bytes32, from introducer: PeerKey, at now: Moment
    ) -> Verdict {
        let asker: PeerKey
        let obstacle: AskGuest.Obstacle?
        switch statement.content {
        case .ask(let ask):
            asker = statement.author
            guard now.utc < ask.until else { return .nothing }
            let one = KeptAsk(id: id, statement: statement, ask: ask, number: 0)
            if isSettled(id) || one.target.map(isSettled) == true { return .known }
            obstacle = guest(of: asker)?.obstacle(to: one)
            if obstacle == nil, let again = paces.rest(asker, at: now.instant) {
                return .later(again)
            }
        case .answer(let answer):
            asker = answer.asker
            guard now.utc < answer.until, statement.author == desk else { return .nothing }
            if isSettled(answer.ask) { return .known }
            let one = KeptAnswer(id: id, statement: statement, answer: answer)
            obstacle = guest(of: asker)?.obstacle(to: one)
        case .stay, .later: return .nothing
        }
        switch obstacle {
        case .known: return .known
        case .full: return .full
        case nil: break
        }
        guard index(of: asker) == nil else { return .welcome }
        return place(for: asker, from: introducer, at: now)
    }

    /// Whether somebody of whom nothing is kept has a place.
    private func place(
        for asker: PeerKey, from introducer: PeerKey, at now: Moment
    ) -> Verdict {
        if hasRight(asker) { return .welcome }
        guard places.isLinked(introducer) else { return .full }
        let isFull = isFullOfHearsay
        // Whose place it would be takes a look at all of them.
        guard places.pace(of: introducer, at: now.instant) > 0 else {
            let next = now.instant + .milliseconds(Int64(1000 / Limits.stayNewcomersPerSecond))
            return isFull ? .full : .later(next)
        }
        return isFull && loser(to: introducer) == nil ? .full : .welcome
    }

    /// Whose place somebody gets.
    private func loser(to introducer: PeerKey?) -> (author: PeerKey, introducer: PeerKey)? {
        places.loser(to: introducer, among: count) { hasRight($0) }
    }

    private func isSettled(_ ask: Bytes32) -> Bool { settled.contains(ask) }

    /// Whether somebody keeps their place: the agent's own user, whoever is linked, and members.
    private func hasRight(_ asker: PeerKey) -> Bool {
        asker == own || places.isLinked(asker) || members.contains(asker)
    }

    private var isFull: Bool { count >= Limits.stayAuthors + Limits.stayAuthorsMet }

    /// Whether those who have no right to one have all the places that are theirs.
    private var isFullOfHearsay: Bool {
        guard count >= Limits.stayAuthors else { return false }
        let met = places.linkedKeys.count { index(of: $0) != nil }
        return isFull || count - met >= Limits.stayAuthors
    }

    /// Keeps a statement that is welcome and rightly signed, or the agent's own at whatever pace.
    /// Whose ask it is or is about; `nil` if nothing was kept.
    @discardableResult
    package mutating func keep(
        _ statement: VenueStatement, _ id: Bytes32, from introducer: PeerKey, at now: Moment
    ) -> PeerKey? {
        switch verdict(on: statement, id, from: introducer, at: now) {
        case .welcome: break
        case .later where statement.author == own, .full where statement.author == own: break
        case .later, .full, .known, .nothing: return nil
        }
        switch statement.content {
        case .ask(let ask):
            guard makePlace(for: statement.author, from: introducer, at: now) else { return nil }
            lastNumber += 1
            let one = KeptAsk(id: id, statement: statement, ask: ask, number: lastNumber)
            change(statement.author) { $0.keep(one) }
            paces.asked(statement.author, at: now.instant)
            return statement.author
        case .answer(let answer):
            guard makePlace(for: answer.asker, from: introducer, at: now) else { return nil }
            change(answer.asker) {
                $0.keep(KeptAnswer(id: id, statement: statement, answer: answer))
            }
            return answer.asker
        case .stay, .later: return nil
        }
    }

    /// Makes a place for somebody; where all are taken, another one may have to go.
    private mutating func makePlace(
        for asker: PeerKey, from introducer: PeerKey, at now: Moment
    ) -> Bool {
        guard index(of: asker) == nil else { return true }
        let isMet = hasRight(asker)
        if isMet ? isFull : isFullOfHearsay {
            let gone = loser(to: isMet ? nil : introducer)
            // One's own stands above all.
            guard gone != nil || asker == own else { return false }
            if let gone { change(gone.author) { $0.forget { _ in true } } }
        }
        let sponsor = isMet ? asker : introducer
        places.introduced(asker, by: sponsor, at: now.instant)
        let bucket = StatementBuckets.bucket(of: asker)
        let place = buckets[bucket].partitionPoint { $0.asker < asker }
        buckets[bucket].insert(AskGuest(asker, introducer: sponsor), at: place)
        count += 1
        return true
    }

    /// Changes what is kept of somebody, and forgets them where nothing is left.
    private mutating func change(_ asker: PeerKey, _ body: (inout AskGuest) -> Void) {
        guard let (bucket, place) = index(of: asker) else { return }
        for subject in buckets[bucket][place].subjects {
            owners[subject]?.removeAll { $0 == asker }
            if owners[subject]?.isEmpty == true { owners[subject] = nil }
        }
        body(&buckets[bucket][place])
        let guest = buckets[bucket][place]
        known[bucket] = nil
        guard !guest.isEmpty else {
            buckets[bucket].remove(at: place)
            count -= 1
            return places.left(asker, of: guest.introducer)
        }
        for subject in guest.subjects where owners[subject]?.contains(asker) != true {
            owners[subject, default: []].append(asker)
        }
        if let over = guest.nextOver { nextOver = min(nextOver ?? over, over) }
    }

    /// Forgets what was to stand until `now`: the asks, with whose they were. O(n) where something
    /// is over.
    package mutating func expire(at now: UTCTime) -> [(asker: PeerKey, ask: Bytes32)] {
        guard let due = nextOver, due <= now else { return [] }
        nextOver = nil
        var over: [(asker: PeerKey, ask: Bytes32)] = []
        for asker in askers {
            change(asker) { guest in over += guest.expire(at: now).map { (asker, $0) } }
        }
        return over
    }

    /// When something is over next.
    package var nextEnd: UTCTime? { nextOver }

    // MARK: Reading

    private var askers: [PeerKey] { buckets.flatMap { $0.map(\.asker) } }

    /// Where somebody stands. O(log n).
    private func index(of asker: PeerKey) -> (bucket: Int, place: Int)? {
        let bucket = StatementBuckets.bucket(of: asker)
        let place = buckets[bucket].partitionPoint { $0.asker < asker }
        guard place < buckets[bucket].count, buckets[bucket][place].asker == asker else {
            return nil
        }
        return (bucket, place)
    }

    private func guest(of asker: PeerKey) -> AskGuest? {
        index(of: asker).map { buckets[$0.bucket][$0.place] }
    }

    /// The asks that are open, in the order in which they came. O(n log n).
    package var open: [KeptAsk] {
        buckets.flatMap { $0.flatMap(\.asks) }.sorted { $0.number < $1.number }
    }

    /// The asks of somebody that are open, sorted by id.
    package func asks(of asker: PeerKey) -> [KeptAsk] { guest(of: asker)?.asks ?? [] }

    /// An ask that is open.
    package func ask(_ id: Bytes32) -> KeptAsk? {
        for asker in owners[id] ?? [] {
            if let one = asks(of: asker).first(where: { $0.id == id }) { return one }
        }
        return nil
    }

    /// What the desk answered to an ask of somebody.
    package func answer(to ask: Bytes32, of asker: PeerKey) -> KeptAnswer? {
        guest(of: asker)?.answer(to: ask)
    }

    /// All statements that are kept: by asker, asks before answers.
    package var statements: [VenueStatement] {
        buckets.flatMap { $0.flatMap { $0.statements.map(\.statement) } }
    }
}

extension AskBook {
    // MARK: Comparing

    /// What is kept in a bucket behind an asker, in short: of as many people as one list carries.
    /// `nil` for no bucket.
    package func list(
        of bucket: Int, after: PeerKey? = nil, atMost most: Int = Limits.stayMarks
    ) -> AskList? {
        guard buckets.indices.contains(bucket) else { return nil }
        let guests = buckets[bucket]
        var place = after.map { key in guests.partitionPoint { $0.asker <= key } } ?? 0
        var marks: [AskMark] = []
        var last: PeerKey?
        while place < guests.count {
            let more = guests[place].marks
            guard marks.isEmpty || marks.count + more.count <= most else { break }
            marks += more
            last = guests[place].asker
            place += 1
        }
        return AskList(
            kept: marks, in: bucket, after: after, last: place < guests.count ? last : nil)
    }

    /// What of that part of a bucket a peer lacks who keeps there what they listed, by asker. O(n).
    package func missing(in theirs: AskList) -> [VenueStatement] {
        buckets[theirs.bucket].filter { theirs.speaks(of: $0.asker) }.flatMap { guest in
            guest.statements.filter { !theirs.has($0.mark) }.map(\.statement)
        }
    }

    /// The digest of each bucket: SHA-256 over "seatswap/1 asks" and the CBOR array of its marks.
    package mutating func digests(_ primitives: any Primitives) -> [Bytes32] {
        buckets.indices.map { bucket in
            if let digest = known[bucket] { return digest }
            let marks = buckets[bucket].flatMap(\.marks)
            var writer = CBORWriter(capacity: 8 + 66 * marks.count)
            writer.array(marks.count)
            for mark in marks { writer.bytes(mark.bytes) }
            let digest = primitives.sha256(Array("seatswap/1 asks".utf8) + writer.bytes)
            known[bucket] = digest
            return digest
        }
    }
}
