// SPDX-License-Identifier: Apache-2.0
/// A venue in the core: its words and the stays of its people (``Stays``). An agent of a flight has
/// none of it, and ignores what is said of it.
struct VenueParts: Sendable {
    let name: VenueName
    /// The newest words that the operator signed.
    var page: VenuePage?
    var stays: Stays

    init(_ setup: NodeSetup, _ venue: VenueSetup, own: VenueStatement?, at now: Moment) {
        name = venue.name
        page = venue.page
        stays = Stays(
            own: own, hours: venue.hours, gathering: setup.flightKeys[0].id, signer: setup.signer,
            primitives: setup.primitives, at: now)
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
        case .statement, .digests, .marks:
            stay(.message(message, from: id), &effects, at: now)
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

    /// Reports once a turn that somebody came, left, or was closed out.
    mutating func countStays(_ effects: inout Effects) {
        if venue?.stays.takeChange() == true { effects.notices.append(.attendance) }
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
