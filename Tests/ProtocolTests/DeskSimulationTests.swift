// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Simulation
import Testing

@testable import Protocol

/// A slice of the simulator of venues in every run of the tests; `make soak` has the rest.
@Suite struct DeskSimulationTests {
    private static func tell(_ seed: UInt64, _ outcome: DeskOutcome) {
        guard let failure = outcome.failure else { return }
        Issue.record(
            "\(failure.rule): \(failure.text); replay: seatsim --desks --seed \(seed) --trace")
    }

    /// Whole lives of a venue with everything that can go wrong.
    @Test func livesEndWell() {
        var totals = DeskTotals()
        for seed in 1...2 as ClosedRange<UInt64> {
            let outcome = DeskWorld.run(seed: seed)
            totals.add(outcome.totals)
            Self.tell(seed, outcome)
        }
        #expect(totals.granted > 15 && totals.refused > 5)
    }

    /// One seed is one run, to the last byte.
    @Test func aSeedIsReproducible() {
        var options = DeskOptions()
        options.deeds = 12
        let one = DeskWorld.run(seed: 3, options)
        let other = DeskWorld.run(seed: 3, options)
        #expect(one.digest == other.digest && one.totals.arrivals == other.totals.arrivals)
    }

    /// Every kind of fault happens.
    @Test func nothingIsMissing() {
        var options = DeskOptions()
        options.faults = DeskFault.allCases
        var totals = DeskTotals()
        // Which one happens is a matter of chance, so as many seeds as it takes; of these two
        // most happen.
        for seed in [16, 19] + Array(1...12 as ClosedRange<UInt64>)
        where totals.faults.contains(0) {
            totals.add(DeskWorld.run(seed: seed, options).totals)
        }
        for fault in DeskFault.allCases {
            #expect(totals.faults[fault.rawValue] > 0, "\(fault.name) never happens")
        }
    }

    /// What is wrong is reported, by the rule that it breaks.
    @Test(arguments: [
        (DeskSabotage.countsTwice, 2, "B1"), (.lacksOne, 1, "B3"), (.forksUnseen, 6, "B4"),
        (.staysAway, 1, "liveness"),
    ])
    func checksCanFail(sabotage: DeskSabotage, seed: UInt64, rule: String) {
        var options = DeskOptions()
        options.sabotage = sabotage
        options.faults = sabotage == .forksUnseen ? [.fork] : []
        #expect(DeskWorld.run(seed: seed, options).failure?.rule == rule)
    }
}
