// SPDX-License-Identifier: Apache-2.0
import Brokers
import Glibc
import Keys
import Profile
import Protocol
import Rendezvous
import System
import Transport

/// One passenger's meeting with its connections, joined as the agent joins them.
final class Guest {
    let loop: EventLoop
    /// Gets entries that came.
    var onEntries: ([[UInt8]]) -> Void = { _ in }
    /// Gets what a broker said that it has, by the number of the ask.
    var onStored: (Int) -> Void = { _ in }
    /// Gets each broker that is connected.
    var onUp: (MeetBroker) -> Void = { _ in }
    /// Gets an end of a tunnel when TLS stands in it.
    var onOpen: (CircuitLink) -> Void = { _ in }
    /// Gets what came through one.
    var onBytes: (CircuitLink, [UInt8]) -> Void = { _, _ in }

    private var meeting: Meeting
    private var pool: BrokerPool?
    private let environment: LinkEnvironment
    private var links: [Int: CircuitLink] = [:]
    private let folder: String
    /// The meeting's clock goes so many times as fast as others.
    private let speed: Int64
    private let began = SystemClock.moment()

    /// Zero bits of a stamp here: none of the rows is about how long it takes to find one.
    static let stampBits = 4

    init(_ number: Int, at url: String, _ shared: Shared, speed: Int64 = 1) throws {
        loop = try EventLoop()
        self.speed = speed
        let boxKey = try shared.boxKey(number)
        let now = began
        meeting = Meeting(
            Meeting.Setup(
                keys: MeetKeys(shared.flight, primitives: shared.primitives),
                flight: shared.flight.id, signer: try shared.signer(number), boxKey: boxKey.key,
                ends: UTCTime(seconds: now.utc.seconds + 86_400),
                secret: SodiumPrimitives.random32(), primitives: shared.primitives,
                stampBits: Self.stampBits, agreement: boxKey), at: now)
        let certificate = try Certificate.make(seed: shared.seed("key", number).bytes)
        environment = LinkEnvironment(
            loop: loop, context: try TLSContext(certificate: certificate))
        var name = Array("/tmp/seatagent-shore-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw SystemError.last }
        folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        pool = BrokerPool(
            try BrokerPool.Setup(address: try MeetAddress(parsing: url), folder: folder),
            loop: loop
        ) { [unowned self] in hear($0) }
        loop.nextDeadline = { [unowned self] in
            meeting.nextDeadline.map { due in
                let later = (due - began.instant).nanoseconds / speed
                return began.instant + TimeSpan(nanoseconds: later)
            }
        }
        loop.onDeadline = { [unowned self] _ in handle(.tick) }
    }

    deinit {
        pool?.stop()
        rmdir(folder)
    }

    /// Begins to connect, as the author of a log.
    func start(_ log: [Entry]) {
        handle(.own(log.map(\.bytes), head8: log.last?.id.raw.prefix8 ?? 0))
        pool?.start()
    }

    /// Wants a tunnel to somebody.
    func need(_ key: PeerKey) { handle(.tunnel(.need([key]))) }

    /// Tells the meeting what is here.
    func learn(_ event: MeetEvent) { loop.enqueue { [unowned self] in handle(event) } }

    /// Asks the brokers for something that no meeting asked for.
    func perform(_ asks: [MeetAsk]) { pool?.perform(asks) }

    /// Whether so much time passed since the beginning, by the meeting's clock.
    func isOlder(than seconds: Int64) -> Bool { now.instant >= began.instant + .seconds(seconds) }

    /// Turns the loop until something is so.
    func wait(seconds: Int64, until isSo: () -> Bool) throws {
        let end = SystemClock.now() + .seconds(seconds)
        while !isSo() {
            guard SystemClock.now() < end else { throw Trouble.late }
            loop.turn(waitingAtMost: .milliseconds(100))
        }
    }

    private func hear(_ event: MeetEvent) {
        if case .stored(_, let token) = event { onStored(token) }
        handle(event)
        if case .up(let broker) = event { onUp(broker) }
    }

    /// By the meeting's clock.
    private var now: Moment {
        let passed = (SystemClock.now() - began.instant).nanoseconds * speed
        return Moment(
            instant: began.instant + TimeSpan(nanoseconds: passed),
            utc: UTCTime(seconds: began.utc.seconds + passed / 1_000_000_000))
    }

    private func handle(_ event: MeetEvent) {
        let effects = meeting.handle(event, at: now)
        pool?.perform(effects.asks)
        if !effects.entries.isEmpty { onEntries(effects.entries) }
        for order in effects.tunnels { loop.enqueue { [unowned self] in obey(order) } }
    }

    private func obey(_ order: TunnelOrder) {
        switch order {
        case .begin(let number, _, let isOpener): begin(number, isOpener ? .client : .server)
        case .bytes(let number, let bytes): links[number]?.take(bytes)
        case .took(let number, let count): links[number]?.took(count)
        case .end(let number): links.removeValue(forKey: number)?.abort()
        }
    }

    private func begin(_ number: Int, _ role: TLSPipe.Role) {
        let made = try? CircuitLink(.tunnel(number), role: role, in: environment) {
            [unowned self] in handle(.tunnel(.write(number, $0)))
        }
        guard let link = made else { return handle(.tunnel(.close(number))) }
        links[number] = link
        link.handler = { [unowned self, unowned link] event in
            switch event {
            case .established: onOpen(link)
            case .received(let bytes): onBytes(link, bytes)
            case .drained: break
            case .closed:
                links[number] = nil
                handle(.tunnel(.close(number)))
            }
        }
        link.begin()
    }
}
