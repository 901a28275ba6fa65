// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Letters to and from passengers who are away (docs/meet.md section 4).
extension Meeting {
    /// Whether letters can be left for a passenger: with their card they left a key for that.
    package func reaches(_ peer: PeerKey, at now: UTCTime) -> Bool {
        setup.agreement != nil && (passengers.card(of: peer).map { $0.until > now } ?? false)
    }

    /// Whether a broker said that it has the letter about a request or a message.
    package func hasLeft(_ thread: ThreadID, for peer: PeerKey) -> Bool {
        let letters = mail.lanes[peer]?.letters ?? []
        return hasLeft(peer) && letters.contains { $0.thread == thread }
    }

    /// Whether a broker said that it has all that is open for a passenger, and that is something.
    func hasLeft(_ peer: PeerKey) -> Bool {
        guard let lane = mail.lanes[peer], !lane.letters.isEmpty else { return false }
        return homes.contains { $0.mail.stored[peer] == lane.version }
    }

    // MARK: Writing

    /// Leaves what a home lacks of the own letters. The card comes first: without it nobody can
    /// open them.
    mutating func writeLetters(_ index: Int, _ effects: inout MeetEffects, at now: Moment) {
        guard setup.agreement != nil, homes[index].knowsOwnBox, own.card != nil,
            !homes[index].lacks(card: own.cardVersion)
        else { return }
        let epoch = MeetEpoch(at: now.utc)
        for peer in mail.recipients {
            guard let lane = mail.lanes[peer], lane.isRipe, passengers.knows(peer) else {
                continue
            }
            let laid = homes[index].mail.lanes[peer]
            let list = lane.list(at: now.utc)
            let isRenewed = laid.map { $0.at + MeetLimits.letterRenewal <= now.instant } ?? true
            let isNew = laid?.version != lane.version || laid?.epoch != epoch
            guard isNew || isRenewed && list != nil else { continue }
            guard let list else {
                guard homes[index].mail.stored[peer] != lane.version || laid != nil else {
                    continue
                }
                clearLanes(of: peer, lane, laid, index, &effects, at: now)
                continue
            }
            lay(list, for: peer, lane, laid, index, &effects, at: now)
        }
    }

    /// Seals letters for a passenger and has them kept, and clears the lanes of earlier days.
    private mutating func lay(
        _ list: [MeetLetter], for peer: PeerKey, _ lane: OwnMail.Lane, _ laid: LaidMail.Lane?,
        _ index: Int, _ effects: inout MeetEffects, at now: Moment
    ) {
        let nonce = nonce()
        let made = lane.made
        let until = min(lane.until.seconds, made.seconds + MeetLimits.longestStay)
        guard let card = passengers.card(of: peer), card.until > now.utc, until > now.utc.seconds,
            let box = setup.agreement?.seal(MeetLetter.encode(list), for: card.boxKey, nonce: nonce)
        else { return }
        let plain = MeetPlain.letters(
            MeetLetters(
                sender: me, made: made, until: UTCTime(seconds: until), sealed: nonce + box))
        let epoch = MeetEpoch(at: now.utc)
        let names = names(of: epoch)
        let topic = laneTopic(to: peer, in: epoch)
        guard let bytes = plain.encoded,
            let payload = SealedPayload.seal(
                bytes, for: topic, in: names, nonce: self.nonce(), primitives: setup.primitives)
        else { return }
        let number = token()
        homes[index].mail.sends(lane.version, to: peer, as: number)
        homes[index].mail.lays(lane, for: peer, in: epoch, at: now.instant)
        effects.asks.append(
            MeetAsk(
                homes[index].broker,
                .publish(
                    topic: topic.text(in: names), payload: payload,
                    stay: until - now.utc.seconds, number)))
        clearEarlier(of: peer, laid, index, &effects, at: now)
    }

    /// Nothing is open for a passenger any more.
    private mutating func clearLanes(
        of peer: PeerKey, _ lane: OwnMail.Lane, _ laid: LaidMail.Lane?, _ index: Int,
        _ effects: inout MeetEffects, at now: Moment
    ) {
        let epoch = MeetEpoch(at: now.utc)
        let number = clear(laneTopic(to: peer, in: epoch), in: names(of: epoch), index, &effects)
        homes[index].mail.sends(lane.version, to: peer, as: number)
        homes[index].mail.lays(lane, for: peer, in: epoch, at: now.instant)
        clearEarlier(of: peer, laid, index, &effects, at: now)
    }

    /// Letters of an earlier day go: those that this connection left, or any that may be there.
    private mutating func clearEarlier(
        of peer: PeerKey, _ laid: LaidMail.Lane?, _ index: Int, _ effects: inout MeetEffects,
        at now: Moment
    ) {
        let epoch = MeetEpoch(at: now.utc)
        let earlier = laid.map { $0.epoch == epoch ? [] : [$0.epoch] }
        for old in earlier ?? Array(epoch.read.dropFirst()) {
            clear(laneTopic(to: peer, in: old), in: names(of: old), index, &effects)
        }
    }

    private func laneTopic(to peer: PeerKey, in epoch: MeetEpoch) -> MeetTopic {
        .letters(
            inbox: setup.keys.inbox(of: peer, in: epoch),
            lane: setup.keys.lane(from: me, to: peer, in: epoch))
    }

    // MARK: Reading

    /// What is read of the own inbox of an epoch.
    func letterStep(in epoch: MeetEpoch) -> BoxReading.Step {
        BoxReading.Step(
            filter: .letters(inbox: setup.keys.inbox(of: me, in: epoch)), epoch: epoch)
    }

    /// Subscribes to the own inbox in the epochs that are current by somebody's clock, once the
    /// cards of today are read.
    mutating func followLetters(_ index: Int, _ effects: inout MeetEffects, at now: Moment) {
        guard setup.agreement != nil, homes[index].reading.hasReadLetters else { return }
        let wanted = readMail.restsUntil == nil ? MeetEpoch.followed(at: now.utc) : []
        let broker = homes[index].broker
        for epoch in homes[index].lettered where !wanted.contains(epoch) {
            let filter = letterStep(in: epoch).filter.text(in: names(of: epoch))
            effects.asks.append(MeetAsk(broker, .unsubscribe(filter)))
        }
        for epoch in wanted where !homes[index].lettered.contains(epoch) {
            let filter = letterStep(in: epoch).filter.text(in: names(of: epoch))
            effects.asks.append(MeetAsk(broker, .subscribe(filter, token(), withOwn: false)))
        }
        homes[index].lettered = wanted
    }

    /// Something came to an inbox.
    mutating func cameLetters(
        _ payload: [UInt8], to inbox: MeetBox, in lane: MeetBox, _ names: MeetNames,
        _ effects: inout MeetEffects, at now: Moment
    ) {
        guard setup.agreement != nil, inbox == ownInbox(in: names.epoch),
            readMail.takes(at: now.instant)
        else { return }
        guard !payload.isEmpty else {
            // Anybody can clear it: no more follows from that than that a yes is not shown.
            if let peer = readMail.cleared(lane, of: names.epoch) {
                effects.mail.append(Mail(peer, []))
            }
            return
        }
        let topic = MeetTopic.letters(inbox: inbox, lane: lane)
        guard case .letters(let letters)? = open(payload, topic, names),
            letters.sender != me,
            setup.keys.lane(from: letters.sender, to: me, in: names.epoch) == lane,
            letters.made.seconds - MeetLimits.cardAhead <= now.utc.seconds,
            letters.until > now.utc, readMail.wants(letters, in: lane, of: names.epoch)
        else { return }
        guard let card = passengers.card(of: letters.sender) else {
            readMail.waits(letters, in: lane, of: names.epoch)
            return
        }
        take(letters, card, in: lane, of: names.epoch, &effects)
    }

    /// A card came: letters of its author may have waited for it.
    mutating func openEarly(_ card: MeetCard, _ effects: inout MeetEffects, at now: UTCTime) {
        for early in readMail.waited(for: card.author) where early.letters.until > now {
            guard readMail.wants(early.letters, in: early.lane, of: early.epoch) else { continue }
            take(early.letters, card, in: early.lane, of: early.epoch, &effects)
        }
    }

    private mutating func take(
        _ letters: MeetLetters, _ card: MeetCard, in lane: MeetBox, of epoch: MeetEpoch,
        _ effects: inout MeetEffects
    ) {
        guard readMail.admits(lane, of: epoch) else { return }
        let nonce = Array(letters.sealed.prefix(SealedPayload.nonceBytes))
        let box = Array(letters.sealed.dropFirst(SealedPayload.nonceBytes))
        guard let plain = setup.agreement?.open(box, from: card.boxKey, nonce: nonce),
            let list = try? MeetLetter.decode(plain)
        else { return }
        var read: [Letter] = []
        for letter in list {
            // One that is bad makes the whole list bad.
            guard
                let one = try? Letter(
                    kind: letter.kind.rawValue, letter.payload, made: letters.made,
                    until: letters.until)
            else { return }
            read.append(one)
        }
        readMail.read(letters, in: lane, of: epoch)
        effects.mail.append(Mail(letters.sender, read))
    }
}
