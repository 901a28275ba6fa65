// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let codec = EntryCodec(FakePrimitives())

/// Two agents with one lazy link, and all that each said on it.
private struct Pair {
    var logs: [LogSet]
    var machines: [Replication]
    var said: [[Message]] = [[], []]
    /// Whether pushed entries are lost.
    var losesPushes = false
    private(set) var now = Instant.zero
    private var inbox: [[Message]] = [[], []]
    private var random = SeededRandom(seed: 1)

    /// `isLater` unless they are agents of the version before.
    init(_ logs: [LogSet], isLater: Bool = true) {
        self.logs = logs
        machines = (0..<2).map {
            Replication(at: .zero, isEager: false, peer: FakeSigner(201 - UInt8($0)).key)
        }
        for agent in 0..<2 { machines[agent].readsSummaries = isLater }
    }

    func here(_ agent: Int) -> Replication.Surroundings {
        Replication.Surroundings(
            logs: logs[agent], frontier: Frontier(logs[agent], primitives: FakePrimitives()),
            map: .zero, room: Limits.bulkQueue)
    }

    mutating func write(_ entry: Entry, at agent: Int) {
        guard case .added = logs[agent].take(entry) else { return }
        machines[agent].grew(entry, announceAt: now + .milliseconds(100))
    }

    mutating func hear(_ message: Message, at agent: Int) {
        switch message {
        case .frontier(let frontier):
            say(machines[agent].frontier(frontier, here(agent), at: now), by: agent)
        case .summary(let summary):
            say(machines[agent].summary(summary, here(agent), at: now), by: agent)
        case .want(let want): say(machines[agent].want(want, here(agent)), by: agent)
        case .have(let list): say(machines[agent].have(list, here(agent), at: now), by: agent)
        case .entries(let batch):
            let results = batch.entries.map {
                logs[agent].insert($0, flight: testFlight.id, codec: codec)
            }
            say(
                machines[agent].ingested(results, kind: batch.kind, here(agent), at: now),
                by: agent)
        case .forkProof(let first, let second):
            _ = logs[agent].insertProof(first, second, flight: testFlight.id, codec: codec)
        case .lazy: machines[agent].lazy()
        default: Issue.record("unexpected \(message)")
        }
    }

    private mutating func say(_ output: Replication.Output, by agent: Int) {
        said[agent] += output.messages
        for message in output.messages {
            if case .entries(let batch) = message, batch.kind == .push, losesPushes {
                machines[agent].lostPush(at: now)
            } else {
                inbox[1 - agent].append(message)
            }
        }
    }

    /// Lets time pass in steps of a tenth of a second.
    mutating func run(seconds: Int) {
        for _ in 0..<(10 * seconds) {
            now = now + .milliseconds(100)
            for agent in 0..<2 {
                let messages = inbox[agent]
                inbox[agent] = []
                for message in messages { hear(message, at: agent) }
                say(machines[agent].flush(here(agent), random: &random, at: now), by: agent)
            }
        }
    }

    /// How many SUMMARYs each said.
    var summaries: [Int] { said.map { $0.filter(\.isSummary).count } }

    var digests: [Bytes32] { [0, 1].map { here($0).frontier?.digest ?? .zero } }
}

extension Message {
    fileprivate var isSummary: Bool { if case .summary = self { true } else { false } }
    fileprivate var isDigest: Bool {
        if case .frontier(let frontier) = self { frontier.items == nil } else { false }
    }
    fileprivate var announced: Int? { if case .have(let list) = self { list.count } else { nil } }
    fileprivate var items: Int? {
        if case .frontier(let frontier) = self { frontier.items?.count } else { nil }
    }
}

@Suite struct SummaryTests {
    private let writers: [Writer]
    private let all: LogSet

    init() throws {
        writers = try (1...60).map { try Writer.seated($0, "\($0)A") }
        all = LogSet.of(writers.flatMap(\.entries))
    }

    /// One has an entry more: a part of the logs is listed. Agents of the version before list all.
    @Test func onlyThePartThatDiffersIsListed() throws {
        var ahead = all
        var writer = writers[4]
        _ = ahead.take(try writer.write(.chat(text: "a", replyTo: nil)))
        var pair = Pair([all, ahead])
        pair.run(seconds: 3)
        #expect(pair.digests[0] == pair.digests[1])
        let listed = pair.said.flatMap { $0.compactMap(\.items) }
        #expect(listed.count == 2 && listed.allSatisfy { (1...8).contains($0) })
        #expect(pair.summaries == [1, 1])
        let announced = pair.said.joined().compactMap(\.announced)
        #expect(announced.allSatisfy { $0 <= 8 })
        var before = Pair([all, ahead], isLater: false)
        before.run(seconds: 3)
        #expect(before.digests[0] == before.digests[1])
        #expect(before.said.flatMap { $0.compactMap(\.items) } == [60, 60])
        #expect(before.summaries == [0, 0])
    }

    /// Whoever has nothing gets everything.
    @Test func aNewcomerGetsAll() {
        var pair = Pair([LogSet(), all])
        pair.run(seconds: 3)
        #expect(pair.digests[0] == pair.digests[1])
    }

    @Test func aRoundOfOneSideIsOneOfBoth() {
        var pair = Pair([all, all])
        pair.run(seconds: 1200)
        let rounds = pair.said.map { $0.filter(\.isDigest).count }
        #expect((38...45).contains(rounds[0] + rounds[1]))
        #expect(abs(rounds[0] - rounds[1]) <= 3)
    }

    /// False digests without end bring the whole frontier once in ten seconds.
    @Test func summariesWithoutEndAreAnsweredAtAPace() {
        var pair = Pair([all, all])
        pair.run(seconds: 1)
        let before = pair.said[0].count
        for number in 0..<900 {
            let lie = SummaryMessage(
                logs: .zero, map: .zero,
                buckets: (0..<UInt64(Limits.buckets)).map { $0 &+ UInt64(number) << 32 })
            pair.hear(.summary(lie), at: 0)
            if number % 100 == 99 { pair.run(seconds: 1) }
        }
        let answers = pair.said[0][before...]
        let long = answers.compactMap(\.items).filter { $0 > 8 }
        #expect(long == [60])
        #expect(pair.summaries[0] <= 2)
    }

    /// Both announced a log of one length: the branches show, though no list names them.
    @Test func aForkBehindAnnouncementsIsFound() throws {
        var pair = Pair([all, all])
        pair.run(seconds: 2)
        var one = writers[9]
        var other = one
        pair.write(try one.write(.chat(text: "a", replyTo: nil)), at: 0)
        pair.write(try other.write(.chat(text: "b", replyTo: nil)), at: 1)
        pair.run(seconds: 100)
        for agent in 0..<2 { #expect(pair.logs[agent].log(of: one.key)?.fork == 3) }
    }

    /// A push that found no place comes all the same, although no list names it.
    @Test func aLostPushIsRepairedByDigests() throws {
        var pair = Pair([all, all])
        pair.run(seconds: 20)
        pair.machines[0].becomeEager()
        pair.losesPushes = true
        var writer = writers[9]
        pair.write(try writer.write(.chat(text: "a", replyTo: nil)), at: 0)
        pair.run(seconds: 1)
        #expect(pair.digests[0] != pair.digests[1])
        pair.losesPushes = false
        pair.run(seconds: 4)
        #expect(pair.digests[0] == pair.digests[1])
    }

    /// Logs that grow all the time cost little to compare.
    @Test func whatWasSaidOtherwiseIsNotListed() throws {
        var pair = Pair([all, all])
        pair.run(seconds: 2)
        var writers = writers
        for turn in 0..<240 {
            let entry = try writers[turn % 60].write(.chat(text: "a", replyTo: nil))
            pair.write(entry, at: turn % 2)
            pair.run(seconds: 1)
        }
        let listed = pair.said.flatMap { $0.compactMap(\.items) }
        #expect(listed.reduce(0, +) < 60)
        pair.run(seconds: 2)
        #expect(pair.digests[0] == pair.digests[1])
    }
}
