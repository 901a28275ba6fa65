// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Protocol

/// The clocks of this machine, the only place where they are read.
package enum SystemClock {
    /// Monotonic time that also counts while the machine sleeps (`CLOCK_BOOTTIME`): a laptop
    /// that wakes up after an hour sees its old connections as dead at once.
    package static func now() -> Instant {
        Instant(nanoseconds: nanoseconds(of: CLOCK_BOOTTIME))
    }

    /// Monotonic time that stops while the machine sleeps.
    package static func awake() -> Instant {
        Instant(nanoseconds: nanoseconds(of: CLOCK_MONOTONIC))
    }

    /// The wall clock in whole seconds; it may jump.
    package static func utc() -> UTCTime {
        UTCTime(seconds: nanoseconds(of: CLOCK_REALTIME) / 1_000_000_000)
    }

    /// Both clocks, for one event.
    package static func moment() -> Moment {
        Moment(instant: now(), utc: utc())
    }

    private static func nanoseconds(of clock: Int32) -> Int64 {
        var time = timespec()
        let result = clock_gettime(clock, &time)
        precondition(result == 0, "clock \(clock) cannot be read")
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
