// SPDX-License-Identifier: Apache-2.0
import Profile
import Protocol
import ProtocolTestKit
import Rendezvous
import System
import Testing

@testable import Brokers

/// Agents that meet through real brokers in one loop.
final class MeetingHall {
    /// One of them.
    final class Agent {
        let signer: FakeSigner
        var meeting: Meeting
        var pool: BrokerPool?
        var log: [Entry] = []
        var logs = LogSet()

        init(_ number: UInt8, _ setup: Meeting.Setup) {
            signer = FakeSigner(number)
            meeting = Meeting(setup, at: SystemClock.moment())
        }
    }

    let loop: EventLoop
    private(set) var agents: [Agent] = []
    private let url: String
    private let folder: TestFolder
    private let flight: FlightKey
    private let codec = EntryCodec(FakePrimitives())
    private let ends = UTCTime(seconds: SystemClock.utc().seconds + 3600)
    private let questions: BrokerNames.Questions

    init(_ url: String, in folder: TestFolder, questions: BrokerNames.Questions) throws {
        loop = try EventLoop()
        (self.url, self.folder, self.questions) = (url, folder, questions)
        flight = FlightKey(auth: FakePrimitives().sha256([7]), primitives: FakePrimitives())
        loop.nextDeadline = { [weak self] in
            self?.agents.compactMap(\.meeting.nextDeadline).min()
        }
        loop.onDeadline = { [weak self] now in
            guard let self else { return }
            for agent in agents where agent.meeting.nextDeadline.map({ $0 <= now }) ?? false {
                feed(.tick, to: agent)
            }
        }
    }

    deinit { for agent in agents { agent.pool?.stop() } }

    /// One more agent with a log of one entry.
    func join(roots: String? = nil) throws -> Agent {
        let number = UInt8(agents.count + 1)
        let signer = FakeSigner(number)
        let primitives = FakePrimitives()
        let agent = Agent(
            number,
            Meeting.Setup(
                keys: MeetKeys(flight, primitives: primitives), flight: flight.id, signer: signer,
                boxKey: .zero, ends: ends, secret: primitives.sha256(signer.key.bytes),
                primitives: primitives, stampBits: 6))
        agents.append(agent)
        let setup = try BrokerPool.Setup(
            address: try MeetAddress(parsing: url), roots: roots, folder: folder.path)
        let pool = BrokerPool(
            setup, loop: loop, names: BrokerNames(loop: loop, questions: questions)
        ) { [weak self, weak agent] event in
            if let agent { self?.feed(event, to: agent) }
        }
        agent.pool = pool
        try append(.genesis(name: "p\(number)", agent: ""), to: agent)
        pool.start()
        return agent
    }

    /// Appends to the own log of an agent.
    func append(_ body: EntryBody, to agent: Agent) throws {
        let last = agent.log.last
        let entry = try codec.sign(
            body, flight: flight.id, seq: (last?.seq ?? 0) + 1, previous: last?.id,
            by: agent.signer)
        agent.log.append(entry)
        agent.logs.restore(entry)
        feed(.own(agent.log.map(\.bytes), head8: entry.id.raw.prefix8), to: agent)
    }

    private func feed(_ event: MeetEvent, to agent: Agent) {
        let effects = agent.meeting.handle(event, at: SystemClock.moment())
        for entry in effects.entries.compactMap({ try? codec.decode($0) })
        where agent.logs.log(of: entry.author)?.seq ?? 0 == entry.seq - 1 {
            agent.logs.restore(entry)
        }
        agent.pool?.perform(effects.asks)
    }

    /// As if the DNS had named these.
    func tellPool(_ brokers: [MeetBroker], to agent: Agent) { feed(.pool(brokers), to: agent) }

    /// Turns the loop until every agent has all of every log.
    func waitUntilAllKnowAll(
        seconds: Int64 = 20, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try wait(seconds: seconds, location) {
            self.agents.allSatisfy { reader in
                self.agents.allSatisfy { author in
                    reader.logs.log(of: author.signer.key)?.seq == author.log.count
                }
            }
        }
    }

    func wait(
        seconds: Int64 = 20, _ location: SourceLocation = #_sourceLocation, _ isSo: () -> Bool
    ) throws {
        let end = SystemClock.now() + .seconds(seconds)
        while !isSo(), SystemClock.now() < end { loop.turn(waitingAtMost: .milliseconds(20)) }
        try #require(isSo(), sourceLocation: location)
    }
}

@Suite("Meetings over real brokers") struct MeetingOverBrokersTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func line(_ text: String) -> EntryBody {
        .chat(ChatLine(text: text, replyTo: nil, time: SystemClock.utc(), after: []))
    }

    private func stored(_ agent: MeetingHall.Agent) -> Int {
        agent.meeting.status(at: SystemClock.moment()).homes.count { $0.storedAt != nil }
    }

    @Test func twoReadEachOtherOverTLS() throws {
        let roots = try folder.makeRoot("root")
        try folder.makeHost("meet.test", by: "root")
        let real = try RealBroker(in: folder, host: "meet.test")
        let hall = try MeetingHall(
            "mqtts://meet.test:\(real.port)", in: folder, questions: PoolProbe.here)
        let (ada, bo) = (try hall.join(roots: roots), try hall.join(roots: roots))
        try hall.waitUntilAllKnowAll()
        try hall.append(line("hello"), to: ada)
        try hall.append(line("there"), to: bo)
        try hall.waitUntilAllKnowAll()
        try hall.wait { self.stored(ada) == 1 && self.stored(bo) == 1 }
    }

    @Test(.enabled(if: PoolProbe.isSoak)) func aBrokerThatComesBackEmptyIsFullAgain() throws {
        let real = try RealBroker(in: folder)
        let hall = try MeetingHall(
            "mqtt://localhost:\(real.port)", in: folder, questions: PoolProbe.here)
        let (ada, bo) = (try hall.join(), try hall.join())
        try hall.waitUntilAllKnowAll()
        try hall.wait { self.stored(ada) == 1 && self.stored(bo) == 1 }
        real.kill()
        try hall.wait { [ada, bo].allSatisfy { $0.pool?.troubles.isEmpty == false } }
        try real.start()
        let probe = try PoolProbe("mqtt://localhost:\(real.port)", in: folder, on: hall.loop)
        try probe.connect()
        try probe.ask(.subscribe("sa1/+/+/c/+/+", 1))
        // Both write again what they had left; a third one who comes later reads it.
        try hall.wait { probe.topics.count == 2 }
        try hall.append(line("late"), to: try hall.join())
        try hall.waitUntilAllKnowAll()
    }

    /// Two homes: the second one is read and written too, and serves while the first is gone.
    @Test func whileOneOfTwoBrokersIsGoneTheOtherServes() throws {
        let real = [try RealBroker(in: folder), try RealBroker(in: folder)]
        let hall = try MeetingHall(
            "mqtt://localhost:\(real[0].port)", in: folder, questions: PoolProbe.here)
        let pool = try real.map { try #require(MeetBroker(host: "localhost", port: $0.port)) }
        let agents = [try hall.join(), try hall.join()]
        // What the address itself names comes first.
        hall.loop.turn(waitingAtMost: .milliseconds(0))
        for agent in agents { hall.tellPool(pool, to: agent) }
        try hall.waitUntilAllKnowAll()
        try hall.wait { agents.allSatisfy { self.stored($0) == 2 } }
        let first = try #require(agents[0].meeting.status(at: SystemClock.moment()).homes.first)
        try #require(real.first { $0.port == first.broker.port }).kill()
        try hall.append(line("still here"), to: agents[0])
        try hall.waitUntilAllKnowAll()
    }
}
