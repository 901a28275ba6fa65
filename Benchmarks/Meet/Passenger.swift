// SPDX-License-Identifier: Apache-2.0
import Keys
import Protocol
import Rendezvous
import System

/// One agent: its meeting, its connection, and a light core, which judges entries as the real one
/// does and folds the map, but has neither sessions nor a disk.
final class Passenger {
    /// Its number among all.
    let number: Int
    /// The flight's number.
    let flight: Int
    /// Whether its computer is open.
    private(set) var isOpen = false
    /// When it was opened, until the boxes of all days were read.
    private(set) var openedAt: Instant?
    private let world: World
    private let keys: FlightKey
    private let identity: Identity
    private var meeting: Meeting
    private var logs = LogSet()
    private var line: Line?
    /// The numbers of asks by the numbers of packets.
    private var asked: [Int: Int] = [:]
    private var packet = 0
    /// Messages that wait until the broker acknowledged others.
    private var held: [MeetAsk.What] = []
    private var underWay: Set<Int> = []
    private var timer: (token: TimerToken, due: Instant)?
    private var refresh: TimerToken?
    /// What its clock is ahead.
    private var ahead = TimeSpan.zero

    /// Messages under way to a broker before it acknowledges one, as the agent's library has it.
    private static let most = 20
    /// All logs are compared at most so often, as the agent does it.
    private static let settle = TimeSpan.milliseconds(300)

    init?(_ world: World, number: Int, flight: Int, _ keys: FlightKey) {
        let seed = world.primitives.sha256(Array("passenger \(number)".utf8))
        guard let identity = Identity(seed: seed.bytes),
            let pair = PageKey(seed: world.primitives.sha256(seed.bytes).bytes)
        else { return nil }
        self.world = world
        self.number = number
        self.flight = flight
        self.keys = keys
        self.identity = identity
        let now = Moment(instant: SystemClock.now(), utc: world.utc)
        let setup = Meeting.Setup(
            keys: MeetKeys(keys, primitives: world.primitives), flight: keys.id, signer: identity,
            boxKey: pair.key, ends: UTCTime(seconds: now.utc.seconds + 72 * 3600),
            secret: SodiumPrimitives.random32(), primitives: world.primitives,
            stampBits: World.stampBits, agreement: pair)
        meeting = Meeting(setup, at: now)
    }

    /// Whether it is connected and has read all boxes.
    var isAboard: Bool { isOpen && openedAt == nil }

    private var moment: Moment {
        Moment(instant: SystemClock.now() + ahead, utc: world.utc)
    }

    // MARK: The computer

    /// Opens the computer: the agent connects.
    func open() {
        isOpen = true
        openedAt = SystemClock.now()
        handle(.down(world.broker))
        handle(.pool([world.broker]))
    }

    /// Closes it.
    func close() {
        isOpen = false
        openedAt = nil
        line?.say(Packet.goodBye)
        line?.flush()
        forgetLine()
        for token in [timer?.token, refresh].compactMap(\.self) { world.loop.cancel(token) }
        (timer, refresh) = (nil, nil)
    }

    /// Looks after itself, now and then: says that it is there, and notes when all was read.
    func tend(at now: Instant) {
        guard isOpen else { return }
        line?.keepAlive(at: now)
        if let openedAt, meeting.status(at: moment).hasRead {
            self.openedAt = nil
            world.read(in: now - openedAt)
        }
    }

    /// Lets its clock go ahead, so that cards are renewed and boxes looked at sooner. Not while it
    /// reads: it would not wait for answers.
    func skip(_ span: TimeSpan) -> Bool {
        guard isAboard, meeting.status(at: moment).hasRead else { return false }
        ahead = ahead + span
        handle(.tick)
        return true
    }

    private func forgetLine() {
        line?.close()
        line = nil
        asked = [:]
        held = []
        underWay = []
    }

    // MARK: The core

    /// Says something: it goes into the own log, and to the meeting as if it was on the disk.
    func say(_ body: EntryBody) -> Entry? {
        let head = logs.head(of: identity.key)
        let codec = EntryCodec(world.primitives)
        let entry = try? codec.sign(
            body, flight: keys.id, seq: head.seq + 1, previous: head.seq > 0 ? head.id : nil,
            by: identity)
        guard let entry else { return nil }
        logs.restore(entry)
        return entry
    }

    /// Tells the meeting of all that it said.
    func tellOwn() {
        guard let log = logs.log(of: identity.key) else { return }
        handle(.own(log.entries.map(\.bytes), head8: log.head.id.raw.prefix8))
        compareSoon()
    }

    /// The own claim of the seat it has, to make a wish about.
    var claim: Entry? {
        logs.log(of: identity.key)?.entries.last {
            if case .claim = $0.body { true } else { false }
        }
    }

    private func take(_ entries: [[UInt8]]) {
        let codec = EntryCodec(world.primitives)
        for bytes in entries {
            let judged = logs.insert(bytes, flight: keys.id, codec: codec)
            guard case .added(let entry) = judged else { continue }
            if world.isAwaited(entry.id), isOnMap(entry) { world.arrived(entry.id, at: number) }
        }
        compareSoon()
    }

    private func isOnMap(_ entry: Entry) -> Bool {
        guard case .claim = entry.body else { return true }
        return Fold.fold(logs).tokens.contains { $0.token.raw == entry.id.raw }
    }

    private func compareSoon() {
        guard refresh == nil, isOpen else { return }
        refresh = world.loop.schedule(at: world.loop.clock() + Self.settle) { [weak self] in
            guard let self else { return }
            refresh = nil
            let frontier = Frontier(logs, primitives: world.primitives)
            handle(.learnt(logs: frontier.digest, items: frontier.items))
        }
    }

    // MARK: The meeting

    private func handle(_ event: MeetEvent) {
        let effects = meeting.handle(event, at: moment)
        guard isOpen else { return }
        for ask in effects.asks { ask.what == .connect ? connect() : perform(ask.what) }
        line?.flush()
        if !effects.entries.isEmpty { take(effects.entries) }
        schedule()
    }

    private func schedule() {
        let due = meeting.nextDeadline.map {
            Instant(nanoseconds: ($0 - ahead.instant).nanoseconds)
        }
        guard due != timer?.due else { return }
        if let timer { world.loop.cancel(timer.token) }
        timer = due.map { due in
            let soon = max(due, world.loop.clock() + .milliseconds(1))
            let token = world.loop.schedule(at: soon) { [weak self] in
                self?.timer = nil
                self?.handle(.tick)
            }
            return (token, due)
        }
    }

    private func connect() {
        forgetLine()
        let name = hexadecimal(SodiumPrimitives.random(16))
        guard let line = Line(world, name: name) else { return handle(.down(world.broker)) }
        line.hear = { [weak self] in self?.hear($0) }
        self.line = line
    }

    private func perform(_ what: MeetAsk.What) {
        guard let line else { return }
        switch what {
        case .connect: break
        case .disconnect:
            line.say(Packet.goodBye)
            line.flush()
            forgetLine()
        case .subscribe(let filter, let token, let withOwn):
            world.counts.subscribed += 1
            line.say(Packet.subscribe(filter, nextPacket(token), withOwn: withOwn))
        case .unsubscribe(let filter): line.say(Packet.unsubscribe(filter, nextPacket(nil)))
        case .publish where underWay.count >= Self.most: held.append(what)
        case .publish(let topic, let payload, let stay, let token):
            world.published(topic, payload, isKept: stay != nil)
            let id = nextPacket(token)
            underWay.insert(id)
            line.say(Packet.publish(topic, payload, stay: stay, id))
        }
    }

    private func nextPacket(_ token: Int?) -> Int {
        packet = packet % 65_535 + 1
        asked[packet] = token
        return packet
    }

    private func hear(_ heard: Heard?) {
        let broker = world.broker
        switch heard {
        case nil, .goodBye:
            forgetLine()
            handle(.down(broker))
        case .greeting(let reason):
            guard reason == 0 else { return hear(nil) }
            world.counts.connected += 1
            handle(.up(broker))
        case .subscribed(let id, let reason):
            guard let token = asked.removeValue(forKey: id) else { return }
            if reason >= 0x80 { world.counts.refused += 1 }
            handle(reason >= 0x80 ? .refused(broker, token) : .subscribed(broker, token))
        case .stored(let id, let reason):
            underWay.remove(id)
            guard let token = asked.removeValue(forKey: id) else { return }
            if reason >= 0x80 { world.counts.refused += 1 }
            handle(reason >= 0x80 ? .refused(broker, token) : .stored(broker, token))
            if !held.isEmpty { perform(held.removeFirst()) }
        case .message(let topic, let payload, let id):
            world.counts.delivered += 1
            if id > 0 { line?.say(Packet.acknowledge(id)) }
            handle(.came(broker, topic: topic, payload: payload))
        case .other: break
        }
    }
}

extension TimeSpan {
    /// The instant that is so long after the origin.
    fileprivate var instant: Instant { Instant(nanoseconds: nanoseconds) }
}
