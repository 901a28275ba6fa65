// SPDX-License-Identifier: Apache-2.0
import Glibc
import Profile
import Protocol
import Rendezvous
import System
import Testing

@testable import Brokers

/// One pool of brokers in a loop, and what it told.
final class PoolProbe {
    let loop: EventLoop
    private let folder: TestFolder
    let pool: BrokerPool
    private let told = Told()

    /// What the pool told, in order.
    private final class Told {
        var events: [MeetEvent] = []
        var react: (MeetEvent) -> Void = { _ in }
    }

    var events: [MeetEvent] { told.events }

    /// Whether there is time for tests of ten seconds.
    static let isSoak = getenv("SEATAGENT_SOAK") != nil

    /// Every name leads to this machine.
    static var here: BrokerNames.Questions {
        var questions = BrokerNames.Questions()
        questions.addresses = { _ in .found([Address(host: .loopback4, port: 0)]) }
        questions.services = { _ in .none }
        return questions
    }

    init(
        _ url: String, in folder: TestFolder, on loop: EventLoop? = nil, roots: String? = nil,
        user: String? = nil, password: String? = nil, limits: BrokerLimits = BrokerLimits(),
        questions: BrokerNames.Questions = PoolProbe.here
    ) throws {
        let loop = try loop ?? EventLoop()
        self.loop = loop
        self.folder = folder
        var setup = try BrokerPool.Setup(
            address: try MeetAddress(parsing: url), roots: roots, folder: folder.path)
        setup.limits = limits
        (setup.user, setup.password) = (user, password)
        let names = BrokerNames(loop: loop, questions: questions)
        pool = BrokerPool(setup, loop: loop, names: names) { [told] in
            told.events.append($0)
            told.react($0)
        }
        pool.start()
    }

    deinit { pool.stop() }

    /// For a test that waits until patience ends.
    static var short: BrokerLimits {
        var limits = BrokerLimits()
        limits.patience = .milliseconds(500)
        return limits
    }

    /// Turns the loop until that is so; a test that waits in vain fails.
    func wait(
        _ what: String, seconds: Int64 = 20, _ location: SourceLocation = #_sourceLocation,
        _ isSo: (PoolProbe) -> Bool
    ) throws {
        let end = SystemClock.now() + .seconds(seconds)
        while !isSo(self), SystemClock.now() < end {
            loop.turn(waitingAtMost: .milliseconds(20))
        }
        try #require(isSo(self), "\(what): \(events)", sourceLocation: location)
    }

    /// The brokers that the pool told of.
    func brokers() throws -> [MeetBroker] {
        try wait("the pool") { $0.events.contains { if case .pool = $0 { true } else { false } } }
        for case .pool(let brokers) in events.reversed() { return brokers }
        return []
    }

    /// The only one.
    func broker() throws -> MeetBroker { try #require(try brokers().first) }

    /// Does something whenever an event comes, as a meeting does.
    func react(_ reaction: @escaping (MeetEvent) -> Void) { told.react = reaction }

    func ask(_ what: MeetAsk.What) throws { pool.perform([MeetAsk(try broker(), what)]) }

    /// Connects and waits for it.
    func connect() throws {
        try ask(.connect)
        let broker = try broker()
        try wait("up") { $0.events.contains(.up(broker)) }
    }

    /// Tries to connect; why it did not come about.
    func failure() throws -> BrokerTrouble? {
        let broker = try broker()
        try ask(.connect)
        try wait("down") { $0.events.contains(.down(broker)) }
        return pool.troubles[broker]
    }

    /// Under which something came.
    var topics: Set<String> {
        Set(events.compactMap { if case .came(_, let topic, _) = $0 { topic } else { nil } })
    }

    func count(_ event: MeetEvent) -> Int { events.count { $0 == event } }
}
