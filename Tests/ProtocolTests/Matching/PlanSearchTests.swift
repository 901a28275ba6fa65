// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The search for plans against one that tries everything, in small cabins.
@Suite struct PlanSearchTests {
    /// What the matcher finds at best, as the reference counts it.
    static func best(_ scene: MatchScene) -> ReferenceMatch.Value? {
        var plans = PlanSearch(scene)
        plans.seatParty()
        plans.serveWishes()
        return plans.found.first.map { proposal in
            let standing = proposal.standing
            return ReferenceMatch.Value(numbers: [
                standing.safe, standing.together.count, standing.together.degree.rawValue,
                standing.helped, standing.gains, -standing.favours, -standing.legs,
            ])
        }
    }

    @Test(arguments: 0..<8) func theBestPlanIsFound(part: UInt64) {
        var found = 0
        for seed in part * 20..<part * 20 + 20 {
            let scene = SeatedCabin.random(seed: seed, people: 4...8).own
            let reference = ReferenceMatch(scene)
            #expect(Self.best(scene) == reference.best, "seed \(seed)")
            if reference.best != nil { found += 1 }
        }
        #expect(found > 3)
    }
}
