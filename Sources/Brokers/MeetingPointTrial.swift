// SPDX-License-Identifier: Apache-2.0
package import Protocol
import Profile
import Rendezvous
package import System

/// Tries all brokers of a meeting point at once, for its operator or somebody who wants to use it.
package struct MeetingPointTrial {
    private let setup: BrokerPool.Setup
    private let loop: EventLoop
    private let primitives: any Primitives
    private let questions: BrokerNames.Questions

    /// Brokers of a pool that are tried.
    private static let most = 16
    /// What is not known by then is not found out.
    private static let patience = TimeSpan.seconds(25)

    /// A trial of the meeting point of `setup`.
    package init(
        _ setup: BrokerPool.Setup, loop: EventLoop, primitives: any Primitives,
        questions: BrokerNames.Questions = BrokerNames.Questions()
    ) {
        self.setup = setup
        self.loop = loop
        self.primitives = primitives
        self.questions = questions
    }

    /// Tries them, with `random` for one group each. Takes as long as the slowest broker.
    package func facts(random: () -> Bytes32) -> MeetingPointFacts {
        var facts = MeetingPointFacts(host: setup.address.host, wasAsked: setup.address.hasRecords)
        facts.isPlain = !setup.address.isTLS
        facts.isNATS = setup.address.engine == .nats
        facts.hasLogin = setup.user != nil
        guard MosquittoClient.isReady else {
            facts.trouble = .system(.last)
            return facts
        }
        let end = loop.clock() + Self.patience
        let names = BrokerNames(loop: loop, questions: questions)
        let brokers = brokers(names, until: end, &facts)
        let epoch = MeetEpoch(at: SystemClock.utc())
        let trials = brokers.prefix(Self.most).map { broker in
            BrokerTrial(
                broker, setup,
                names: MeetNames(trial: random(), in: epoch, primitives: primitives),
                resolver: names, loop: loop)
        }
        turn(until: end) { trials.allSatisfy(\.isOver) }
        for trial in trials { trial.end(.timedOut) }
        facts.brokers = trials.map(\.facts)
        return facts
    }

    private func brokers(
        _ names: BrokerNames, until end: Instant, _ facts: inout MeetingPointFacts
    ) -> [MeetBroker] {
        let own = [setup.address.broker].compactMap(\.self)
        guard setup.address.hasRecords else { return own }
        let answer = Answer()
        names.services(of: setup.address.recordName) { answer.value = $0 }
        turn(until: end) { answer.value != nil }
        switch answer.value {
        case .found(let bytes):
            guard let records = ServiceRecords.brokers(in: bytes) else { fallthrough }
            facts.hasRecords = !records.isEmpty
            return records.isEmpty ? own : records.sorted()
        case .nobodySaid, nil:
            facts.trouble = .noNames
            return own
        case .some(.none): return own
        }
    }

    private final class Answer {
        var value: NameQuestion.Answer<[UInt8]>?
    }

    private func turn(until end: Instant, _ isOver: () -> Bool) {
        while !isOver(), loop.clock() < end { loop.turn(waitingAtMost: .milliseconds(100)) }
    }
}
