// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The invariants of docs/protocol.md section 13 and the second implementation, over random flights
/// with and without cheats.
@Suite struct FoldTurmoilTests {
    /// What a batch of flights came to, so that a test sees that it was not idle.
    struct Tally {
        var compared = 0
        var applied = 0
        var beaten = 0
        var dead = 0
        var waiting = 0
        var forks = 0
        var rollbacks = 0
    }

    static func run(_ seed: UInt64, cheats: Int, _ tally: inout Tally) {
        var world = Turmoil(seed: seed, honest: 3 + Int(seed % 3), cheats: cheats)
        for step in 0..<28 {
            world.step()
            let index = step % world.honest.count
            check(&world, index, seed, &tally)
        }
        world.heal()
        for index in world.honest.indices { check(&world, index, seed, &tally) }
        let digests = world.honest.map { $0.fold.digest(Traveller.primitives) }
        #expect(digests.allSatisfy { $0 == digests[0] }, "I1, seed \(seed)")
        reorder(&world, seed)
    }

    /// What one agent knows now: equal to the reference, sound, a fit
    /// successor, and fair to the honest.
    static func check(_ world: inout Turmoil, _ index: Int, _ seed: UInt64, _ tally: inout Tally) {
        let fold = world.fold(index)
        let old = world.honest[index].checked
        guard fold != old else { return }
        world.honest[index].checked = fold
        let logs = world.honest[index].logs
        let misdeeds = Fold.misdeeds(logs)
        #expect(Invariants.violations(of: fold).isEmpty, "I2-I4, seed \(seed)")
        let growth = Invariants.violations(from: old, to: fold, blamed: misdeeds.map(\.author))
        #expect(growth.isEmpty, "I5, I7, seed \(seed)")
        for agent in world.honest {
            #expect(!misdeeds.contains { $0.author == agent.me.key }, "I6, seed \(seed)")
        }
        tally.applied += fold.contracts.count(where: \.applied)
        tally.beaten += fold.contracts.count(where: \.beaten)
        tally.dead += fold.contracts.count { $0.dead && $0.complete }
        tally.waiting += fold.contracts.count { $0.certificate != nil && !$0.complete }
        tally.forks += fold.forks.count
        tally.rollbacks += old.contracts.count {
            $0.applied && fold.contract($0.id)?.applied != true
        }
        guard seed % 4 == 0 || index == 0 else { return }
        tally.compared += 1
        #expect(ReferenceFold.fold(logs) == fold, "differential, seed \(seed)")
    }

    /// The same set in another order of arrival, with duplicates.
    static func reorder(_ world: inout Turmoil, _ seed: UInt64) {
        let known = world.honest[0].logs
        var again = Known()
        var parcels = known.logs.flatMap { log in
            stride(from: 0, to: log.seq, by: 3).map { Array(log.entries.prefix($0 + 3)) }
        }
        parcels += parcels
        parcels.shuffle(using: &world.random)
        for log in known.logs { if let proof = log.proof { again.learn(proof) } }
        for parcel in parcels { for entry in parcel { again.append(entry) } }
        #expect(again == known, "seed \(seed)")
        let fold = world.honest[0].fold
        #expect(Fold.fold(again) == fold, "I1, seed \(seed)")
        // The real set cuts every log at its fork; the map must not notice.
        var cut = LogSet()
        for proof in Evidence(known).proofs.shuffled(using: &world.random) {
            _ = cut.insert(proof: proof)
        }
        for parcel in parcels { for entry in parcel { cut.restore(entry) } }
        #expect(Fold.fold(cut).mapBytes == fold.mapBytes, "I1 with cut logs, seed \(seed)")
    }

    @Test func honestFlightsNeverRollBack() {
        var tally = Tally()
        for seed in 1...30 { Self.run(UInt64(seed), cheats: 0, &tally) }
        #expect(tally.rollbacks == 0 && tally.forks == 0 && tally.beaten == 0)
        #expect(tally.applied > 30 && tally.dead == 0, "\(tally)")
    }

    @Test(arguments: 0..<8) func cheatsHarmOnlyThemselves(batch: Int) {
        var tally = Tally()
        for seed in 1...Soak.rounds(16, short: 6) {
            Self.run(UInt64(1000 + batch * 100 + seed), cheats: 1 + seed % 2, &tally)
        }
        #expect(tally.applied > 0 && tally.beaten > 0 && tally.forks > 0, "\(tally)")
    }
}
