// SPDX-License-Identifier: Apache-2.0
/// Suggested layouts of the cabin (docs/protocol.md section 27): who suggests what, and how that
/// spreads.
///
/// The own suggestion is on disk before it is sent; those of others are learned again after a start
/// from linked peers. Agents compare digests, so that a peer who has all suggestions is sent none.
struct Layouts: Sendable {
    /// What happens.
    enum Event: Sendable {
        /// A connection came; its session is not open yet.
        case connected(LinkID)
        /// Its session is open.
        case opened(LinkID)
        /// It is gone.
        case ended(LinkID)
        /// A message found no room on it.
        case dropped(LinkID)
        /// A message came on an open link. A suggestion counts if its author's log is known here.
        case message(LayoutMessage, from: LinkID, isAuthorKnown: Bool)
        /// An author became known.
        case authorCame
        /// The deadline came.
        case tick
    }

    /// Suggestions of all passengers, the own one among them.
    private(set) var book = LayoutBook()
    /// The own suggestion, also one that was taken back.
    private(set) var own: LayoutSuggestion?
    /// The user chose it in this process, and no later one of their own was heard of since.
    private var isOwnFresh = false
    /// Who suggests which layout, of those who count; the one that most suggest first.
    private(set) var tallies: [LayoutTally] = []
    private var isTallyStale = true
    /// In the order in which they came.
    private var links: [LayoutLink] = []
    private let me: PeerKey
    private let signer: any Signer
    private let flight: FlightID
    private let primitives: any Primitives

    /// Goes on with the own suggestion that was stored.
    init(
        own: LayoutSuggestion?, flight: FlightID, signer: any Signer,
        primitives: any Primitives, at now: Instant
    ) {
        self.own = own
        self.flight = flight
        me = signer.key
        self.signer = signer
        self.primitives = primitives
        if let own { book.keep(own, primitives.sha256(own.layout), at: now) }
    }

    /// When it wants to be called.
    var nextDeadline: Instant? {
        var first: Instant?
        for place in links.indices where links[place].isOpen {
            guard let due = links[place].nextDeadline else { continue }
            first = min(first ?? due, due)
        }
        return first
    }

    /// Takes one event in.
    mutating func handle(_ event: Event, at now: Instant) -> PartEffects {
        var effects = PartEffects()
        switch event {
        case .connected(let id): links.append(LayoutLink(id: id))
        case .opened(let id):
            if let place = place(of: id) { links[place].isOpen = true }
            tell(id, &effects, at: now)
        case .ended(let id): links.removeAll { $0.id == id }
        case .dropped(let id):
            if !book.isEmpty, let place = place(of: id) { links[place].tellAt = now + .seconds(1) }
        case .message(let message, let id, let isAuthorKnown):
            take(message, from: id, isAuthorKnown, &effects, at: now)
        case .authorCame:
            // Peers who told of suggestions by unknown authors are asked again, after a pause in
            // which more may come.
            for place in links.indices where links[place].lacksAuthor {
                links[place].lacksAuthor = false
                links[place].ask(at: now + Limits.layoutAgain)
            }
        case .tick: tick(&effects, at: now)
        }
        return effects
    }

    private func place(of id: LinkID) -> Int? { links.firstIndex { $0.id == id } }

    // MARK: The own one

    /// Suggests `layout` to everybody, or takes the suggestion back where it is empty.
    mutating func suggest(
        _ layout: [UInt8], _ effects: inout PartEffects, at now: Instant
    ) -> Result<IntentReply, Refusal> {
        guard layout.count <= Limits.layout else { return .failure(.tooLong(Limits.layout)) }
        guard layout != own?.layout ?? [] else { return .failure(.alreadySo) }
        let revision = (own?.revision ?? 0) + 1
        guard revision <= Limits.layoutRevisions.upperBound else { return .failure(.logFull) }
        sign(layout, revision, &effects, at: now)
        isOwnFresh = true
        return .success(.done)
    }

    private mutating func sign(
        _ layout: [UInt8], _ revision: Int, _ effects: inout PartEffects, at now: Instant
    ) {
        let suggestion = LayoutSuggestion(layout, revision: revision, flight: flight, by: signer)
        keepOwn(suggestion, except: nil, &effects, at: now)
    }

    private mutating func keepOwn(
        _ suggestion: LayoutSuggestion, except id: LinkID?, _ effects: inout PartEffects,
        at now: Instant
    ) {
        own = suggestion
        effects.writes.append(.layout(suggestion))
        keep(suggestion, except: id, &effects, at: now)
    }

    /// A peer sent a suggestion of our own that replaces ours: an old copy of the disk
    /// runs here, or the key runs twice. What the user chose in this process overrides it,
    /// once; otherwise we adopt it.
    private mutating func foundOwn(
        _ suggestion: LayoutSuggestion, from id: LinkID, _ effects: inout PartEffects,
        at now: Instant
    ) {
        let wanted = own?.layout ?? []
        guard isOwnFresh, wanted != suggestion.layout,
            suggestion.revision < Limits.layoutRevisions.upperBound
        else { return keepOwn(suggestion, except: id, &effects, at: now) }
        isOwnFresh = false
        sign(wanted, suggestion.revision + 1, &effects, at: now)
    }

    // MARK: Messages

    private mutating func take(
        _ message: LayoutMessage, from id: LinkID, _ isAuthorKnown: Bool,
        _ effects: inout PartEffects, at now: Instant
    ) {
        guard let place = place(of: id) else { return }
        links[place].speaks = true
        switch message {
        case .suggestion(let suggestion):
            take(suggestion, on: place, isAuthorKnown, &effects, at: now)
        case .known(let digest, let marks):
            guard digest != book.digest(primitives) else { return }
            guard let marks else {
                // A digest is a few bytes and its answer a list of all: not at once again.
                if let last = links[place].asked, now < last + Limits.layoutAgain {
                    return links[place].ask(at: last + Limits.layoutAgain)
                }
                return ask(place, &effects, at: now)
            }
            // And the answer to a list may be many layouts: a few at once, then few.
            guard links[place].answers(at: now) else { return }
            for suggestion in book.newer(than: marks) {
                effects.send(.layout(.suggestion(suggestion)), on: id)
            }
        }
    }

    private mutating func take(
        _ suggestion: LayoutSuggestion, on place: Int, _ isAuthorKnown: Bool,
        _ effects: inout PartEffects, at now: Instant
    ) {
        let id = links[place].id
        let author = suggestion.author
        let hash = primitives.sha256(suggestion.layout)
        let mark = LayoutMark(author: author, revision: suggestion.revision, hash: hash)
        let isOwn = author == me
        if isOwn {
            guard ownMark.map(mark.replaces) ?? true else { return }
        } else {
            guard book.isNews(mark) else { return }
            // A key costs nothing: only who is on the flight has a voice. Their log may be on its
            // way.
            guard isAuthorKnown else {
                links[place].lacksAuthor = true
                return
            }
            if let again = book.rests(author, at: now) { return links[place].ask(at: again) }
        }
        guard suggestion.isSigned(flight: flight, primitives: primitives) else {
            effects.sessions.append((id, .close(.badEntry, "")))
            return
        }
        guard !isOwn else { return foundOwn(suggestion, from: id, &effects, at: now) }
        keep(suggestion, except: id, &effects, at: now)
    }

    private var ownMark: LayoutMark? {
        own.map {
            LayoutMark(
                author: me, revision: $0.revision, hash: primitives.sha256($0.layout))
        }
    }

    /// Puts it into the book and sends it to everybody but its source: in full to peers who have
    /// spoken of layouts, as a digest to others, who may not know the frame.
    private mutating func keep(
        _ suggestion: LayoutSuggestion, except id: LinkID?, _ effects: inout PartEffects,
        at now: Instant
    ) {
        book.keep(suggestion, primitives.sha256(suggestion.layout), at: now)
        isTallyStale = true
        guard book.suggestions.contains(suggestion) else { return }
        for place in links.indices where links[place].isOpen {
            let link = links[place].id
            if link == id || links[place].speaks {
                links[place].tell(at: now + Limits.layoutRound)
            }
            guard link != id else { continue }
            if links[place].speaks {
                effects.send(.layout(.suggestion(suggestion)), on: link)
            } else {
                tell(link, &effects, at: now)
            }
        }
    }

    // MARK: Rounds

    /// Sends the digest of what is kept here, 32 bytes. An agent that keeps nothing sends nothing.
    private mutating func tell(
        _ id: LinkID, _ effects: inout PartEffects, at now: Instant
    ) {
        guard !book.isEmpty, let place = place(of: id), links[place].isOpen else { return }
        links[place].tellAt = now + Limits.layoutRound
        effects.send(.layout(.known(digest: book.digest(primitives), marks: nil)), on: id)
    }

    /// Says what is kept here, so that the other sends what is newer.
    private mutating func ask(_ place: Int, _ effects: inout PartEffects, at now: Instant) {
        links[place].askAt = nil
        links[place].asked = now
        let digest = book.digest(primitives)
        effects.send(
            .layout(.known(digest: digest, marks: book.marks)), on: links[place].id)
    }

    /// What is due on any link.
    private mutating func tick(_ effects: inout PartEffects, at now: Instant) {
        for place in links.indices where links[place].isOpen {
            let due = links[place]
            if let at = due.askAt, at <= now { ask(place, &effects, at: now) }
            if let at = due.tellAt, at <= now { tell(due.id, &effects, at: now) }
        }
    }

    // MARK: Counting

    /// Who counts may have changed: ``count(of:)`` counts again.
    mutating func votersChanged() { isTallyStale = true }

    /// Counts again after a change; tells whether the result is another one. An author `counts` who
    /// is aboard, and whom nothing speaks against.
    mutating func count(of counts: (PeerKey) -> Bool) -> Bool {
        guard isTallyStale else { return false }
        isTallyStale = false
        let tally = book.tally(of: counts)
        guard tally != tallies else { return false }
        tallies = tally
        return true
    }
}

/// What is said of layouts on one link.
private struct LayoutLink: Hashable, Sendable {
    let id: LinkID
    /// Its session is open.
    var isOpen = false
    /// The peer has spoken of layouts.
    var speaks = false
    /// They told of a suggestion by an author unknown here.
    var lacksAuthor = false
    /// When they are asked for what is newer.
    var askAt: Instant?
    /// When they are told the digest.
    var tellAt: Instant?
    /// When they were asked last.
    var asked: Instant?
    /// When all answers to their lists are paid off: each costs one ``Limits/layoutPace``.
    var paid: Instant?

    init(id: LinkID) { self.id = id }

    /// Whether another list may be answered; it is then paid for.
    mutating func answers(at now: Instant) -> Bool {
        let paid = max(paid ?? now, now)
        let most = Limits.layoutPace.nanoseconds * Int64(Limits.layoutBurst - 1)
        guard (paid - now).nanoseconds <= most else { return false }
        self.paid = paid + Limits.layoutPace
        return true
    }

    mutating func ask(at time: Instant) { askAt = min(askAt ?? time, time) }
    mutating func tell(at time: Instant) { tellAt = tellAt ?? time }

    var nextDeadline: Instant? {
        switch (askAt, tellAt) {
        case (let one?, let other?): min(one, other)
        case (let one, let other): one ?? other
        }
    }
}
