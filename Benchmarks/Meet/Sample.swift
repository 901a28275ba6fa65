// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System

/// Where a phase began; what came of it is one line of JSON.
struct Sample {
    private let start: Instant
    private let counts: Counts
    private let broker: ProcessUse
    private let agents: ProcessUse
    private let process: Int

    /// Now.
    init(_ world: World, _ process: Int) {
        self.process = process
        start = world.loop.clock()
        counts = world.counts
        broker = ProcessUse(of: process)
        agents = ProcessUse(of: Int(getpid()))
    }

    /// Prints what happened since; `wait` lets come what is under way, and counts for times alone.
    func show(_ name: String, _ world: World, _ flights: Flights, wait: () -> Void = {}) {
        let seconds = Self.seconds(world.loop.clock() - start)
        let moved = world.counts - counts
        let broker = ProcessUse(of: process)
        let agents = ProcessUse(of: Int(getpid()))
        let open = flights.open.count
        wait()
        let times = world.takeTimes()
        let numbers: [(String, Double)] = [
            ("seconds", seconds), ("broker", broker.seconds - self.broker.seconds),
            ("agents", agents.seconds - self.agents.seconds),
            ("memory", Double(broker.memory)), ("open", Double(open)),
            ("delivered", Double(moved.delivered)), ("published", Double(moved.published)),
            ("subscribed", Double(moved.subscribed)), ("out", Double(moved.bytesOut)),
            ("in", Double(moved.bytesIn)), ("connected", Double(moved.connected)),
            ("lost", Double(moved.lost)), ("refused", Double(moved.refused)),
            ("said", Double(moved.said)), ("late", Double(times.late)),
            ("topics", Double(world.keptTopics)), ("kept", Double(world.keptBytes)),
        ]
        let lists = [("claims", times.claims), ("others", times.others), ("reads", times.readings)]
        let fields =
            ["\"phase\": \"\(name)\""] + numbers.map { "\"\($0.0)\": \($0.1)" }
            + lists.map { "\"\($0.0)\": [\(Self.milliseconds($0.1))]" }
        print("{\(fields.joined(separator: ", "))}")
        fflush(nil)
    }

    private static func seconds(_ span: TimeSpan) -> Double { Double(span.nanoseconds) / 1e9 }

    private static func milliseconds(_ spans: [TimeSpan]) -> String {
        spans.map { "\(Double($0.nanoseconds / 1000) / 1000)" }.joined(separator: ", ")
    }
}
