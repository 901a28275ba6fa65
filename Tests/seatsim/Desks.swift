// SPDX-License-Identifier: Apache-2.0
import Glibc
import Simulation

/// The same of venues: their desks and their members.
extension SeatSim {
    static func runDesks(_ seeds: ClosedRange<UInt64>, _ arguments: Arguments) -> Bool {
        let start = seconds()
        var shown = start
        var totals = DeskTotals()
        var failures: [Failure] = []
        let file = arguments.digests.flatMap { fopen($0, "w") }
        defer { if let file { fclose(file) } }
        for seed in seeds {
            let outcome = DeskWorld.run(seed: seed, arguments.desks)
            totals.add(outcome.totals)
            if let file { fputs("\(seed) \(outcome.digest)\n", file) }
            if let failure = outcome.failure {
                failures.append(failure)
                tell(failure, arguments.desks)
                if failures.count >= arguments.failures { break }
            }
            let time = seconds()
            if time - shown >= 5 {
                shown = time
                say(
                    "\(Int(time - start)) s: \(totals.seeds) venues, \(totals.asks) asks, "
                        + "\(totals.swaps) swaps, \(failures.count) failures\n")
            }
            if time - start >= Double(arguments.limit) { break }
        }
        let time = max(0.001, seconds() - start)
        say("\n" + totals.summary.joined(separator: "\n") + "\n")
        let pace = Int(Double(totals.seeds) / time)
        say("\(failures.count) failures; \(pace) seeds/s, \(Int(time)) s\n")
        for (rule, count) in counts(failures.map(\.rule)) { say("  \(count) x \(rule)\n") }
        return failures.isEmpty
    }

    static func replayDesk(_ seed: UInt64, _ options: DeskOptions) -> Bool {
        let outcome = DeskWorld.run(seed: seed, options)
        for line in outcome.trace { say(line + "\n") }
        say(outcome.totals.summary.joined(separator: "\n") + "\n")
        say("digest \(outcome.digest)\n")
        guard let failure = outcome.failure else { return true }
        tell(failure, options)
        return false
    }

    /// The fewest things that have to happen for the same rule to break.
    static func minimiseDesk(_ seed: UInt64, _ options: DeskOptions) -> Bool {
        guard let rule = DeskWorld.run(seed: seed, options).failure?.rule else {
            say("seed \(seed) does not fail\n")
            return true
        }
        var shorter = options
        shorter.deeds = 0
        while shorter.deeds < 200 {
            if DeskWorld.run(seed: seed, shorter).failure?.rule == rule { break }
            shorter.deeds += 1
        }
        shorter.isTraced = true
        return replayDesk(seed, shorter)
    }

    private static func tell(_ failure: Failure, _ options: DeskOptions) {
        say(
            "FAILED seed \(failure.seed) after \(failure.milliseconds) ms: \(failure.rule): "
                + "\(failure.text)\n  replay: .build/release/seatsim --desks "
                + "--seed \(failure.seed) \(options.text) --trace\n")
    }
}
