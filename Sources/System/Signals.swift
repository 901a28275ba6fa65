// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// Signals as events of the loop, through one `signalfd`.
package final class Signals {
    /// What a signal asks of the agent.
    package enum Request: Equatable, Sendable {
        /// TERM or INT: end in order.
        case end
        /// HUP: the terminal is gone or the configuration changed.
        case reload
    }

    private let loop: EventLoop
    private let descriptor: Int32

    /// Keeps TERM, INT and HUP from ending the process, and ignores PIPE, so that a write to a
    /// closed connection is an error and not the end.
    ///
    /// Call it first of all: a thread started before would still take the signals. A child process
    /// inherits the mask; unblock in the child before `exec`.
    package static func block() {
        signal(SIGPIPE, SIG_IGN)
        var set = watched()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `handler` in a turn of `loop` for each signal. Throws when the process has no
    /// descriptor left.
    package init(loop: EventLoop, handler: @escaping (Request) -> Void) throws(SystemError) {
        Self.block()
        var set = Self.watched()
        let descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw SystemError.last }
        self.loop = loop
        self.descriptor = descriptor
        do throws(SystemError) {
            try loop.watch(descriptor, .read) { _ in
                while let request = Self.next(descriptor) { handler(request) }
            }
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Stops listening; the signals stay blocked.
    package func stop() { loop.unwatch(descriptor) }

    deinit {
        loop.unwatch(descriptor)
        close(descriptor)
    }

    private static func next(_ descriptor: Int32) -> Request? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        guard read(descriptor, &info, size) == size else { return nil }
        return Int32(bitPattern: info.ssi_signo) == SIGHUP ? .reload : .end
    }

    private static func watched() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
        return set
    }
}
