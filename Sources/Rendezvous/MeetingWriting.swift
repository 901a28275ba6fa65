// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What a meeting leaves (docs/meet.md section 3): the own log in parts, then the card that says
/// how long it is, and new entries once more to all who are connected.
extension Meeting {
    /// Looks on for the epoch's stamp.
    mutating func stamp(at now: Moment) {
        guard own.isLookingForStamp else { return }
        own.look(
            for: me, group: names(of: own.epoch).group, bits: setup.stampBits, setup.primitives)
    }

    /// Makes a new card if one is due.
    mutating func renewCard(at now: Moment) {
        guard let stamp = own.stamp, own.cardDue <= now.instant else { return }
        guard now.utc < setup.ends else {
            own.cardDue = now.instant + OwnRecords.renewal
            return
        }
        let made = UTCTime(seconds: max(now.utc.seconds, own.lastMade.seconds + 1))
        let card = MeetCard(
            flight: setup.flight, author: me, boxKey: setup.boxKey, made: made, until: until(made),
            length: own.log.count, head8: own.head8, parts: own.parts.count, logs: frontier.digest,
            items: frontier.witnessed { $0 == me || passengers.knows($0) },
            stamp: stamp)
        own.renew(SignedCard(card, by: setup.signer), at: now.instant)
    }

    /// Goes on to the boxes of a new epoch, at a random time of its first hour.
    mutating func move(_ effects: inout MeetEffects, at now: Moment) {
        let current = MeetEpoch(at: now.utc)
        guard current > own.epoch else {
            own.moveAt = nil
            return
        }
        guard let moveAt = own.moveAt else {
            own.moveAt = now.instant + .milliseconds(Int64(random.next() % 3_600_000))
            return
        }
        guard moveAt <= now.instant else { return }
        let old = own.epoch
        let oldParts = own.parts.count
        own.moved(to: current)
        let known = names(of: old)
        let box = setup.keys.box(of: me, in: old)
        for index in homes.indices where homes[index].isUp {
            for number in 0..<oldParts { clear(.part(box, number), in: known, index, &effects) }
            clear(.card(box), in: known, index, &effects)
            for filter in [MeetFilter.card(box), .log(box)] {
                effects.asks.append(
                    MeetAsk(homes[index].broker, .unsubscribe(filter.text(in: known))))
            }
        }
        for index in homes.indices {
            homes[index].forgetBox()
            guard homes[index].isUp else { continue }
            for step in ownSteps(in: current) { homes[index].reading.add(step) }
        }
    }

    /// Leaves what a broker lacks of the own box, parts before the card.
    mutating func write(_ index: Int, _ effects: inout MeetEffects, at now: Moment) {
        if let due = homes[index].repairAt, due <= now.instant { homes[index].repair() }
        guard homes[index].knowsOwnBox, homes[index].repairAt == nil, let card = own.card else {
            return
        }
        let names = names(of: own.epoch)
        let box = setup.keys.box(of: me, in: own.epoch)
        for (number, entries) in own.parts.enumerated() {
            guard homes[index].lacks(part: number, count: entries.count) else { continue }
            let plain = MeetPlain.part(author: me, number: number, entries: entries)
            if let token = leave(plain, .part(box, number), names, index, &effects, at: now) {
                homes[index].sends(part: number, count: entries.count, as: token)
            }
        }
        if homes[index].lacks(card: own.cardVersion),
            let token = leave(.card(card), .card(box), names, index, &effects, at: now)
        {
            homes[index].sends(card: own.cardVersion, as: token)
        }
        // Behind the card: who does not know it yet looks for it now.
        say(index, &effects, at: now)
    }

    /// Seals something and has it kept. Returns the number of the message.
    private mutating func leave(
        _ plain: MeetPlain, _ topic: MeetTopic, _ names: MeetNames, _ index: Int,
        _ effects: inout MeetEffects, at now: Moment
    ) -> Int? {
        guard let bytes = plain.encoded,
            let payload = SealedPayload.seal(
                bytes, for: topic, in: names, nonce: nonce(), primitives: setup.primitives)
        else { return nil }
        own.noteWritten(setup.primitives.sha256(payload).prefix8, under: topic)
        let number = token()
        effects.asks.append(
            MeetAsk(
                homes[index].broker,
                .publish(
                    topic: topic.text(in: names), payload: payload, stay: stay(at: now.utc),
                    number)))
        return number
    }

    /// Says new entries to all who are connected, over every home that is up.
    private mutating func say(_ index: Int, _ effects: inout MeetEffects, at now: Moment) {
        guard index == homes.firstIndex(where: \.isUp), !own.unsaid.isEmpty else { return }
        let names = names(of: MeetEpoch(at: now.utc))
        for entries in OwnBox.live(own.takeUnsaid()) {
            guard let bytes = MeetPlain.live(entries).encoded,
                let payload = SealedPayload.seal(
                    bytes, for: .live, in: names, nonce: nonce(), primitives: setup.primitives)
            else { continue }
            for home in homes where home.isUp {
                effects.asks.append(
                    MeetAsk(
                        home.broker,
                        .publish(
                            topic: MeetTopic.live.text(in: names), payload: payload, stay: nil,
                            token())))
            }
        }
    }

    /// Takes away what is kept under a topic.
    mutating func clear(
        _ topic: MeetTopic, in names: MeetNames, _ index: Int, _ effects: inout MeetEffects
    ) {
        effects.asks.append(
            MeetAsk(
                homes[index].broker,
                .publish(topic: topic.text(in: names), payload: [], stay: 0, token())))
    }
}
