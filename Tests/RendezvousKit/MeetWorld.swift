// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import ProtocolTestKit
package import Rendezvous

/// Some agents' meetings and the brokers between them, in made-up time.
package struct MeetWorld {
    /// One agent: its meeting, its own log, and the logs that it knows.
    package struct Agent {
        /// What is tested.
        package var meeting: Meeting
        /// Who it is.
        package let signer: FakeSigner
        /// Its own log as bytes, in order.
        package var log: [Entry] = []
        /// All that it took, by author: entries in order of their places.
        package var logs = LogSet()
        /// How long the own log is, as its core was told.
        package var told = 0
        /// Whether it runs.
        package var isRunning = true
        /// What it was told to do at its ends of tunnels.
        package var orders: [TunnelOrder] = []
        /// Letters that it read, in order.
        package var mail: [Mail] = []
    }

    /// Agents by number.
    package var agents: [Agent] = []
    /// Brokers.
    package var brokers: [FakeBroker]
    /// Now.
    package var now: Moment
    /// What the clock of an agent is ahead, by number.
    package var skew: [Int: Int64] = [:]
    /// Whether agents that join have tunnels.
    package var hasTunnels = false
    /// Whether both ends of a tunnel hold a session: each gets what it lacks of the other's logs.
    package var hasSessions = false
    /// Whose sessions there were, by number: the opener and the other end.
    package private(set) var sessions: [(Int, Int)] = []
    /// Whether agents that join leave their logs.
    package var keepsMailbox = true
    /// How long it takes until the meeting learns what came of entries: as long as in an agent.
    package var learnsAfter = TimeSpan.milliseconds(300)
    /// When whose does next, by number.
    private var learnAt: [Instant?] = []
    private let flight: FlightKey
    private let codec = EntryCodec(FakePrimitives())
    private var ticks = 0
    private var queue: [(client: Int, event: MeetEvent)] = []

    /// Everything happens on this day.
    package static let start = UTCTime(seconds: 20_000 * 86_400 + 43_200)

    /// No agents yet, and so many brokers.
    package init(brokers count: Int, at start: UTCTime = Self.start) {
        brokers = (0..<count).compactMap { MeetBroker(host: "m\($0).test", port: 8883) }
            .map(FakeBroker.init)
        now = Moment(instant: .zero + .seconds(1000), utc: start)
        flight = FlightKey(auth: FakePrimitives().sha256([7]), primitives: FakePrimitives())
    }

    /// The names of the flight.
    package var keys: MeetKeys { MeetKeys(flight, primitives: FakePrimitives()) }
    /// The flight's id.
    package var flightID: FlightID { flight.id }

    private func setup(_ signer: FakeSigner) -> Meeting.Setup {
        let pair = FakeAgreement(seed: FakePrimitives().sha256(signer.key.bytes + [1]))
        return Meeting.Setup(
            keys: keys, flight: flight.id, signer: signer, boxKey: hasTunnels ? pair.key : .zero,
            ends: UTCTime(seconds: Self.start.seconds + 72 * 3600),
            secret: FakePrimitives().sha256(signer.key.bytes), primitives: FakePrimitives(),
            stampBits: 6, agreement: hasTunnels ? pair : nil, keepsMailbox: keepsMailbox)
    }

    /// One more agent, with a log of one entry. Returns its number.
    package mutating func join() -> Int {
        let number = agents.count
        let signer = FakeSigner(UInt8(number + 1))
        agents.append(Agent(meeting: Meeting(setup(signer), at: now), signer: signer))
        learnAt.append(nil)
        append(.genesis(name: "p\(number)", agent: ""), to: number)
        feed(.pool(brokers.map(\.name)), to: number)
        return number
    }

    /// Ends an agent's program; what it has left stays.
    package mutating func stop(_ number: Int) {
        agents[number].isRunning = false
        for index in brokers.indices {
            _ = brokers[index].take(.disconnect, from: number, at: now.utc)
        }
    }

    /// Starts it again with the logs of its disk.
    package mutating func start(_ number: Int, log: [Entry]? = nil) {
        agents[number].isRunning = true
        agents[number].meeting = Meeting(setup(agents[number].signer), at: clock(number))
        if let log { agents[number].log = log }
        tellOwn(number)
        feed(.pool(brokers.map(\.name)), to: number)
    }

    /// Appends to an agent's own log, on the disk at once.
    package mutating func append(_ body: EntryBody, to number: Int) {
        let last = agents[number].log.last
        guard
            let entry = try? codec.sign(
                body, flight: flight.id, seq: (last?.seq ?? 0) + 1, previous: last?.id,
                by: agents[number].signer)
        else { preconditionFailure("an entry of a test cannot be signed") }
        agents[number].log.append(entry)
        agents[number].logs.restore(entry)
        if agents[number].isRunning { tellOwn(number) }
    }

    private mutating func tellOwn(_ number: Int) {
        let log = agents[number].log
        feed(.own(log.map(\.bytes), head8: log.last?.id.raw.prefix8 ?? 0), to: number)
    }

    private func clock(_ number: Int) -> Moment {
        Moment(
            instant: now.instant, utc: UTCTime(seconds: now.utc.seconds + (skew[number] ?? 0)))
    }

    /// Gives one event to an agent and its asks to the brokers.
    package mutating func feed(_ event: MeetEvent, to number: Int) {
        guard agents[number].isRunning else { return }
        let effects = agents[number].meeting.handle(event, at: clock(number))
        agents[number].told = max(agents[number].told, effects.told)
        agents[number].orders += effects.tunnels
        agents[number].mail += effects.mail
        for bytes in effects.entries {
            guard let entry = try? codec.decode(bytes) else { continue }
            if agents[number].logs.log(of: entry.author)?.seq ?? 0 == entry.seq - 1 {
                agents[number].logs.restore(entry)
            }
        }
        if !effects.entries.isEmpty { learnSoon(number) }
        hold(effects.tunnels, number)
        for ask in effects.asks {
            guard let index = brokers.firstIndex(where: { $0.name == ask.broker }) else { continue }
            guard !brokers[index].isFrozen else { continue }
            queue += brokers[index].take(ask.what, from: number, at: now.utc)
        }
    }

    /// The session at a tunnel that begins: both know the same after it, and it is closed.
    private mutating func hold(_ orders: [TunnelOrder], _ number: Int) {
        for case .begin(let tunnel, let peer, true) in orders where hasSessions {
            guard let other = agents.firstIndex(where: { $0.signer.key == peer }) else { continue }
            sessions.append((number, other))
            for (from, to) in [(number, other), (other, number)] {
                for log in agents[from].logs.logs {
                    let known = agents[to].logs.log(of: log.author)?.seq ?? 0
                    for entry in log.entries.dropFirst(known) { agents[to].logs.restore(entry) }
                }
                learn(to)
            }
            feed(.tunnel(.close(tunnel)), to: number)
        }
    }

    private mutating func learnSoon(_ number: Int) {
        guard learnsAfter != .zero else { return learn(number) }
        learnAt[number] = learnAt[number] ?? now.instant + learnsAfter
    }

    private mutating func learn(_ number: Int) {
        learnAt[number] = nil
        let frontier = Frontier(agents[number].logs, primitives: FakePrimitives())
        feed(.learnt(logs: frontier.digest, items: frontier.items), to: number)
    }

    /// Tells all agents of another pool: the brokers with these numbers.
    package mutating func tellPool(_ numbers: [Int], to agents: [Int]) {
        for agent in agents { feed(.pool(numbers.map { brokers[$0].name }), to: agent) }
    }

    /// Lets everything happen for so many seconds, in steps of 50 ms where something is due.
    package mutating func run(_ seconds: Int64) {
        let end = now.instant + .seconds(seconds)
        var turns = 0
        while true {
            while !queue.isEmpty {
                let batch = queue
                queue = []
                for (client, event) in batch { feed(event, to: client) }
                turns += 1
                precondition(turns < 2_000_000, "the meetings never come to rest")
            }
            let all = agents.filter(\.isRunning).compactMap(\.meeting.nextDeadline)
            let due = (all + learnAt.compactMap(\.self)).min() ?? end
            let next = min(end, max(due, now.instant + .milliseconds(50)))
            let moved = next - now.instant
            now.utc = UTCTime(
                seconds: Self.seconds(next.nanoseconds) - Self.seconds(now.instant.nanoseconds)
                    + now.utc.seconds)
            now.instant = next
            if moved.nanoseconds <= 0, next >= end { return }
            for number in agents.indices {
                if let due = learnAt[number], due <= now.instant { learn(number) }
                guard let due = agents[number].meeting.nextDeadline, due <= now.instant else {
                    continue
                }
                feed(.tick, to: number)
                ticks += 1
            }
            // A deadline that stays in the past would keep a processor busy.
            precondition(ticks < 6000 + Int(now.instant.nanoseconds / 2_000_000_000), "spins")
            if next >= end, queue.isEmpty { return }
        }
    }

    private static func seconds(_ nanoseconds: Int64) -> Int64 { nanoseconds / 1_000_000_000 }

    /// A broker is killed and comes back empty.
    package mutating func kill(_ broker: Int, comesBack: Bool = true) {
        brokers[broker].isUp = comesBack
        for client in brokers[broker].lose() { queue.append((client, .down(brokers[broker].name))) }
    }

    /// The connection of one agent to a broker ends.
    package mutating func drop(_ number: Int, from broker: Int) {
        _ = brokers[broker].take(.disconnect, from: number, at: now.utc)
        queue.append((number, .down(brokers[broker].name)))
    }

    /// Somebody who knows the flight puts bytes under a topic.
    package mutating func put(_ topic: String, _ payload: [UInt8], at broker: Int) {
        let ends = UTCTime(seconds: now.utc.seconds + 1000)
        queue += brokers[broker].put(topic, payload, until: ends)
    }

    /// The name of an agent's box today.
    package func box(of number: Int) -> String {
        keys.box(of: agents[number].signer.key, in: MeetEpoch(at: now.utc)).text
    }

    /// How much of another's log an agent has.
    package func known(_ author: Int, by reader: Int) -> Int {
        agents[reader].logs.log(of: agents[author].signer.key)?.seq ?? 0
    }
}
