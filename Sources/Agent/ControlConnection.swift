// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Protocol
import System
import Text

/// One client of the control socket: lines in, lines out.
final class ControlConnection {
    /// What the owner is told about.
    enum Event: Hashable {
        /// A whole line came.
        case line([UInt8])
        /// The connection is over and closed.
        case ended
    }

    /// Number of this client; never used twice in a process.
    let number: Int
    /// Names of the events that the client watches; empty for none.
    var watched: Set<EventName> = []
    private let descriptor: Int32
    private let loop: EventLoop
    private let onEvent: (ControlConnection, Event) -> Void
    private var input = LineBuffer(limit: requestLineLimit)
    private var output: [UInt8] = []
    private var written = 0
    private var isOpen = true
    private var endsWhenFlushed: (() -> Void)?

    /// Requests wait while the client has not read this many bytes of replies.
    private static let pauseAt = 256 * 1024
    /// A watcher that lets more bytes of events than this pile up is disconnected.
    private static let eventLimit = 4 * 1024 * 1024

    /// Takes over a connected, non-blocking descriptor.
    init(
        _ descriptor: Int32, number: Int, loop: EventLoop,
        onEvent: @escaping (ControlConnection, Event) -> Void
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.number = number
        self.loop = loop
        self.onEvent = onEvent
        try loop.watch(descriptor, .read) { [weak self] ready in self?.handle(ready) }
    }

    private var pending: Int { output.count - written }

    /// Queues a reply.
    func reply(_ json: JSON) {
        queue(json)
        flush()
    }

    /// Queues the line of an event; a client that does not read is disconnected.
    func tell(_ line: [UInt8]) {
        guard isOpen else { return }
        if pending > Self.eventLimit { return end() }
        output += line
        flush()
    }

    /// Does `action` once everything queued is with the kernel, then closes.
    func end(after action: @escaping () -> Void) {
        guard isOpen else { return action() }
        endsWhenFlushed = action
        flush()
    }

    /// Closes at once.
    func end() {
        guard isOpen else { return }
        isOpen = false
        loop.unwatch(descriptor)
        close(descriptor)
        let action = endsWhenFlushed
        endsWhenFlushed = nil
        onEvent(self, .ended)
        action?()
    }

    private func queue(_ json: JSON) {
        guard isOpen else { return }
        output.append(contentsOf: json.line.utf8)
        output.append(10)
    }

    private func handle(_ ready: Readiness) {
        if ready.contains(.write) || ready.contains(.hangUp) { flush() }
        if isOpen, ready.contains(.read) || ready.contains(.hangUp) { readOnce() }
    }

    private func readOnce() {
        let count = recv(descriptor, loop.scratch.baseAddress, loop.scratch.count, 0)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            return end()
        }
        input.append(loop.scratch[0..<count])
        serveLines()
    }

    /// Serves the lines that came, as long as the client takes the replies.
    private func serveLines() {
        while isOpen, endsWhenFlushed == nil, pending <= Self.pauseAt, let line = input.nextLine() {
            onEvent(self, .line(line))
        }
        guard isOpen else { return }
        if input.isOverfull {
            let error = UserError(
                .badRequest, "the request is too long", why: "a line has at most 1 MiB")
            queue(ControlReply.failed(error, id: .null))
            end(after: {})
        }
        watchWhatMatters()
    }

    private func flush() {
        while isOpen, pending > 0 {
            let count = output[written...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                if errno == EINTR { continue }
                if errno != EAGAIN { end() }
                break
            }
            written += count
        }
        guard isOpen else { return }
        if pending == 0 {
            output.removeAll(keepingCapacity: output.count <= Self.pauseAt)
            written = 0
            if endsWhenFlushed != nil { return end() }
            if !input.isEmpty { loop.enqueue { [weak self] in self?.serveLines() } }
        } else if written > Self.pauseAt {
            output.removeFirst(written)
            written = 0
        }
        watchWhatMatters()
    }

    private func watchWhatMatters() {
        var interest: Readiness = []
        if pending > 0 { interest.insert(.write) }
        if pending <= Self.pauseAt, endsWhenFlushed == nil { interest.insert(.read) }
        // The only way this can fail is a descriptor that is gone already.
        try? loop.modify(descriptor, interest)
    }
}
