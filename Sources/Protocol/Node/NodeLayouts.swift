// SPDX-License-Identifier: Apache-2.0
/// Suggested layouts of the cabin in the core (docs/protocol.md section 27): who suggests
/// what, and how that spreads.
///
/// The own suggestion is on disk before it is sent; those of others are learned again after a start
/// from linked peers. Agents compare digests, so that a peer who has all suggestions is sent none.
extension Node {
    // MARK: The own one

    /// Suggests `layout` to everybody, or takes the suggestion back where it is empty.
    mutating func suggest(
        _ layout: [UInt8], _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard layout.count <= Limits.layout else { return .failure(.tooLong(Limits.layout)) }
        guard layout != ownLayout?.layout ?? [] else { return .failure(.alreadySo) }
        let revision = (ownLayout?.revision ?? 0) + 1
        guard revision <= Limits.layoutRevisions.upperBound else { return .failure(.logFull) }
        sign(layout, revision, &effects, at: now)
        isOwnLayoutFresh = true
        return .success(.done)
    }

    private mutating func sign(
        _ layout: [UInt8], _ revision: Int, _ effects: inout Effects, at now: Moment
    ) {
        let suggestion = LayoutSuggestion(
            layout, revision: revision, flight: flightKey.id, by: setup.signer)
        keepOwn(suggestion, except: nil, &effects, at: now)
    }

    private mutating func keepOwn(
        _ suggestion: LayoutSuggestion, except id: LinkID?, _ effects: inout Effects, at now: Moment
    ) {
        ownLayout = suggestion
        effects.writes.append(.layout(suggestion))
        keep(suggestion, except: id, &effects, at: now)
    }

    /// A peer sent a suggestion of our own that replaces ours: an old copy of the disk
    /// runs here, or the key runs twice. What the user chose in this process overrides it,
    /// once; otherwise we adopt it.
    private mutating func foundOwn(
        _ suggestion: LayoutSuggestion, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        let wanted = ownLayout?.layout ?? []
        guard isOwnLayoutFresh, wanted != suggestion.layout,
            suggestion.revision < Limits.layoutRevisions.upperBound
        else { return keepOwn(suggestion, except: id, &effects, at: now) }
        isOwnLayoutFresh = false
        sign(wanted, suggestion.revision + 1, &effects, at: now)
    }

    // MARK: Messages

    /// A message about layouts came.
    mutating func layout(
        _ message: LayoutMessage, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let place = peers.place(of: id) else { return }
        peers[place].layouts.speaks = true
        switch message {
        case .suggestion(let suggestion): take(suggestion, from: id, &effects, at: now)
        case .known(let digest, let marks):
            guard digest != layoutBook.digest(setup.primitives) else { return }
            guard let marks else {
                // A digest is a few bytes and its answer a list of all: not at once again.
                if let last = peers[place].layouts.asked, now.instant < last + Limits.layoutAgain {
                    return peers[place].layouts.ask(at: last + Limits.layoutAgain)
                }
                return ask(id, &effects, at: now)
            }
            // And the answer to a list may be many layouts: a few at once, then few.
            guard peers[place].layouts.answers(at: now.instant) else { return }
            for suggestion in layoutBook.newer(than: marks) {
                session(id, .send(.layout(.suggestion(suggestion))), &effects, at: now)
            }
        }
    }

    private mutating func take(
        _ suggestion: LayoutSuggestion, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let place = peers.place(of: id) else { return }
        let author = suggestion.author
        let hash = setup.primitives.sha256(suggestion.layout)
        let mark = LayoutMark(author: author, revision: suggestion.revision, hash: hash)
        if author == me {
            guard ownMark.map(mark.replaces) ?? true else { return }
        } else {
            guard layoutBook.isNews(mark) else { return }
            // A key costs nothing: only who is on the flight has a voice. Their log may be on its
            // way.
            guard logs.log(of: author) != nil else {
                peers[place].layouts.lacksAuthor = true
                return
            }
            if let again = layoutBook.rests(author, at: now.instant) {
                peers[place].layouts.ask(at: again)
                return
            }
        }
        guard suggestion.isSigned(flight: flightKey.id, primitives: setup.primitives) else {
            return session(id, .close(.badEntry, ""), &effects, at: now)
        }
        guard author != me else { return foundOwn(suggestion, from: id, &effects, at: now) }
        keep(suggestion, except: id, &effects, at: now)
    }

    private var ownMark: LayoutMark? {
        ownLayout.map {
            LayoutMark(
                author: me, revision: $0.revision, hash: setup.primitives.sha256($0.layout))
        }
    }

    /// Puts it into the book and sends it to everybody but its source: in full to peers who have
    /// spoken of layouts, as a digest to others, who may not know the frame.
    private mutating func keep(
        _ suggestion: LayoutSuggestion, except id: LinkID?, _ effects: inout Effects, at now: Moment
    ) {
        layoutBook.keep(suggestion, setup.primitives.sha256(suggestion.layout), at: now.instant)
        isTallyStale = true
        guard layoutBook.suggestions.contains(suggestion) else { return }
        for link in peers.ids {
            guard let place = peers.place(of: link), peers[place].isOpen else { continue }
            if link == id || peers[place].layouts.speaks {
                peers[place].layouts.tell(at: now.instant + Limits.layoutRound)
            }
            guard link != id else { continue }
            if peers[place].layouts.speaks {
                session(link, .send(.layout(.suggestion(suggestion))), &effects, at: now)
            } else {
                tellLayouts(link, &effects, at: now)
            }
        }
    }

    // MARK: Rounds

    /// Sends the digest of what is kept here, 32 bytes. An agent that keeps nothing sends nothing.
    mutating func tellLayouts(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        guard !layoutBook.isEmpty, let place = peers.place(of: id), peers[place].isOpen else {
            return
        }
        peers[place].layouts.tellAt = now.instant + Limits.layoutRound
        let digest = layoutBook.digest(setup.primitives)
        session(id, .send(.layout(.known(digest: digest, marks: nil))), &effects, at: now)
    }

    /// Says what is kept here, so that the other sends what is newer.
    private mutating func ask(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        guard let place = peers.place(of: id) else { return }
        peers[place].layouts.askAt = nil
        peers[place].layouts.asked = now.instant
        let digest = layoutBook.digest(setup.primitives)
        session(
            id, .send(.layout(.known(digest: digest, marks: layoutBook.marks))), &effects, at: now)
    }

    /// What is due on any link.
    mutating func tendLayouts(_ effects: inout Effects, at now: Moment) {
        for id in peers.layoutsDue(at: now.instant) {
            guard let place = peers.place(of: id), peers[place].isOpen else { continue }
            let due = peers[place].layouts
            if let at = due.askAt, at <= now.instant { ask(id, &effects, at: now) }
            if let at = due.tellAt, at <= now.instant { tellLayouts(id, &effects, at: now) }
        }
    }

    /// An author became known: peers who told of suggestions by unknown authors are asked again,
    /// after a pause in which more may come.
    mutating func layoutAuthorCame(at now: Instant) {
        for place in peers.indices where peers[place].layouts.lacksAuthor {
            peers[place].layouts.lacksAuthor = false
            peers[place].layouts.ask(at: now + Limits.layoutAgain)
        }
    }

    // MARK: Counting

    /// Counts again after a change, and reports a new result.
    mutating func countLayouts(_ effects: inout Effects) {
        isTallyStale = false
        let tally = layoutBook.tally { author in
            !blockedKeys.contains(author) && !fold.isForked(author) && !history.hasEnded(author)
        }
        guard tally != layouts else { return }
        layouts = tally
        effects.notices.append(.layouts)
    }

    /// What this agent's user suggests; `nil` for nothing.
    package var ownSuggestion: [UInt8]? {
        ownLayout.flatMap { $0.layout.isEmpty ? nil : $0.layout }
    }

    /// The readable layout that the authors who count agree on; `nil` if they do not.
    package func agreedLayout(where isReadable: ([UInt8]) -> Bool) -> LayoutTally? {
        LayoutTally.agreed(among: layouts.filter { isReadable($0.layout) })
    }
}

/// What is said of layouts on one link.
struct LayoutLink: Hashable, Sendable {
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
