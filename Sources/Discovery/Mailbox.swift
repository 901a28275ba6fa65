// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// What the loop and the worker hand each other, and the socket pair that wakes the other side.
final class Mailbox: Sendable {
    struct Order: Sendable {
        var stops: [ReferenceID] = []
        var starts: [ReferenceStart] = []
        var isLast = false
    }

    struct Reported: Sendable {
        let id: ReferenceID
        let report: ReferenceReport
    }

    private struct Queues {
        var order = Order()
        var reports: [Reported] = []
    }

    /// Readable for the loop when reports wait, and once when the worker has
    /// asked; closed by the loop.
    let loopEnd: Int32
    /// Readable for the worker when an order waits; closed by the worker.
    let workerEnd: Int32
    private let queues = Mutex(Queues())

    /// Nil if no descriptors can be had.
    init?() {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        loopEnd = ends[0]
        workerEnd = ends[1]
    }

    /// For the loop: adds to what the worker shall do. A start that was not yet taken and is now
    /// stopped is struck out, so that a worker that hangs does not come back to old work.
    func order(stops: [ReferenceID], starts: [ReferenceStart], isLast: Bool = false) {
        queues.withLock { queues in
            for id in stops {
                let before = queues.order.starts.count
                queues.order.starts.removeAll { $0.id == id }
                if queues.order.starts.count == before { queues.order.stops.append(id) }
            }
            queues.order.starts += starts
            queues.order.isLast = queues.order.isLast || isLast
        }
        Self.wake(from: loopEnd)
    }

    /// For the worker: everything ordered since the last time.
    func takeOrder() -> Order {
        Self.drain(workerEnd)
        return queues.withLock { queues in
            defer { queues.order = Order() }
            return queues.order
        }
    }

    /// For the worker: hands over what references said.
    func report(_ reports: [Reported]) {
        guard !reports.isEmpty else { return }
        queues.withLock { $0.reports += reports }
        Self.wake(from: workerEnd)
    }

    /// For the worker: the first question is with the daemon.
    func tellAsked() {
        Self.wake(from: workerEnd)
    }

    /// For the loop: waits at most that many milliseconds until the worker has something to report,
    /// even if it is only that it has asked.
    func wait(_ milliseconds: Int32) {
        var end = pollfd(fd: loopEnd, events: Int16(POLLIN), revents: 0)
        _ = poll(&end, 1, milliseconds)
    }

    /// For the worker: so much waits that it should stop reading.
    var isFull: Bool {
        queues.withLock { $0.reports.count >= DiscoveryLimits.reports }
    }

    /// For the loop: everything reported since the last time.
    func takeReports() -> [Reported] {
        Self.drain(loopEnd)
        let reports = queues.withLock { queues in
            defer { queues.reports = [] }
            return queues.reports
        }
        if reports.count >= DiscoveryLimits.reports { Self.wake(from: loopEnd) }
        return reports
    }

    /// A full buffer means that the other side has something to wake up for already.
    private static func wake(from end: Int32) {
        var byte: UInt8 = 1
        _ = send(end, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    private static func drain(_ end: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while recv(end, buffer.baseAddress, buffer.count, 0) == buffer.count {}
        }
    }
}
