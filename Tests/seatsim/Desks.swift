// SPDX-License-Identifier: Apache-2.0
import Simulation

/// The same of venues: their desks and their members.
extension SeatSim {
    static func runDesks(_ seeds: ClosedRange<UInt64>, _ arguments: Arguments) -> Bool {
        var totals = DeskTotals()
        let runs = Runs(
            seeds, arguments,
            live: { seed in
                let outcome = DeskWorld.run(seed: seed, arguments.desks)
                totals.add(outcome.totals)
                return (outcome.digest, outcome.failure)
            }, progress: { _ in totals.progress })
        return runs.conclude(totals.seeds, totals.summary)
    }

    static func replayDesk(_ seed: UInt64, _ arguments: Arguments) -> Bool {
        let outcome = DeskWorld.run(seed: seed, arguments.desks)
        for line in outcome.trace { say(line + "\n") }
        say(outcome.totals.summary.joined(separator: "\n") + "\n")
        say("digest \(outcome.digest)\n")
        guard let failure = outcome.failure else { return true }
        tell(failure, arguments)
        return false
    }

    /// The fewest things that have to happen for the same rule to break.
    static func minimiseDesk(_ seed: UInt64, _ arguments: Arguments) -> Bool {
        guard let rule = DeskWorld.run(seed: seed, arguments.desks).failure?.rule else {
            say("seed \(seed) does not fail\n")
            return true
        }
        var shorter = arguments
        shorter.desks.deeds = 0
        while shorter.desks.deeds < 200 {
            if DeskWorld.run(seed: seed, shorter.desks).failure?.rule == rule { break }
            shorter.desks.deeds += 1
        }
        shorter.desks.isTraced = true
        return replayDesk(seed, shorter)
    }

    /// Whole days: most of them flights, the others in a venue.
    static func runDays(_ seeds: ClosedRange<UInt64>, _ arguments: Arguments) -> Bool {
        var totals = Totals()
        var venues = DeskTotals()
        let runs = Runs(
            seeds, arguments,
            live: { seed in
                guard DayLife.isInVenue(seed) else {
                    let outcome = SimWorld.run(seed: seed, arguments.options)
                    totals.add(outcome.totals)
                    return (outcome.digest, outcome.failure)
                }
                let outcome = DeskWorld.run(seed: seed, arguments.desks)
                venues.add(outcome.totals)
                return (outcome.digest, outcome.failure)
            },
            progress: { "\(totals.progress(after: $0)); \(venues.progress)" })
        return runs.conclude(totals.seeds + venues.seeds, totals.summary + venues.summary)
    }
}

extension DeskTotals {
    fileprivate var progress: String { "\(seeds) venues, \(asks) asks, \(swaps) swaps" }
}
