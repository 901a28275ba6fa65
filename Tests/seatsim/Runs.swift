// SPDX-License-Identifier: Apache-2.0
import Glibc
import Simulation

/// Seeds, one after the other, until all are done, the time is over or too many failed.
struct Runs {
    private(set) var failures: [Failure] = []
    private(set) var seconds = 0.001

    /// Lives each seed; after every five seconds says `progress` of the seconds so far.
    init(
        _ seeds: ClosedRange<UInt64>, _ arguments: Arguments,
        live: (UInt64) -> (digest: UInt64, failure: Failure?), progress: (Double) -> String
    ) {
        let start = SeatSim.seconds()
        var shown = start
        let file = arguments.digests.flatMap { fopen($0, "w") }
        defer { if let file { fclose(file) } }
        for seed in seeds {
            let (digest, failure) = live(seed)
            if let file { fputs("\(seed) \(digest)\n", file) }
            if let failure {
                failures.append(failure)
                SeatSim.tell(failure, arguments)
                if failures.count >= arguments.failures { break }
            }
            let time = SeatSim.seconds()
            if time - shown >= 5 {
                shown = time
                SeatSim.say("\(Int(time - start)) s: \(progress(time - start)), ")
                SeatSim.say("\(failures.count) failures\n")
            }
            if time - start >= Double(arguments.limit) { break }
        }
        seconds = max(0.001, SeatSim.seconds() - start)
    }

    /// Says at the end what came of it; whether all went well.
    func conclude(_ seeds: Int, _ summary: [String], _ more: String = "") -> Bool {
        SeatSim.say("\n" + summary.joined(separator: "\n") + "\n")
        let pace = Int(Double(seeds) / seconds)
        SeatSim.say("\(failures.count) failures; \(pace) seeds/s, \(more)\(Int(seconds)) s\n")
        for (rule, count) in SeatSim.counts(failures.map(\.rule)) {
            SeatSim.say("  \(count) x \(rule)\n")
        }
        return failures.isEmpty
    }
}
