// SPDX-License-Identifier: Apache-2.0
import Foundation
import ProtocolTestKit
import Testing

@testable import Protocol

/// Four passengers who ask, answer, counter, cancel and talk at random, while agents die at random
/// commits, cables are cut and clocks go on. In the end everybody agrees and nobody is blamed.
private struct Life {
    var world = World()
    var random: SeededRandom

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        for name in ["1A", "2B", "3C", "4D"] { try world.add(name) }
        world.run(seconds: 1)
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func number(_ host: Int) -> Int {
        1 + pick(max(1, world.hosts[host].node.swaps.records.count))
    }

    private mutating func anySeat() throws -> Seat {
        try require(Seat(["1A", "2B", "3C", "4D"][pick(4)]))
    }

    /// One thing happens.
    mutating func step() throws {
        let host = pick(4)
        switch pick(14) {
        case 0, 1, 2:
            let take = try anySeat()
            world.wish(host, .swap(take: take, give: nil, note: "", expires: 60))
        case 3, 4, 5: world.wish(host, .accept(number(host), override: pick(2) == 0))
        case 6: world.wish(host, .decline(number(host), note: ""))
        case 7: world.wish(host, .cancel(number(host)))
        case 8: world.wish(host, .say("x"))
        case 9:
            // Dies at one of the next commits, in one of three ways.
            let (commit, way) = (world.hosts[host].commits + 1 + pick(3), pick(3))
            world.death = World.Death(
                host: host, commit: commit, afterWrites: way > 0, sendsLeave: way > 1)
        case 10:
            for index in world.hosts.indices where !world.hosts[index].isUp {
                world.restart(index)
            }
        case 11: world.cut()
        case 12: world.heal()
        default: world.run(seconds: Int64(1 + pick(8)))
        }
        for _ in 0..<pick(12) { _ = world.step() }
    }

    /// All is well again, and enough time passes.
    mutating func recover() {
        world.death = nil
        world.heal()
        for index in world.hosts.indices where !world.hosts[index].isUp { world.restart(index) }
        world.run(seconds: 150)
    }

    /// Everything that must hold whatever happened.
    func check(_ seed: UInt64) {
        #expect(world.agree, "seed \(seed): maps differ")
        for host in world.hosts {
            let node = host.node
            #expect(node.logs.proofs.isEmpty, "seed \(seed): an honest agent is blamed")
            #expect(node.misdeeds.isEmpty, "seed \(seed): an honest agent is convicted")
            #expect(node.fold.tokens.count == 4, "seed \(seed)")
            #expect(host.disk.stored.locks.isEmpty, "seed \(seed): a seat is held for nothing")
            for record in node.swaps.records {
                #expect(record.stage.isOver, "seed \(seed): \(record.stage)")
                // Whoever committed sees the contract complete, and so does everybody else.
                let isComplete = node.fold.contract(record.contract.id)?.complete ?? false
                #expect(isComplete == (record.stage == .committed), "seed \(seed): \(record.stage)")
            }
        }
        let seats = (0..<4).flatMap { world.seats($0) }
        #expect(seats.sorted() == ["1A", "2B", "3C", "4D"], "seed \(seed)")
        #expect((0..<4).allSatisfy { world.seats($0).count == 1 }, "seed \(seed)")
    }

    var committed: Int {
        world.hosts[0].node.fold.contracts.count { $0.applied }
    }
}

@Suite struct RandomLifeTests {
    @Test func nothingThatHappensSplitsThem() throws {
        var swaps = 0
        // Two lives in every run; more when asked: SEATAGENT_LIVES=100.
        let lives = ProcessInfo.processInfo.environment["SEATAGENT_LIVES"].flatMap { UInt64($0) }
        for seed in 1...(lives ?? 2) {
            var life = try Life(seed: seed)
            for _ in 0..<60 { try life.step() }
            life.recover()
            life.check(seed)
            swaps += life.committed
        }
        #expect(swaps > 0)
    }
}
