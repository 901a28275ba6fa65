// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The running fold is the fold of all logs, after each entry of random flights: with and without
/// cheats, and of sets in which nobody keeps any rule.
@Suite struct RunningFoldTurmoilTests {
    /// What somebody knows, told anew: authors in turn by chance, mostly one entry at a time,
    /// proofs somewhere between.
    static func replay(
        _ all: Known, _ random: inout SeededRandom, _ follower: inout Follower, _ words: String
    ) {
        var known = Known()
        var left = all.logs.map { $0.entries[...] }
        var proofs = all.logs.compactMap(\.proof)
        follower.running = RunningFold()
        while true {
            let open = left.indices.filter { !left[$0].isEmpty }
            guard let author = open.randomElement(using: &random) else { break }
            let count = Int.random(in: 0..<4, using: &random) == 0 ? 6 : 1
            for entry in left[author].prefix(count) { known.append(entry) }
            left[author] = left[author].dropFirst(count)
            if Int.random(in: 0..<20, using: &random) == 0, let proof = proofs.popLast() {
                known.learn(proof)
            }
            follower.follow(known, words)
        }
        for proof in proofs {
            known.learn(proof)
            follower.follow(known, words)
        }
    }

    @Test(arguments: 0..<4) func flightsAreFollowed(batch: Int) {
        var again = Follower()
        var onward = 0
        for seed in 1...8 {
            let cheats = batch == 0 ? 0 : seed % 3
            let name = UInt64(7000 + batch * 100 + seed)
            var world = Turmoil(seed: name, honest: 3 + seed % 3, cheats: cheats)
            var followers = world.honest.map { _ in Follower() }
            for step in 0..<24 {
                world.step()
                let index = step % world.honest.count
                followers[index].follow(world.honest[index].logs, "seed \(name)")
            }
            world.heal()
            for index in followers.indices {
                followers[index].follow(world.honest[index].logs, "seed \(name), healed")
                onward += followers[index].onward
            }
            Self.replay(
                world.honest[0].logs, &world.random, &again, "seed \(name), told again")
        }
        #expect(onward > 20 && again.onward > 30 && again.whole > 8, "\(onward) \(again)")
    }

    @Test(arguments: 0..<4) func chaosIsFollowed(batch: Int) {
        var follower = Follower()
        for seed in 0..<30 {
            var chaos = FoldChaosTests.Chaos(seed: UInt64(70_000 + batch * 1000 + seed))
            let view = chaos.view()
            Self.replay(view, &chaos.random, &follower, "batch \(batch) seed \(seed)")
        }
        #expect(follower.onward > 100 && follower.whole > 100, "\(follower)")
    }
}
