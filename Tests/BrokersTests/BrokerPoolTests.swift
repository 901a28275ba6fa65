// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Rendezvous
import Synchronization
import System
import Testing

@testable import Brokers

/// Which brokers there are, and who they must be.
@Suite("Pool of brokers") struct BrokerPoolTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// What the DNS says, which a test changes.
    private final class Names: Sendable {
        let answer = Mutex<NameQuestion.Answer<[UInt8]>>(.none)
        let asked = Mutex(0)

        var questions: BrokerNames.Questions {
            var questions = PoolProbe.here
            questions.services = { [self] name in
                asked.withLock { $0 += 1 }
                return name == "_seatmeet._tcp.meet.test." ? answer.withLock { $0 } : .nobodySaid
            }
            return questions
        }

        func say(_ targets: [(String, UInt16)]) {
            var answer = DNSAnswer(to: "_seatmeet._tcp.meet.test", records: targets.count)
            for (name, port) in targets { answer.add(port: port, target: DNSAnswer.name(name)) }
            self.answer.withLock { $0 = .found(answer.bytes) }
        }
    }

    private static var impatient: BrokerLimits {
        var limits = PoolProbe.short
        limits.patience = .milliseconds(200)
        limits.lookup = .milliseconds(200)
        limits.lookupAgain = .milliseconds(50)
        return limits
    }

    private func broker(_ host: String, _ port: UInt16) throws -> MeetBroker {
        try #require(MeetBroker(host: host, port: port))
    }

    @Test func withoutRecordsTheHostIsTheOnlyOne() throws {
        let probe = try PoolProbe("mqtts://meet.test", in: folder, questions: Names().questions)
        #expect(try probe.brokers() == [try broker("meet.test", 8883)])
    }

    @Test func recordsNameThePoolAndChangeIt() throws {
        let names = Names()
        names.say([("m2.meet.test", 443), ("m1.meet.test", 8883)])
        let probe = try PoolProbe(
            "mqtts://meet.test", in: folder, limits: Self.impatient, questions: names.questions)
        let first = [try broker("m1.meet.test", 8883), try broker("m2.meet.test", 443)]
        #expect(try probe.brokers() == first)
        names.say([("m3.meet.test", 8883)])
        let second = [try broker("m3.meet.test", 8883)]
        try probe.wait("change") { $0.count(.pool(second)) == 1 }
        // What nobody can say changes nothing, and neither does an answer that breaks a rule.
        let asked = names.asked.withLock { $0 }
        names.answer.withLock { $0 = .nobodySaid }
        try probe.wait("no answer") { _ in names.asked.withLock { $0 } > asked + 1 }
        names.answer.withLock { $0 = .found([1, 2, 3]) }
        try probe.wait("a bad one") { _ in names.asked.withLock { $0 } > asked + 3 }
        #expect(probe.events.count == 2 && probe.pool.nameTrouble == .noNames)
    }

    /// A cluster has one name for all agents, and its machines are tried in turn.
    @Test func aClusterIsOneBrokerOfWhichEachMachineIsTried() throws {
        let names = Names()
        names.say([("m1.meet.test", 1), ("m2.meet.test", 1), ("m3.meet.test", 1)])
        var questions = names.questions
        let asked = Mutex<[String]>([])
        questions.addresses = { host in
            asked.withLock { $0.append(host) }
            return .found([Address(host: .loopback4, port: 0)])
        }
        let probe = try PoolProbe("nats+tls://meet.test", in: folder, questions: questions)
        let broker = try broker("meet.test", 4222)
        #expect(try probe.brokers() == [broker])
        for number in 1...3 {
            try probe.ask(.connect)
            try probe.wait("down") { $0.count(.down(broker)) == number }
        }
        #expect(Set(asked.withLock { $0 }) == ["m1.meet.test", "m2.meet.test", "m3.meet.test"])
    }

    @Test func whereNobodyAnswersForRecordsTheHostIsTaken() throws {
        let names = Names()
        names.answer.withLock { $0 = .nobodySaid }
        let probe = try PoolProbe(
            "mqtts://meet.test", in: folder, limits: Self.impatient, questions: names.questions)
        #expect(try probe.brokers() == [try broker("meet.test", 8883)])
        #expect(names.asked.withLock { $0 } >= 3)
    }

    @Test func aFailureAsksAgain() throws {
        let names = Names()
        names.say([("m1.meet.test", 1)])
        var limits = Self.impatient
        limits.lookup = .seconds(3600)
        let probe = try PoolProbe(
            "mqtts://meet.test", in: folder, limits: limits, questions: names.questions)
        #expect(try probe.failure() == .refused)
        try probe.wait("asks again") { _ in names.asked.withLock { $0 } == 2 }
    }

    /// Else whoever answers for the DNS would choose who gets the password.
    @Test func anotherHostMustShowTheCertificateOfTheMeetingPoint() throws {
        let roots = try folder.makeRoot("root")
        for host in ["meet.test", "m1.meet.test", "evil.test"] {
            try folder.makeHost(host, by: "root")
        }
        let real = try ["meet.test", "m1.meet.test", "evil.test"].map {
            try RealBroker(in: folder, host: $0)
        }
        let names = Names()
        names.say([
            ("a.test", real[0].port), ("m1.meet.test", real[1].port),
            ("m2.meet.test", real[1].port),
            ("evil.test", real[2].port),
        ])
        let probe = try PoolProbe(
            "mqtts://meet.test", in: folder, roots: roots, questions: names.questions)
        let brokers = try probe.brokers()
        #expect(brokers.count == 4)
        probe.pool.perform(brokers.map { MeetAsk($0, .connect) })
        try probe.wait("all") { $0.events.count == 5 }
        for broker in brokers {
            let isGood = ["a.test", "m1.meet.test"].contains(broker.host)
            #expect(probe.count(.up(broker)) == (isGood ? 1 : 0))
            #expect(probe.pool.troubles[broker] == (isGood ? nil : .otherHost))
        }
    }

    @Test(
        arguments: [
            (NameQuestion.Answer<[Address]>.none, BrokerTrouble.nameNotFound),
            (.nobodySaid, .noNames), (.found([]), .timedOut),
        ])
    func aNameWithoutAddressIsTold(
        answer: NameQuestion.Answer<[Address]>, trouble: BrokerTrouble
    ) throws {
        var questions = PoolProbe.here
        questions.addresses = { _ in answer }
        let probe = try PoolProbe("mqtts://meet.test:1", in: folder, questions: questions)
        #expect(try probe.failure() == trouble)
    }

    @Test func anotherAddressIsTriedWhereOneFails() throws {
        let real = try RealBroker(in: folder)
        var questions = PoolProbe.here
        questions.addresses = { _ in
            .found([Address(host: .loopback6, port: 0), Address(host: .loopback4, port: 0)])
        }
        let loop = try EventLoop()
        let setup = BrokerStream.Target(
            broker: try broker("meet.test", real.port), names: [], trust: nil)
        var result: Result<BrokerSocket, BrokerTrouble>?
        let stream = BrokerStream(
            setup, names: BrokerNames(loop: loop, questions: questions), loop: loop,
            limits: BrokerLimits()
        ) { result = $0 }
        for _ in 0..<500 where result == nil { loop.turn(waitingAtMost: .milliseconds(20)) }
        #expect(throws: Never.self) { try result?.get().close() }
        #expect(result != nil)
        stream.cancel()
    }

    @Test func theMachinesResolverKnowsThisMachine() {
        guard case .found(let here) = NameQuestion.addresses(of: "localhost") else {
            Issue.record("localhost has no address")
            return
        }
        #expect(here.allSatisfy { [.loopback4, .loopback6].contains($0.host) && $0.port == 0 })
    }

    /// The name of a host that takes long: the loop goes on, and the deadline holds.
    @Test func aSlowLookupTimesOut() throws {
        var questions = PoolProbe.here
        questions.addresses = { _ in
            usleep(1_500_000)
            return .none
        }
        let probe = try PoolProbe(
            "mqtts://meet.test:1", in: folder, limits: Self.impatient, questions: questions)
        let start = SystemClock.now()
        #expect(try probe.failure() == .timedOut)
        #expect(SystemClock.now() - start < .milliseconds(1200))
    }
}
