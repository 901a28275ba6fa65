// SPDX-License-Identifier: Apache-2.0
/// The stays of people in a venue (docs/protocol.md section 31): who is where, and how that
/// spreads.
///
/// The own stay is on disk before it is sent; those of others are learned again after a start from
/// linked peers. Agents compare the digests of 64 buckets, and list part by part what they keep in
/// those that differ.
struct Stays: Sendable {
    /// What happens.
    enum Event: Sendable {
        /// A connection to that peer came; its session is not open yet.
        case connected(LinkID, PeerKey)
        /// Its session is open.
        case opened(LinkID)
        /// It is gone.
        case ended(LinkID)
        /// A message found no room on it.
        case dropped(LinkID)
        /// What others say found no room on it.
        case leftOut(LinkID)
        /// A statement came on an open link.
        case statement(VenueStatement, from: LinkID)
        /// The digests of what a peer keeps came.
        case digests([Bytes32], from: LinkID)
        /// A list of a part of it came.
        case list(StayList, from: LinkID)
        /// The operator's newer words have other hours.
        case hours(StayHours)
        /// The deadline came.
        case tick
    }

    /// One stay of everybody.
    private(set) var book: StatementBook
    /// Who is where now.
    private(set) var attendance: Attendance
    /// The own statement; its stay may be over.
    private(set) var own: VenueStatement?
    /// Something changed since ``takeChange()`` was asked.
    private(set) var hasChanged = false
    /// In the order in which they came.
    private var links: [StayLink] = []
    /// When the clock alone may change who is where.
    private var turnAt: Instant?
    private var hours: StayHours
    private let signer: any Signer
    private let gathering: FlightID
    private let primitives: any Primitives

    /// Goes on with the own statement that was stored.
    init(
        own: VenueStatement?, hours: StayHours, gathering: FlightID, signer: any Signer,
        primitives: any Primitives, at now: Moment
    ) {
        book = StatementBook(hours: hours)
        attendance = Attendance(hours: hours, at: now.utc)
        self.hours = hours
        self.signer = signer
        self.gathering = gathering
        self.primitives = primitives
        guard let own, own.author == signer.key else { return }
        self.own = own
        keepOwn(at: now)
        hasChanged = false
        plan(at: now)
    }

    /// Counts the own stay that is stored; nothing for one of no day of the volume.
    private mutating func keepOwn(at now: Moment) {
        guard let own, let kept = book.keepOwn(own, own.id(primitives), at: now) else { return }
        count(kept, of: own.author)
    }

    /// When it wants to be called.
    var nextDeadline: Instant? {
        var first = turnAt
        for place in links.indices where links[place].isOpen {
            guard let due = links[place].nextDeadline else { continue }
            first = min(first ?? due, due)
        }
        return first
    }

    /// Looks again when the next stay begins to count or ends by itself, at the latest in a minute:
    /// a wall clock may be set.
    private mutating func plan(at now: Moment) {
        turnAt = attendance.nextTurn.map { turn in
            now.instant + .seconds(min(max(turn.seconds - now.utc.seconds, 0), 60))
        }
    }

    /// Whether something changed since the last call.
    mutating func takeChange() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }

    /// Takes one event in.
    mutating func handle(_ event: Event, at now: Moment) -> PartEffects {
        var effects = PartEffects()
        switch event {
        case .connected(let id, let peer):
            links.append(StayLink(id: id, peer: peer, at: now.instant))
        case .opened(let id):
            guard let place = place(of: id), !links[place].isOpen else { break }
            links[place].isOpen = true
            book.arrived(links[place].peer, at: now.instant)
            tell(place, &effects, at: now)
        case .ended(let id):
            guard let place = place(of: id) else { break }
            let link = links.remove(at: place)
            if link.isOpen { book.departed(link.peer) }
        case .dropped(let id):
            if let place = place(of: id) { compareAgain(place, at: now) }
        case .leftOut(let id):
            // They ask for what they lack.
            if let place = place(of: id) { links[place].tell(at: now.instant + Limits.stayAgain) }
        case .statement(let statement, let id):
            if let place = place(of: id) { take(statement, on: place, &effects, at: now) }
        case .digests(let digests, let id):
            if let place = place(of: id) { take(digests, on: place, &effects, at: now) }
        case .list(let list, let id):
            if let place = place(of: id) { answer(list, on: place, &effects, at: now) }
        case .hours(let hours): change(hours, at: now)
        case .tick: tick(&effects, at: now)
        }
        plan(at: now)
        return effects
    }

    /// Judges every stay by other hours, and asks for those that are of a day of the volume now.
    private mutating func change(_ hours: StayHours, at now: Moment) {
        self.hours = hours
        _ = book.change(hours)
        _ = book.expire(at: now.utc)
        attendance = Attendance(hours: hours, at: now.utc)
        for statement in book.statements {
            if case .stay(let stay, _) = statement.content {
                attendance.set(stay, of: statement.author)
            }
        }
        hasChanged = true
        if book.mark(of: signer.key) == nil { keepOwn(at: now) }
        for place in links.indices where links[place].isOpen { compareAgain(place, at: now) }
    }

    /// Soon tells a peer what is here, and asks them for what is newer there.
    private mutating func compareAgain(_ place: Int, at now: Moment) {
        let soon = now.instant + Limits.stayAgain
        links[place].tell(at: soon)
        links[place].wonder(about: links[place].theirs.indices)
        links[place].ask(at: soon)
    }

    private func place(of id: LinkID) -> Int? { links.firstIndex { $0.id == id } }

    /// When a stay ends by itself, or did; `nil` for one on no day of the volume.
    func closes(_ stay: Stay) -> UTCTime? { hours.close(of: stay.place, after: stay.since) }

    // MARK: The own stay

    /// The own stay that is not over; `nil` outside of every place.
    func ownOpenStay(at now: UTCTime) -> Stay? {
        guard case .stay(let stay, _)? = own?.content, stay.until == nil,
            let closes = attendance.closes(for: signer.key), now < closes
        else { return nil }
        return stay
    }

    /// Says that the user came to a place.
    mutating func checkIn(
        _ place: Int, tag: ThreadID?, _ effects: inout PartEffects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        if let stay = ownOpenStay(at: now.utc) { return .failure(.staysAt(stay)) }
        guard let stay = Stay(place: place, since: now.utc, tag: tag) else {
            return .failure(.outsideOfVolume)
        }
        return say(stay, &effects, at: now)
    }

    /// Says that the user left the place where they are.
    mutating func checkOut(
        _ effects: inout PartEffects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard let stay = ownOpenStay(at: now.utc) else { return .failure(.staysNowhere) }
        // A clock that was set back since is no reason to keep anybody.
        let until = max(stay.since, now.utc)
        guard
            let ended = Stay(
                place: stay.place, booking: stay.booking, since: stay.since, until: until,
                tag: stay.tag)
        else { return .failure(.outsideOfVolume) }
        return say(ended, &effects, at: now)
    }

    private mutating func say(
        _ stay: Stay, _ effects: inout PartEffects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        let revision = (book.mark(of: signer.key)?.revision ?? ownRevision) + 1
        guard
            let statement = VenueStatement(
                stay, revision: revision, gathering: gathering, by: signer)
        else { return .failure(.logFull) }
        let id = statement.id(primitives)
        guard let kept = book.keepOwn(statement, id, at: now) else {
            return .failure(.outsideOfVolume)
        }
        own = statement
        effects.writes.append(.stay(statement))
        count(kept, of: signer.key)
        plan(at: now)
        push(statement, except: nil, &effects)
        return .success(.stay(stay))
    }

    private var ownRevision: Int {
        if case .stay(_, let revision)? = own?.content { revision } else { 0 }
    }

    /// A peer sent a stay of our own that replaces ours: an old copy of the disk runs here, or the
    /// key runs twice. It is taken over; what the user says next has a higher revision.
    private mutating func foundOwn(
        _ statement: VenueStatement, _ id: Bytes32, from link: LinkID,
        _ effects: inout PartEffects, at now: Moment
    ) {
        guard let kept = book.keepOwn(statement, id, at: now) else { return }
        own = statement
        effects.writes.append(.stay(statement))
        count(kept, of: signer.key)
        push(statement, except: link, &effects)
    }

    private mutating func count(_ kept: StatementBook.Kept, of author: PeerKey) {
        if let displaced = kept.displaced { attendance.set(nil, of: displaced) }
        attendance.set(kept.stay, of: author)
        hasChanged = true
    }

    // MARK: Messages

    private mutating func take(
        _ digests: [Bytes32], on place: Int, _ effects: inout PartEffects, at now: Moment
    ) {
        if links[place].told(digests, at: now.instant) { ask(place, &effects, at: now) }
    }

    private mutating func answer(
        _ list: StayList, on place: Int, _ effects: inout PartEffects, at now: Moment
    ) {
        guard links[place].looks(at: now.instant) else { return }
        // Those first whom they keep, since they may have no room for others. Each time they begin
        // with another one: not all may find room on the link.
        let newer = book.newer(than: list)
        let known = newer.filter { list.mark(of: $0.author) != nil }
        let others = newer.filter { list.mark(of: $0.author) == nil }
        let (one, two) = (links[place].turn(of: known.count), links[place].turn(of: others.count))
        let all = known[one...] + known[..<one] + others[two...] + others[..<two]
        for statement in all.prefix(links[place].answer(all.count, at: now.instant)) {
            send(statement, on: links[place], &effects)
        }
    }

    private mutating func take(
        _ statement: VenueStatement, on place: Int, _ effects: inout PartEffects, at now: Moment
    ) {
        let link = links[place]
        let id = statement.id(primitives)
        let author = statement.author
        switch book.verdict(on: statement, id, from: link.peer, at: now) {
        case .welcome: break
        case .later(let again):
            // One's own is no news of somebody else, whatever its pace.
            if author == signer.key { break }
            links[place].wonder(about: [StatementBuckets.bucket(of: author)])
            return links[place].ask(at: max(again, now.instant + Limits.stayAgain))
        case .known, .full, .nothing: return
        }
        guard statement.isSigned(gathering: gathering, primitives: primitives) else {
            effects.sessions.append((link.id, .close(.badEntry, "")))
            return
        }
        guard author != signer.key else {
            return foundOwn(statement, id, from: link.id, &effects, at: now)
        }
        guard let kept = book.keep(statement, id, from: link.peer, at: now) else { return }
        count(kept, of: author)
        if link.isAnswer(StatementBuckets.bucket(of: author), at: now.instant) {
            // Old news: whoever lacks it too finds out by the digests.
            for other in links.indices where links[other].isOpen && other != place {
                links[other].tell(at: now.instant + Limits.stayGathered)
            }
        } else {
            push(statement, except: link.id, &effects)
        }
    }

    /// Sends a statement to everybody but its source.
    private func push(
        _ statement: VenueStatement, except id: LinkID?, _ effects: inout PartEffects
    ) {
        for place in links.indices where links[place].isOpen && links[place].id != id {
            send(statement, on: links[place], &effects)
        }
    }

    /// What others say waits behind little of its kind.
    private func send(
        _ statement: VenueStatement, on link: StayLink, _ effects: inout PartEffects
    ) {
        let message = Message.venue(.statement(statement))
        if statement.author == signer.key {
            effects.send(message, on: link.id)
        } else {
            effects.passOn(message, on: link.id)
        }
    }

    // MARK: Rounds

    /// Sends the digest of each bucket.
    private mutating func tell(_ place: Int, _ effects: inout PartEffects, at now: Moment) {
        links[place].tellAt = now.instant + Limits.stayRound
        effects.send(.venue(.digests(book.digests(primitives))), on: links[place].id)
    }

    /// Lists what is kept here in buckets that differ, so that the other sends what is newer.
    private mutating func ask(_ place: Int, _ effects: inout PartEffects, at now: Moment) {
        let ours = book.digests(primitives)
        let book = book
        let lists = links[place].next(ours, at: now.instant) { question in
            book.list(of: question.bucket, after: question.after)
                .map { ($0, $0.marks.count, $0.last) }
        }
        for list in lists {
            effects.send(.venue(.marks(list)), on: links[place].id)
        }
    }

    /// What is due, on any link and by the clock.
    private mutating func tick(_ effects: inout PartEffects, at now: Moment) {
        let turns = attendance.nextTurn.map { $0 <= now.utc } ?? false
        if turns || now.utc < attendance.now { hasChanged = true }
        attendance.advance(to: now.utc)
        for author in book.expire(at: now.utc) {
            attendance.set(nil, of: author)
            hasChanged = true
        }
        for place in links.indices where links[place].isOpen {
            if let at = links[place].askAt, at <= now.instant { ask(place, &effects, at: now) }
            if let at = links[place].tellAt, at <= now.instant { tell(place, &effects, at: now) }
        }
    }
}
