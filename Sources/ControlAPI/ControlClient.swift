// SPDX-License-Identifier: Apache-2.0
package import Glibc
package import Profile
package import Protocol
import System
package import Text

/// A command's end of the control socket: asks, waits for the answer, reads events. Blocks.
package final class ControlClient {
    /// The agent's first line: its version, profile and process.
    package private(set) var hello = Greeting(
        version: 0, agent: "", commit: nil, profile: "", pid: 0)
    /// Whether nobody reads ``output`` any more.
    package private(set) var isReaderGone = false
    /// The connection, for a caller that waits for other things too.
    package let descriptor: Int32
    private var input = LineBuffer(limit: Int.max)
    private var waiting: [ToldEvent] = []
    private var lastID = 0
    /// Where events are written: if its reader is gone, the stream of events ends.
    package var output: Int32?
    private let deadline: Instant?

    /// What to type if no earlier start is known.
    package static let startLine = "seatagent up --seat 14C --name ada"

    /// Connects. Throws when nothing answers there, saying which kind of nothing, and sends nothing
    /// to what is neither this user's process nor root's.
    ///
    /// `deadline` ends every wait of this client.
    package init(
        _ address: ControlAddress, uid: uid_t = geteuid(), deadline: Instant? = nil
    ) throws(UserError) {
        self.deadline = deadline
        switch address.surroundings(of: uid) {
        case .own: break
        case .missing: throw Self.nobody(address)
        case .shut: throw Self.foreign(address, uid)
        case .wrong(let fault): throw address.refusal(fault, uid: uid, .notYourAgent)
        }
        switch UnixSocket.connect(to: address) {
        case .connected(let descriptor): self.descriptor = descriptor
        case .nothingThere, .dead: throw Self.nobody(address)
        case .forbidden: throw Self.foreign(address, uid)
        case .failed(let code):
            throw UserError(
                .unreachable, "the agent cannot be reached",
                why: "\(address.path): \(String(cString: strerror(code)))",
                advice: "seatagent status")
        }
        let server = UnixSocket.credentials(of: descriptor)?.uid
        guard let server, server == uid || server == 0 else {
            throw address.stranger(server ?? uid_t.max, uid: uid)
        }
        guard let line = try next() else { throw gone() }
        let json = try ControlLine.json(line)
        guard let greeting = try? Greeting(told: json), greeting.event == Greeting.name else {
            if case .answer(_, .failure(let error)) = try? ControlLine(line) { throw error }
            throw UserError(
                .unreachable, "what answers at the control socket is no agent",
                why: "its first line is no greeting", advice: "seatagent status")
        }
        hello = greeting
    }

    deinit { close(descriptor) }

    private static func nobody(_ address: ControlAddress) -> UserError {
        UserError(
            .noAgent, "no agent is running", why: "nothing answers at \(address.path)",
            advice: Self.startLine)
    }

    private static func foreign(_ address: ControlAddress, _ uid: uid_t) -> UserError {
        var status = stat()
        var path = address.path
        // If a directory is closed to this user, the agent belongs to its owner.
        while stat(path, &status) != 0, errno == EACCES, let slash = path.lastIndex(of: "/") {
            path = String(path[..<slash])
        }
        let isKnown = stat(path, &status) == 0 && status.st_uid != uid
        let owner = isKnown ? "owned by user \(status.st_uid)" : "not open to you"
        return UserError(
            .notYourAgent, "that agent belongs to someone else",
            why: "\(address.path) is \(owner), you are \(uid)",
            advice: "unset SEATAGENT_SOCKET; seatagent status")
    }

    /// Asks and waits for the answer; events that come before it are kept for ``nextEvent()``.
    package func ask<Operation: ControlOperation>(
        _ operation: Operation
    ) throws(UserError) -> Answer<Operation.Reply> {
        try Answer(agent: try relay(operation))
    }

    /// The same, for a caller that hands the answer on as it came.
    package func relay<Operation: ControlOperation>(
        _ operation: Operation
    ) throws(UserError) -> JSON {
        let id = try send(ControlCall(operation))
        while let line = try next() {
            switch try ControlLine(line) {
            case .event(let event): waiting.append(event)
            case .answer(id, let result): return try result.get()
            case .answer: continue
            }
        }
        throw gone()
    }

    /// Sends a question without waiting; gives its id.
    @discardableResult
    package func send(_ call: ControlCall) throws(UserError) -> Int {
        lastID += 1
        let request = ControlRequest(
            id: .int(lastID), op: call.operation.rawValue,
            arguments: call.arguments.members ?? [:])
        var rest = Array((request.line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw gone() }
            rest = rest.dropFirst(count)
        }
        return lastID
    }

    /// The next event, or `nil` when the agent has closed the connection.
    package func nextEvent() throws(UserError) -> ToldEvent? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        while let line = try next() {
            if case .event(let event) = try ControlLine(line) { return event }
        }
        return nil
    }

    /// Forgets events that came before now: what was asked after them says it all.
    package func forgetEvents() { waiting.removeAll() }

    /// Events that are here already, without waiting. `ended` when the agent is gone.
    package func takeEvents() throws(UserError) -> (events: [ToldEvent], ended: Bool) {
        let (lines, ended) = try takeLines()
        let events = lines.compactMap { line -> ToldEvent? in
            if case .event(let event) = line { return event }
            return nil
        }
        return (events, ended)
    }

    /// Events and answers that are here already, without waiting. `ended` when the agent is gone.
    package func takeLines() throws(UserError) -> (lines: [ControlLine], ended: Bool) {
        var lines = waiting.map(ControlLine.event)
        waiting.removeAll()
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        let ended = count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
        if count > 0 { input.append(bytes[0..<count]) }
        while let line = input.nextLine() {
            lines.append(try ControlLine(line))
        }
        return (lines, ended)
    }

    private func next() throws(UserError) -> [UInt8]? {
        while true {
            if let line = input.nextLine() { return line }
            guard try receive() else { return nil }
        }
    }

    private func receive() throws(UserError) -> Bool {
        if let output, try !waits(with: output) { return false }
        if let deadline {
            let left = (deadline - SystemClock.now()).nanoseconds
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let wait = Int32(clamping: (max(left, 0) + 999_999) / 1_000_000)
            let ready = left > 0 ? poll(&request, 1, wait) : 0
            guard ready != 0 else {
                throw UserError(
                    .timeout, "time ran out while waiting", advice: "seatagent status")
            }
            // Interrupted: ask again, with the time that is left.
            if ready < 0 { return true }
        }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count < 0, errno == EINTR { return true }
        guard count > 0 else { return false }
        input.append(bytes[0..<count])
        return true
    }

    /// Waits until something comes; `false` when nobody reads `output` any more.
    private func waits(with output: Int32) throws(UserError) -> Bool {
        while true {
            var requests = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: output, events: 0, revents: 0),
            ]
            let left = deadline.map { ($0 - SystemClock.now()).nanoseconds }
            let wait = left.map { Int32(clamping: (max($0, 0) + 999_999) / 1_000_000) } ?? -1
            let ready = poll(&requests, 2, wait)
            // The caller checks how much time is left.
            guard ready != 0 else { return true }
            if ready < 0 { continue }
            if requests[1].revents & Int16(POLLERR | POLLHUP) != 0 {
                isReaderGone = true
                return false
            }
            if requests[0].revents != 0 { return true }
        }
    }

    private func gone() -> UserError {
        UserError(
            .unreachable, "the agent has gone", why: "it closed the connection",
            advice: "seatagent status")
    }
}
