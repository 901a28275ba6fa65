// SPDX-License-Identifier: Apache-2.0
/// What the people at the desk want (docs/protocol.md section 33). Hours, quotas and caps are the
/// desk's own, so its people may set them aside; capacity is the book's, so they may not.
extension VenueDesk {
    typealias Outcome = Result<DeskReply, DeskRefusal>

    /// Carries out an intent.
    mutating func carryOut(
        _ intent: DeskIntent, _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        switch intent {
        case .open(let restored, let random): return open(restored, random)
        case .charter(let charter): return begin(charter, &effects, at: now)
        case .away:
            isAway = true
            return .success(.done)
        default: break
        }
        guard canWrite else { return .failure(.closed(state)) }
        switch intent {
        case .open, .away, .charter: return .success(.done)
        case .grant(let id): return grant(id, &effects, at: now)
        case .refuse(let id): return turnDown(id, &effects)
        case .book(let booking): return book(booking, &effects, at: now)
        case .block(let place, let period, let count, let note):
            let want = blocking(place, period, count, note)
            return block(want, &effects, at: now)
        case .close(let token, let reason, let spent):
            return close(token, reason, spent, &effects, at: now)
        case .paid(let token, let amount, let means):
            return note(.paid(token, amount: amount, means: means), of: token, &effects, at: now)
        case .visit(let token, let visit):
            return note(.visit(token, visit), of: token, &effects, at: now)
        case .late(let token, let minutes): return late(token, minutes, &effects, at: now)
        case .member(let number, let klass, let key):
            return admit(number, klass, key, &effects, at: now)
        case .move(let number, let key): return move(number, to: key, &effects, at: now)
        case .settle(let transfers): return settle(transfers, &effects, at: now)
        }
    }

    // MARK: Open and away

    private mutating func open(_ restored: Bool, _ random: ThreadID) -> Outcome {
        switch state {
        case .forked, .over, .noCharter, .shut: return .failure(.closed(state))
        case .twoDesks(let other):
            guard case .twoDesks(_, counts: true) = ledger.standing else {
                return .failure(.closed(state))
            }
            accepted = other
        case .restored: if !restored { return .failure(.closed(.restored)) }
        case .open, .gathering, .away, .alone: break
        }
        if restored { isRestored = false }
        isAway = false
        spare = random
        return .success(.done)
    }

    /// Writes a charter: the first one makes the log a ledger, a later one changes the rules.
    private mutating func begin(
        _ charter: Charter, _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        guard case .venue(let runBy) = setup.codec.rules,
            charter.isSigned(
                runBy: runBy, gathering: setup.gathering, ledger: setup.key,
                primitives: setup.codec.primitives)
        else { return .failure(.badCharter) }
        if ledger.head.seq <= 1, ledger.standing == .noCharter, isGateOpen {
            effects.appends.append(.charter(charter))
            // The log begins with it, and with whose log it is.
            ledger.lose()
            return .success(.done)
        }
        guard canWrite else { return .failure(.closed(state)) }
        // What is booked keeps the units that it took, so a place may not move to others.
        guard let last = ledger.records.charter, charter.epoch == last.epoch,
            charter.revision > last.revision, charter.rules.keepsUnits(of: last.rules)
        else { return .failure(.badCharter) }
        guard write(.charter(charter), for: .staff, &effects, at: now) != nil else {
            return .failure(.noRoom)
        }
        queue.reload { [self] in load(of: $0) }
        isAllFreed = true
        return .success(.done)
    }

    // MARK: Asks

    /// Grants an ask that waits or was refused. Only what the book itself would refuse is refused.
    private mutating func grant(
        _ id: Bytes32, _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        guard !ledger.records.settled.contains(id),
            let ask = asks.pending(id) ?? queue[id]?.ask
                ?? asks.refused.last(where: { $0.ask.id == id })?.ask
        else { return .failure(.noSuchAsk) }
        guard var want = wanted(by: ask) else { return .failure(.noSuchBooking) }
        want.flags = .override
        // One that keeps its quota is an ordinary one.
        var plain = want
        plain.flags = []
        if !ledger.faults(of: grant(of: plain)).contains(.quota) { want = plain }
        let result = place(want, &effects, at: now)
        if case .success = result {
            _ = asks.takePending(id)
            queue.remove(id)
            asks.settle(id)
        }
        return result
    }

    /// What an ask to book, to move or to give would grant; `nil` if the booking is not theirs.
    private func wanted(by ask: DeskAsk) -> DeskWant? {
        func held(_ slot: Slot) -> Mint? {
            guard let mint = ledger.book.mint(slot.token), mint.end == nil else { return nil }
            let tenure = tenure(of: mint)
            return tenure.slot == slot && tenure.holder == ask.author && !tenure.isBound
                ? mint : nil
        }
        switch ask.ask.wish {
        case .book: return want(of: ask)
        case .move(let slot, let place, let period):
            return held(slot).map { mint in
                DeskWant(
                    holder: ask.author, place: place, period: period, count: mint.grant.count,
                    replaces: mint, ask: ask.id, tag: mint.grant.tag, note: mint.grant.note)
            }
        case .giveBack(let slot, let key?):
            return held(slot).map { mint in
                DeskWant(
                    holder: key, place: mint.grant.place, period: mint.grant.period,
                    count: mint.grant.count, replaces: mint, ask: ask.id)
            }
        case .giveBack(_, nil), .withdraw: return nil
        }
    }

    private mutating func turnDown(_ id: Bytes32, _ effects: inout DeskEffects) -> Outcome {
        guard let ask = asks.takePending(id) ?? queue[id]?.ask else {
            return .failure(.noSuchAsk)
        }
        queue.remove(id)
        refuse(ask, .refused, &effects)
        return .success(.done)
    }

    // MARK: Bookings

    /// Grants what the book would mint, whatever the hours are. What lies beyond the volume is the
    /// next ledger's.
    mutating func place(
        _ want: DeskWant, _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        guard let rules = ledger.rules, want.period.end <= rules.minutes.upperBound else {
            return .failure(.badValue)
        }
        let faults = ledger.faults(of: grant(of: want))
        if let fault = faults.first { return .failure(Self.refusal(fault)) }
        guard let token = grant(want, for: .staff, &effects, at: now) else {
            return .failure(ledger.hasRoom(for: .staff) ? .badValue : .noRoom)
        }
        return .success(.booked([token]))
    }

    private static func refusal(_ fault: VoidGrant.Reason) -> DeskRefusal {
        switch fault {
        case .place: .void(.place)
        case .period: .badValue
        case .member: .isMember
        case .asked: .noSuchAsk
        case .replaced: .noSuchBooking
        case .full: .void(.full)
        case .quota: .void(.quota)
        }
    }

    private mutating func book(
        _ booking: DeskBooking, _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        var want = DeskWant(
            holder: setup.key, place: booking.place, period: booking.period, count: booking.count,
            tag: booking.tag, note: booking.note, flags: booking.overrides ? .override : [])
        switch booking.guest {
        case .key(let key): want.holder = key
        case .member(let number):
            guard ledger.book.memberClass(number) != nil else { return .failure(.noSuchMember) }
            want.member = number
            if let key = ledger.book.keys(of: number).first { want.holder = key }
        // All callers together are not one person.
        case .caller: want.flags = .override
        }
        return place(want, &effects, at: now)
    }

    private mutating func close(
        _ token: Token, _ reason: LedgerClose.Reason, _ spent: Bool,
        _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        guard reason != .asked else { return .failure(.badValue) }
        guard let mint = ledger.book.mint(token), mint.end == nil else {
            return .failure(.noSuchBooking)
        }
        let close = LedgerClose(token, reason, spent: spent)
        return end(mint, close, for: .staff, &effects, at: now)
            ? .success(.done) : .failure(.noRoom)
    }

    private mutating func note(
        _ note: DeskNote, of token: Token, _ effects: inout DeskEffects, at now: Moment
    ) -> Outcome {
        guard ledger.book.mint(token) != nil else { return .failure(.noSuchBooking) }
        guard write(.note(note), for: .staff, &effects, at: now) != nil else {
            return .failure(ledger.hasRoom(for: .staff) ? .badValue : .noRoom)
        }
        return .success(.done)
    }
}
