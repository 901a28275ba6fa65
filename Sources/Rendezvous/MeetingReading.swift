// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What a meeting reads (docs/meet.md section 3).
extension Meeting {
    /// What is read at a broker: the own boxes first, then everybody's, newest epoch first, cards
    /// before letters, and these before logs.
    func steps(in epochs: [MeetEpoch]) -> [BoxReading.Step] {
        var steps = epochs.flatMap(ownSteps)
        for epoch in epochs {
            steps += MeetBucket.all.map { BoxReading.Step(filter: .cards($0), epoch: epoch) }
            if setup.agreement != nil { steps.append(letterStep(in: epoch)) }
            steps += MeetBucket.all.map { BoxReading.Step(filter: .logs($0), epoch: epoch) }
        }
        return steps
    }

    /// What is read of the own box of an epoch. This agent hears of changes to the one it writes
    /// to.
    func ownSteps(in epoch: MeetEpoch) -> [BoxReading.Step] {
        let box = setup.keys.box(of: me, in: epoch)
        return [MeetFilter.card(box), .log(box)].map {
            BoxReading.Step(filter: $0, epoch: epoch, stays: epoch == own.epoch, isOwn: true)
        }
    }

    /// Subscribes to what is said once, in the epochs that are current by somebody's clock.
    mutating func follow(_ index: Int, _ effects: inout MeetEffects, at now: Moment) {
        let broker = homes[index].broker
        let wanted = intake.restsUntil == nil ? MeetEpoch.followed(at: now.utc) : []
        for epoch in homes[index].followed where !wanted.contains(epoch) {
            let filter = MeetFilter.live.text(in: names(of: epoch))
            effects.asks.append(MeetAsk(broker, .unsubscribe(filter)))
        }
        for epoch in wanted where !homes[index].followed.contains(epoch) {
            let filter = MeetFilter.live.text(in: names(of: epoch))
            effects.asks.append(MeetAsk(broker, .subscribe(filter, token(), withOwn: false)))
        }
        homes[index].followed = wanted
    }

    /// Where the other home cannot be visited, or there is none: what a visit would tell is read
    /// here as often, or less often where nobody is there: whoever comes is heard live.
    mutating func lookAround(_ index: Int, at now: Moment) {
        let isAlone = homes.indices.allSatisfy {
            $0 == index || homes[$0].isOld || homes[$0].isMissing(at: now.instant)
        }
        guard isAlone, !homes[index].isOld, homes[index].isDueForAnotherLook(at: now.instant) else {
            return
        }
        homes[index].looksAgain(at: now.instant)
        for step in cardSteps(in: MeetEpoch(at: now.utc)) { homes[index].reading.add(step) }
        homes[index].looksBehind = true
    }

    /// What a new connection reads. Where all was read at this broker today, cards say who has
    /// changed, and in boxes of days before nothing does.
    mutating func begin(_ index: Int, at now: Moment) {
        let epoch = MeetEpoch(at: now.utc)
        let isAgain = homes[index].wasRead == epoch
        var steps = epoch.read.flatMap(ownSteps) + cardSteps(in: epoch)
        if setup.agreement != nil { steps.append(letterStep(in: epoch)) }
        homes[index].up(reading: isAgain ? steps : self.steps(in: epoch.read), at: now.instant)
        homes[index].looksBehind = isAgain
        // Until an hour after midnight people leave things in yesterday's boxes.
        let isSettled = now.utc.seconds - epoch.begins.seconds >= 7200
        homes[index].reads = !isAgain && isSettled ? epoch : nil
    }

    private func cardSteps(in epoch: MeetEpoch) -> [BoxReading.Step] {
        MeetBucket.all.map { BoxReading.Step(filter: .cards($0), epoch: epoch) }
    }

    /// Behind cards, there and at once: the boxes of those who have more than is here. How much of
    /// a log that fills all parts is left, no card says.
    private mutating func lookBehindCards(_ index: Int, at now: Moment) {
        guard homes[index].reading.isOver, homes[index].looksBehind else { return }
        homes[index].looksBehind = false
        for card in passengers.cards where card.length > frontier.seq(of: card.author) {
            lookAt(card.author, index, at: now)
        }
    }

    /// Reads everybody's boxes of this epoch again.
    mutating func lookAgain(_ index: Int, at now: Moment) {
        let epoch = MeetEpoch(at: now.utc)
        for bucket in MeetBucket.all {
            homes[index].reading.add(BoxReading.Step(filter: .cards(bucket), epoch: epoch))
            homes[index].reading.add(BoxReading.Step(filter: .logs(bucket), epoch: epoch))
        }
    }

    /// Goes on with what is read at a broker.
    mutating func read(_ index: Int, _ effects: inout MeetEffects, at now: Moment) {
        let broker = homes[index].broker
        let ended = homes[index].reading.ended(at: now.instant)
        lookBehindCards(index, at: now)
        for step in ended where !homes[index].isFollowed(step) {
            let filter = step.filter.text(in: names(of: step.epoch))
            effects.asks.append(MeetAsk(broker, .unsubscribe(filter)))
        }
        var isAsking = false
        while let step = homes[index].reading.nextStep(at: now.instant) {
            isAsking = true
            let number = token()
            homes[index].reading.starts(as: number, at: now.instant)
            if case .letters = step.filter, MeetEpoch.followed(at: now.utc).contains(step.epoch) {
                homes[index].lettered.append(step.epoch)
            }
            let filter = step.filter.text(in: names(of: step.epoch))
            effects.asks.append(MeetAsk(broker, .subscribe(filter, number, withOwn: false)))
        }
        if isAsking { sayMark(index, &effects) }
        if homes[index].reading.isOver { homes[index].hasRead() }
        if !homes[index].reading.isReadingOwn { homes[index].readOwnBox() }
    }

    /// Says a mark into the own inbox, where that is followed: it comes back behind what the broker
    /// has of all filters that were asked for before.
    private mutating func sayMark(_ index: Int, _ effects: inout MeetEffects) {
        guard let epoch = homes[index].tunnelled.last else { return }
        let mark = [Self.mark] + nonce()
        let inbox = MeetTopic.tunnel(inbox: ownInbox(in: epoch))
        homes[index].reading.says(mark)
        effects.asks.append(
            MeetAsk(
                homes[index].broker,
                .publish(
                    topic: inbox.text(in: names(of: epoch)), payload: mark, stay: nil, token())))
    }

    /// What a mark begins with; 24 bytes follow that nobody guesses.
    private static let mark: UInt8 = 4

    // MARK: What comes

    /// Takes a message in. Whether it was a frame of a tunnel that goes on.
    mutating func came(
        _ text: String, _ payload: [UInt8], from broker: MeetBroker,
        _ effects: inout MeetEffects, at now: Moment
    ) -> Bool {
        guard let index = home(broker), let (topic, names) = place(of: text, at: now) else {
            return false
        }
        guard case .tunnel(let inbox) = topic else {
            cameKept(payload, topic, names, index, &effects, at: now)
            return false
        }
        if payload.first == Self.mark {
            homes[index].reading.came(payload)
            return false
        }
        cameTunnel(payload, to: inbox, names, broker, &effects, at: now)
        return payload.first == TunnelFrame.version
    }

    /// What is kept, or said to all.
    private mutating func cameKept(
        _ payload: [UInt8], _ topic: MeetTopic, _ names: MeetNames, _ index: Int,
        _ effects: inout MeetEffects, at now: Moment
    ) {
        homes[index].reading.heard(topic, in: names.epoch, at: now.instant)
        if case .letters(let inbox, let lane) = topic {
            return cameLetters(payload, to: inbox, in: lane, names, &effects, at: now)
        }
        if isOwn(topic, in: names.epoch) {
            cameOwn(topic, payload, index, names, &effects, at: now)
            return
        }
        guard !payload.isEmpty, let plain = open(payload, topic, names) else { return }
        switch (topic, plain) {
        case (.card(let box), .card(let card)): take(card, box, names, &effects, at: now)
        case (.part(let box, let number), .part(let author, let said, let entries)):
            guard number == said, setup.keys.box(of: author, in: names.epoch) == box,
                passengers.knows(author)
            else { return }
            effects.entries += entries.filter { self.author(of: $0) == author }
        case (.live, .live(let entries)): takeLive(entries, index, &effects, at: now)
        default: break
        }
    }

    /// The topic that a text is in one of the epochs that are read or followed.
    private mutating func place(of text: String, at now: Moment) -> (MeetTopic, MeetNames)? {
        let current = MeetEpoch(at: now.utc)
        for epoch in [current, current.next] + current.read.dropFirst() {
            let names = names(of: epoch)
            if let topic = MeetTopic(text, in: names) { return (topic, names) }
        }
        return nil
    }

    func open(
        _ payload: [UInt8], _ topic: MeetTopic, _ names: MeetNames
    ) -> MeetPlain? {
        SealedPayload.open(payload, from: topic, in: names, primitives: setup.primitives)
            .flatMap { try? MeetPlain(decoding: $0) }
    }

    private func author(of entry: [UInt8]) -> PeerKey? {
        (try? EntryCodec(setup.primitives, rules: setup.rules).decode(entry))?.author
    }

    private mutating func take(
        _ signed: SignedCard, _ box: MeetBox, _ names: MeetNames, _ effects: inout MeetEffects,
        at now: Moment
    ) {
        let card = signed.card
        guard setup.keys.box(of: card.author, in: names.epoch) == box, passengers.wants(card) else {
            return
        }
        let isEarly = card.made.seconds - MeetLimits.cardAhead > now.utc.seconds
        let isGood = signed.isGood(
            for: setup.flight, in: names, at: isEarly ? card.made : now.utc,
            stampBits: setup.stampBits, primitives: setup.primitives)
        guard isGood, !isEarly else {
            if isGood { passengers.sees(early: card.author, made: card.made) }
            return
        }
        let news = passengers.take(card, in: names.epoch, at: now)
        if news.isNewer { witness(card, at: now.instant) }
        if passengers.isThere(card.author, at: now.utc) {
            for index in homes.indices { homes[index].isBusy(at: now.instant) }
        }
        if news.isFirst { effects.isNews = true }
        openEarly(card, &effects, at: now.utc)
    }

    /// New entries, said once. Those of a passenger whose card was not read yet are not taken:
    /// their box is looked at instead.
    private mutating func takeLive(
        _ entries: [[UInt8]], _ index: Int, _ effects: inout MeetEffects, at now: Moment
    ) {
        guard intake.takes(entries.count, at: now.instant) else { return }
        let codec = EntryCodec(setup.primitives, rules: setup.rules)
        for bytes in entries {
            guard let entry = try? codec.decode(bytes), entry.author != me else { continue }
            guard passengers.knows(entry.author) else {
                if passengers.asks(forStranger: entry.author, at: now.instant) {
                    lookAt(entry.author, index, at: now)
                }
                continue
            }
            effects.entries.append(bytes)
            // They are back, and only their card says so.
            if !passengers.isThere(entry.author, at: now.utc),
                passengers.asks(forStranger: entry.author, at: now.instant)
            {
                lookAt(entry.author, index, at: now)
            }
            // One in a batch follows the one before it, which the frontier does not have yet.
            let known = frontier.seq(of: entry.author)
            if entry.seq > known + entries.count,
                passengers.asks(for: entry.author, known: known, at: now.instant)
            {
                lookAt(entry.author, index, at: now)
            }
        }
    }

    /// Passengers whose card, or somebody else's, says that their log is longer than what is here,
    /// as far as it is left.
    var lacking: [PeerKey] {
        let own = passengers.cards.filter {
            $0.length > frontier.seq(of: $0.author) && $0.parts < MeetLimits.parts
        }.map(\.author)
        return own + witnesses.authors.filter { !own.contains($0) }
    }

    /// Reads the boxes of those again: the core may not have let their authors in yet, or a message
    /// was lost.
    mutating func lookAtThoseWhoLack(at now: Moment) {
        guard let index = homes.firstIndex(where: { $0.isUp && $0.reading.isOver }) else { return }
        let due = passengers.dueLooks(lacking, first: tunnels?.favoured ?? [], at: now.instant)
        for author in due where homes[index].reading.hasSpace {
            let known = frontier.seq(of: author)
            guard passengers.asks(for: author, known: known, at: now.instant) else { continue }
            lookAt(author, index, at: now)
        }
    }

    /// Reads one passenger's box.
    mutating func lookAt(_ author: PeerKey, _ index: Int, at now: Moment) {
        let current = MeetEpoch(at: now.utc)
        // Where the newest card was, too: they may have been here yesterday alone.
        for epoch in [passengers.epoch(of: author) ?? current, current] {
            let box = setup.keys.box(of: author, in: epoch)
            for filter in [MeetFilter.card(box), .log(box)] {
                homes[index].reading.add(
                    BoxReading.Step(filter: filter, epoch: epoch), isNext: true)
            }
        }
    }

    // MARK: The own box

    private mutating func isOwn(_ topic: MeetTopic, in epoch: MeetEpoch) -> Bool {
        switch topic {
        case .card(let box), .part(let box, _): box == ownBox(in: epoch)
        case .live, .letters, .tunnel: false
        }
    }

    /// What stands in the own box. Entries of ours are for the core, which knows whether they are
    /// new: then this is an old copy of the disk (docs/protocol.md section 10). Whatever this agent
    /// did not write itself is written again, or cleared in an epoch that is over.
    private mutating func cameOwn(
        _ topic: MeetTopic, _ payload: [UInt8], _ index: Int, _ names: MeetNames,
        _ effects: inout MeetEffects, at now: Moment
    ) {
        let hash = setup.primitives.sha256(payload).prefix8
        let isNewest = homes[index].isNewest(hash, under: topic)
        if !isNewest, let plain = open(payload, topic, names) {
            readBack(plain, names, &effects, at: now.utc)
        }
        guard names.epoch == own.epoch else {
            if !payload.isEmpty, names.epoch < own.epoch {
                homes[index].found(topic, of: names.epoch)
            }
            return
        }
        if !own.isLeft, case .part = topic {
            // From before the mailbox was turned off, or somebody else's.
            if !payload.isEmpty { homes[index].found(topic, of: names.epoch) }
            return
        }
        homes[index].saw(topic, isOurs: isNewest)
        if homes[index].knowsOwnBox, !isNewest, !homes[index].isEcho(hash, under: topic) {
            homes[index].damaged(at: now.instant)
        }
    }

    /// What an earlier run of this agent left. A card that others do not take, because a clock was
    /// far ahead when it was made, does not make the next ones as bad.
    private mutating func readBack(
        _ plain: MeetPlain, _ names: MeetNames, _ effects: inout MeetEffects, at now: UTCTime
    ) {
        switch plain {
        case .part(let author, _, let entries) where author == me:
            effects.entries += entries.filter { self.author(of: $0) == me }
        case .card(let signed) where signed.card.author == me:
            // A newer card has to be younger than that, also if the clock was set back.
            let isGood = signed.isGood(
                for: setup.flight, in: names, at: now, stampBits: setup.stampBits,
                primitives: setup.primitives)
            guard isGood else { return }
            own.lastMade = max(own.lastMade, signed.card.made)
            own.told = max(own.told, signed.card.length)
            if own.told > own.log.count { effects.told = own.told }
        default: break
        }
    }
}
