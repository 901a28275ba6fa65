// SPDX-License-Identifier: Apache-2.0
import Simulation
import Testing

/// Lives that begin at home, where passengers meet through brokers of all kinds; `make soak` has
/// the rest.
@Suite struct MeetSimulationTests {
    /// Short lives with few passengers, so that many fit into a run of the tests.
    private static var short: SimOptions {
        var options = SimOptions()
        options.meet = true
        options.agents = 3
        options.seconds = 60
        return options
    }

    /// From home to the aircraft with everything that can go wrong, and what people came for.
    @Test(arguments: 0..<3)
    func livesFromHomeEndWell(slice: UInt64) {
        let totals = Totals(of: (2 * slice + 1)...(2 * slice + 2), Self.short)
        #expect(totals.mailed > 40 && totals.greetings > 10)
    }

    /// Every kind of fault of a meeting point happens; tunnels are opened, and swaps made.
    @Test func nothingIsMissingAtTheMeetingPoint() {
        var options = Self.short
        for fault in MeetFault.allCases { options.meetFaults[fault] = 100 }
        let totals = Totals(of: 101...103, options)
        for fault in MeetFault.allCases {
            #expect(totals.meetFaults[fault.rawValue] > 0, "\(fault.name) never happens")
        }
        let calm = Totals(of: 201...202, Self.calm)
        #expect(calm.tunnels > 5 && calm.committed > 2 && calm.heard > 2)
    }

    private static var calm: SimOptions {
        var options = short
        options.seconds = 200
        for kind in FaultKind.allCases { options.faults[kind] = 0 }
        for fault in MeetFault.allCases { options.meetFaults[fault] = 0 }
        return options
    }

    /// One seed is one run, to the last byte.
    @Test func aLifeFromHomeIsReproducible() {
        let one = SimWorld.run(seed: 7, Self.short)
        let other = SimWorld.run(seed: 7, Self.short)
        #expect(one.digest == other.digest && one.totals.meetEvents == other.totals.meetEvents)
    }

    /// What is made wrong on purpose is noticed, by the rule that it breaks.
    @Test(arguments: [
        (MeetSabotage.losesBoxes, "liveness"), (.hearsNobody, "mail"), (.skipsVisits, "liveness"),
    ])
    func whatIsMadeWrongIsNoticed(sabotage: MeetSabotage, rule: String) {
        var options = Self.calm
        options.sabotage = sabotage
        #expect(SimWorld.run(seed: 201, options).failure?.rule == rule)
    }
}
