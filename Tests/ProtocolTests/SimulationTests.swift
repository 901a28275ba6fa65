// SPDX-License-Identifier: Apache-2.0
import Simulation
import Testing

/// A slice of the simulator in every run of the tests; `make soak` has the rest.
@Suite struct SimulationTests {
    /// Whole lives with everything that can go wrong.
    @Test(arguments: 0..<5)
    func livesEndWell(slice: UInt64) {
        for seed in (2 * slice + 1)...(2 * slice + 2) {
            let outcome = SimWorld.run(seed: seed, SimOptions())
            if let failure = outcome.failure {
                Issue.record(
                    "\(failure.rule): \(failure.text); replay: seatsim --seed \(seed) --trace")
            }
        }
    }

    /// People look for swaps and propose what they find, and liars wish and propose among them.
    @Test(arguments: 0..<2)
    func plansEndWell(slice: UInt64) {
        var options = SimOptions()
        options.plans = true
        let totals = Totals(of: (3 * slice + 1001)...(3 * slice + 1003), options)
        #expect(totals.searches > 60 && totals.planned > 5 && totals.seated > 0)
        #expect(totals.lies > 10 && totals.signed > 0)
    }

    /// One seed is one run, to the last byte.
    @Test func aSeedIsReproducible() {
        for seed in [3, 14] as [UInt64] {
            let one = SimWorld.run(seed: seed, SimOptions())
            let other = SimWorld.run(seed: seed, SimOptions())
            #expect(one.digest == other.digest && one.totals.events == other.totals.events)
        }
    }

    /// Every kind of fault happens, and so does what people came for.
    @Test func nothingIsMissing() {
        var totals = Totals()
        for kind in FaultKind.allCases {
            var options = SimOptions()
            for other in FaultKind.allCases { options.faults[other] = other == kind ? 100 : 0 }
            options.agents = 3
            var mine = Totals()
            for seed in 1...2 as ClosedRange<UInt64> {
                mine.add(SimWorld.run(seed: seed, options).totals)
            }
            #expect(mine.faults[kind.rawValue] > 0, "\(kind.name) never happens")
            totals.add(mine)
        }
        #expect(totals.committed > 20 && totals.aborted > 3 && totals.declined > 10)
        #expect(totals.suggested > 30)
        #expect(totals.partyLines > 3)
    }
}
