// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System

/// What is played, one phase after another, and a line of figures for each.
struct Phases {
    /// How much of it.
    struct Plan {
        var flights = 50
        var passengers = 60
        /// How many of a flight are connected where it is not all.
        var connected = 20
        /// Seconds in which all passengers come, of a phase whose time goes faster, and of one at
        /// its own rate.
        var coming = 60
        var fast = 35
        var real = 20
        /// How much faster.
        var factor = 20
        /// Seconds between phases.
        var calm = 3
        /// Days whose boxes are read: 4, or fewer by clocks that have begun to count the days just
        /// now.
        var days = 4
    }

    /// Entries that a passenger says in a flight's life, and its hours.
    private static let entries = 12
    private static let life: Double = 48 * 3600
    /// Seconds for which a computer stays open.
    private static let opened: Double = 2 * 3600
    /// Each clock is put forward so often, in seconds.
    private static let step: Double = 5
    /// A meeting looks at all boxes again after so many seconds, and renews its card sooner.
    private static let round: Double = 900

    let world: World
    let flights: Flights
    let plan: Plan
    /// The broker's process.
    let process: Int
    private var lastTended = Instant.zero
    private var random = SeededRandom(seed: 5)

    init(_ flights: Flights, _ plan: Plan, process: Int) {
        world = flights.world
        self.flights = flights
        self.plan = plan
        self.process = process
    }

    /// All of them. Returns whether everybody got in.
    mutating func run() -> Bool {
        guard come() else { return false }
        spread()
        live("all connected, fast", seconds: plan.fast, factor: plan.factor, changes: false)
        guard plan.connected < plan.passengers else { return true }
        flights.close(downTo: plan.connected)
        turn(for: plan.calm)
        live("a third connected, fast", seconds: plan.fast, factor: plan.factor, changes: true)
        // What was begun in fast time ends.
        turn(for: 2 * plan.calm)
        live("a third connected, real", seconds: plan.real, factor: 1, changes: true)
        return true
    }

    /// All passengers come, one after another, those of a flight not together.
    private mutating func come() -> Bool {
        let all = flights.passengers
        let places = (0..<plan.passengers).flatMap { place in
            (0..<plan.flights).map { $0 * plan.passengers + place }
        }
        let sample = Sample(world, process)
        let gap = TimeSpan.seconds(Int64(plan.coming)).divided(by: Double(all.count))
        var due = world.loop.clock()
        for number in places {
            while world.loop.clock() < due { turn(waiting: due - world.loop.clock()) }
            all[number].open()
            due = due + gap
        }
        let end = world.loop.clock() + .seconds(60)
        while world.loop.clock() < end, !all.allSatisfy(\.isAboard) { turn() }
        sample.show("all come", world, flights)
        turn(for: plan.calm)
        let missing = all.count { !$0.isAboard }
        if missing > 0 { print("{\"trouble\": \"\(missing) passengers did not get in\"}") }
        return missing == 0
    }

    /// Puts each clock forward by another part of a round: in the world agents do not come within
    /// minutes of each other, and what is due for one is not due for all.
    private mutating func spread() {
        let all = flights.passengers
        let seconds = Double(2 * plan.calm)
        var next = Pace(world.loop.clock(), every: seconds / Double(all.count))
        var count = 0
        while count < all.count {
            turn()
            while let number = next.isDue(at: world.loop.clock()), number < all.count {
                let part = Double.random(in: 0..<Self.round, using: &random)
                _ = all[number].skip(TimeSpan.seconds(1).times(part))
                count += 1
            }
        }
        turn(for: plan.calm)
    }

    /// Passengers say things, and their agents renew what is due, `factor` times as often as
    /// they would.
    private mutating func live(_ name: String, seconds: Int, factor: Int, changes: Bool) {
        let all = flights.passengers
        let rate = Double(all.count * Self.entries) / Self.life * Double(factor)
        let closing = Double(flights.open.count) / Self.opened * Double(factor)
        let ahead = TimeSpan.seconds(1).times(Self.step * Double(factor - 1))
        let start = world.loop.clock()
        var said = Pace(start, every: 1 / rate)
        var changed = Pace(start, every: 1 / closing)
        var skipped = Pace(start, every: Self.step / Double(all.count))
        let end = start + .seconds(Int64(seconds))
        let sample = Sample(world, process)
        while world.loop.clock() < end {
            turn()
            let now = world.loop.clock()
            while said.isDue(at: now) != nil { flights.speak() }
            while changed.isDue(at: now) != nil { if changes { flights.change() } }
            while let number = skipped.isDue(at: now) {
                // Not by equal steps, which would bring what is due into step with them.
                let part = Double.random(in: 0..<2, using: &random)
                if factor > 1 { _ = all[number % all.count].skip(ahead.times(part)) }
            }
        }
        sample.show(name, world, flights) {
            let end = world.loop.clock() + .seconds(5)
            while world.isWaiting, world.loop.clock() < end { turn() }
        }
    }

    private mutating func turn(for seconds: Int) {
        let end = world.loop.clock() + .seconds(Int64(seconds))
        while world.loop.clock() < end { turn() }
    }

    private mutating func turn(waiting: TimeSpan = .milliseconds(10)) {
        world.loop.turn(waitingAtMost: min(waiting, .milliseconds(10)))
        let now = world.loop.clock()
        guard lastTended + .milliseconds(250) <= now else { return }
        lastTended = now
        for one in flights.passengers { one.tend(at: now) }
    }
}

/// Something that happens again and again.
private struct Pace {
    private let start: Instant
    private let seconds: Double
    private var count = 0

    init(_ start: Instant, every seconds: Double) {
        self.start = start
        self.seconds = seconds
    }

    /// How often it happened before, if it is time for another.
    mutating func isDue(at now: Instant) -> Int? {
        let due = start + TimeSpan.seconds(1).times(seconds * Double(count + 1))
        guard due <= now else { return nil }
        count += 1
        return count - 1
    }
}

extension TimeSpan {
    fileprivate func times(_ factor: Double) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(Double(nanoseconds) * factor))
    }

    fileprivate func divided(by count: Double) -> TimeSpan { times(1 / count) }
}
