// SPDX-License-Identifier: Apache-2.0
import Simulation
import Testing

/// Whole days, from home to arrival, with everything at once; `make soak` has the rest.
@Suite struct DaySimulationTests {
    /// Short days with few passengers, so that some fit into a run of the tests.
    private static var short: SimOptions {
        var options = SimOptions()
        options.days = true
        options.agents = 4
        options.seconds = 60
        return options
    }

    /// Nothing goes wrong but by hostile keys.
    private static var calm: SimOptions {
        var options = short
        for kind in FaultKind.allCases { options.faults[kind] = 0 }
        for fault in MeetFault.allCases { options.meetFaults[fault] = 0 }
        return options
    }

    @Test func daysEndWell() {
        let totals = Totals(of: [1, 5], Self.short)
        #expect(totals.days == 2 && totals.mailed > 50 && totals.searches > 20)
        #expect(totals.sieges > 5 && totals.hostile > 10)
    }

    /// Companions find each other at home, and swaps are made there and aboard.
    @Test func whatPeopleCameForHappens() {
        let totals = Totals(of: [9, 10], Self.calm)
        #expect(totals.found > 0 && totals.tunnels > 0 && totals.atHome > 0 && totals.aboard > 0)
    }

    /// One day in four is in a venue, with hostile keys among its members.
    @Test func aVenuesDayEndsWell() {
        var options = DeskOptions()
        options.days = true
        let seed: UInt64 = 7
        let outcome = DeskWorld.run(seed: seed, options)
        if let failure = outcome.failure {
            Issue.record("\(failure.rule): \(failure.text); replay: seatsim --days --seed \(seed)")
        }
        #expect(DayLife.isInVenue(seed) && outcome.totals.faults[DeskFault.siege.rawValue] > 0)
    }

    /// One seed is one day, to the last byte.
    @Test func aDayIsReproducible() {
        let one = SimWorld.run(seed: 9, Self.calm)
        let other = SimWorld.run(seed: 9, Self.calm)
        #expect(one.digest == other.digest && one.totals.meetEvents == other.totals.meetEvents)
    }

    /// What is made wrong on purpose is noticed, by the rule that it breaks.
    @Test(arguments: [
        (MeetSabotage.hearsNobody, 5, "mail"), (.forgetsYes, 5, "consent"), (.stealsKey, 8, "I6"),
    ])
    func whatIsMadeWrongIsNoticed(sabotage: MeetSabotage, seed: UInt64, rule: String) {
        var options = Self.calm
        options.sabotage = sabotage
        #expect(SimWorld.run(seed: seed, options).failure?.rule == rule)
    }
}
