// SPDX-License-Identifier: Apache-2.0
/// The queue for what is taken, and what the clock brings about (docs/protocol.md section 33).
extension VenueDesk {
    // MARK: The queue

    /// Lets an ask wait for what is taken, if it wants to and may. Returns whether it does.
    mutating func wait(
        _ ask: DeskAsk, _ want: DeskWant, _ reason: DeskReason, _ effects: inout DeskEffects,
        at now: Moment
    ) -> Bool {
        guard reason == .full || reason == .kept, policy.waiting,
            case .book(_, _, _, true, _, _) = ask.ask.wish, let load = load(of: want),
            couldFit(load), queue.count < Limits.asksKept,
            queue.count(of: ask.author) < Limits.asksPerAuthor
        else { return false }
        let place = queue.place(of: load)
        guard Limits.queue.contains(place) else { return false }
        let who = who(ask.author)
        if case .member = who {
            let note = DeskNote.waiting(ask: ask.id, place: place)
            guard write(.note(note), for: .member, &effects, at: now) != nil else { return false }
            count(who, at: now)
        } else {
            // Whoever makes keys up does not fill the ledger with them.
            effects.answers.append(DeskAnswer(to: ask, reason, waiting: place, until: asksEnd))
        }
        queue.append(ask.id, ask, load)
        planWait(ask)
        effects.notices.append(.asked(ask.id))
        return true
    }

    private mutating func count(_ who: DeskRecords.Who, at now: Moment) {
        let day = today(at: now)
        var count = places[who] ?? DeskRecords.Count()
        count.today = count.day == day ? count.today + 1 : 1
        count.day = day
        places[who] = count
    }

    /// Grants what got free to those who wait for it, in their order. Who may not have it now is
    /// passed over and goes on waiting.
    mutating func serve(_ effects: inout DeskEffects, at now: Moment) {
        guard isAllFreed || !freed.isEmpty, lot == nil else { return }
        let waiting = queue.wanting(isAllFreed ? nil : freed)
        (freed, isAllFreed) = ([], false)
        for one in waiting {
            guard let ask = one.ask, let want = want(of: ask) else { continue }
            guard !expire(ask, want, &effects, at: now) else { continue }
            // Hours may have changed since it began to wait; it may be served after its begin.
            guard isOffered(want), personRefusal(of: want, from: ask.author, at: now) == nil,
                bookFault(of: want) == nil,
                grant(want, for: purpose(of: ask.author), &effects, at: now) != nil
            else { continue }
            queue.remove(ask.id)
        }
    }

    /// Ends an ask whose time, or what it wants, is over. Returns whether it is.
    private mutating func expire(
        _ ask: DeskAsk, _ want: DeskWant, _ effects: inout DeskEffects, at now: Moment
    ) -> Bool {
        let isOver = deadlines.end(want.period) <= now.utc
        guard isOver || ask.ask.until <= now.utc else { return false }
        queue.remove(ask.id)
        refuse(ask, isOver ? .tooSoon : .expired, &effects)
        return true
    }

    // MARK: The clock

    /// Plans everything anew: the hours changed, or the ledger was read.
    mutating func planAll() {
        times = DeskTimes()
        for token in ledger.records.live { plan(token) }
        queue.reload { [self] in load(of: $0) }
        for waiting in queue.all { if let ask = waiting.ask { planWait(ask) } }
    }

    /// Plans anew where most times mean nothing any more: whoever asks and takes it back leaves one
    /// behind.
    mutating func forgetTimes() {
        let most = 2 * ledger.records.granted.count + queue.count
        if times.count > 2 * most + Limits.asksRefused { planAll() }
    }

    /// Plans when a booking has to be paid, and when somebody has to be there.
    mutating func plan(_ token: Token) {
        guard let granted = ledger.records.granted[token],
            let grant = ledger.book.mint(token)?.grant, !grant.flags.contains(.blocked)
        else { return }
        if let time = deadlines.arrive(grant.period, granted: granted) {
            times.add(.arrive(token), at: time)
        }
        if grant.due != nil, let time = deadlines.pay(grant.period, granted: granted) {
            times.add(.pay(token), at: time)
        }
    }

    /// Plans when an ask stops waiting.
    mutating func planWait(_ ask: DeskAsk) {
        guard let want = want(of: ask) else { return }
        times.add(.wait(ask.id), at: min(ask.ask.until, deadlines.end(want.period)))
    }

    /// Does what the clock brings about, and asks the queue after each.
    mutating func passTime(_ effects: inout DeskEffects, at now: Moment) {
        while let what = times.pop(at: now.utc) {
            switch what {
            case .arrive(let token): miss(token, &effects, at: now)
            case .pay(let token): dun(token, &effects, at: now)
            case .wait(let id):
                guard let ask = queue[id]?.ask, let want = want(of: ask) else { continue }
                _ = expire(ask, want, &effects, at: now)
            }
            serve(&effects, at: now)
        }
    }

    /// Nobody came: what is left of the booking is for others, and it stays spent.
    private mutating func miss(_ token: Token, _ effects: inout DeskEffects, at now: Moment) {
        guard let mint = ledger.book.mint(token), mint.end == nil,
            deadlines.end(mint.grant.period) > now.utc
        else { return }
        guard aloneSince == nil, staysKnown <= now.instant else {
            // Who is there may not be known yet.
            let left = aloneSince == nil ? (staysKnown - now.instant).wholeSeconds + 1 : 60
            let again = UTCTime(seconds: now.utc.seconds &+ left)
            return times.add(.arrive(token), at: again)
        }
        guard !hasCome(mint) else { return }
        _ = end(mint, LedgerClose(token, .noShow, spent: true), &effects, at: now)
    }

    /// Nobody paid.
    private mutating func dun(_ token: Token, _ effects: inout DeskEffects, at now: Moment) {
        guard let mint = ledger.book.mint(token), mint.end == nil, let due = mint.grant.due,
            (ledger.records.paid[token] ?? 0) < due.amount,
            deadlines.end(mint.grant.period) > now.utc
        else { return }
        let isLate = deadlines.isLate(mint.grant.period, at: now.utc)
        _ = end(mint, LedgerClose(token, .unpaid, spent: isLate), &effects, at: now)
    }

    // MARK: Stays

    /// Somebody says where they are.
    mutating func take(_ stay: Stay, of author: PeerKey) {
        let moved = tenures.values.filter { $0.holder == author }.map(\.slot.token)
        let own = ledger.records.live(of: who(author)) + moved
        // Whoever has a booking is heard, however many others say where they are.
        guard stays[author] != nil || stays.count < Limits.deskStaysKept || !own.isEmpty else {
            return
        }
        stays[author] = stay
        for token in own {
            guard let mint = ledger.book.mint(token), mint.end == nil, isThere(author, for: mint)
            else { continue }
            arrived.insert(token)
        }
    }

    /// Whoever has a booking now is heard, also where they said before where they are.
    func wantStay(of holder: PeerKey, _ effects: inout DeskEffects) {
        guard stays[holder] == nil, stays.count >= Limits.deskStaysKept else { return }
        effects.wantsStays.append(holder)
    }

    /// Forgets where people were days ago; for whom somebody came is known without it. Where the
    /// clock was wrong, they are told again.
    mutating func forgetStays(_ effects: inout DeskEffects, at now: Moment) {
        let days = 2 * Limits.minutesOfDay
        let (from, until) = (now.utc.adding(minutes: -days), now.utc.adding(minutes: days))
        let old = stays.filter { $0.value.since < from || until <= $0.value.since }.keys.sorted()
        for author in old { stays[author] = nil }
        effects.wantsStays += old
    }

    /// Whether somebody came for a booking: the desk noted it, or a stay says it.
    func hasCome(_ mint: Mint) -> Bool {
        ledger.records.visited.contains(mint.token) || arrived.contains(mint.token)
            || isThere(tenure(of: mint).holder, for: mint)
    }

    /// Whether the stay of somebody who holds a booking, or is the same member, is for it: it names
    /// the booking, or is at its place at its time.
    private func isThere(_ author: PeerKey, for mint: Mint) -> Bool {
        let holder = tenure(of: mint).holder
        guard holder == author || who(holder) == who(author), let stay = stays[author] else {
            return false
        }
        if stay.booking == mint.token { return true }
        let period = mint.grant.period
        return stay.booking == nil && stay.place == mint.grant.place
            && stay.until.map { $0 > deadlines.start(period) } ?? true
    }
}
