// SPDX-License-Identifier: Apache-2.0
import Brokers
import CivilTime
import ControlAPI
import Keys
import Launch
import Profile
import Protocol
import Rendezvous
import System
import Text
import Transport

/// The agent's part at a meeting point: a ``Meeting`` on the loop, between the core and the brokers
/// (docs/meet.md).
final class MeetDesk {
    /// Gets entries that came, for the core to judge.
    var take: ([[UInt8]]) -> Void = { _ in }
    /// Gets how long the own log is by a card that this key signed.
    var learn: (Int) -> Void = { _ in }
    /// Gets letters that came, for the core to read.
    var takeMail: (Mail) -> Void = { _ in }
    private var isOver = false
    /// Gets what to do at the ends of tunnels.
    var obey: (TunnelOrder) -> Void = { _ in }
    private let loop: EventLoop
    private let address: MeetAddress
    private let primitives: AgentPrimitives
    private let settings: MeetSettings
    /// Whether it looks for brokers: not before the time of the settings.
    private var isBegun = false
    private var begin: TimerToken?
    private var meeting: Meeting
    private var pool: BrokerPool?
    private var timer: TimerToken?
    /// Whether the logs changed since the meeting was told of them.
    private var isStale = true
    private var refresh: TimerToken?
    private var ownCount = 0
    private var wants: TunnelWants?
    private var mail: [Mail]?
    private var unreachable: UTCTime?
    /// Until it is told that no home is in reach; `nil` once it was, and while one is.
    private var missing: TimerToken?
    private var isMissed = false
    /// Called when no home has been in reach for a minute, and when one is again.
    var onReach: () -> Void = {}

    /// All logs are compared at most so often; new entries of ours are said at once.
    private static let settle = TimeSpan.milliseconds(300)

    /// Connects to nothing before ``start(_:)``. Throws what people should be told.
    init(
        _ address: MeetAddress, _ opened: FlightStore.Opened, place: ProfilePlace,
        departs: UTCTime?, primitives: AgentPrimitives, loop: EventLoop
    ) throws(UserError) {
        self.loop = loop
        self.address = address
        self.primitives = primitives
        settings = try MeetSettings(place, departs: departs)
        let seed = primitives.hmacSHA256(key: opened.seed, Array("seatswap/meet/box-key".utf8))
        guard let boxKey = PageKey(seed: seed.bytes) else {
            throw UserError(.failed, "the agent cannot be started", why: "no memory for a key")
        }
        // A day after the flight nothing that was left counts; a practice flight never ends.
        let day: Int64 = 86_400
        let far = SystemClock.utc().seconds + 365 * day
        let ends = UTCTime(seconds: opened.end.map { $0.seconds + day } ?? far)
        let setup = Meeting.Setup(
            keys: MeetKeys(opened.flightKey, primitives: primitives), flight: opened.flightKey.id,
            signer: opened.identity, boxKey: boxKey.key, ends: ends,
            secret: SodiumPrimitives.random32(), primitives: primitives, agreement: boxKey,
            keepsMailbox: settings.keepsMailbox)
        meeting = Meeting(setup, at: SystemClock.moment())
        let brokers = try BrokerPool.Setup(address, of: place)
        pool = BrokerPool(brokers, loop: loop) { [weak self] event in self?.handle(event) }
    }

    /// Begins to look for the brokers, once it is time.
    func start(_ node: Node) {
        tellOwn(node)
        tellFrontier(node)
        beginWhenDue()
        schedule()
    }

    /// Looks at the clock at least once a minute: a computer that sleeps counts no seconds.
    private func beginWhenDue() {
        let left = settings.begins.map { $0.seconds - SystemClock.utc().seconds } ?? 0
        guard left > 0 else {
            isBegun = true
            noteReach(false)
            pool?.start()
            return
        }
        begin = loop.schedule(at: loop.clock() + .seconds(min(left, 60))) { [weak self] in
            self?.begin = nil
            self?.beginWhenDue()
        }
    }

    /// Ends all connections.
    func stop() {
        isOver = true
        pool?.stop()
        for token in [timer, refresh, missing, begin].compactMap(\.self) { loop.cancel(token) }
    }

    // MARK: Events

    /// Records were made durable: entries of ours are said at once, others' a moment later.
    func wrote(_ node: Node) {
        tellOwn(node)
        isStale = true
        guard refresh == nil, !isOver else { return }
        refresh = loop.schedule(at: loop.clock() + Self.settle) { [weak self] in
            self?.refresh = nil
            // Behind the commit of this turn: a card says nothing that is not on the disk.
            self?.loop.enqueue { self?.onStale() }
        }
    }

    /// Asks for the core as it is, to compare all logs.
    var onStale: () -> Void = {}

    /// Tells how much of each log is here.
    func tellFrontier(_ node: Node) {
        guard isStale else { return }
        isStale = false
        let frontier = Frontier(node.logs, primitives: primitives)
        handle(.learnt(logs: frontier.digest, items: frontier.items))
    }

    private func tellOwn(_ node: Node) {
        guard let log = node.logs.log(of: node.me), log.entries.count != ownCount else { return }
        ownCount = log.entries.count
        handle(.own(log.entries.map(\.bytes), head8: log.head.id.raw.prefix8))
    }

    private func handle(_ event: MeetEvent) {
        guard !isOver else { return }
        let effects = meeting.handle(event, at: SystemClock.moment())
        noteReach(meeting.isReached)
        pool?.perform(effects.asks)
        if effects.told > 0 { learn(effects.told) }
        if !effects.entries.isEmpty { take(effects.entries) }
        for mail in effects.mail { takeMail(mail) }
        for order in effects.tunnels { obey(order) }
        schedule()
    }

    private func noteReach(_ isUp: Bool) {
        guard isBegun else { return }
        guard isUp else {
            guard unreachable == nil else { return }
            unreachable = SystemClock.utc()
            missing = loop.schedule(at: loop.clock() + Self.patience) { [weak self] in
                self?.missing = nil
                self?.isMissed = true
                self?.onReach()
            }
            return
        }
        unreachable = nil
        if let missing { loop.cancel(missing) }
        missing = nil
        guard isMissed else { return }
        isMissed = false
        onReach()
    }

    private func schedule() {
        if let timer { loop.cancel(timer) }
        timer = meeting.nextDeadline.map { due in
            // A turn of the loop between two, also where one is due at once.
            loop.schedule(at: max(due, loop.clock() + .milliseconds(1))) { [weak self] in
                self?.timer = nil
                self?.handle(.tick)
            }
        }
    }

    // MARK: Tunnels

    /// TLS in a tunnel wants something.
    func tunnel(_ ask: TunnelAsk) { handle(.tunnel(ask)) }

    /// Tells who is needed and who is welcome, where that changed.
    func tellNeeds(_ node: Node) {
        let now = TunnelWants(node, at: SystemClock.moment())
        guard now != wants else { return }
        wants = now
        handle(.tunnel(.people(blocked: now.blocked, favoured: now.favoured)))
        handle(.tunnel(.linked(now.linked)))
        handle(.tunnel(.need(now.needed)))
    }

    // MARK: Letters

    /// Tells what is to be left for whom, where that changed.
    func tellMail(_ node: Node) {
        let now = node.mail(at: SystemClock.moment())
        guard let now, now != mail else { return }
        mail = now
        handle(.mail(now))
    }

    /// Whether a letter about a request or a message lies there; `nil` for somebody whom no letter
    /// reaches.
    func state(of thread: ThreadID, for peer: PeerKey) -> LetterState? {
        if meeting.hasLeft(thread, for: peer) { return .left }
        return meeting.reaches(peer, at: SystemClock.utc()) ? .waits : nil
    }

    // MARK: What people are told

    /// Whose clocks are too far from this one.
    var clocks: [MeetStatus.Clock] { meeting.status(at: SystemClock.moment()).clocks }

    /// Who left records there.
    var passengers: MeetPassengers { meeting.passengers }

    /// Who is there now; nobody while no home is in reach.
    var there: Set<PeerKey> {
        meeting.isReached ? passengers.there(at: SystemClock.utc()) : []
    }

    /// A home is not missed before so long.
    private static let patience = TimeSpan.seconds(60)

    /// Where the meeting point stands.
    var facts: MeetingFacts {
        let status = meeting.status(at: SystemClock.moment())
        let lost = isMissed ? unreachable : nil
        let first = status.homes.first
        let trouble =
            first.flatMap { home in
                home.isUp ? nil : pool?.troubles[home.broker]?.text(of: home.broker.host)
            } ?? pool?.nameTrouble?.text(of: address.host)
        return MeetingFacts(
            name: address.host,
            homes: status.homes.map {
                MeetingFacts.Home(
                    broker: $0.broker.host, port: Int($0.broker.port), up: $0.isUp,
                    stored: $0.storedAt.map { Stamp($0) })
            },
            entries: status.entries, passengers: status.passengers, online: status.online,
            letters: status.letters, turnedAway: status.turnedAway, behind: status.behind,
            read: status.hasRead, mailbox: settings.keepsMailbox,
            begins: isBegun ? nil : settings.begins.map { Stamp($0) },
            unreachable: lost.map { Stamp($0) }, trouble: trouble)
    }
}
