// SPDX-License-Identifier: Apache-2.0
/// What a booking would be: of whom, of which place, and for what (docs/protocol.md section 33).
struct DeskWant: Hashable, Sendable {
    var holder: PeerKey
    var place: Int
    var period: Period
    var count: Int
    /// The booking that would end with it.
    var replaces: Mint?
    var ask: Bytes32?
    var tag: ThreadID?
    var note = ""
    var flags: Grant.Flags = []
    /// The member that it counts for where the holder has no number.
    var member = 0
}

/// Why the desk does not grant: the first reason that fits.
extension VenueDesk {
    /// When bookings begin, have to be paid, and so on.
    var deadlines: DeskDeadlines { DeskDeadlines(policy: policy, clock: clock) }

    /// Today by the venue's clocks, days since 2000-01-01.
    func today(at now: Moment) -> Int { clock.minute(at: now.utc) / Limits.minutesOfDay }

    /// When nothing of the volume is left.
    var volumeEnd: UTCTime {
        guard let last = ledger.rules?.last else { return UTCTime(seconds: .max) }
        return clock.time(of: (last.number + 1) * Limits.minutesOfDay + Limits.pastMidnight)
    }

    /// When all asks of the volume are over, in any zone: an agent says them until two days after
    /// its last day. Whoever says a later time makes the desk remember nothing longer.
    var asksEnd: UTCTime { volumeEnd.adding(minutes: 3 * Limits.minutesOfDay) }

    /// Who somebody is in the quotas.
    func who(_ key: PeerKey) -> DeskRecords.Who { DeskRecords.who(key, ledger.book) }

    /// The number of somebody's class: the last one for whoever has none.
    func memberClass(of number: Int) -> Int {
        let last = max((ledger.rules?.classes.count ?? 1) - 1, 0)
        return min(ledger.book.memberClass(number) ?? last, last)
    }

    // MARK: Periods

    /// Why the period is not offered, now or ever.
    func periodRefusal(of want: DeskWant, at now: Moment) -> DeskReason? {
        guard let place = policy.place(want.place), let rules = ledger.rules,
            rules.place(want.place) != nil
        else { return .place }
        if let reason = place.refusal(of: want.period, in: rules.minutes, clock) { return reason }
        let start = deadlines.start(want.period)
        guard start >= now.utc.adding(minutes: max(policy.notice, 0)) else { return .tooSoon }
        if let ahead = policy.ahead, want.period.day.number - today(at: now) > ahead {
            return .tooFar
        }
        return nil
    }

    /// Whether the place is given out at that time, whatever the time is now.
    func isOffered(_ want: DeskWant) -> Bool {
        guard let place = policy.place(want.place), let rules = ledger.rules else { return false }
        return place.refusal(of: want.period, in: rules.minutes, clock) == nil
    }

    // MARK: People

    /// Why whoever would hold it may not have it, or `author` may not ask.
    func personRefusal(
        of want: DeskWant, from author: PeerKey, at now: Moment
    ) -> DeskReason? {
        let number = ledger.book.member(of: want.holder)
        guard policy.join == .open || number > 0 else { return .notJoined }
        if let classes = policy.place(want.place)?.classes, !classes.isEmpty,
            !classes.contains(memberClass(of: number))
        {
            return .classes
        }
        guard !blocked.contains(author), !blocked.contains(want.holder) else { return .blocked }
        return roomRefusal(of: author, at: now)
    }

    /// Why `author` may not cause one more entry of the ledger: strangers cannot fill it.
    func roomRefusal(of author: PeerKey, at now: Moment) -> DeskReason? {
        let (who, day) = (who(author), today(at: now))
        let caused = ledger.records.caused(by: who, on: day)
        switch who {
        case .key:
            guard caused.today < Limits.strangerEntriesPerDay,
                caused.total < Limits.strangerEntries
            else { return .tooMany }
        case .member:
            let waits = places[who].map { $0.day == day ? $0.today : 0 } ?? 0
            guard caused.today + waits < Limits.memberEntriesPerDay else { return .tooMany }
        }
        return ledger.hasRoom(for: purpose(of: author)) ? nil : .noRoom
    }

    /// For whom entries are that somebody's asks cause.
    func purpose(of author: PeerKey) -> DeskLedger.Purpose {
        ledger.book.member(of: author) > 0 ? .member : .stranger
    }

    // MARK: The book

    /// Why the book would not have it, or the person has too much beside it.
    mutating func bookRefusal(of want: DeskWant) -> DeskReason? {
        let reason = bookFault(of: want)
        return reason == .full && isKept(from: want) ? .kept : reason
    }

    /// The same, where nobody asks whether it is the venue that has some of it: that takes a look
    /// at each booking of the day.
    mutating func bookFault(of want: DeskWant) -> DeskReason? {
        let grant = grant(of: want)
        let faults = ledger.faults(of: grant)
        if faults.contains(.quota) { return .quota }
        for fault in faults {
            switch fault {
            case .place: return .place
            case .period: return .hours
            case .member: return .blocked
            case .asked, .replaced: return .over
            case .quota, .full: break
            }
        }
        if let most = policy.together, want.flags.isEmpty, beside(grant) + grant.count > most {
            return .together
        }
        return faults.isEmpty ? nil : .full
    }

    /// How many bookings whoever would have it has at one minute of it.
    private mutating func beside(_ grant: Grant) -> Int {
        let who: DeskRecords.Who =
            grant.member > 0 ? .member(grant.member) : .key(grant.holder)
        let replaced = grant.replaces.compactMap { token in
            ledger.book.mint(token).flatMap { mint in
                ledger.book.load(of: mint).account.who == who ? mint.grant : nil
            }
        }
        return ledger.most(of: who, in: grant.period, without: replaced)
    }

    /// Whether the venue keeps some of it for itself.
    private func isKept(from want: DeskWant) -> Bool {
        inTheWay(of: want).contains { token in
            ledger.book.mint(token)?.grant.flags.contains(.blocked) ?? false
        }
    }

    /// Live bookings that take some of what it would take, at any of its minutes, sorted.
    func inTheWay(of want: DeskWant) -> [Token] {
        guard let load = load(of: want) else { return [] }
        return ledger.records.live(
            in: load.span, of: load.uses.map(\.unit), ledger.book)
    }

    /// What it would take; `nil` for a place that the rules do not have.
    func load(of want: DeskWant) -> BookLoad? {
        guard ledger.rules?.place(want.place) != nil else { return nil }
        return ledger.book.load(
            of: Mint(
                token: Token(.zero), grant: grant(of: want), ledger: setup.key, seq: 0,
                rules: ledger.book.rules.count - 1, memberClass: nil))
    }

    /// Whether it could ever fit: not if more is wanted than there is.
    func couldFit(_ load: BookLoad) -> Bool {
        load.uses.allSatisfy { $0.amount <= ledger.rules?.capacity(of: $0.unit) ?? 0 }
    }

    /// The grant of it.
    func grant(of want: DeskWant) -> Grant {
        let known = ledger.book.member(of: want.holder)
        let number = known > 0 ? known : want.member
        func grant(_ due: Grant.Due?) -> Grant {
            Grant(
                holder: want.holder, member: number, place: want.place, period: want.period,
                count: want.count, due: due, flags: want.flags, ask: want.ask,
                replaces: want.replaces.map { [$0.token] } ?? [], tag: want.tag, note: want.note)
        }
        guard !want.flags.contains(.blocked),
            let due = policy.due(
                of: want.period, count: want.count, class: memberClass(of: number))
        else { return grant(nil) }
        // What was paid for the booking that it replaces counts.
        let records = ledger.records
        let paid =
            want.replaces.map { records.money(for: $0.token) }
            ?? day.map { records.moneyOfStranded(for: grant(nil), on: $0) } ?? 0
        return grant(
            due.amount > paid
                ? Grant.Due(currency: due.currency, amount: due.amount - paid) : nil)
    }
}
