// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The one thread that may wait for the daemon. A daemon that hangs keeps a call of the dns_sd
/// library for up to 25 s; the agent's loop must go on meanwhile. It owns all references, carries
/// out orders and hands over reports; it decides nothing.
struct DiscoveryWorker {
    /// A handle cannot be copied, so it lives in a class to be kept in an array.
    private final class Open {
        let id: ReferenceID
        let handle: DNSServiceHandle

        init(id: ReferenceID, handle: consuming DNSServiceHandle) {
            self.id = id
            self.handle = handle
        }
    }

    private let mailbox: Mailbox
    private var open: [Open] = []
    /// Ordered but not asked yet: between two questions the worker checks for answers.
    private var starts: ArraySlice<ReferenceStart> = []
    /// To be released when nothing is left to ask: releasing takes as long as a question.
    private var stopped: [Open] = []
    /// The last question was for an address, and nobody has spoken since.
    private var awaitsAddress = false
    /// The first question was asked, and the loop was told so: a browser's answer
    /// takes the daemon longest.
    private var hasAsked = false

    private init(mailbox: Mailbox) {
        self.mailbox = mailbox
    }

    /// Starts the thread; false if there can be none. It ends with the last order, or when the
    /// loop's end of the mailbox is closed.
    static func start(_ mailbox: Mailbox) -> Bool {
        // Signals are for the loop: a thread begins with the mask of the one that made it.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(mailbox)
        guard pthread_create(&thread, nil, workerMain, context.toOpaque()) == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// The life of the thread.
    fileprivate static func run(_ mailbox: Mailbox) {
        var worker = DiscoveryWorker(mailbox: mailbox)
        while worker.turn() {}
        worker.stopped.removeAll()
        worker.open.removeAll()
        close(mailbox.workerEnd)
    }

    /// Waits for an order or a reference, and does what is there to do. False: it was the last.
    private mutating func turn() -> Bool {
        // Backpressure: while the loop has not taken what waits, the daemon's words stay with it.
        let readable = mailbox.isFull ? [] : open
        var polled = [pollfd(fd: mailbox.workerEnd, events: Int16(POLLIN), revents: 0)]
        polled += readable.map {
            pollfd(fd: $0.handle.descriptor, events: Int16(POLLIN), revents: 0)
        }
        let count = poll(&polled, nfds_t(polled.count), patience)
        awaitsAddress = false
        if count > 0 {
            for (entry, result) in zip(readable, polled.dropFirst()) where result.revents != 0 {
                let reports = entry.handle.process()
                mailbox.report(reports.map { Mailbox.Reported(id: entry.id, report: $0) })
                // A reference that failed is done with at once: its descriptor would stay readable.
                if reports.contains(where: \.isLast) { open.removeAll { $0.id == entry.id } }
            }
            if let own = polled.first, own.revents != 0 {
                let order = mailbox.takeOrder()
                if order.isLast || own.revents & Int16(POLLHUP) != 0 { return false }
                stopped += open.filter { order.stops.contains($0.id) }
                open.removeAll { order.stops.contains($0.id) }
                starts.removeAll { order.stops.contains($0.id) }
                starts += order.starts
                return true
            }
        }
        if stopped.count <= DiscoveryLimits.lookups, let start = starts.popFirst() {
            ask(start)
            if !hasAsked {
                hasAsked = true
                mailbox.tellAsked()
            }
        } else if !stopped.isEmpty {
            stopped.removeFirst()
        }
        return true
    }

    /// Milliseconds until the next step, -1 if there is none. Each step takes the daemon a few
    /// milliseconds, and an address that it knows arrives within one, so that comes first.
    private var patience: Int32 {
        if starts.isEmpty, stopped.isEmpty { return -1 }
        return awaitsAddress ? DiscoveryLimits.addressFirst : 0
    }

    private mutating func ask(_ start: ReferenceStart) {
        do {
            let handle = try DNSServiceHandle(start.request)
            open.append(Open(id: start.id, handle: handle))
            switch start.request {
            case .addresses: awaitsAddress = true
            case .browseVenues:
                mailbox.report([Mailbox.Reported(id: start.id, report: .opened)])
            case .register, .announce, .browse, .resolve, .resolveVenue: break
            }
        } catch {
            mailbox.report([Mailbox.Reported(id: start.id, report: .failed(error.failure))])
        }
    }
}

extension Mailbox {
    /// A mailbox whose worker runs; `nil` if no thread or no descriptors can be had.
    static func withWorker() -> Mailbox? {
        guard let made = Mailbox() else { return nil }
        guard DiscoveryWorker.start(made) else {
            close(made.loopEnd)
            close(made.workerEnd)
            return nil
        }
        return made
    }

    /// For the loop: the worker ends, and with it all references; nothing is waited for.
    func end() {
        order(stops: [], starts: [], isLast: true)
        close(loopEnd)
    }
}

extension ReferenceReport {
    /// Whether the reference is useless after this report.
    fileprivate var isLast: Bool {
        if case .failed = self { true } else { false }
    }
}

private func workerMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context {
        DiscoveryWorker.run(Unmanaged<Mailbox>.fromOpaque(context).takeRetainedValue())
    }
    return nil
}
