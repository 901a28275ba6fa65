// SPDX-License-Identifier: Apache-2.0
/// Negotiations in the core: what they ask for is signed, stored and sent here.
extension Node {
    /// A user's wish about a negotiation: seats become legs, the rest is theirs.
    mutating func trade(
        _ intent: Intent, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        switch event(for: intent) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let event):
            if let refusal = mayStick(event, intent.isUnverified) {
                return .failure(.swap(refusal))
            }
            // Others wait for the log up to the head that is said with a consent.
            beginLog(&effects, at: now)
            let reply = negotiate(event, &effects, at: now)
            switch reply {
            case .success(let number): return .success(.request(number))
            case .failure(let refusal): return .failure(.swap(refusal))
            case nil: return .success(.done)
            }
        }
    }

    private func event(for intent: Intent) -> Result<SwapEvent, Refusal> {
        switch intent {
        case .swap(let take, let give, let note, let expires, let override, let from, _):
            return folding.fold.exchange(
                take: take, give: give, me: me, from: from, override: override, trust
            )
            .flatMap { folding.fold.legs($0, override: override, trust) }
            .flatMap { legs in noted(note) { asking(legs, $0, expires, override) } }
        case .propose(let moves, let note, let expires, let override, _):
            return folding.fold.legs(moves, override: override, trust)
                .flatMap { legs in noted(note) { asking(legs, $0, expires, override) } }
        case .exchange(let moves, let note, let expires, let override, _):
            return folding.fold.legs(moves)
                .flatMap { legs in noted(note) { asking(legs, $0, expires, override) } }
        case .accept(let number, let override, _, let seen):
            return .success(.accept(number, override: override, of: seen))
        case .decline(let number, let note):
            return noted(note) { .decline(number, note: $0) }
        case .counter(let number, let give, let take, let note, let override, _, let legs):
            return counter(number, give, take, override, legs)
                .flatMap { legs in
                    noted(note) { .counter(number, legs, note: $0, override: override) }
                }
        case .cancel(let number): return .success(.cancel(number))
        case .replace(let number): return .success(.replace(number))
        case .force(let number): return .success(.force(number))
        case .say, .message, .wish, .block, .rename, .claim, .release, .verify, .compared,
            .cancelVerify, .vouch, .leave, .suggestLayout, .party, .seated, .hosting, .stay,
            .booking,
            .ledger, .desk:
            return .failure(.alreadySo)
        }
    }

    /// Of two whoever is asked coordinates; of more, this agent.
    private func asking(
        _ legs: [Leg], _ note: String, _ expires: Int?, _ override: Bool
    ) -> SwapEvent {
        Set(legs.flatMap { [$0.from, $0.to] }).count == 2
            ? .ask(legs, note: note, expires: expires, override: override)
            : .propose(legs, note: note, expires: expires, override: override)
    }

    /// Whoever votes last can leave the others in doubt: a consent to somebody behind whom nothing
    /// but a claim stands needs the user's word that they know. Nothing gives it for them.
    private func mayStick(
        _ event: SwapEvent, _ isUnverified: Bool
    ) -> SwapRefusal? {
        guard !isUnverified else { return nil }
        var coordinator: PeerKey?
        var give: Token?
        switch event {
        case .ask(let legs, _, _, _):
            // Who asks for what they are asked for says yes to that, and votes last themselves.
            let isAnswer = swaps.records.contains {
                $0.stage == .requested && $0.contract.legs == legs.sorted { $0.token < $1.token }
            }
            guard !isAnswer else { return nil }
            coordinator = legs.first { $0.from != me }?.from
            give = legs.first { $0.from == me }?.token
        case .accept(let number, _, _), .counter(let number, _, _, _):
            let record = swaps.records.first { $0.number == number }
            guard let record, record.stage == .invited || record.stage == .counterSent else {
                return nil
            }
            coordinator = record.contract.coordinator
            give = record.contract.legs.first { $0.from == me }?.token
        case .propose, .decline, .cancel, .replace, .force, .message, .logsChanged, .linked,
            .unlinked, .recovered, .tick:
            return nil
        }
        guard let coordinator, coordinator != me, assurance(of: coordinator) == .claimed else {
            return nil
        }
        return .mayStick(coordinator, give: give.flatMap { folding.fold.token($0)?.seat })
    }

    private func noted(
        _ note: String, _ event: (String) -> SwapEvent
    ) -> Result<SwapEvent, Refusal> {
        note.utf8.count <= Limits.note ? .success(event(note)) : .failure(.tooLong(Limits.note))
    }

    /// The legs of a counter-offer: our `give` for `take`. Between two, what is not named stays as
    /// the request has it; of several, all give what they were to give.
    private func counter(
        _ number: Int, _ give: Seat?, _ take: Seat?, _ override: Bool, _ seen: [Leg]
    ) -> Result<[Leg], Refusal> {
        guard let record = swaps.records.first(where: { $0.number == number }) else {
            return .failure(.swap(.noSuchRequest(number)))
        }
        // Who moved since does not hold what is on the table: that is not what is wrong.
        guard !record.stage.isOver else { return .failure(.swap(.alreadyAnswered(record))) }
        guard seen.isEmpty else { return .success(seen) }
        if record.contract.parties.count > 2 {
            guard let take else { return .failure(.swap(.badContract)) }
            return RingCounter.legs(
                record, me, give: give, take: take, folding.fold, records.logs)
        }
        let asker = record.partner(of: me)
        func seat(from party: PeerKey) -> Seat? {
            record.contract.legs.first { $0.from == party }
                .flatMap { folding.fold.token($0.token)?.seat }
        }
        guard let give = give ?? seat(from: me), let take = take ?? seat(from: asker) else {
            return .failure(.swap(.badContract))
        }
        guard folding.fold.held(by: me).contains(where: { $0.seat == give }) else {
            return .failure(.notYours(give))
        }
        if folding.fold.held(by: me).contains(where: { $0.seat == take }) {
            return .failure(.ownSeat(take))
        }
        return folding.fold.legs(
            [
                SeatMove(seat: give, to: asker, from: me),
                SeatMove(seat: take, to: me, from: asker),
            ], override: override, trust)
    }

    mutating func swapMessage(
        _ message: SwapMessage, from peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) {
        // Of two nobody proposes: whoever wants something of one other asks,
        // and lets them vote last.
        guard !swaps.ignores(message, from: peer, at: now) else { return }
        folding.hurry()
        settle(&effects, at: now)
        negotiate(.message(message, from: peer), &effects, at: now)
    }

    /// Gives the negotiations one event and carries out what they ask for. With `isNewWish` the
    /// requests that wait are held against the user's wish too.
    @discardableResult
    mutating func negotiate(
        _ event: SwapEvent, isNewWish: Bool = false, _ effects: inout Effects, at now: Moment
    ) -> Result<Int, SwapRefusal>? {
        freshen(&effects, at: now)
        let context = SwapContext(
            fold: folding.fold, logs: records.logs, window: setup.window?.state(at: now.utc),
            blocked: people.blocked,
            liars: folding.misdeeds.filter { $0.kind != .fork }.map(\.author),
            canAppend: records.gate.isOpen,
            acknowledged: records.acknowledged, trust: trust,
            linked: peers.all.openKeys,
            settled: peers.all.keys(linkedFor: Limits.linkedLong, at: now.instant),
            venue: venueSwaps(at: now))
        let first = isNewWish ? 0 : swaps.nextNumber
        var result = swaps.handle(event, context, at: now, random: &random)
        swaps.hush(
            wishes.welcome, from: first, context, &result, at: now, random: &random)
        Perform.carryOut(result, by: &self, into: &effects, at: now)
        return result.reply
    }
}

extension Node: SwapShell {
    package mutating func log(_ body: EntryBody, _ effects: inout Effects, at now: Moment) {
        _ = append(body, &effects, at: now)
    }

    package mutating func logCertificate(
        of contract: Contract, _ effects: inout Effects, at now: Moment
    ) {
        guard
            let commit = contract.certificate(
                folding.fold, records.logs, own: ownBallot(contract.id))
        else {
            return
        }
        _ = append(.commit(commit), &effects, at: now)
    }

    package mutating func follow(
        _ records: [SwapRecord], _ effects: inout Effects, at now: Moment
    ) {
        keepPromised(records, &effects, at: now)
        // Who is needed now, or no more.
        mesh.becomeStale()
    }

    // Votes and certificates are made here, once the entries in them exist.
    package mutating func say(_ send: SwapSend, _ effects: inout Effects, at now: Moment) {
        switch send {
        case .message(let message, let parties):
            for party in parties { self.send(.swap(message), to: party, &effects, at: now) }
        case .vote(let contract, let parties):
            let entries = ownVote(on: contract)
            guard !entries.isEmpty else { return }
            let message = Message.swap(.vote(VoteMessage(entries: entries)))
            for party in parties { self.send(message, to: party, &effects, at: now) }
        case .certificate(let id, let parties):
            guard let commit = ownCommit(id) else { return }
            let certificate = Certificate(
                contract: commit.contract.bytes, votes: commit.votes.map(\.bytes),
                claims: commit.claims.map(\.bytes))
            let message = Message.swap(.certificate(certificate))
            for party in parties { self.send(message, to: party, &effects, at: now) }
        case .status(let id, let parties):
            let votes = (folding.fold.contract(id)?.votes ?? []).prefix(
                2 * Limits.parties.upperBound)
            let message = Message.swap(.status(Status(contract: id, votes: votes.map(\.bytes))))
            for party in parties { self.send(message, to: party, &effects, at: now) }
        }
    }

    /// The own vote on a contract, after as much of the log before it as one frame takes.
    private func ownVote(on contract: ContractID) -> [[UInt8]] {
        let entries = records.logs.log(of: me)?.entries ?? []
        let place = entries.lastIndex { entry in
            if case .vote(let vote) = entry.body { return vote.contract == contract }
            return false
        }
        guard let place else { return [] }
        var suffix: [[UInt8]] = []
        var size = 0
        for entry in entries[...place].reversed() {
            size += entry.bytes.count
            guard suffix.isEmpty || size <= Limits.bulkSlice, suffix.count < Limits.voteSuffix
            else { break }
            suffix.insert(entry.bytes, at: 0)
        }
        return suffix
    }

    private func ownCommit(_ id: ContractID) -> Commit? {
        for entry in (records.logs.log(of: me)?.entries ?? []).reversed() {
            if case .commit(let commit) = entry.body, commit.contract.id == id { return commit }
        }
        return folding.fold.contract(id)?.certificate
    }

    /// The own vote on a contract, which the fold may not have seen yet.
    private func ownBallot(_ contract: ContractID) -> Entry? {
        records.logs.log(of: me)?.entries.last { entry in
            if case .vote(let vote) = entry.body { return vote.contract == contract }
            return false
        }
    }

    package mutating func fetch(_ want: SwapWant, _ effects: inout Effects, at now: Moment) {
        guard let link = records.learn(want.head, of: want.from) else { return }
        pull(link, &effects, at: now)
    }
}

extension Intent {
    /// Whether the user knows that nothing but a claim stands behind whoever votes last.
    fileprivate var isUnverified: Bool {
        switch self {
        case .swap(_, _, _, _, _, _, let unverified), .propose(_, _, _, _, let unverified),
            .exchange(_, _, _, _, let unverified),
            .accept(_, _, let unverified, _), .counter(_, _, _, _, _, let unverified, _):
            unverified
        case .say, .message, .wish, .decline, .cancel, .replace, .force, .verify, .compared,
            .cancelVerify, .vouch, .leave, .block, .rename, .claim, .release, .suggestLayout,
            .party, .seated, .hosting, .stay, .booking, .ledger, .desk:
            false
        }
    }
}
