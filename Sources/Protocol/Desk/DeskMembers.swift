// SPDX-License-Identifier: Apache-2.0
/// Members at the desk, and bookings that go to other keys by its word (docs/protocol.md section
/// 33).
extension VenueDesk {
    /// Notes a member, or a further key of theirs.
    mutating func admit(
        _ number: Int, _ klass: Int, _ key: PeerKey?, _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        let known = key.map { ledger.book.member(of: $0) } ?? 0
        guard known == 0 || known == number,
            ledger.book.memberClass(number).map({ $0 == klass }) ?? true
        else { return .failure(.isMember) }
        guard klass < ledger.rules?.classes.count ?? 0 else { return .failure(.badValue) }
        // Nothing new.
        if ledger.book.memberClass(number) != nil, known == number || key == nil {
            return .success(.done)
        }
        let note = DeskNote.member(number: number, class: klass, key: key)
        guard write(.note(note), for: .staff, &effects, at: now) != nil else {
            return .failure(ledger.hasRoom(for: .staff) ? .badValue : .noRoom)
        }
        // Whoever waits may have other quotas now.
        isAllFreed = true
        return .success(.done)
    }

    /// Moves the bookings of a member to a new key of theirs. The quota stays as it is: it is the
    /// member's, not the key's.
    mutating func move(
        _ number: Int, to key: PeerKey, _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        guard let klass = ledger.book.memberClass(number) else { return .failure(.noSuchMember) }
        let old = ledger.book.keys(of: number).filter { $0 != key }
        if case .failure(let refusal) = admit(number, klass, key, &effects, at: now) {
            return .failure(refusal)
        }
        var (moved, staying): ([Token], [Token]) = ([], [])
        for token in held(by: old, number) {
            guard let mint = ledger.book.mint(token), mint.end == nil,
                deadlines.end(mint.grant.period) > now.utc
            else { continue }
            guard !tenure(of: mint).isBound,
                let new = hand(mint, to: key, &effects, at: now)
            else {
                staying.append(token)
                continue
            }
            moved.append(new)
        }
        return .success(.moved(moved, bound: staying, retired: old))
    }

    /// Live bookings that these keys of a member hold, or the desk for the member, sorted.
    private func held(by keys: [PeerKey], _ number: Int) -> [Token] {
        let records = ledger.records
        let own = records.live(of: .member(number)) + keys.flatMap { records.live(of: .key($0)) }
        let all = own + tenures.values.map(\.slot.token)
        return Set(all).sorted().filter { token in
            guard let mint = ledger.book.mint(token) else { return false }
            let holder = tenure(of: mint).holder
            return keys.contains(holder)
                || holder == setup.key && mint.grant.member == number
                    && !mint.grant.flags.contains(.blocked)
        }
    }

    /// The same booking for another holder; `nil` if the book would not have it.
    private mutating func hand(
        _ mint: Mint, to key: PeerKey, _ effects: inout DeskEffects, at now: Moment
    ) -> Token? {
        var want = DeskWant(
            holder: key, place: mint.grant.place, period: mint.grant.period,
            count: mint.grant.count, replaces: mint, tag: mint.grant.tag, note: mint.grant.note,
            flags: mint.grant.flags)
        if ledger.faults(of: grant(of: want)) == [.quota] { want.flags.insert(.override) }
        let hasCome = hasCome(mint)
        guard case .success(.booked(let tokens)) = place(want, &effects, at: now) else {
            return nil
        }
        for token in tokens where hasCome {
            _ = write(.note(.visit(token, .arrived)), for: .staff, &effects, at: now)
        }
        return tokens.first
    }

    // MARK: Stranded swaps

    /// Ends bookings whose swap got stranded, and grants each to whom both sides say: all of it,
    /// or nothing.
    mutating func settle(
        _ transfers: [DeskTransfer], _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        let mints = transfers.compactMap { ledger.book.mint($0.token) }
        let tokens = Set(transfers.map(\.token))
        guard !transfers.isEmpty, mints.count == transfers.count, tokens.count == mints.count,
            mints.allSatisfy({ $0.end == nil })
        else { return .failure(.noSuchBooking) }
        guard tokens.count <= Limits.replaced else { return .failure(.badValue) }
        guard ledger.hasRoom(for: .staff, 2 * transfers.count * Limits.statement) else {
            return .failure(.noRoom)
        }
        // Rules may have changed meanwhile, so what fitted may not fit again.
        var (desk, done, booked) = (self, effects, [Token]())
        for mint in mints {
            let close = LedgerClose(mint.token, .stranded)
            guard desk.end(mint, close, for: .staff, &done, at: now) else {
                return .failure(.noRoom)
            }
        }
        // The last one first: each gets what was paid for its own, also where two are alike.
        for (mint, transfer) in zip(mints, transfers).reversed() {
            var want = DeskWant(
                holder: transfer.to, place: mint.grant.place, period: mint.grant.period,
                count: mint.grant.count, flags: mint.grant.flags)
            want.flags.insert(.override)
            switch desk.place(want, &done, at: now) {
            case .success(.booked(let tokens)): booked = tokens + booked
            case .success: break
            case .failure(let refusal): return .failure(refusal)
            }
        }
        (self, effects) = (desk, done)
        return .success(.booked(booked))
    }
}
