// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Plays the agents of many flights at one broker (docs/meet-load.md). Each is a `Meeting` with
/// real keys and a connection of its own; Tests/EndToEnd/meet_load.py starts the broker and reads
/// what this prints.
///
///     meetload PORT PROCESS [NAME=NUMBER ...]    names are those of `Phases.Plan`
@main
enum MeetLoad {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 2, let port = UInt16(words[0]), let process = Int(words[1]),
            let plan = plan(words.dropFirst(2))
        else { fail("a port, a process and NAME=NUMBER are wanted") }
        guard let world = World(port: port, days: plan.days),
            let flights = Flights(world, count: plan.flights, size: plan.passengers)
        else { fail("no memory for so many agents") }
        var phases = Phases(flights, plan, process: process)
        exit(phases.run() ? 0 : 1)
    }

    private static func plan(_ words: ArraySlice<String>) -> Phases.Plan? {
        let names: [String: WritableKeyPath<Phases.Plan, Int>] = [
            "flights": \.flights, "passengers": \.passengers, "connected": \.connected,
            "coming": \.coming, "fast": \.fast, "real": \.real, "factor": \.factor,
            "calm": \.calm, "days": \.days,
        ]
        var plan = Phases.Plan()
        for word in words {
            let parts = word.split(separator: "=")
            guard parts.count == 2, let name = names[String(parts[0])],
                let number = Int(parts[1]), number >= 0
            else { return nil }
            plan[keyPath: name] = number
        }
        let isWhole =
            plan.flights > 0 && plan.passengers > 0 && plan.days > 0 && plan.factor > 0
        return isWhole && 1...plan.passengers ~= plan.connected ? plan : nil
    }

    private static func fail(_ why: String) -> Never {
        let line = Array("meetload: \(why)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(2)
    }
}
