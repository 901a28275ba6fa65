// SPDX-License-Identifier: Apache-2.0
/// What people and scripts want, done or refused with a reason.
extension Node {
    mutating func want(
        _ token: Int, _ intent: Intent, _ effects: inout Effects, at now: Moment
    ) {
        // Before catch-up is over nothing may be appended: the intent waits, and is answered then.
        if !isStopping, records.gate.isSoonKnown, intent.appends,
            waitingIntents.count < Limits.waitingIntents
        {
            waitingIntents.append((token, intent))
            return
        }
        if case .cancel(let number) = intent, dropYeses(to: number, &effects),
            // Who asked for the same meanwhile said yes to it at once: that is taken back, too.
            swaps.records.first(where: { $0.number == number })?.stage == .requested
        {
            effects.replies.append(Effects.Reply(token: token, result: .success(.request(number))))
            return
        }
        let result = perform(intent, &effects, at: now)
        effects.replies.append(Effects.Reply(token: token, result: result))
    }

    /// The user takes back yeses that still wait: nothing ever comes of them. Whether there were
    /// any.
    private mutating func dropYeses(to number: Int, _ effects: inout Effects) -> Bool {
        let count = waitingIntents.count
        waitingIntents.removeAll { token, intent in
            guard case .accept(number, _, _, _) = intent else { return false }
            effects.replies.append(Effects.Reply(token: token, result: .failure(.takenBack)))
            return true
        }
        return waitingIntents.count < count
    }

    /// Carries out or refuses waiting intents once the state of the log is known.
    mutating func answerWaiting(_ effects: inout Effects, at now: Moment) {
        guard isStopping || !records.gate.isSoonKnown else { return }
        let waiting = waitingIntents
        waitingIntents = []
        for (token, intent) in waiting { want(token, intent, &effects, at: now) }
    }

    private mutating func perform(
        _ intent: Intent, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        switch intent {
        case .say(let text):
            return checked(text, Limits.chatText).flatMap {
                let line = ChatLine(
                    text: $0, replyTo: nil, time: now.utc, after: talk.history.chatEnds.latest)
                return record(.chat(line), &effects, at: now)
            }
        case .message(let peer, let text):
            return checked(text, Limits.chatText).flatMap {
                send($0, to: peer, &effects, at: now)
            }
        case .wish(let change): return wish(change, &effects, at: now)
        case .rename(let name):
            return checked(name, Limits.name).flatMap { name in
                guard name != talk.history.name(of: me) else { return .failure(.alreadySo) }
                return record(.profile(name: name), &effects, at: now)
            }
        case .claim(let seat, let dependant): return claim(seat, dependant, &effects, at: now)
        case .release(let seat): return release(seat, &effects, at: now)
        case .leave(let force): return leave(force, &effects, at: now)
        case .verify(let peer): return verify(peer, &effects, at: now)
        case .compared(let isSame):
            return verifyAnswer(.compared(isSame: isSame), &effects, at: now)
        case .cancelVerify: return verifyAnswer(.cancel, &effects, at: now)
        case .vouch(let peer): return vouch(peer, &effects, at: now)
        case .block(let peer, let blocked): return block(peer, blocked, &effects, at: now)
        case .suggestLayout(let layout):
            var asked = PartEffects()
            let result = suggested.suggest(layout, &asked, at: now.instant)
            carryOut(asked, &effects, at: now)
            return result
        case .party(let intent): return party(intent, &effects, at: now)
        case .stay(let intent): return stay(intent, &effects, at: now)
        case .booking(let intent): return book(intent, &effects, at: now)
        case .ledger(let intent): return ledger(intent, &effects, at: now)
        case .desk(let intent): return desk(intent, &effects, at: now)
        case .seated(let contract, let sits): return sit(contract, sits, &effects, at: now)
        case .hosting(let said): return tell(said, &effects, at: now)
        case .swap, .propose, .exchange, .accept, .decline, .counter, .cancel, .replace, .force:
            return trade(intent, &effects, at: now)
        }
    }

    private func checked(_ text: String, _ limit: Int) -> Result<String, Refusal> {
        guard text.contains(where: { !$0.isWhitespace }) else { return .failure(.emptyText) }
        guard text.utf8.count <= limit else { return .failure(.tooLong(limit)) }
        return .success(text)
    }

    /// Why what only talks cannot be written; `nil` if it can. It leaves the last places to what
    /// moves seats.
    var refusalToTalk: Refusal? {
        guard records.gate.isOpen else { return .logClosed }
        let limit = records.longest - Limits.entriesReserved
        return records.logs.seq(of: me) < limit ? nil : .logFull
    }

    mutating func record(
        _ body: EntryBody, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard records.gate.isOpen else { return .failure(.logClosed) }
        if !body.matters, let refusal = refusalToTalk { return .failure(refusal) }
        guard records.logs.seq(of: me) < records.longest,
            let entry = append(body, &effects, at: now)
        else { return .failure(.logFull) }
        return .success(.entry(entry.id))
    }

    private mutating func claim(
        _ seat: Seat, _ dependant: Bool, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        let mine = folding.fold.held(by: me)
        guard !mine.contains(where: { $0.seat == seat }) else { return .failure(.alreadySo) }
        guard mine.count < Limits.liveClaims else { return .failure(.tooManyClaims) }
        return record(.claim(seat: seat, dependant: dependant), &effects, at: now)
    }

    private mutating func release(
        _ seat: Seat, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard let token = folding.fold.held(by: me).first(where: { $0.seat == seat }) else {
            return .failure(.notYours(seat))
        }
        return record(.retract(token.slot), &effects, at: now)
    }
}

extension Node {
    /// Retracts every seat held and closes the log.
    mutating func leave(
        _ force: Bool, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard swaps.locks.isEmpty || force else { return .failure(.bound) }
        guard records.gate.isOpen else { return force ? .success(.done) : .failure(.logClosed) }
        // What others signed for a swap of ours ends with a signed no while there
        // is a log to write it to.
        for record in swaps.records where !record.stage.isOver {
            negotiate(.cancel(record.number), &effects, at: now)
        }
        freshen(&effects, at: now)
        // A claim of this same moment is taken back too.
        if folding.isStale { refold(&effects) }
        for token in folding.fold.held(by: me)
        where append(.retract(token.slot), &effects, at: now) == nil {
            return .failure(.logFull)
        }
        _ = append(.end, &effects, at: now)
        return .success(.done)
    }
}

extension Intent {
    /// Whether it appends to the own log, now or as a consequence.
    var appends: Bool {
        switch self {
        case .ledger(.append), .desk: true
        case .say, .wish, .rename, .claim, .release, .accept, .force, .vouch,
            .leave, .party, .seated, .hosting:
            true
        case .message, .swap, .propose, .exchange, .decline, .counter, .cancel, .replace, .block,
            .verify, .compared, .cancelVerify, .suggestLayout, .stay, .booking, .ledger:
            false
        }
    }
}
