// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Protocol

/// Wakes an ``EventLoop`` at an instant, even if that passed while the machine slept.
///
/// Uses one timer of the kernel and sets it again only for an earlier instant: the deadline of a
/// busy link moves with every message, and costs only one needless waking when the old one comes.
final class LoopAlarm {
    /// What is due within a millisecond is done in one turn.
    private static let grain = TimeSpan.milliseconds(1)

    /// Readable from the instant on.
    let descriptor: Int32
    private var instant: Instant?

    init() throws(SystemError) {
        descriptor = timerfd_create(
            CLOCK_BOOTTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError.last }
    }

    deinit { close(descriptor) }

    /// Sees to it that it rings within ``grain`` after `deadline` or before it;
    /// without one it may be silent.
    func set(_ deadline: Instant?, at now: Instant) {
        if let instant, instant > now {
            guard let deadline, deadline + Self.grain < instant else { return }
        } else if instant == nil && deadline == nil {
            return
        }
        var time = itimerspec()
        instant = deadline.map { deadline in
            let left = max(deadline - now, .zero) + Self.grain
            time.it_value.tv_sec = Int(left.nanoseconds / 1_000_000_000)
            time.it_value.tv_nsec = Int(left.nanoseconds % 1_000_000_000)
            return now + left
        }
        let result = timerfd_settime(descriptor, 0, &time, nil)
        precondition(result == 0, "timerfd_settime: \(SystemError.last)")
    }

    /// It rang; it goes on until it is set or silenced.
    func rang() {
        // Not forgotten: even without another deadline it must be silenced.
        instant = .zero
    }
}
