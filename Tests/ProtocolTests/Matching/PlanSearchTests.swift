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

    /// Where half of the steps were too few for seats over two rows, and the other half are enough
    /// since better plans were found by then, nothing was left out.
    @Test func whatIsLookedAtAgainToItsEndIsNotCut() {
        let scene = Self.crowd.own
        var whole = PlanSearch(scene)
        whole.seatParty()
        #expect(!whole.isCut && whole.found.first?.standing.together.degree ?? .apart > .apart)
        let seen = (0...2 * whole.steps.taken + 9).map { limit in
            var plans = PlanSearch(scene, steps: MatchSteps(limit: limit))
            plans.seatParty()
            return (isCut: plans.isCut, isOver: plans.steps.isOver, taken: plans.steps.taken)
        }
        #expect(seen.contains { $0.isCut })
        #expect(seen.contains { !$0.isCut && !$0.isOver && $0.taken > whole.steps.taken })
    }

    /// Four who get no four seats side by side: nobody at the aisle moves.
    private static var crowd: SeatedCabin {
        var aboard = SeatedCabin("ABC DEF", rows: 6)
        aboard.party("1A 2B 4F 6E")
        for row in 1...6 {
            for letter in ["A", "B", "C", "D", "E", "F"] {
                let seat = "\(row)\(letter)"
                guard !["1A", "2B", "4F", "6E"].contains(seat) else { continue }
                aboard.sit(seat, "p\(seat)", free: !["C", "D"].contains(letter))
            }
        }
        return aboard
    }
}
