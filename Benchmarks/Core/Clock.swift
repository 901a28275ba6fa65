// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Time as the wall and as the processor sees it, in nanoseconds.
struct Clock {
    var wall = 0
    var processor = 0

    /// When something begins. To ask for the processor's time is a call of the kernel, a
    /// microsecond and more: it stands outside of the wall's.
    static func began() -> Clock {
        let processor = read(CLOCK_THREAD_CPUTIME_ID)
        return Clock(wall: read(CLOCK_MONOTONIC), processor: processor)
    }

    /// When it ends.
    static func ended() -> Clock {
        let wall = read(CLOCK_MONOTONIC)
        return Clock(wall: wall, processor: read(CLOCK_THREAD_CPUTIME_ID))
    }

    /// How long `work` takes.
    static func measure<T>(_ work: () throws -> T) rethrows -> (time: Clock, result: T) {
        let began = began()
        let result = try work()
        return (ended() - began, result)
    }

    static func - (left: Clock, right: Clock) -> Clock {
        Clock(wall: left.wall - right.wall, processor: left.processor - right.processor)
    }

    static func += (left: inout Clock, right: Clock) {
        left.wall += right.wall
        left.processor += right.processor
    }

    private static func read(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// One sample a line, as the driver reads it: name, value, unit.
enum Sample {
    static func print(_ name: String, _ value: Double, _ unit: String) {
        Swift.print("\(name) \(value) \(unit)")
    }

    /// Wall and processor time of `count` pieces of work, for each.
    static func print(
        _ name: String, _ time: Clock, per count: Int, _ unit: String, _ scale: Double
    ) {
        print(name, Double(time.wall) / Double(count) / scale, unit)
        print(name + ".processor", Double(time.processor) / Double(count) / scale, unit)
    }
}

/// Ends the program: a figure that is not one must not be printed.
func fail(_ words: String) -> Never {
    let line = Array("core: \(words)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
}

/// What callgrind counts: it is told to collect within this function only.
@inline(never)
func counted<T>(_ work: () -> T) -> T { work() }
