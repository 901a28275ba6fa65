// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// Restores the terminal if the program traps: a Swift trap runs none of our code.
///
/// Everything is prepared beforehand. The handler only writes bytes and sets the terminal's modes,
/// both of which a signal handler may do (signal-safety(7)).
package enum CrashReset {
    private struct Prepared {
        var bytes: UnsafeMutableBufferPointer<UInt8>
        var modes: termios
    }

    // A signal handler reads it, so it cannot be an ordinary isolated variable.
    nonisolated(unsafe) private static var prepared: UnsafeMutablePointer<Prepared>?

    private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE]

    /// The terminal's modes before anything took it over.
    // Written once by the view's only thread, before the handler that needs it is set.
    nonisolated(unsafe) private static var before: termios?

    /// Remembers the terminal's modes, before it is taken over.
    package static func remember() {
        var modes = termios()
        if tcgetattr(0, &modes) == 0 { before = modes }
    }

    /// Makes a trap write `farewell` and set the remembered modes from now on.
    static func arm(_ farewell: [UInt8]) {
        guard prepared == nil, let modes = before else { return }
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: farewell.count)
        _ = bytes.initialize(from: farewell)
        let made = UnsafeMutablePointer<Prepared>.allocate(capacity: 1)
        made.initialize(to: Prepared(bytes: bytes, modes: modes))
        prepared = made
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_sigaction = restoreTerminal
            // Only once: when the handler returns, the same instruction traps again and ends the
            // process.
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND) | UInt32(SA_SIGINFO))
            sigaction(number, &action, nil)
        }
    }

    /// The terminal was given back normally.
    static func disarm() {
        guard let made = prepared else { return }
        for number in signals { signal(number, SIG_DFL) }
        prepared = nil
        made.pointee.bytes.deallocate()
        made.deallocate()
    }

    /// Called by the signal handler.
    fileprivate static func restore() {
        guard let made = prepared else { return }
        _ = write(1, made.pointee.bytes.baseAddress, made.pointee.bytes.count)
        _ = tcsetattr(0, TCSANOW, &made.pointee.modes)
    }
}

/// A plain C function: Swift could take a closure for one that belongs to an actor.
private func restoreTerminal(
    _ signal: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
    CrashReset.restore()
    // A signal that somebody sent does not come again by itself.
    if let info, info.pointee.si_code <= 0 { raise(signal) }
}
