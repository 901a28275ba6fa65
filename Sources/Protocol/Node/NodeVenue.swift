// SPDX-License-Identifier: Apache-2.0
/// A venue in the core: its words, the stays of its people (``Stays``), what they ask of the desk
/// (``Asks``, ``Forms``) and what it wrote (``Ledgers``). An agent of a flight has none of it, and
/// ignores what is said of it.
struct VenueParts: Sendable {
    let name: VenueName
    /// The newest words that the operator signed.
    var page: VenuePage?
    var stays: Stays
    var asks: Asks
    var ledgers: Ledgers
    var forms: Forms
    /// The clocks of the venue, where the program knows them.
    let clock: VenueClock?
    /// Where this agent is the desk.
    var desk: DeskParts?
    /// When an entry of the desk's came last that is news.
    var heard: Moment?
    /// When a session opened last: what comes at once is no news.
    var opened: Instant
    /// The last time that the core was told of.
    var now: Instant
    /// What people were told of the desk last.
    var told: DeskFacts?
    /// Whether the desk was within reach at the end of the last turn, and when it was last so.
    var isNear = false
    var left: Moment?
    /// What the user wished last, while it waits for its turn to be written.
    var wished: Wish?

    init(_ setup: NodeSetup, _ venue: VenueSetup, _ stored: Stored, at now: Moment) {
        name = venue.name
        clock = venue.clock ?? venue.desk?.clock
        page = venue.page
        stays = Stays(
            own: stored.stay, hours: venue.hours, gathering: setup.flightKeys[0].id,
            signer: setup.signer, primitives: setup.primitives, at: now)
        asks = Asks(
            stored.statements, gathering: setup.flightKeys[0].id, signer: setup.signer,
            primitives: setup.primitives, at: now)
        ledgers = Ledgers(setup.primitives)
        forms = Forms(stored.forms, me: setup.signer.key)
        opened = now.instant
        self.now = now.instant
    }

    /// When it wants to be called.
    var nextDeadline: Instant? {
        let away = told?.isHeard == true ? lastHeard.map { $0.instant + Limits.deskHeard } : nil
        return [
            stays.nextDeadline, asks.nextDeadline, forms.nextDeadline,
            desk?.automaton.nextDeadline,
            away.flatMap { $0 > now ? $0 : nil },
        ].compactMap { $0 }.min()
    }

    /// When something of the desk came last.
    var lastHeard: Moment? {
        [heard, asks.heard].compactMap { $0 }.max { $0.instant < $1.instant }
    }
}

extension Node {
    /// Tells the stays of something, where this is a venue.
    mutating func stay(_ event: Stays.Event, _ effects: inout Effects, at now: Moment) {
        guard let asked = venue?.stays.handle(event, at: now) else { return }
        carryOut(asked, &effects, at: now)
    }

    /// A session opened: the peer hears which words and which stays are known here.
    mutating func openedVenue(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        guard let venue else { return }
        let mark = venue.page?.mark(setup.primitives) ?? .none
        session(id, .send(.venue(.mark(mark))), &effects, at: now)
        stay(.opened(id), &effects, at: now)
        ask(.opened(id), &effects, at: now)
        self.venue?.opened = now.instant
    }

    /// A message about the venue came.
    mutating func venue(
        _ message: VenueMessage, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let venue else { return }
        switch message {
        case .mark(let mark):
            guard let page = venue.page, page.mark(setup.primitives).replaces(mark) else { return }
            session(id, .send(.venue(.page(page))), &effects, at: now)
        case .page(let page): take(page, from: id, &effects, at: now)
        case .statement(let statement): take(statement, from: id, &effects, at: now)
        case .digests(let digests): stay(.digests(digests, from: id), &effects, at: now)
        case .marks(let list): stay(.list(list, from: id), &effects, at: now)
        case .askDigests(let digests): ask(.digests(digests, from: id), &effects, at: now)
        case .askMarks(let list): ask(.list(list, from: id), &effects, at: now)
        case .form(let number, let form): take(form, number, from: id, &effects, at: now)
        case .formAck(let number, let state, let text):
            take(state, text, of: number, from: id, &effects, at: now)
        }
    }

    private mutating func take(
        _ statement: VenueStatement, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        switch statement.content {
        case .stay: stay(.statement(statement, from: id), &effects, at: now)
        case .ask, .answer: ask(.statement(statement, from: id), &effects, at: now)
        case .later: break
        }
    }

    /// Takes words that replace ours, and tells everybody else that there are newer ones.
    private mutating func take(
        _ page: VenuePage, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let name = venue?.name else { return }
        let mark = page.mark(setup.primitives)
        let known = venue?.page?.mark(setup.primitives) ?? .none
        // An operator may run several venues with one key: words of another one are no words here.
        guard mark.replaces(known), page.isOf(name.slug) else { return }
        guard page.isSigned(by: name.runBy, primitives: setup.primitives) else {
            return session(id, .close(.badEntry, ""), &effects, at: now)
        }
        let isTwice = known.revision == mark.revision
        venue?.page = page
        effects.notices.append(.venue(page))
        if isTwice { effects.notices.append(.trouble(.operatorTwice)) }
        for link in peers.all where link.isOpen && link.id != id {
            session(link.id, .send(.venue(.page(page))), &effects, at: now)
        }
    }

    /// Reports once a turn that somebody came, left, or was closed out, and that others ask.
    mutating func countStatements(_ effects: inout Effects, at now: Moment) {
        if venue?.stays.takeChange() == true { effects.notices.append(.attendance) }
        if venue?.asks.takeChange() == true { effects.notices.append(.asks) }
        tellDesk(&effects, at: now)
    }

    /// Carries out what the user wants of their own stay.
    mutating func stay(
        _ intent: StayIntent, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard venue != nil else { return .failure(.noVenue) }
        var asked = PartEffects()
        var result = Result<IntentReply, Refusal>.failure(.noVenue)
        switch intent {
        case .checkIn(let place, let tag):
            result = venue?.stays.checkIn(place, tag: tag, &asked, at: now) ?? result
        case .checkOut: result = venue?.stays.checkOut(&asked, at: now) ?? result
        }
        carryOut(asked, &effects, at: now)
        return result
    }

    // MARK: Reading

    /// The venue that this agent is in; `nil` on a flight.
    public var venueView: VenueView? {
        guard let venue else { return nil }
        let stay: Stay? =
            if case .stay(let stay, _)? = venue.stays.own?.content { stay } else { nil }
        return VenueView(
            name: venue.name, page: venue.page,
            places: venue.stays.attendance.places.map {
                VenueView.Count(place: $0.place, people: $0.count)
            },
            stay: stay, isIn: venue.stays.ownOpenStay(at: venue.stays.attendance.now) != nil,
            known: venue.stays.book.count)
    }

    /// Who is at a place of the venue now, sorted.
    public func people(at place: Int) -> [PeerKey] {
        venue?.stays.attendance.people(at: place) ?? []
    }

    /// When a stay ended by itself or will, if nobody ends it before.
    public func closes(_ stay: Stay) -> UTCTime? { venue?.stays.closes(stay) }

    /// The stays with that tag, sorted by author. O(n).
    public func stays(tagged tag: ThreadID) -> [(author: PeerKey, stay: Stay)] {
        venue?.stays.book.stays(tagged: tag) ?? []
    }

    /// Where somebody is now, by the number of the place.
    public func place(of author: PeerKey) -> Int? { venue?.stays.attendance.place(of: author) }
}

/// A venue as an agent in it knows it.
public struct VenueView: Hashable, Sendable {
    /// How many people are at a place.
    public struct Count: Hashable, Sendable {
        /// The number of the place, 1...4095.
        public var place: Int
        /// How many are there now.
        public var people: Int

        /// So many at that place.
        public init(place: Int, people: Int) {
            self.place = place
            self.people = people
        }
    }
    /// Which venue, and which of its days.
    public var name: VenueName
    /// The newest words of its operator that are known.
    public var page: VenuePage?
    /// Places where somebody is, by number.
    public var places: [Count]
    /// The own stay of the volume, also one that is over.
    public var stay: Stay?
    /// Whether that stay goes on.
    public var isIn: Bool
    /// How many stays are kept, also those that are over.
    public var known: Int

    /// What is known of `name`.
    public init(
        name: VenueName, page: VenuePage?, places: [Count], stay: Stay?, isIn: Bool, known: Int
    ) {
        self.name = name
        self.page = page
        self.places = places
        self.stay = stay
        self.isIn = isIn
        self.known = known
    }
}

/// What the user wants of their own stay in a venue.
public enum StayIntent: Hashable, Sendable {
    /// Say that they came to the place of that number; those who know `tag` may find them by it.
    case checkIn(Int, tag: ThreadID?)
    /// Say that they left.
    case checkOut
}
