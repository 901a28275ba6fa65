// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Synchronization

/// Work that takes longer than a turn of the loop may: a thread of its own does it, and the loop
/// gets the result.
package enum SideWork {
    /// Does `work` beside the loop, and calls `then` in a later turn. If the machine gives no
    /// thread, the work is done at once.
    package static func run<Value: Sendable>(
        on loop: EventLoop, _ work: @escaping @Sendable () -> Value,
        then: @escaping (Value) -> Void
    ) {
        let result = Result<Value>()
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            return loop.enqueue { then(work()) }
        }
        let (here, there) = (ends[0], ends[1])
        func end() {
            loop.unwatch(here)
            close(here)
        }
        do throws(SystemError) {
            try loop.watch(here, .read) { _ in
                end()
                if let value = result.take() { then(value) }
            }
        } catch {
            close(here)
            close(there)
            return loop.enqueue { then(work()) }
        }
        let job = Job(there) { result.put(work()) }
        if !start(job) {
            end()
            close(there)
            loop.enqueue { then(work()) }
        }
    }

    /// The way of a result from the thread to the loop.
    private final class Result<Value: Sendable>: Sendable {
        private let value = Mutex<Value?>(nil)

        func put(_ value: Value) {
            self.value.withLock { $0 = value }
        }

        func take() -> Value? { value.withLock { $0 } }
    }

    /// What the thread does; the loop's end becomes readable when this one is closed.
    fileprivate final class Job: Sendable {
        private let end: Int32
        private let work: @Sendable () -> Void

        init(_ end: Int32, _ work: @escaping @Sendable () -> Void) {
            self.end = end
            self.work = work
        }

        func run() {
            work()
            close(end)
        }
    }

    private static func start(_ job: Job) -> Bool {
        // Signals are for the loop: a thread begins with the mask of the one that made it.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(job)
        guard pthread_create(&thread, nil, sideMain, context.toOpaque()) == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}

private func sideMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context {
        Unmanaged<SideWork.Job>.fromOpaque(context).takeRetainedValue().run()
    }
    return nil
}
