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
        // A card from a clock that was far ahead is refused by others, and so would this one be.
        let isAhead = own.lastMade.seconds > now.utc.seconds + MeetLimits.cardAhead
        let last = isAhead ? 0 : own.lastMade.seconds
        let made = UTCTime(seconds: max(now.utc.seconds, last + 1))
        let card = MeetCard(
            flight: setup.flight, author: me, boxKey: setup.boxKey, made: made, until: until(made),
            length: own.isLeft ? own.log.count : 0, head8: own.isLeft ? own.head8 : 0,
            parts: own.partsTold, logs: frontier.digest,
            // The own log's length and head stand in the card itself.
            items: frontier.witnessed { passengers.knows($0) },
            stamp: stamp)
        own.renew(SignedCard(card, by: setup.signer), at: now.instant)
    }

    /// Goes on to the boxes of a new epoch, at a random time of its first hour. A clock that was
    /// ahead and was set back leads back at once.
    mutating func move(_ effects: inout MeetEffects, at now: Moment) {
        let current = MeetEpoch(at: now.utc)
        if let last = MeetEpoch.followed(at: now.utc).last, last < own.epoch {
            return move(to: current, &effects)
        }
        guard current > own.epoch else {
            own.moveAt = nil
            return
        }
        guard let moveAt = own.moveAt else {
            own.moveAt = now.instant + .milliseconds(Int64(random.next() % 3_600_000))
            return
        }
        if moveAt <= now.instant { move(to: current, &effects) }
    }

    private mutating func move(to epoch: MeetEpoch, _ effects: inout MeetEffects) {
        let old = own.epoch
        let topics = ownTopics(in: old)
        own.moved(to: epoch)
        let known = names(of: old)
        let box = setup.keys.box(of: me, in: old)
        for index in homes.indices {
            homes[index].forgetBox()
            guard homes[index].isUp else { continue }
            for topic in topics { homes[index].found(topic, of: old) }
            for filter in [MeetFilter.card(box), .log(box)] {
                effects.asks.append(
                    MeetAsk(homes[index].broker, .unsubscribe(filter.text(in: known))))
            }
            for step in ownSteps(in: epoch) { homes[index].reading.add(step) }
        }
    }

    /// The topics of the own box that have something in an epoch.
    private func ownTopics(in epoch: MeetEpoch) -> [MeetTopic] {
        let box = setup.keys.box(of: me, in: epoch)
        return own.parts.indices.map { .part(box, $0) } + [.card(box)]
    }

    /// Leaves what a broker lacks of the own box, parts before the card.
    mutating func write(_ index: Int, _ effects: inout MeetEffects, at now: Moment) {
        if let due = homes[index].repairAt, due <= now.instant {
            homes[index].repair()
            // Who looked meanwhile did not find it, and looks again.
            homes[index].owesLast = true
        }
        guard homes[index].knowsOwnBox, let card = own.card else { return }
        // Behind the card, where that goes now: who does not know it yet looks for it.
        defer { say(index, &effects, at: now) }
        // A box that says more than this disk has is not overwritten.
        guard homes[index].repairAt == nil, own.told <= own.log.count else { return }
        if homes[index].isStored(own) { clearOver(index, &effects) }
        let names = names(of: own.epoch)
        let box = ownBox(in: own.epoch)
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
    }

    /// Clears own boxes of days that are over.
    private mutating func clearOver(_ index: Int, _ effects: inout MeetEffects) {
        for over in homes[index].takeOver() {
            clear(over.topic, in: names(of: over.epoch), index, &effects)
        }
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
        homes[index].leaves(setup.primitives.sha256(payload).prefix8, under: topic)
        let number = token()
        effects.asks.append(
            MeetAsk(
                homes[index].broker,
                .publish(
                    topic: topic.text(in: names), payload: payload, stay: stay(at: now.utc),
                    number)))
        return number
    }

    /// Says new entries to all who are connected, over every home that is up. On a new connection
    /// the last one is said once more: what went into the one before it may have reached nobody,
    /// and whoever lacks those before it looks at the box.
    private mutating func say(_ index: Int, _ effects: inout MeetEffects, at now: Moment) {
        if index == homes.firstIndex(where: \.isUp) {
            let brokers = homes.filter(\.isUp).map(\.broker)
            let entries = own.takeUnsaid()
            say(entries, at: brokers, &effects, at: now.utc)
            if !entries.isEmpty { homes[index].owesLast = false }
        }
        guard homes[index].owesLast else { return }
        homes[index].owesLast = false
        say(Array(own.log.suffix(1)), at: [homes[index].broker], &effects, at: now.utc)
    }

    private mutating func say(
        _ entries: [[UInt8]], at brokers: [MeetBroker], _ effects: inout MeetEffects,
        at now: UTCTime
    ) {
        let names = names(of: MeetEpoch(at: now))
        for entries in OwnBox.live(entries) {
            guard let bytes = MeetPlain.live(entries).encoded,
                let payload = SealedPayload.seal(
                    bytes, for: .live, in: names, nonce: nonce(), primitives: setup.primitives)
            else { continue }
            for broker in brokers {
                effects.asks.append(
                    MeetAsk(
                        broker,
                        .publish(
                            topic: MeetTopic.live.text(in: names), payload: payload, stay: nil,
                            token())))
            }
        }
    }

    /// Takes away what is kept under a topic. Returns the number of the message.
    @discardableResult
    mutating func clear(
        _ topic: MeetTopic, in names: MeetNames, _ index: Int, _ effects: inout MeetEffects
    ) -> Int {
        let number = token()
        effects.asks.append(
            MeetAsk(
                homes[index].broker,
                .publish(topic: topic.text(in: names), payload: [], stay: 0, number)))
        return number
    }
}
