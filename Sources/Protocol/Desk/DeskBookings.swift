// SPDX-License-Identifier: Apache-2.0
/// What asks make of bookings: made, given back, given to somebody, moved (docs/protocol.md section
/// 33). Each is one entry, or none.
extension VenueDesk {
    // MARK: Asks

    /// Grants a place for a period, lets the ask wait, or refuses it.
    mutating func book(_ ask: DeskAsk, _ effects: inout DeskEffects, at now: Moment) {
        guard let want = want(of: ask) else { return refuse(ask, .place, &effects) }
        guard let reason = refusal(of: want, from: ask.author, at: now) else {
            if grant(want, for: purpose(of: ask.author), &effects, at: now) == nil {
                refuse(ask, .noRoom, &effects)
            }
            return
        }
        if !wait(ask, want, reason, &effects, at: now) { refuse(ask, reason, &effects) }
    }

    /// The first reason not to grant it.
    private mutating func refusal(
        of want: DeskWant, from author: PeerKey, at now: Moment
    ) -> DeskReason? {
        periodRefusal(of: want, at: now) ?? personRefusal(of: want, from: author, at: now)
            ?? bookRefusal(of: want)
    }

    /// Ends a booking because its holder asks.
    mutating func giveBack(
        _ slot: Slot, _ ask: DeskAsk, _ effects: inout DeskEffects, at now: Moment
    ) -> DeskReason? {
        let held: Mint
        switch holding(slot, of: ask.author, at: now) {
        case .success(let mint): held = mint
        case .failure(let refusal): return refusal.reason
        }
        let isSpent = deadlines.isLate(held.grant.period, at: now.utc)
        guard let close = LedgerClose(asked: ask.statement, spent: isSpent) else {
            return .notYours
        }
        return end(held, close, &effects, at: now) ? nil : .noRoom
    }

    /// Gives a booking to somebody: it counts as theirs from now on.
    mutating func give(
        _ slot: Slot, to key: PeerKey, _ ask: DeskAsk, _ effects: inout DeskEffects,
        at now: Moment
    ) -> DeskReason? {
        let held: Mint
        switch holding(slot, of: ask.author, at: now) {
        case .success(let mint): held = mint
        case .failure(let refusal): return refusal.reason
        }
        guard key != ask.author else { return .same }
        guard deadlines.start(held.grant.period) > now.utc else { return .late }
        let want = DeskWant(
            holder: key, place: held.grant.place, period: held.grant.period,
            count: held.grant.count, replaces: held, ask: ask.id)
        return change(to: want, ask, &effects, at: now)
    }

    /// Another place and period in the stead of a booking, or it stays as it is.
    mutating func move(
        _ slot: Slot, to place: Int, _ period: Period, _ ask: DeskAsk,
        _ effects: inout DeskEffects, at now: Moment
    ) -> DeskReason? {
        let held: Mint
        switch holding(slot, of: ask.author, at: now) {
        case .success(let mint): held = mint
        case .failure(let refusal): return refusal.reason
        }
        guard held.grant.place != place || held.grant.period != period else { return .same }
        // Else nobody would ever give back too late.
        guard !deadlines.isLate(held.grant.period, at: now.utc) else { return .late }
        let want = DeskWant(
            holder: ask.author, place: place, period: period, count: held.grant.count,
            replaces: held, ask: ask.id, tag: held.grant.tag, note: held.grant.note)
        return periodRefusal(of: want, at: now) ?? change(to: want, ask, &effects, at: now)
    }

    private mutating func change(
        to want: DeskWant, _ ask: DeskAsk, _ effects: inout DeskEffects, at now: Moment
    ) -> DeskReason? {
        if let reason = personRefusal(of: want, from: ask.author, at: now)
            ?? bookRefusal(of: want)
        {
            return reason
        }
        let granted = grant(want, for: purpose(of: ask.author), &effects, at: now)
        return granted == nil ? .noRoom : nil
    }

    /// What an ask to book wants; `nil` for any other.
    func want(of ask: DeskAsk) -> DeskWant? {
        guard case .book(let place, let period, let count, _, let tag, let note) = ask.ask.wish
        else { return nil }
        return DeskWant(
            holder: ask.author, place: place, period: period, count: count, ask: ask.id, tag: tag,
            note: note)
    }

    /// What an ask to book would take.
    func load(of ask: DeskAsk) -> BookLoad? { want(of: ask).flatMap(load) }

    // MARK: Holding

    /// Why somebody cannot do anything with a booking.
    struct NotHeld: Error { let reason: DeskReason }

    /// The live booking whose present tenure is `slot`, if `author` holds it and is free to part
    /// with it.
    private func holding(
        _ slot: Slot, of author: PeerKey, at now: Moment
    ) -> Result<Mint, NotHeld> {
        guard let mint = ledger.book.mint(slot.token) else {
            return .failure(NotHeld(reason: .notYours))
        }
        let tenure = tenure(of: mint)
        guard tenure.holder == author, tenure.slot == slot else {
            return .failure(NotHeld(reason: .notYours))
        }
        guard mint.end == nil, deadlines.end(mint.grant.period) > now.utc else {
            return .failure(NotHeld(reason: .over))
        }
        guard !tenure.isBound else { return .failure(NotHeld(reason: .bound)) }
        return .success(mint)
    }

    /// Who holds a booking now.
    func tenure(of mint: Mint) -> DeskTenure {
        tenures[mint.token]
            ?? DeskTenure(slot: mint.slot, holder: mint.grant.holder, isBound: false)
    }

    // MARK: Entries

    /// Writes an entry; `nil` where there is no room for it.
    mutating func write(
        _ said: LedgerEntry, for purpose: DeskLedger.Purpose, _ effects: inout DeskEffects,
        at now: Moment
    ) -> EntryID? {
        let id = ledger.write(said, for: purpose, day: today(at: now), at: now)
        if id != nil { effects.appends.append(said) }
        return id
    }

    /// Grants what was weighed before; `nil` where there is no room for it.
    mutating func grant(
        _ want: DeskWant, for purpose: DeskLedger.Purpose, _ effects: inout DeskEffects,
        at now: Moment
    ) -> Token? {
        let grant = grant(of: want)
        guard let token = write(.grant(grant), for: purpose, &effects, at: now)?.token else {
            return nil
        }
        if let old = want.replaces { free(ledger.book.load(of: old)) }
        plan(token)
        wantStay(of: want.holder, &effects)
        effects.notices.append(.booked(token))
        return token
    }

    /// Ends a live booking. Returns whether there was room for that.
    mutating func end(
        _ mint: Mint, _ close: LedgerClose, for purpose: DeskLedger.Purpose = .end,
        _ effects: inout DeskEffects, at now: Moment
    ) -> Bool {
        guard write(.close(close), for: purpose, &effects, at: now) != nil else { return false }
        free(ledger.book.load(of: mint))
        arrived.remove(mint.token)
        effects.notices.append(.ended(mint.token, close.reason))
        return true
    }

    /// Something got free: the queue is asked next.
    mutating func free(_ load: BookLoad) {
        freed.append(load)
        guard freed.count > Limits.asksRefused else { return }
        (freed, isAllFreed) = ([], true)
    }
}
