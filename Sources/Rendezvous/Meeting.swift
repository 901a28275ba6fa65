// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// An agent at a meeting point: what it asks of the brokers, what it leaves there, and which
/// entries come from there (docs/meet.md). It has no socket and no clock: events and time go in,
/// effects come out.
///
/// Nothing that a broker says is believed. Entries are judged by the core like those of a peer, and
/// "stored" means only that a broker said so: the author keeps the log, looks at the own box, and
/// writes it again.
package struct Meeting: Sendable {
    /// What one agent brings along.
    package struct Setup: Sendable {
        /// Names and seals of the flight.
        package var keys: MeetKeys
        /// The flight.
        package var flight: FlightID
        /// Whose agent this is.
        package var signer: any Signer
        /// The public half of their key for letters and tunnels.
        package var boxKey: Bytes32
        /// When nothing that was left counts any more: a day after the flight's end.
        package var ends: UTCTime
        /// Secret and random: nonces are made of it.
        package var secret: Bytes32
        /// Cryptography.
        package var primitives: any Primitives
        /// Which entries there are.
        package var rules: EntryRules
        /// Both halves of it, for tunnels; without one there are none.
        package var agreement: (any KeyAgreement)?
        /// Zero bits of a stamp. All agents of a flight have the same.
        package var stampBits: Int
        /// Whether the own log is left there; otherwise a card alone, for tunnels (docs/meet.md
        /// section 3).
        package var keepsMailbox: Bool

        /// An agent's part in one flight.
        package init(
            keys: MeetKeys, flight: FlightID, signer: any Signer, boxKey: Bytes32, ends: UTCTime,
            secret: Bytes32, primitives: any Primitives, rules: EntryRules = .flight,
            stampBits: Int = MeetLimits.stampBits, agreement: (any KeyAgreement)? = nil,
            keepsMailbox: Bool = true
        ) {
            self.keys = keys
            self.flight = flight
            self.signer = signer
            self.boxKey = boxKey
            self.ends = ends
            self.secret = secret
            self.primitives = primitives
            self.rules = rules
            self.stampBits = stampBits
            self.agreement = agreement
            self.keepsMailbox = keepsMailbox
        }
    }

    let setup: Setup
    var homes: [MeetHome] = []
    var own = OwnRecords()
    package internal(set) var passengers = MeetPassengers()
    var frontier = MeetFrontier()
    var witnesses = MeetWitnesses()
    var audit = MeetAudit()
    var errands = MeetErrands()
    var intake: LiveIntake
    var random: SeededRandom
    var tunnels: Tunnels?
    var mail = OwnMail()
    var readMail: ReadMail
    private var nonces: UInt64 = 0
    private var lastToken = 0
    private var known: [KnownEpoch] = []
    /// When boxes and errands want a turn, as the last whole turn left them.
    private var boxesDue: Instant?

    /// Nothing is asked before the pool is known.
    package init(_ setup: Setup, at now: Moment) {
        self.setup = setup
        intake = LiveIntake(at: now.instant)
        readMail = ReadMail(at: now.instant)
        random = SeededRandom(
            seed: setup.primitives.hmacSHA256(
                key: setup.secret.bytes, Array("seatswap/meet/random".utf8)))
        own.epoch = MeetEpoch(at: now.utc)
        own.isLeft = setup.keepsMailbox
        tunnels = setup.agreement.map {
            Tunnels(
                me: setup.signer.key, own: $0, secret: setup.secret, at: now.instant,
                setup.primitives)
        }
    }

    var me: PeerKey { setup.signer.key }

    /// Takes one event in.
    ///
    /// What only goes on in a tunnel changes nothing of boxes: then no box is looked at, since each
    /// byte of a session would pay for that four times.
    package mutating func handle(_ event: MeetEvent, at now: Moment) -> MeetEffects {
        var effects = MeetEffects()
        let before = tunnels?.lines.count
        if take(event, &effects, at: now) {
            sendOn(&effects, at: now)
        } else {
            turn(&effects, at: now)
        }
        // A connection may have been needed for a tunnel alone.
        if tunnels?.lines.count != before { turn(&effects, at: now) }
        return effects
    }

    /// Whether the event was one of a tunnel that goes on.
    private mutating func take(
        _ event: MeetEvent, _ effects: inout MeetEffects, at now: Moment
    ) -> Bool {
        switch event {
        case .pool(let brokers): pool(brokers, &effects, at: now.instant)
        case .up(let broker): up(broker, at: now)
        case .down(let broker): down(broker, at: now)
        case .subscribed(let broker, let token): subscribed(broker, token, at: now)
        case .given(let broker, let token): given(broker, token)
        case .stored(let broker, let token): return !stored(broker, token, at: now)
        case .refused(let broker, let token): refused(broker, token, at: now)
        case .came(let broker, let topic, let payload):
            return came(topic, payload, from: broker, &effects, at: now)
        case .own(let log, let head8): own.wrote(log, head8: head8, at: now.instant)
        case .learnt(let logs, let items): learnt(logs, items, at: now.instant)
        case .mail(let open): mail.set(open, at: now)
        case .tunnel(let ask):
            tunnel(ask, &effects, at: now)
            if case .write = ask { return true }
        case .tick: break
        }
        return false
    }

    /// What is due, after each event of boxes and brokers.
    private mutating func turn(_ effects: inout MeetEffects, at now: Moment) {
        forgetOldHomes(&effects, at: now.instant)
        move(&effects, at: now)
        stamp(at: now)
        renewCard(at: now)
        if intake.wakes(at: now.instant) {
            for index in homes.indices where homes[index].isUp { lookAgain(index, at: now) }
        }
        lookAtThoseWhoLack(at: now)
        mail.ripen(at: now.instant)
        _ = readMail.wakes(at: now.instant)
        for index in homes.indices {
            attend(index, &effects, at: now)
            guard homes[index].isUp else { continue }
            lookAround(index, at: now)
            follow(index, &effects, at: now)
            followInbox(index, &effects, at: now)
            read(index, &effects, at: now)
            write(index, &effects, at: now)
            followLetters(index, &effects, at: now)
            writeLetters(index, &effects, at: now)
            // A visit that is over now ends now: nothing else may happen for a while.
            attend(index, &effects, at: now)
        }
        tendTunnels(&effects, at: now)
        boxesDue = nextTurn
    }

    /// When it wants to be called.
    package var nextDeadline: Instant? {
        let ofTunnels = tunnels?.nextDeadline(isConnected: homes.contains { $0.isUp })
        return [boxesDue, ofTunnels].compactMap(\.self).min()
    }

    private var nextTurn: Instant? {
        var due = [
            own.nextDeadline, intake.nextDeadline, mail.nextDeadline, readMail.restsUntil,
        ].compactMap(\.self)
        if own.isLookingForStamp, !homes.isEmpty { due.append(.zero) }
        if homes.contains(where: { $0.isUp && $0.reading.isOver }) {
            due += [passengers.nextLook(lacking)].compactMap(\.self)
        }
        due += [nextErrand].compactMap(\.self)
        let isOnly = homes.count { !$0.isOld } == 1
        for (index, home) in homes.enumerated() {
            let next = home.nextDeadline(isLasting: isLasting(index), isOnly: isOnly)
            due += [next].compactMap(\.self)
            // Else a quiet one would stay until something happens.
            if home.isVisitOver, !isNeeded(index) { due.append(.zero) }
        }
        return due.min()
    }

    // MARK: Names

    /// What is made once of an epoch.
    private struct KnownEpoch {
        let names: MeetNames
        let box: MeetBox
        let inbox: MeetBox
    }

    /// The names of an epoch.
    mutating func names(of epoch: MeetEpoch) -> MeetNames { known(epoch).names }

    /// The own box in an epoch.
    mutating func ownBox(in epoch: MeetEpoch) -> MeetBox { known(epoch).box }

    /// The own inbox in an epoch.
    mutating func ownInbox(in epoch: MeetEpoch) -> MeetBox { known(epoch).inbox }

    private mutating func known(_ epoch: MeetEpoch) -> KnownEpoch {
        if let known = known.first(where: { $0.names.epoch == epoch }) { return known }
        let keys = setup.keys
        known.append(
            KnownEpoch(
                names: keys.names(in: epoch), box: keys.box(of: me, in: epoch),
                inbox: keys.inbox(of: me, in: epoch)))
        if known.count > 2 * MeetLimits.epochsRead { known.removeFirst() }
        return known[known.count - 1]
    }

    /// A number that no other ask of this agent has.
    mutating func token() -> Int {
        lastToken += 1
        return lastToken
    }

    /// 24 bytes that are never the same again.
    mutating func nonce() -> [UInt8] {
        nonces += 1
        let message = Array("seatswap/meet/nonce".utf8) + nonces.bytes
        let block = setup.primitives.hmacSHA256(key: setup.secret.bytes, message)
        return Array(block.bytes.prefix(SealedPayload.nonceBytes))
    }

    /// Seconds for which a broker should keep what is left now.
    func stay(at now: UTCTime) -> Int64 { min(until(now).seconds - now.seconds, .init(UInt32.max)) }

    /// Until when something that is made now counts.
    func until(_ now: UTCTime) -> UTCTime {
        let most = now.seconds + MeetLimits.longestStay
        return UTCTime(seconds: max(now.seconds + 1, min(setup.ends.seconds, most)))
    }

    // MARK: Brokers

    private mutating func up(_ broker: MeetBroker, at now: Moment) {
        guard let index = home(broker) else { return }
        begin(index, at: now)
    }

    private mutating func down(_ broker: MeetBroker, at now: Moment) {
        guard let index = home(broker) else { return }
        homes[index].down(at: now.instant)
    }

    private mutating func subscribed(_ broker: MeetBroker, _ token: Int, at now: Moment) {
        guard let index = home(broker) else { return }
        homes[index].reading.acknowledged(token, at: now.instant)
    }

    private mutating func given(_ broker: MeetBroker, _ token: Int) {
        guard let index = home(broker) else { return }
        homes[index].reading.finished(token)
    }

    /// Whether it was something that stays there; a broker confirms frames, too.
    private mutating func stored(_ broker: MeetBroker, _ token: Int, at now: Moment) -> Bool {
        home(broker).map { homes[$0].stored(token, at: now) } ?? false
    }

    private mutating func refused(_ broker: MeetBroker, _ token: Int, at now: Moment) {
        guard let index = home(broker) else { return }
        homes[index].reading.refused(token)
        homes[index].refused(token, at: now.instant)
    }

    func home(_ broker: MeetBroker) -> Int? { homes.firstIndex { $0.broker == broker } }
}
