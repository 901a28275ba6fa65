// SPDX-License-Identifier: Apache-2.0
import Keys
import Protocol
import ProtocolTestKit
import Store
import Transport

/// A late joiner: an agent's core with a real store, to whom eight neighbours give all they have.
///
/// Time is made up but for the joiner's turns, which take as long as they take. A turn is what one
/// of the agent's is: up to 64 KiB from every link that has something, and one commit.
struct Arrival {
    private enum Happening {
        case toJoiner(link: Int, [UInt8])
        case toNeighbour(link: Int, [UInt8])
        case beat
    }

    private static let delay = 1_000_000
    private static let second = 1_000_000_000
    private static let readMost = 64 * 1024
    private static let fixedTurn = 10_000_000

    private let cabin: Cabin
    private let store: Store?
    private(set) var node: Node
    private var neighbours: [Int: Neighbour] = [:]
    private var held: Set<Int> = []
    /// What came while the joiner was busy, by link.
    private var arrived: [Int: [UInt8]] = [:]
    private var agenda = Agenda<Int, Happening>()
    private var clock = 0
    private var freeAt = 0
    private var tickedAt = 0
    /// Entries written to the store.
    private(set) var stored = 0
    /// Called behind each turn, with how many of them are its own.
    var onStored: (Int) -> Void = { _ in }
    /// What the core and the store took.
    private(set) var core = Clock()
    private(set) var disk = Clock()
    private(set) var turns = 0

    /// With `store` nil nothing is kept, and each turn takes as long as every other: what is done
    /// then does not depend on the machine.
    init(_ cabin: Cabin, primitives: any Primitives, store: Store?, neighbours count: Int = 8) {
        let seed = cabin.primitives.sha256(Array("joiner".utf8))
        guard let identity = Identity(seed: seed.bytes), let seat = Seat("143A") else {
            fail("no identity")
        }
        self.cabin = cabin
        self.store = store
        let setup = NodeSetup(
            signer: identity, primitives: primitives, flight: .practice,
            flightKeys: [cabin.flight], window: nil, name: "joiner", agent: "core",
            seats: [seat], port: 4000, seed: seed)
        node = Node(setup, Stored(), at: Self.moment(0))
        turn([.networks(Hall.networks(254)), .started])
        for link in 1...count { connect(link, identity.key) }
        agenda.note(.beat, at: Self.second / 20)
    }

    private static func moment(_ time: Int) -> Moment {
        Moment(
            instant: Instant(nanoseconds: Int64(time)),
            utc: UTCTime(seconds: 1_790_000_000 + Int64(time / second)))
    }

    private mutating func connect(_ link: Int, _ key: PeerKey) {
        let exporter = cabin.primitives.sha256(Array("exporter \(link)".utf8))
        let author = cabin.authors[link]
        neighbours[link] = Neighbour(
            link: link, author: link, kind: .mesh, subject: key, exporter: exporter, in: cabin,
            at: .zero)
        turn([
            .connected(
                LinkID(link),
                LinkFacts(
                    role: .responder, peer: author.key, exporter: exporter,
                    remote: PeerAddress(host: author.host, port: 4000), dial: nil))
        ])
        act(link) { $0.handle(.started, at: $1) }
    }

    /// Until everything is stored and folded.
    mutating func run() {
        let limit = 120 * Self.second
        while stored < cabin.written || node.isFoldStale || node.fold.tokens.isEmpty {
            let waits = arrived.keys.contains { !held.contains($0) }
            let deadline = node.nextDeadline.map { max(Int($0.nanoseconds), tickedAt) }
            let turnAt = waits ? freeAt : max(deadline ?? limit, freeAt)
            let next = min(agenda.next ?? limit, turnAt)
            guard next < limit else { fail("\(stored) of \(cabin.written) entries came") }
            clock = max(clock, next)
            if let due = agenda.next, due <= next, let (_, happening) = agenda.take() {
                happen(happening)
            } else if waits {
                read()
            } else {
                // A shell's timer has no finer grain.
                tickedAt = clock + Self.second / 1000
                turn([.tick])
            }
        }
    }

    /// A neighbour pushes these entries, a frame each; every frame is a turn, whose work `take`
    /// stands around.
    mutating func hear(_ entries: [Entry], on link: Int, _ take: (() -> Void) -> Void) {
        guard let neighbour = neighbours[link] else { fail("no such neighbour") }
        var waiting: [UInt8] = []
        for entry in entries {
            clock += Self.second / 20
            let now = Instant(nanoseconds: Int64(clock))
            let push = Message.entries(EntryBatch(kind: .push, entries: [entry.bytes]))
            let bytes = waiting + neighbour.handle(.send(push), at: now)
            take { turn([.received(LinkID(link), bytes)]) }
            waiting = neighbour.drained(bytes.count, at: now)
        }
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .toJoiner(let link, let bytes):
            arrived[link, default: []] += bytes
        case .toNeighbour(let link, let bytes): act(link) { $0.handle(.received(bytes), at: $1) }
        case .beat:
            agenda.note(.beat, at: clock + Self.second / 20)
            for link in neighbours.keys.sorted() {
                act(link) { $0.handle(.tick, at: $1) + $0.flush(at: $1) }
            }
        }
    }

    /// One turn: what every link has, as one read of its socket gives it.
    private mutating func read() {
        var events: [NodeEvent] = []
        var taken: [(link: Int, count: Int)] = []
        for link in arrived.keys.sorted() where !held.contains(link) {
            guard let bytes = arrived.removeValue(forKey: link) else { continue }
            let count = min(bytes.count, Self.readMost)
            if count < bytes.count { arrived[link] = Array(bytes[count...]) }
            events.append(.received(LinkID(link), Array(bytes.prefix(count))))
            taken.append((link, count))
        }
        turn(events)
        for (link, count) in taken { act(link) { $0.drained(count, at: $1) } }
    }

    /// What a neighbour says goes to the joiner in pieces, as TLS has them.
    private mutating func act(_ link: Int, _ body: (Neighbour, Instant) -> [UInt8]) {
        guard let neighbour = neighbours[link] else { return }
        let bytes = body(neighbour, Instant(nanoseconds: Int64(clock)))
        for start in stride(from: 0, to: bytes.count, by: Limits.bulkSlice) {
            let piece = Array(bytes[start..<min(start + Limits.bulkSlice, bytes.count)])
            agenda.note(.toJoiner(link: link, piece), at: clock + Self.delay)
        }
        guard neighbour.troubles.isEmpty, !neighbour.isClosed else {
            fail("a neighbour is in trouble: \(neighbour.troubles)")
        }
    }

    /// One turn: the core, then one commit; both are measured.
    private mutating func turn(_ first: [NodeEvent]) {
        let now = Self.moment(max(clock, freeAt))
        let began = Clock.began()
        var gathered = Effects()
        var events = Array(first.reversed())
        var taken = 0
        while let next = events.popLast() {
            node.handle(next, at: now, into: &gathered)
            for send in gathered.sends[taken...] { events.append(.drained(send.link, pending: 0)) }
            taken = gathered.sends.count
        }
        let decided = Clock.ended()
        core += decided - began
        turns += 1
        var shell = ArrivalShell(store: store, me: node.me, held: held)
        Perform.carryOut(gathered, in: &shell)
        disk += shell.disk
        freeAt =
            max(clock, freeAt) + (store == nil ? Self.fixedTurn : (shell.ended - began).wall)
        held = shell.held
        for send in shell.sends {
            agenda.note(
                .toNeighbour(link: send.link.number, send.bytes), at: freeAt + Self.delay)
        }
        stored += shell.kept
        if shell.kept > 0 { onStored(shell.kept) }
    }
}

/// The joiner as its core sees it. What is sent leaves when the turn is over.
private struct ArrivalShell: Shell {
    let store: Store?
    let me: PeerKey
    /// Links that are not read.
    var held: Set<Int>
    /// What the transaction took, and when it was over.
    var disk = Clock()
    var ended = Clock()
    /// Entries of others that are kept now.
    var kept = 0
    var sends: [Effects.Transmission] = []

    mutating func commit(_ writes: [Write]) {
        let began = Clock.began()
        if let store, (try? store.apply(writes)) == nil { fail("the disk refused") }
        ended = Clock.ended()
        disk = ended - began
        for case .entry(let entry, _) in writes where entry.author != me { kept += 1 }
    }

    mutating func send(_ transmission: Effects.Transmission) { sends.append(transmission) }

    mutating func hold(_ hold: Effects.Hold) {
        if hold.held {
            held.insert(hold.link.number)
        } else {
            held.remove(hold.link.number)
        }
    }

    mutating func tell(_ notices: [Notice]) {
        for case .trouble(let trouble) in notices { fail("trouble: \(trouble)") }
    }

    // All neighbours are linked from the start, and stay.
    mutating func flush() {}
    mutating func prove(_ link: LinkID) {}
    mutating func favour() {}
    mutating func close(_ link: LinkID) {}
    mutating func obey(_ order: CircuitOrder) {}
    mutating func dial(_ dial: Dial) {}
    mutating func browse(_ isWanted: Bool) {}
    mutating func answer(_ reply: Effects.Reply) {}
}
