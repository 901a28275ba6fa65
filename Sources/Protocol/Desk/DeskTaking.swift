// SPDX-License-Identifier: Apache-2.0
/// Asks that come in, the lots that are drawn for them, and how each is answered
/// (docs/protocol.md section 33).
extension VenueDesk {
    // MARK: Coming in

    /// Takes asks in the order in which they came. One whose time is over is none any more.
    mutating func take(_ list: [DeskAsk], _ effects: inout DeskEffects, at now: Moment) {
        let isOpen = state == .open && returns.map { $0 <= now.instant } ?? true
        for ask in list where ask.ask.until > now.utc {
            if let waiting = queue[ask.id] {
                // It waits since before a start: now it is known what it asks.
                guard waiting.ask == nil, !ledger.isLost else { continue }
                know(ask, &effects)
            } else if isOpen || canWrite && isWord(ask) {
                answer(ask, &effects, at: now)
            } else if !isOver(ask), asks.keep(ask), state == .away {
                effects.notices.append(.asked(ask.id))
            }
        }
    }

    private mutating func know(_ ask: DeskAsk, _ effects: inout DeskEffects) {
        if asks.isTakenBack(ask) {
            queue.remove(ask.id)
            return refuse(ask, .withdrawn, &effects)
        }
        let load = load(of: ask)
        queue.know(ask, load)
        planWait(ask)
        if let load { free(load) }
    }

    /// Whether an ask takes another one back, or was taken back itself before it came. Nobody has
    /// to wait for that until the desk grants, and its people do not grant what nobody wants any
    /// more.
    private func isWord(_ ask: DeskAsk) -> Bool { ask.target != nil || asks.isTakenBack(ask) }

    /// Whether an ask was answered, by the ledger or beside. Of a word that was heard before a
    /// start the desk has only the answer, and what it takes back may come: it is heard again.
    private func isOver(_ ask: DeskAsk) -> Bool {
        guard let reason = asks.answer(to: ask.id) else {
            return ledger.records.settled.contains(ask.id)
        }
        return ask.target == nil || reason != .withdrawn
    }

    // MARK: Lots

    /// Shows the hash of what the lots will be drawn by; asks are gathered from now on.
    mutating func openLot(_ effects: inout DeskEffects, at now: Moment) {
        guard let random = spare else { return }
        spare = nil
        let hash = setup.codec.primitives.sha256(random.bytes)
        guard write(.note(.lotOpens(hash)), for: .end, &effects, at: now) != nil else { return }
        lot = DeskLot(random: random, until: now.instant + Limits.lotGathers)
    }

    /// Shows what they are drawn by, and answers the asks that were gathered in the order of the
    /// lots. Whoever waits since before goes first.
    mutating func draw(_ lot: DeskLot, _ effects: inout DeskEffects, at now: Moment) {
        (self.lot, returns) = (nil, nil)
        let primitives = setup.codec.primitives
        let hash = primitives.sha256(lot.random.bytes)
        _ = write(.note(.lot(lot.random, hash: hash)), for: .end, &effects, at: now)
        serve(&effects, at: now)
        let order = lot.order(asks.takePending(), of: ledger.book, primitives)
        for ask in order { answer(ask, &effects, at: now) }
    }

    // MARK: Answering

    /// Does what an ask wants, or says why not.
    mutating func answer(_ ask: DeskAsk, _ effects: inout DeskEffects, at now: Moment) {
        guard !isOver(ask) else { return sayAgain(ask, &effects) }
        guard queue[ask.id] == nil else { return }
        if ask.target == nil, asks.isTakenBack(ask) { return refuse(ask, .withdrawn, &effects) }
        guard ask.ask.until > now.utc else { return end(ask, .expired, &effects) }
        let reason: DeskReason?
        switch ask.ask.wish {
        case .book: return book(ask, &effects, at: now)
        case .giveBack(let slot, nil): reason = giveBack(slot, ask, &effects, at: now)
        case .giveBack(let slot, let key?):
            reason = give(slot, to: key, ask, &effects, at: now)
        case .move(let slot, let place, let period):
            reason = move(slot, to: place, period, ask, &effects, at: now)
        case .withdraw(let target): return takeBack(target, ask, &effects, at: now)
        }
        if let reason { refuse(ask, reason, &effects) }
        serve(&effects, at: now)
    }

    /// Whoever says again what is over, whose answer nobody keeps any more, hears it again.
    private func sayAgain(_ ask: DeskAsk, _ effects: inout DeskEffects) {
        guard ask.target == nil, let reason = asks.answer(to: ask.id) else { return }
        effects.answers.append(DeskAnswer(to: ask, reason, until: asksEnd))
    }

    /// Says why an ask is not done, for good.
    mutating func refuse(
        _ ask: DeskAsk, _ reason: DeskReason, _ effects: inout DeskEffects
    ) {
        effects.answers.append(DeskAnswer(to: ask, reason, until: asksEnd))
        asks.end(ask.id, reason, until: min(ask.ask.until, asksEnd))
        switch ask.ask.wish {
        // Whoever took it back does not want it any more, so its people are not shown it.
        case .book, .move, .giveBack(_, _?): if reason != .withdrawn { asks.refuse(ask, reason) }
        case .giveBack(_, nil), .withdraw: break
        }
    }

    // MARK: Taking back

    /// Hears who took an ask back while the desk could not write.
    mutating func takeBackWhatWasKept(_ effects: inout DeskEffects, at now: Moment) {
        for ask in asks.takeWithdrawals() { answer(ask, &effects, at: now) }
        for ask in asks.takeGone() where !isOver(ask) { refuse(ask, .withdrawn, &effects) }
    }

    /// Takes an ask out of the queue, or makes it never begin.
    private mutating func takeBack(
        _ target: Bytes32, _ ask: DeskAsk, _ effects: inout DeskEffects, at now: Moment
    ) {
        asks.giveUp(target, by: ask.author)
        guard !ledger.records.settled.contains(target), asks.answer(to: target) == nil else {
            return end(ask, .unknown, &effects)
        }
        if let known = asks.pending(target) ?? queue[target]?.ask {
            guard known.author == ask.author else { return end(ask, .unknown, &effects) }
            _ = asks.takePending(target)
            queue.remove(target)
            refuse(known, .withdrawn, &effects)
        } else {
            // It did not come yet, so whose it is will be seen then.
            guard remember(target, ask, &effects, at: now) else {
                return end(ask, .tooMany, &effects)
            }
        }
        end(ask, .withdrawn, &effects)
    }

    /// Remembers, also after a start, that an ask is nothing when it comes. Returns whether there
    /// is room for that.
    @discardableResult
    mutating func remember(
        _ target: Bytes32, _ word: DeskAsk, _ effects: inout DeskEffects, at now: Moment
    ) -> Bool {
        var isMember = false
        if case .member = who(word.author) { isMember = true }
        let until = min(word.ask.until, asksEnd)
        guard until > now.utc else {
            effects.wordsOver.append(word.id)
            return true
        }
        let taken = asks.takeBack(target, word, until: until, isMember: isMember)
        if taken.isNew {
            effects.words.append(word)
            effects.wordsOver.removeAll { $0 == word.id }
        }
        if let over = taken.over {
            effects.wordsOver.append(over)
            effects.words.removeAll { $0.id == over }
        }
        return taken.isKnown
    }

    /// Says why an ask is not done, unless that was said before a start.
    private mutating func end(
        _ ask: DeskAsk, _ reason: DeskReason, _ effects: inout DeskEffects
    ) {
        if asks.answer(to: ask.id) == nil { refuse(ask, reason, &effects) }
    }
}
