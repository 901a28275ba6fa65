// SPDX-License-Identifier: Apache-2.0
import CSodium
import Glibc
import Protocol
import Transport

/// The agent under test, alone in its process: what it weighs and takes is the core's alone.
struct Subject {
    private let pipe: Pipe
    private let primitives: SodiumPrimitives
    private var node: Node
    private let start = UTCTime(seconds: 1_790_000_000)
    private var stored = 0
    private var said = 0

    /// Reads orders until the crowd goes away.
    static func serve(_ pipe: Pipe) -> Int32 {
        guard let primitives = SodiumPrimitives(), var first = pipe.receive(),
            case (_, .begin(let seed, let auth))? = Order.read(&first),
            let identity = Identity(seed: seed),
            var subject = Subject(pipe, primitives, identity, auth)
        else { return 70 }
        // The cabin of `Cabin.swift` is one link.
        let link = OwnNetworks([NetworkPrefix(own: .v4(0x0a40_fffe), length: 16)])
        _ = subject.turn(.networks(link), at: 0)
        var turn = subject.turn(.started, at: 0)
        while pipe.send(turn.parcel), var parcel = pipe.receive(),
            let (time, order) = Order.read(&parcel)
        {
            switch order {
            case .begin: return 70
            case .connected(let link, let facts):
                turn = subject.turn(.connected(LinkID(link), facts), at: time)
            case .received(let link, let bytes):
                turn = subject.turn(.received(LinkID(link), bytes), at: time)
            case .ended(let link): turn = subject.turn(.ended(LinkID(link)), at: time)
            case .dialFailed(let dial): turn = subject.turn(.dialFailed(dial), at: time)
            case .tick: turn = subject.turn(.tick, at: time)
            case .say:
                subject.said += 1
                let text = "line \(subject.said): is anybody at a window who would rather not be?"
                turn = subject.turn(.intent(subject.said, .say(text)), at: time)
            case .weigh:
                guard pipe.send(subject.scale.parcel) else { return 0 }
                turn = Turn()
            }
        }
        return 0
    }

    private init?(
        _ pipe: Pipe, _ primitives: SodiumPrimitives, _ identity: Identity, _ auth: Bytes32
    ) {
        guard let seat = Seat("143A") else { return nil }
        self.pipe = pipe
        self.primitives = primitives
        let setup = NodeSetup(
            signer: identity, primitives: primitives, flight: .practice,
            flightKeys: [FlightKey(auth: auth, primitives: primitives)], window: nil,
            name: "subject", agent: "crowd", seats: [seat], port: 4000, seed: auth)
        node = Node(
            setup, Stored(), at: Moment(instant: .zero, utc: UTCTime(seconds: 1_790_000_000)))
    }

    /// One event, and the acknowledgements by which a shell says that the kernel took the bytes.
    private mutating func turn(_ event: NodeEvent, at time: Int) -> Turn {
        let now = Moment(
            instant: Instant(nanoseconds: Int64(time)),
            utc: UTCTime(seconds: start.seconds + Int64(time / 1_000_000_000)))
        var shell = TurnShell(me: node.me)
        let began = Self.processorTime()
        shell.events = [event]
        while let next = shell.events.popLast() {
            Perform.carryOut(node.handle(next, at: now), in: &shell)
        }
        var turn = shell.turn
        stored += shell.stored
        turn.deadline = node.nextDeadline.map { Int($0.nanoseconds) }
        turn.spent = Self.processorTime() - began
        turn.stored = stored
        return turn
    }

    private var scale: Scale {
        var scale = Scale()
        (scale.resident, scale.peak) = Self.memory()
        scale.fold =
            (0..<5).map { _ in
                let began = Self.processorTime()
                let fold = Fold.fold(node.logs)
                let spent = Self.processorTime() - began
                return fold.tokens.isEmpty ? Int.max : spent
            }.sorted()[2]
        scale.map = node.mapDigest.bytes
        for log in node.logs.logs {
            scale.authors += 1
            scale.entries += log.seq
            scale.bytes += log.size
        }
        return scale
    }

    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// VmRSS and VmHWM of this process in kilobytes (proc(5)).
    private static func memory() -> (resident: Int, peak: Int) {
        guard let file = fopen("/proc/self/status", "r") else { return (0, 0) }
        defer { fclose(file) }
        var found = (resident: 0, peak: 0)
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            let words = text.split { $0 == " " || $0 == "\t" }
            guard words.count >= 2, let number = Int(words[1]) else { continue }
            if words[0] == "VmRSS:" { found.resident = number }
            if words[0] == "VmHWM:" { found.peak = number }
        }
        return found
    }
}

/// The shell of the agent under test: the crowd does what is asked for, by the report of the turn.
private struct TurnShell: Shell {
    let me: PeerKey
    var turn = Turn()
    /// Entries of others that were kept.
    var stored = 0
    /// What is to be told to the core, last first.
    var events: [NodeEvent] = []

    mutating func commit(_ writes: [Write]) {
        for case .entry(let entry, _) in writes where entry.author != me { stored += 1 }
    }

    mutating func send(_ transmission: Effects.Transmission) {
        turn.sends.append((transmission.link.number, transmission.bytes))
        events.append(.drained(transmission.link, pending: 0))
    }

    mutating func hold(_ hold: Effects.Hold) {
        turn.holds.append((hold.link.number, hold.held))
    }

    mutating func close(_ link: LinkID) { turn.closes.append(link.number) }

    mutating func dial(_ dial: Dial) { turn.dials.append((dial.number, dial.address.host)) }

    mutating func tell(_ notices: [Notice]) {
        for case .trouble(let trouble) in notices { turn.troubles.append("\(trouble)") }
    }

    // The crowd needs no circuits, no mDNS and no favour, and nobody waits for answers.
    mutating func flush() {}
    mutating func prove(_ link: LinkID) {}
    mutating func favour() {}
    mutating func obey(_ order: CircuitOrder) {}
    mutating func browse(_ isWanted: Bool) {}
    mutating func answer(_ reply: Effects.Reply) {}
}
