// SPDX-License-Identifier: Apache-2.0
/// Ledgers in the core (``Ledgers``): the book that they come to, and what this agent writes into
/// its own where it is a desk.
extension Node {
    /// A log that is new begins with the charter, where this agent is a desk; a ledger takes in a
    /// later revision of it.
    mutating func beginLedger(_ effects: inout Effects, at now: Moment) {
        guard let charter = setup.venue?.charter else { return }
        if let last = records.logs.log(of: me)?.charter {
            guard charter.epoch == last.epoch, charter.revision > last.revision else { return }
        } else if records.logs.seq(of: me) > 1 {
            // What stands second can be no charter any more.
            return effects.notices.append(.trouble(.ledger(.begunWithout)))
        }
        guard append(.ledger(.charter(charter)), &effects, at: now) != nil else { return }
        // The desk did not write it.
        venue?.desk?.hasNewLogs = true
    }

    /// Writes entries of an own ledger: in one transaction, since all of them are of one turn.
    mutating func writeLedger(
        _ entries: [LedgerEntry], _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard records.gate.isOpen else { return .failure(.logClosed) }
        guard records.logs.seq(of: me) + entries.count <= Limits.entriesPerLedger else {
            return .failure(.logFull)
        }
        var written: [EntryID] = []
        for said in entries {
            guard let entry = append(.ledger(said), &effects, at: now) else {
                return .failure(.badEntry(written.count))
            }
            written.append(entry.id)
        }
        return .success(.entries(written))
    }

    /// What a desk does.
    mutating func ledger(
        _ intent: LedgerIntent, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard venue != nil else { return .failure(.noVenue) }
        var asked = PartEffects()
        var result: Result<IntentReply, Refusal>? = .success(.done)
        switch intent {
        case .append(let entries): return writeLedger(entries, &effects, at: now)
        case .answer(let ask, let reason, let waiting):
            result = venue?.asks.answer(
                ask, reason: reason, waiting: waiting, &asked, at: now)
        case .decide(let key, let state, let text):
            result = venue?.forms.decide(key, state, text, &asked)
        case .eraseForms(let peer): venue?.forms.erase(of: peer, &asked)
        }
        carryOut(asked, &effects, at: now)
        return result ?? .failure(.noVenue)
    }

    // MARK: The book

    /// Brings the book up to the logs, and tells the asks what ledgers say of them. The one place
    /// where the book changes.
    mutating func followBook(_ effects: inout Effects, at now: Moment) {
        guard venue?.ledgers.isStale == true else { return }
        let before = venue?.asks.book.desk
        guard let news = venue?.ledgers.follow(records.logs, &effects) else { return }
        folding.follow(isOtherBook: news.isAnew)
        ask(.ledgers(news), &effects, at: now)
        guard let key = news.desk, key != before else { return }
        mesh.becomeStale()
        sendForms(to: key, &effects, at: now)
    }

    /// An entry that belongs to ledgers came or was written. One that comes well after every
    /// session opened is news: its desk is about.
    mutating func heardLedger(_ entry: Entry, at now: Moment) {
        guard let opened = venue?.opened else { return }
        venue?.ledgers.becomeStale()
        if entry.author != me { venue?.desk?.hasNewLogs = true }
        guard entry.author == venue?.ledgers.leading?.author,
            opened + Limits.ledgerNews <= now.instant
        else { return }
        venue?.heard = now
    }

    // MARK: Reading

    /// Who is the desk; `nil` while no ledger counts.
    public var desk: DeskFacts? {
        guard let venue, let leading = venue.ledgers.leading else { return nil }
        let key = leading.author
        let last = venue.lastHeard
        let isNear = isWithinReach(key)
        let wasHeard = last.map { venue.now < $0.instant + Limits.deskHeard } ?? false
        let rivals = venue.ledgers.book.ledgers.filter {
            $0.epoch == leading.epoch && $0.standing == .rival
        }
        return DeskFacts(
            key: key, epoch: leading.epoch, isMe: key == me, isLinked: isLinked(key),
            isHeard: isNear || wasHeard,
            heardAt: [last, venue.left].compactMap { $0 }.max { $0.instant < $1.instant }?.utc,
            fork: records.logs.log(of: key)?.fork, rivals: rivals.map(\.author))
    }

    /// Whether somebody is linked, or linked with a peer of ours.
    private func isWithinReach(_ key: PeerKey) -> Bool {
        key == me || isLinked(key) || mesh.relays(to: key).contains(where: isLinked)
    }

    /// Reports once a turn that another desk runs, or that it came or went.
    mutating func tellDesk(_ effects: inout Effects, at now: Moment) {
        guard let venue else { return }
        let isNear = venue.ledgers.leading.map { isWithinReach($0.author) } ?? false
        // A link says that it is there, although nothing comes of it.
        if venue.isNear, !isNear { self.venue?.left = now }
        self.venue?.isNear = isNear
        let facts = desk
        guard facts?.isSaid(by: venue.told) != true, facts != nil || venue.told != nil else {
            return
        }
        self.venue?.told = facts
        effects.notices.append(.desk)
    }

    /// The book as people read it; empty on a flight.
    package var bookView: BookView {
        let ledgers = venue?.ledgers ?? Ledgers(setup.primitives)
        return BookView(
            ledgers.book, ledgers.room, moved: folding.fold.venue?.moved ?? [],
            paid: ledgers.paid, visits: ledgers.visits, lost: ledgers.lost(records.logs))
    }

    /// What is wrong with the ledgers of the venue.
    public var ledgerTroubles: [LedgerTrouble] { venue?.ledgers.troubles(records.logs) ?? [] }
}
