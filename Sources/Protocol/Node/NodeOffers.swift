// SPDX-License-Identifier: Apache-2.0
/// Wishes and offers: a promised seat is offered to nobody else (docs/protocol.md section 16).
extension Node {
    /// The user's wish, with what of it stays on this device.
    public var ownWish: OwnWish { wishes.own }

    /// In how many seconds a wish that waits is written for others; `nil` if none waits.
    public func wishDue(at now: Instant) -> Int? {
        wishes.due.map { Int(($0 - now).wholeSeconds) + 1 }
    }

    /// Own rights that a standing yes of the user gives away, as far as `records` say.
    func promised(in records: [SwapRecord]) -> [Token] {
        records.filter(\.stage.isPromised)
            .flatMap { $0.contract.legs.filter { $0.from == me }.map(\.token) }
    }

    /// Own rights that may be offered. What a swap has given away is none of them, also in the
    /// moment before the fold has read its certificate.
    private var free: [Token] {
        let promised = promised(in: swaps.records)
        let given = swaps.records.filter { $0.stage == .committed }
            .flatMap { $0.contract.legs.filter { $0.from == me }.map(\.slot) }
        return folding.fold.held(by: me)
            .filter { !promised.contains($0.token) && !given.contains($0.slot) }.map(\.token)
    }

    /// Changes the user's wish, and tells others what they are to know of it.
    mutating func wish(
        _ change: WishChange, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard records.gate.isOpen else { return .failure(.logClosed) }
        switch changed(change) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let next):
            // What only comes to other seats is kept in any case; so is what only shuts this user's
            // own door: others go on seeing what was said last.
            let isOwnMatter =
                change.offer == nil && (change.asks == .nothing || change.isPrivate == true)
            if !change.isRenewal, !isOwnMatter, let told = news(in: next),
                let refusal = refusal(toSay: told)
            {
                return .failure(refusal)
            }
            if next != wishes.own {
                wishes.keep(next)
                effects.writes.append(.wish(next))
                // Requests that wait are looked at again, if it was the user who changed it.
                negotiate(
                    .logsChanged, isNewWish: !change.isRenewal, &effects, at: now)
            }
            return .success(sayWish(isRenewal: change.isRenewal, &effects, at: now))
        }
    }

    /// The wish after `change`, or why it cannot be.
    private func changed(_ change: WishChange) -> Result<OwnWish, Refusal> {
        var next = wishes.own
        switch change.offer {
        case nil: break
        case .all?:
            guard !free.isEmpty else {
                return .failure(refusal(toOffer: folding.fold.held(by: me).map(\.token)))
            }
            next.offered = free
        case WishChange.Offer.none?:
            let isAll = change == WishChange(offer: WishChange.Offer.none)
            guard !isAll || !next.offered.isEmpty else { return .failure(.alreadySo) }
            next.offered = []
        case .seats(let seats)?:
            var tokens: [Token] = []
            for seat in seats {
                let held = folding.fold.held(by: me).filter { $0.seat == seat }.map(\.token)
                guard !held.isEmpty else { return .failure(.notYours(seat)) }
                guard held.contains(where: free.contains) else {
                    return .failure(refusal(toOffer: held))
                }
                tokens += held.filter { free.contains($0) && !tokens.contains($0) }
            }
            next.offered = tokens
        }
        next.offered = next.offered.sortedOnce(by: <)
        next.words = change.words ?? next.words
        guard next.words.utf8.count <= Limits.wishWords else {
            return .failure(.tooLong(Limits.wishWords))
        }
        next.ranks = change.ranks.map { Array($0.prefix(Limits.ranks)) } ?? next.ranks
        next.asks = change.asks ?? next.asks
        next.note = change.note ?? next.note
        guard next.note.utf8.count <= Limits.note else { return .failure(.tooLong(Limits.note)) }
        next.isPrivate = change.isPrivate ?? next.isPrivate
        return .success(next)
    }

    /// What others are told of a wish, without its tag.
    private func told(of wish: OwnWish) -> Wish {
        wish.told(offering: free, tag: ThreadID(high: 0, low: 0))
    }

    /// What others have to be told of a wish; `nil` where they know.
    private func news(in wish: OwnWish) -> Wish? {
        let told = told(of: wish)
        let last = talk.history.said(by: me).map(OwnWish.init) ?? OwnWish()
        // What readers leave out of it anyway is no news.
        let held = folding.fold.held(by: me).map(\.token)
        return told.says(the: last.told(offering: held, tag: told.tag)) ? nil : told
    }

    /// How many wishes the own log has.
    var wishesWritten: Int {
        (records.logs.log(of: me)?.entries ?? []).count { entry in
            if case .wish = entry.body { true } else { false }
        }
    }

    /// Why what others have to be told is never written; `nil` if it is.
    private func refusal(toSay told: Wish, isRenewal: Bool = false) -> Refusal? {
        let most =
            if isRenewal { Limits.wishesRenewed } else {
                Limits.wishesPerLog - (told.offered.isEmpty ? 0 : 1)
            }
        guard wishesWritten < most else { return .tooManyWishes }
        let seq = records.logs.seq(of: me)
        return seq < Limits.entriesPerAuthor - Limits.entriesReserved ? nil : .logFull
    }

    /// Why the wish cannot be said again with another tag; `nil` if it can.
    var refusalToTag: Refusal? {
        refusalToTalk ?? refusal(toSay: told(of: wishes.own))
    }

    /// Whether the last wish lacks the tag of the user's party, or has that of one that they left.
    var owesTag: Bool {
        guard let tag = fellows.ownTag else { return wishes.owesTag }
        return talk.history.said(by: me)?.tag != tag
    }

    /// What of the wish has to be written now or in its turn; `nil` for nothing.
    private func due(_ isRenewal: Bool) -> Wish? {
        let isTagOwed = owesTag
        let next = isTagOwed ? told(of: wishes.own) : news(in: wishes.own)
        guard let told = next else { return nil }
        // Another tag is no renewal: companions could not recognise the user.
        return refusal(toSay: told, isRenewal: isRenewal && !isTagOwed) == nil ? told : nil
    }

    /// Writes the wish for others where they do not know it yet, or not with its tag, at its time.
    @discardableResult
    mutating func sayWish(
        isRenewal: Bool = false, _ effects: inout Effects, at now: Moment
    ) -> IntentReply {
        if venue != nil { return sayBookingWish(&effects, at: now) }
        guard records.gate.isOpen, let told = due(isRenewal) else {
            // A renewal that is one too many leaves the user's wish that waits for its turn.
            if !records.gate.isOpen || due(false) == nil { wishes.rest() }
            return .done
        }
        if let then = wishes.next(at: now.instant) {
            wishes.wait(until: then)
            return .later(wishDue(at: now.instant) ?? 0)
        }
        let wish = Wish(
            offered: told.offered, ranks: told.ranks, asks: told.asks, tag: wishTag(),
            note: told.note)
        wishes.wrote(at: now.instant)
        return append(.wish(wish), &effects, at: now).map { .entry($0.id) } ?? .done
    }

    /// The own log may be written to: what was not said before a restart is said now.
    mutating func resumeWish(_ effects: inout Effects, at now: Moment) {
        wishes.adopt(talk.history.said(by: me))
        sayWish(isRenewal: true, &effects, at: now)
    }

    /// Tells others which seats the user offers still: those that they agreed to give are not
    /// among them, until that comes to nothing.
    mutating func keepPromised(
        _ changed: [SwapRecord], _ effects: inout Effects, at now: Moment
    ) {
        guard !changed.isEmpty, !wishes.own.offered.isEmpty else { return }
        sayWish(&effects, at: now)
    }

    /// Why none of the seats held can be offered.
    private func refusal(toOffer held: [Token]) -> Refusal {
        let record = swaps.records.last { record in
            record.stage.isPromised
                && record.contract.legs.contains { $0.from == me && held.contains($0.token) }
        }
        return record.map { .swap(.given($0)) } ?? .whichSeat([])
    }

    /// What a passenger offers of what they have; `nil` for nothing. The user sees what others will
    /// be told.
    func wish(of key: PeerKey) -> Wish? {
        if key == me, let told = news(in: wishes.own) { return told.offered.isEmpty ? nil : told }
        guard let wish = talk.history.wish(of: key) else { return nil }
        let left = wish.offered.filter { token in
            folding.fold.token(token).map { $0.holder == key && !$0.ended } ?? true
        }
        guard !left.isEmpty else { return nil }
        return Wish(
            offered: left, ranks: wish.ranks, wants: wish.wants, asks: wish.asks, tag: wish.tag,
            note: wish.note)
    }

    /// What others may ask a passenger for.
    func asks(of key: PeerKey) -> Wish.Asks {
        key == me ? wishes.own.asks : talk.history.asks(of: key)
    }
}
