// SPDX-License-Identifier: Apache-2.0
import CLinux
import ControlAPI
import Glibc
import Profile
import Protocol
import System
import Text

/// The control socket: accepts clients of the same user, reads their requests, writes lines to
/// them.
///
/// Does not interpret requests.
final class ControlListener {
    /// Called for every request.
    var onRequest: (ControlRequest, ControlConnection) -> Void = { _, _ in }
    /// The first line that every client gets.
    var greeting: () -> Greeting? = { nil }
    private let loop: EventLoop
    private let address: ControlAddress
    private let descriptor: Int32
    private let inode: ino_t
    private var clients: [Int: ControlConnection] = [:]
    private var lastNumber = 0
    private var isOpen = true

    /// The most clients at once: a few terminals, a web page, some scripts.
    static let clientLimit = 32

    /// Listens at `address`. Replaces a file that nobody answers behind; throws `already-running`
    /// if an agent answers.
    init(loop: EventLoop, address: ControlAddress) throws(UserError) {
        self.loop = loop
        self.address = address
        try address.makeDirectory()
        try Self.clear(address)
        guard let descriptor = UnixSocket.make(nonBlocking: true) else {
            throw Self.failed(address)
        }
        self.descriptor = descriptor
        let bound = address.withSocketAddress { bind(descriptor, $0, $1) }
        var status = stat()
        // Nobody can connect before `listen`, so the mode is set in time, and the mask of the whole
        // process is left alone.
        guard bound == 0, chmod(address.path, 0o600) == 0, listen(descriptor, 16) == 0,
            stat(address.path, &status) == 0
        else {
            let error = Self.failed(address)
            Glibc.close(descriptor)
            throw error
        }
        inode = status.st_ino
        do throws(SystemError) {
            try loop.watch(descriptor, .read) { [weak self] _ in self?.acceptAll() }
        } catch {
            Glibc.close(descriptor)
            throw UserError(
                .noStart, "the control socket cannot be watched", why: error.description)
        }
    }

    deinit { close() }

    private static func failed(_ address: ControlAddress) -> UserError {
        UserError(
            .noStart, "the control socket cannot be made",
            why: "\(address.path): \(String(cString: strerror(errno)))")
    }

    /// Removes what a dead agent left behind.
    private static func clear(_ address: ControlAddress) throws(UserError) {
        switch UnixSocket.connect(to: address) {
        case .nothingThere: return
        case .dead:
            var status = stat()
            // Only a socket is removed, never a file that somebody put there.
            guard lstat(address.path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
                throw UserError(
                    .noStart, "the control socket cannot be made",
                    why: "\(address.path) is there and is not a socket")
            }
            unlink(address.path)
        case .connected(let descriptor):
            Glibc.close(descriptor)
            throw UserError(
                .alreadyRunning, "an agent is already running",
                why: "one answers at \(address.path)", advice: "seatagent status")
        case .forbidden:
            throw UserError(
                .notYourAgent, "that agent belongs to someone else",
                why: "\(address.path) is not open to you",
                advice: "unset SEATAGENT_SOCKET; seatagent status")
        case .failed(let code):
            throw UserError(
                .noStart, "the control socket cannot be made",
                why: "\(address.path): \(String(cString: strerror(code)))")
        }
    }

    /// Sends `event` to every client that watches events of its name.
    func tell(_ event: @autoclosure () -> ControlEvent) {
        guard isWatched else { return }
        let event = event()
        guard let name = event.what.name else { return }
        let watchers = clients.values.filter { $0.watched.contains(name) }
        guard !watchers.isEmpty else { return }
        let line = event.line
        for client in watchers { client.tell(line) }
    }

    /// Whether anybody watches anything.
    var isWatched: Bool { clients.values.contains { !$0.watched.isEmpty } }

    /// How many clients watch something.
    var watchers: Int { clients.values.count { !$0.watched.isEmpty } }

    /// How many clients there are.
    var count: Int { clients.count }

    /// Closes everything and removes the socket.
    func close() {
        guard isOpen else { return }
        isOpen = false
        loop.unwatch(descriptor)
        for client in clients.values { client.end() }
        clients.removeAll()
        var status = stat()
        // Another agent may have put its own socket there since.
        if stat(address.path, &status) == 0, status.st_ino == inode { unlink(address.path) }
        Glibc.close(descriptor)
    }

    private func acceptAll() {
        while true {
            let client = accept4(
                descriptor, nil, nil,
                Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue))
            if client < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard client >= 0 else { return }
            admit(client)
        }
    }

    private func admit(_ client: Int32) {
        guard let who = UnixSocket.credentials(of: client), who.uid == geteuid() || who.uid == 0
        else {
            refuse(
                client,
                UserError(
                    .notYourAgent, "that agent belongs to someone else",
                    why: "it answers user \(geteuid()) only"))
            return
        }
        guard clients.count < Self.clientLimit else {
            refuse(
                client,
                UserError(
                    .tooManyClients, "the agent has too many clients",
                    why: "\(Self.clientLimit) are connected",
                    advice: "seatagent restart"))
            return
        }
        lastNumber += 1
        let connection = try? ControlConnection(client, number: lastNumber, loop: loop) {
            [weak self] connection, event in self?.handle(connection, event)
        }
        guard let connection else {
            Glibc.close(client)
            return
        }
        clients[connection.number] = connection
        if let greeting = greeting() { connection.reply(JSON(greeting)) }
    }

    private func refuse(_ client: Int32, _ error: UserError) {
        let line = ControlReply.failed(error, id: .null).line + "\n"
        _ = line.withCString { send(client, $0, line.utf8.count, Int32(MSG_NOSIGNAL)) }
        Glibc.close(client)
    }

    private func handle(_ client: ControlConnection, _ event: ControlConnection.Event) {
        switch event {
        case .ended: clients[client.number] = nil
        case .line(let line): serve(line, client)
        }
    }

    private func serve(_ line: [UInt8], _ client: ControlConnection) {
        var id = JSON.null
        do throws(UserError) {
            let json: JSON
            do throws(JSONError) {
                json = try JSON(line: line)
            } catch {
                throw UserError(
                    .badRequest, "the request is not JSON",
                    why: "\(error.reason) at byte \(error.offset)")
            }
            id = ControlRequest.id(of: json)
            onRequest(try ControlRequest(json), client)
        } catch {
            client.reply(ControlReply.failed(error, id: id))
        }
    }
}
