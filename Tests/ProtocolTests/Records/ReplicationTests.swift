// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let codec = EntryCodec(FakePrimitives())

/// Agents that only replicate: logs and one machine a link, joined by lossy pipes.
private struct Network {
    struct Link {
        let from: Int
        let to: Int
        var machine: Replication
        var inbox: [Message] = []
    }

    var logs: [LogSet]
    var links: [Link] = []
    var now = Instant.zero
    var random: SeededRandom
    /// Chance in 100 that a push is lost.
    var loss = 0
    /// WANTs said so far.
    var wants = 0

    init(_ count: Int, seed: UInt64) {
        logs = Array(repeating: LogSet(), count: count)
        random = SeededRandom(seed: seed)
        for from in 0..<count {
            for to in 0..<count where from != to {
                links.append(Link(from: from, to: to, machine: Replication(at: now)))
            }
        }
    }

    func here(_ agent: Int) -> Replication.Surroundings {
        let frontier = Frontier(logs[agent], primitives: FakePrimitives())
        return Replication.Surroundings(
            logs: logs[agent], frontier: frontier, map: .zero, room: Limits.bulkQueue)
    }

    /// The author takes an entry of their own.
    mutating func write(_ entry: Entry, at agent: Int) {
        guard case .added = logs[agent].take(entry) else { return }
        for index in links.indices where links[index].from == agent {
            links[index].machine.grew(entry, announceAt: now + random.span(Limits.announceAfter))
        }
    }

    private mutating func deliver(_ output: Replication.Output, over link: Int) {
        let back = links.firstIndex {
            $0.from == links[link].to && $0.to == links[link].from
        }
        guard let back else { return }
        for message in output.messages {
            if case .entries(let batch) = message, batch.kind == .push,
                Int.random(in: 0..<100, using: &random) < loss
            {
                continue
            }
            links[back].inbox.append(message)
        }
    }

    private mutating func take(_ message: Message, over link: Int) {
        let agent = links[link].from
        switch message {
        case .frontier(let frontier):
            deliver(links[link].machine.frontier(frontier, here(agent), at: now), over: link)
        case .want(let want):
            wants += 1
            deliver(links[link].machine.want(want, here(agent)), over: link)
        case .have(let list):
            deliver(links[link].machine.have(list, here(agent), at: now), over: link)
        case .entries(let batch):
            var results: [Insertion] = []
            for bytes in batch.entries {
                let result = logs[agent].insert(bytes, flight: testFlight.id, codec: codec)
                results.append(result)
                guard case .added(let entry) = result else { continue }
                for other in links.indices where links[other].from == agent && other != link {
                    links[other].machine.grew(
                        entry, announceAt: now + random.span(Limits.announceAfter))
                }
            }
            let output = links[link].machine.ingested(
                results, kind: batch.kind, here(agent), at: now)
            deliver(output, over: link)
        case .forkProof(let first, let second):
            _ = logs[agent].insertProof(first, second, flight: testFlight.id, codec: codec)
        case .lazy: links[link].machine.lazy()
        default: Issue.record("unexpected \(message)")
        }
    }

    /// Lets time pass in steps of half a second, everything due is done.
    mutating func run(seconds: Int) {
        for _ in 0..<(2 * seconds) {
            now = now + .milliseconds(500)
            for link in links.indices {
                let inbox = links[link].inbox
                links[link].inbox = []
                for message in inbox { take(message, over: link) }
                let output = links[link].machine.flush(
                    here(links[link].from), random: &random, at: now)
                deliver(output, over: link)
            }
        }
    }

    var digests: Set<Bytes32> {
        Set(logs.map { Frontier($0, primitives: FakePrimitives()).digest })
    }
}

@Suite struct ReplicationTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func lostPushesAreRepaired(seed: UInt64) throws {
        var network = Network(4, seed: seed)
        network.loss = 60
        for agent in 0..<4 {
            var writer = try Writer.seated(UInt8(agent + 1), "\(agent + 1)A")
            for number in 0..<20 { try writer.write(.chat(text: "\(number)", replyTo: nil)) }
            for entry in writer.entries { network.write(entry, at: agent) }
        }
        network.run(seconds: 150)
        #expect(network.digests.count == 1)
        #expect(
            network.logs.allSatisfy { $0.logs.count == 4 && $0.logs.allSatisfy { $0.seq == 22 } })
    }

    /// Two agents hold two branches of one log; everybody ends with the same proof and prefix.
    @Test(arguments: [(1, 1), (2, 9), (3, 30)] as [(UInt64, Int)])
    func branchesEndInOneProof(seed: UInt64, length: Int) throws {
        var network = Network(3, seed: seed)
        var left = try Writer.seated(9, "9A")
        var right = left
        for number in 0..<length { try left.write(.chat(text: "l\(number)", replyTo: nil)) }
        for number in 0..<(length / 2 + 1) {
            try right.write(.chat(text: "r\(number)", replyTo: nil))
        }
        for entry in left.entries { _ = network.logs[0].take(entry) }
        for entry in right.entries { _ = network.logs[1].take(entry) }
        network.run(seconds: 200)
        #expect(network.digests.count == 1)
        for logs in network.logs {
            #expect(logs.log(of: left.key)?.fork == 3)
            #expect(logs.log(of: left.key)?.seq == 2)
        }
    }

    /// Wherever the branches part and however long they are: two agents who hold one each, and one
    /// who holds a third, find the fork instead of asking for what does not fit for ever.
    @Test(arguments: 0..<9)
    func forksAreFoundWhereverTheyAre(prefix: Int) throws {
        for (left, right) in [(1, 1), (1, 2), (1, 4), (2, 3), (3, 9), (6, 1)] {
            var network = Network(3, seed: UInt64(prefix))
            var writer = try Writer.seated(9, "9A")
            for number in 0..<prefix { try writer.write(.chat(text: "\(number)", replyTo: nil)) }
            for (agent, length) in [left, right, left + 1].enumerated() {
                var branch = writer
                for number in 0..<length {
                    try branch.write(.chat(text: "\(agent) \(number)", replyTo: nil))
                }
                for entry in branch.entries { _ = network.logs[agent].take(entry) }
            }
            network.run(seconds: 200)
            #expect(network.digests.count == 1, "branches of \(left) and \(right)")
            for logs in network.logs {
                #expect(logs.log(of: writer.key)?.fork == prefix + 3)
                #expect(logs.log(of: writer.key)?.seq == prefix + 2)
            }
            #expect(network.wants < 200, "\(network.wants) times asked")
        }
    }

    @Test func aLongLogComesInBudgetedSlices() throws {
        var network = Network(2, seed: 5)
        var writer = try Writer.seated(1, "1A")
        let text = String(repeating: "x", count: 2000)
        for _ in 0..<400 { try writer.write(.chat(text: text, replyTo: nil)) }
        for entry in writer.entries { _ = network.logs[0].take(entry) }
        network.run(seconds: 60)
        #expect(network.digests.count == 1)
    }

    @Test func anAnswerStopsAtItsBudgetAndItsRoom() throws {
        var writer = try Writer.seated(1, "1A")
        let text = String(repeating: "x", count: 2000)
        for _ in 0..<100 { try writer.write(.chat(text: text, replyTo: nil)) }
        let logs = LogSet.of(writer.entries)
        let stretch = Want.Stretch(author: writer.key, from: 1, through: 102)
        func answer(budget: Int, room: Int) -> [EntryBatch] {
            var machine = Replication(at: .zero)
            let here = Replication.Surroundings(
                logs: logs, frontier: Frontier(logs, primitives: FakePrimitives()), map: .zero,
                room: room)
            return machine.want(Want(budget: budget, stretches: [stretch]), here).messages
                .compactMap { message in
                    if case .entries(let batch) = message { return batch }
                    return nil
                }
        }
        let small = answer(budget: 10_000, room: Limits.bulkQueue)
        #expect(small.map(\.kind) == [.last])
        #expect(small.flatMap(\.entries).reduce(0) { $0 + $1.count } < 10_000 + Limits.entry)
        #expect(answer(budget: Limits.wantBudget, room: 1000).isEmpty)
        let slices = answer(budget: Limits.wantBudget, room: Limits.bulkQueue)
        #expect(slices.last?.kind == .last)
        #expect(slices.dropLast().allSatisfy { $0.kind == .answer })
        #expect(
            slices.allSatisfy { batch in
                batch.entries.count <= Limits.entriesPerFrame
                    && batch.entries.reduce(0) { $0 + $1.count } <= Limits.bulkSlice
            })
    }

    @Test func equalLogsWithOtherMapsAreTold() throws {
        let logs = LogSet.of(try Writer.seated(1, "1A").entries)
        let frontier = Frontier(logs, primitives: FakePrimitives())
        var machine = Replication(at: .zero)
        let here = Replication.Surroundings(logs: logs, frontier: frontier, map: .zero, room: 0)
        let same = FrontierMessage(logs: frontier.digest, map: .zero, items: nil)
        #expect(!machine.frontier(same, here, at: .zero).diverged)
        let map = FakePrimitives().sha256([1])
        let other = FrontierMessage(logs: frontier.digest, map: map, items: nil)
        #expect(machine.frontier(other, here, at: .zero).diverged)
    }

    /// A newcomer among many long logs reads first who is at the other end.
    @Test func whoeverIsLinkedIsAskedForFirst() throws {
        let keys = (1...5).map { FakeSigner($0).key }.sorted()
        var machine = Replication(at: .zero)
        let logs = LogSet()
        let here = Replication.Surroundings(
            logs: logs, frontier: nil, map: .zero, room: 0, met: [keys[4], keys[2]])
        let told = keys.map { Have(author: $0, seq: 9) }
        let messages = machine.have(told, here, at: .zero).messages
        guard case .want(let want)? = messages.first else {
            Issue.record("no WANT: \(messages)")
            return
        }
        #expect(want.stretches.map(\.author) == [2, 4, 0, 1, 3].map { keys[$0] })
    }

    @Test func whatThePeerHasMoreOfIsCounted() throws {
        let writer = try Writer.seated(1, "1A")
        var fork = writer
        try fork.write(.chat(text: "a", replyTo: nil))
        var other = writer
        try other.write(.chat(text: "b", replyTo: nil))
        var logs = LogSet.of(writer.entries)
        var machine = Replication(at: .zero)
        machine.has(writer.key, 30)
        machine.has(FakeSigner(2).key, 37)
        // 28 of one, 37 of the other.
        #expect(machine.lacks(moreThan: 64, logs))
        #expect(!machine.lacks(moreThan: 65, logs))
        var failed = machine
        failed.resting = [FakeSigner(2).key]
        #expect(failed.lacks(moreThan: 27, logs) && !failed.lacks(moreThan: 28, logs))
        let proof = try #require(ForkProof(fork.entries[2], other.entries[2]))
        let isNew = logs.insert(proof: proof)
        #expect(isNew)
        #expect(machine.lacks(moreThan: 36, logs) && !machine.lacks(moreThan: 37, logs))
    }
}
