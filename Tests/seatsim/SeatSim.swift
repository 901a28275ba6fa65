// SPDX-License-Identifier: Apache-2.0
import Glibc
import Simulation

/// Runs seeds of the simulator, replays one, or makes a failing one smaller.
@main
struct SeatSim {
    static func main() {
        do throws(Arguments.Mistake) {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            switch arguments.verb {
            case .help: say(Arguments.usage)
            case .run(let seeds): exit(run(seeds, arguments) ? 0 : 1)
            case .days(let seeds): exit(runDays(seeds, arguments) ? 0 : 1)
            case .desks(let seeds): exit(runDesks(seeds, arguments) ? 0 : 1)
            case .replayDesk(let seed): exit(replayDesk(seed, arguments) ? 0 : 1)
            case .minimiseDesk(let seed): exit(minimiseDesk(seed, arguments) ? 0 : 1)
            case .books(let seeds, let folder): exit(writeBooks(seeds, to: folder) ? 0 : 1)
            case .replay(let seed): exit(replay(seed, arguments) ? 0 : 1)
            case .minimise(let seed): exit(minimise(seed, arguments) ? 0 : 1)
            }
        } catch {
            say("seatsim: \(error.text)\n\(Arguments.usage)")
            exit(2)
        }
    }

    private static func run(_ seeds: ClosedRange<UInt64>, _ arguments: Arguments) -> Bool {
        var totals = Totals()
        let runs = Runs(
            seeds, arguments,
            live: { seed in
                let outcome = SimWorld.run(seed: seed, arguments.options)
                totals.add(outcome.totals)
                if let folder = arguments.bundles, let kept = outcome.kept {
                    save(kept.bundle, "\(folder)/\(seed).bundle")
                    save(Array(kept.words.utf8), "\(folder)/\(seed).words")
                }
                return (outcome.digest, outcome.failure)
            }, progress: { totals.progress(after: $0) })
        let pace = Int(Double(totals.events) / runs.seconds)
        return runs.conclude(totals.seeds, totals.summary, "\(pace) events/s, ")
    }

    private static func writeBooks(_ seeds: ClosedRange<UInt64>, to folder: String) -> Bool {
        var faults = 0
        for seed in seeds {
            do {
                let set = try BookSet(seed: seed)
                save(set.bundle, "\(folder)/\(seed).bundle")
                save(Array(set.words.utf8), "\(folder)/\(seed).words")
                guard let fault = set.fault else { continue }
                say("ledgers of seed \(seed): \(fault)\n")
            } catch {
                say("ledgers of seed \(seed) cannot be written: \(error)\n")
            }
            faults += 1
        }
        say("\(seeds.count) sets of ledgers, \(faults) failures\n")
        return faults == 0
    }

    private static func save(_ bytes: [UInt8], _ path: String) {
        guard let file = fopen(path, "w") else { return say("seatsim: cannot write \(path)\n") }
        let written = fwrite(bytes, 1, bytes.count, file)
        if fclose(file) != 0 || written < bytes.count { say("seatsim: cannot write \(path)\n") }
    }

    private static func replay(_ seed: UInt64, _ arguments: Arguments) -> Bool {
        let outcome = SimWorld.run(seed: seed, arguments.options)
        for line in outcome.trace { say(line + "\n") }
        say(outcome.totals.summary.joined(separator: "\n") + "\n")
        say("digest \(outcome.digest)\n")
        guard let failure = outcome.failure else { return true }
        tell(failure, arguments)
        return false
    }

    private static func minimise(_ seed: UInt64, _ arguments: Arguments) -> Bool {
        var minimiser = Minimiser(seed: seed, arguments.options)
        guard !minimiser.rule.isEmpty else {
            say("seed \(seed) does not fail\n")
            return true
        }
        minimiser.shrink { say("still fails: \($0.text)\n") }
        say("\(minimiser.runs) runs\n")
        var traced = arguments
        traced.options = minimiser.options
        traced.options.isTraced = true
        return replay(seed, traced)
    }

    static func tell(_ failure: Failure, _ arguments: Arguments) {
        let isOfDesk =
            arguments.isOfDesks || arguments.options.days && DayLife.isInVenue(failure.seed)
        say(
            "FAILED seed \(failure.seed) after \(failure.milliseconds) ms: \(failure.rule): "
                + "\(failure.text)\n  replay: .build/release/seatsim --seed \(failure.seed) "
                + (isOfDesk ? arguments.desks.text : arguments.options.text) + " --trace\n")
    }

    static func counts(_ names: [String]) -> [(String, Int)] {
        var unique: [String] = []
        for name in names.sorted() where unique.last != name { unique.append(name) }
        return unique.map { name in (name, names.count { $0 == name }) }
    }

    static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(1, bytes, bytes.count)
    }
}

extension Totals {
    func progress(after time: Double) -> String {
        "\(seeds) seeds, \(Int(Double(seeds) / time))/s, \(events) events, "
            + "\(agentHours) agent-hours, swaps \(committed) committed \(aborted) aborted "
            + "\(stranded) stranded, queue \(maxQueue); \(faultText)"
    }
}
