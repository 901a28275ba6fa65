// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

@Suite struct PeerLogsTests {
    /// What tables by author would keep.
    private struct Tables {
        var seq: [PeerKey: Int] = [:]
        var confirmed: [PeerKey: Int] = [:]
        var forks: [PeerKey: Int] = [:]
        var told: [PeerKey: FrontierItem] = [:]
    }

    private let keys = (1...20).map { FakeSigner($0).key }

    private func item(_ random: inout SeededRandom) -> FrontierItem {
        FrontierItem(
            author: keys[Int.random(in: 0..<keys.count, using: &random)],
            seq: Int.random(in: 1...3, using: &random),
            head8: UInt64.random(in: 0...1, using: &random),
            fork: Int.random(in: 0...1, using: &random))
    }

    @Test(arguments: 1...20)
    func keepsWhatTablesKeep(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var logs = PeerLogs()
        var tables = Tables()
        #expect(!logs.isTold)
        for _ in 0..<200 {
            let item = item(&random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let isKept = logs.set(item.author, item.seq)
                #expect(isKept)
                tables.seq[item.author] = item.seq
            case 2:
                logs.confirm(item.author, item.seq)
                if tables.seq[item.author] != nil { tables.confirmed[item.author] = item.seq }
            case 3:
                logs.setFork(of: item.author, item.fork)
                if tables.seq[item.author] != nil { tables.forks[item.author] = item.fork }
            case 4 where Int.random(in: 0..<8, using: &random) == 0:
                logs.forgetForks()
                tables.forks = [:]
            default:
                logs.tell([item])
                tables.told[item.author] = item
            }
            for key in keys {
                #expect(logs.seq(of: key) == tables.seq[key])
                #expect(logs.confirmed(key) == tables.confirmed[key] ?? 0)
                #expect(logs.fork(of: key) == tables.forks[key] ?? 0)
            }
            let other = self.item(&random)
            #expect(logs.isTold(other) == (tables.told[other.author] == other))
            #expect(logs.isTold == !tables.told.isEmpty)
        }
        #expect(logs.allSatisfy { tables.seq[$0] == $1 })
        for key in tables.seq.keys { #expect(!logs.allSatisfy { author, _ in author != key }) }
    }

    /// A peer who lists ever new authors has room for twice as many as a flight has.
    @Test func authorsWhoDoNotExistFillNoMemory() {
        var machine = Replication(at: .zero)
        let here = Replication.Surroundings(
            logs: LogSet(), frontier: Frontier(LogSet(), primitives: FakePrimitives()),
            map: .zero, room: 0)
        var made: [PeerKey] = []
        for list in 0..<3 {
            let keys = (0..<Limits.authors).compactMap { number in
                PeerKey(
                    FakePrimitives().sha256(
                        [UInt8(list), UInt8(number >> 8), UInt8(number & 255)]
                    ).bytes)
            }.sorted()
            made += keys
            let items = keys.map { FrontierItem(author: $0, seq: 7, head8: 1, fork: 0) }
            _ = machine.frontier(
                FrontierMessage(logs: .zero, map: .zero, items: items, isPartial: list > 0), here,
                at: .zero)
        }
        let counted = made.count { machine.claimed(of: $0) == 7 }
        #expect(counted == 2 * Limits.authors)
        #expect(made.suffix(Limits.authors).allSatisfy { machine.claimed(of: $0) == 0 })
        #expect(made.suffix(Limits.authors).allSatisfy { machine.confirmed($0) == 0 })
        #expect(machine.raised.count == 2 * Limits.authors)
    }
}
