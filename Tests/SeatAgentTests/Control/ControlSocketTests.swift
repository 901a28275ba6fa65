// SPDX-License-Identifier: Apache-2.0
@testable import Agent
@testable import ControlAPI
import Glibc
import Protocol
import Testing

@testable import Profile
@testable import SeatAgent
@testable import System
@testable import Text

/// A loop, a listener that answers `echo` with its arguments, and a place for the socket.
private final class Rig {
    let directory: String
    let address: ControlAddress
    let loop: EventLoop
    var listener: ControlListener?

    init() throws {
        var template = Array("/tmp/seatagent-test-XXXXXX".utf8CString)
        directory = try #require(mkdtemp(&template).map { String(cString: $0) })
        address = try ControlAddress(path: directory + "/s/default.sock")
        loop = try EventLoop()
        listener = try ControlListener(loop: loop, address: address)
        listener?.greeting = {
            Greeting(version: 1, agent: Version.text, commit: nil, profile: "ada", pid: 7)
        }
        listener?.onRequest = { request, client in
            client.reply(ControlReply.done(.object(request.arguments), id: request.id))
        }
    }

    deinit {
        listener?.close()
        unlink(address.path)
        rmdir(address.directory)
        rmdir(directory)
    }

    /// Turns until nothing more is ready.
    func turn(_ count: Int = 4) {
        for _ in 0..<count { loop.turn(waitingAtMost: .zero) }
    }

    /// A connection whose greeting waits to be read.
    func raw() throws -> Int32 {
        guard case .connected(let descriptor) = UnixSocket.connect(to: address) else {
            throw UserError(.noAgent, "not connected")
        }
        turn()
        return descriptor
    }
}

extension TimeSpan {
    fileprivate static let zero = TimeSpan(nanoseconds: 0)
}

private func send(_ text: String, _ descriptor: Int32) {
    #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
}

/// What is there to be read, as lines; `nil` at the end of the stream.
private func lines(_ descriptor: Int32) -> [String]? {
    var bytes = [UInt8](repeating: 0, count: 256 * 1024)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count != 0 else { return nil }
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        .split(separator: "\n").map(String.init)
}

@Suite("Control socket")
struct ControlSocketTests {
    @Test("Greets, answers with the request's id, in order")
    func answers() throws {
        let rig = try Rig()
        let client = try rig.raw()
        defer { close(client) }
        let greeting =
            #"{"agent":"0.3.0","commit":null,"event":"hello","pid":7,"profile":"ada","version":1}"#
        #expect(lines(client) == [greeting])
        send("{\"id\":1,\"op\":\"echo\",\"x\":\"y\"}\n{\"id\":[\"a\"],\"op\":\"echo\"}\r\n", client)
        rig.turn()
        #expect(
            lines(client) == [
                #"{"id":1,"ok":true,"result":{"x":"y"},"version":1}"#,
                #"{"id":["a"],"ok":true,"result":{},"version":1}"#,
            ])
    }

    @Test("A wrong line is answered and the next one is served")
    func wrongLines() throws {
        let rig = try Rig()
        let client = try rig.raw()
        defer { close(client) }
        _ = lines(client)
        send("nonsense\n[]\n{\"id\":3}\n{\"id\":4,\"op\":\"echo\",\"version\":2}\n", client)
        send("{\"id\":5,\"op\":\"echo\"}\n", client)
        rig.turn()
        let answers = try #require(lines(client)).map { try JSON(line: $0) }
        #expect(answers.map { $0["ok"] } == [false, false, false, false, true])
        #expect(answers.prefix(4).allSatisfy { $0["error"]?["code"] == "bad-request" })
        #expect(answers.map { $0["id"] } == [.null, .null, 3, 4, 5])
    }

    @Test("A line without end is cut off at 1 MiB, others are not disturbed")
    func tooLong() throws {
        let rig = try Rig()
        let greedy = try rig.raw()
        let modest = try rig.raw()
        defer { close(modest) }
        _ = (lines(greedy), lines(modest))
        let piece = String(repeating: "x", count: 64 * 1024)
        for _ in 0..<17 {
            _ = piece.withCString { Glibc.send(greedy, $0, piece.utf8.count, Int32(MSG_DONTWAIT)) }
            rig.turn()
        }
        #expect(lines(greedy)?.first?.contains("too long") == true)
        #expect(lines(greedy) == nil)
        close(greedy)
        send("{\"id\":1,\"op\":\"echo\"}\n", modest)
        rig.turn()
        #expect(lines(modest)?.count == 1)
        #expect(rig.listener?.count == 1)
    }

    @Test("A client that reads nothing is not served further, and catches up when it reads")
    func backPressure() throws {
        let rig = try Rig()
        let client = try rig.raw()
        defer { close(client) }
        _ = lines(client)
        let text = String(repeating: "y", count: 100_000)
        let count = 12
        for id in 0..<count {
            let line = "{\"id\":\(id),\"op\":\"echo\",\"t\":\"\(text)\"}\n"
            var rest = Array(line.utf8)[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes {
                    Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
                }
                if sent > 0 { rest = rest.dropFirst(sent) }
                rig.turn(1)
                if sent <= 0 { break }
            }
            if !rest.isEmpty { break }
        }
        var bytes = 0
        for _ in 0..<200 {
            rig.turn(1)
            bytes += lines(client)?.reduce(0) { $0 + $1.utf8.count } ?? 0
        }
        #expect(bytes >= 2 * 100_000)
        #expect(rig.listener?.count == 1)
    }

    @Test("Only watchers get events; one that never reads is cut off")
    func events() throws {
        let rig = try Rig()
        let watcher = try rig.raw()
        let other = try rig.raw()
        defer { close(other) }
        _ = (lines(watcher), lines(other))
        rig.listener?.onRequest = { _, client in client.watched = [.ready, .trouble] }
        send("{\"op\":\"watch\"}\n", watcher)
        rig.turn()
        rig.listener?.tell(ControlEvent(at: nil, .ready))
        rig.listener?.tell(ControlEvent(at: nil, .awake(AwakeNews(held: true))))
        rig.turn()
        #expect(lines(watcher) == [#"{"event":"ready"}"#])
        #expect(lines(other) == [])
        let words = String(repeating: "z", count: 500_000)
        let large = TroubleNews(code: Word(.discovery), what: words)
        for _ in 0..<12 { rig.listener?.tell(ControlEvent(at: nil, .trouble(large))) }
        rig.turn()
        #expect(rig.listener?.count == 1)
        close(watcher)
    }

    @Test("No more clients than the limit")
    func clientLimit() throws {
        let rig = try Rig()
        var clients: [Int32] = []
        defer { for client in clients { close(client) } }
        for _ in 0..<ControlListener.clientLimit { clients.append(try rig.raw()) }
        clients.append(try rig.raw())
        let last = try #require(clients.last)
        #expect(lines(last)?.first?.contains("too-many-clients") == true)
        #expect(rig.listener?.count == ControlListener.clientLimit)
    }
}

@Suite("Control socket: who may, and where")
struct ControlAccessTests {
    @Test("Directory 0700, socket 0600")
    func modes() throws {
        let rig = try Rig()
        var status = stat()
        #expect(stat(rig.address.directory, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        #expect(stat(rig.address.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("A second agent is told that one runs; a dead one's socket is replaced")
    func probing() throws {
        let rig = try Rig()
        #expect {
            _ = try ControlListener(loop: rig.loop, address: rig.address)
        } throws: {
            ($0 as? UserError)?.code == .alreadyRunning
        }
        // A process that dies leaves the file and nobody behind it.
        let stale = try ControlAddress(path: rig.address.directory + "/stale.sock")
        let descriptor = try #require(UnixSocket.make(nonBlocking: false))
        #expect(stale.withSocketAddress { bind(descriptor, $0, $1) } == 0)
        close(descriptor)
        let listener = try ControlListener(loop: rig.loop, address: stale)
        #expect(access(stale.path, F_OK) == 0)
        listener.close()
        #expect(access(stale.path, F_OK) != 0)
    }

    @Test("A directory open to others is refused, and so is a file in the socket's place")
    func refusals() throws {
        let rig = try Rig()
        chmod(rig.address.directory, 0o755)
        let second = try ControlAddress(path: rig.address.directory + "/b.sock")
        #expect {
            _ = try ControlListener(loop: rig.loop, address: second)
        } throws: {
            ($0 as? UserError)?.what == "the directory of the control socket is open to others"
        }
        chmod(rig.address.directory, 0o700)
        close(open(second.path, O_CREAT | O_WRONLY, 0o600))
        #expect {
            _ = try ControlListener(loop: rig.loop, address: second)
        } throws: {
            ($0 as? UserError)?.code == .noStart
        }
        #expect(access(second.path, F_OK) == 0)
        unlink(second.path)
    }

    @Test("The place of the socket")
    func place() throws {
        let ada = try ProfileName("ada")
        func path(_ environment: [String: String]) throws -> String {
            try ControlAddress(name: ada.text, environment: environment, uid: 1000).path
        }
        #expect(try path([:]) == "/tmp/seatagent-1000/ada.sock")
        let runtime = ["XDG_RUNTIME_DIR": "/run/user/1000"]
        #expect(try path(runtime) == "/run/user/1000/seatagent/ada.sock")
        #expect(try path(runtime.merging(["SEATAGENT_SOCKET": "/x/y"]) { $1 }) == "/x/y")
        _ = #expect(throws: UserError.self) {
            try path(["XDG_RUNTIME_DIR": "/" + String(repeating: "d", count: 100)])
        }
        for name in ["", "..", "a/b", "a b", String(repeating: "a", count: 33), "é"] {
            #expect(throws: UserError.self) { try ProfileName(name) }
        }
    }

    @Test("A client tells nothing to a socket in a directory that others could have made or filled")
    func clientLooksAtTheDirectory() throws {
        let rig = try Rig()
        let (directory, address) = (rig.address.directory, rig.address)
        func refused(_ what: String, _ address: ControlAddress, uid: uid_t = geteuid()) {
            let error = #expect(throws: UserError.self) {
                // A client that goes on waits for a greeting, which nobody sends here.
                try ControlClient(
                    address, uid: uid, deadline: SystemClock.now() + .milliseconds(100))
            }
            #expect(error?.code == .notYourAgent)
            #expect(error?.what == "the directory of the control socket " + what)
            #expect(error?.why != nil && error?.advice != nil)
        }
        for mode in [0o755, 0o770, 0o701] as [mode_t] {
            chmod(directory, mode)
            refused("is open to others", address)
        }
        chmod(directory, 0o700)
        refused("belongs to someone else", address, uid: geteuid() + 1)
        let link = rig.directory + "/link"
        #expect(symlink(directory, link) == 0)
        defer { unlink(link) }
        refused("is not a directory of its own", try ControlAddress(path: link + "/default.sock"))
        rig.turn()
        #expect(rig.listener?.count == 0)
    }

    @Test("A client takes an answer of its own user and of root only; advice fits the way it came")
    func clientAsksWhoServes() throws {
        let rig = try Rig()
        let stranger = rig.address.stranger(1001, uid: 1000)
        #expect(stranger.code == .notYourAgent)
        #expect(
            stranger.why
                == "\(rig.address.path) is served by user 1001, you are 1000; nothing was "
                + "sent there")
        #expect(stranger.advice == "XDG_RUNTIME_DIR=$HOME seatagent up --seat 14C --name ada")
        let given = try ControlAddress(
            name: "default", environment: ["SEATAGENT_SOCKET": rig.address.path], uid: 1000)
        #expect(
            given.stranger(1001, uid: 1000).advice == "unset SEATAGENT_SOCKET; seatagent status")
        // This process serves itself: that is the own user.
        let client = try rig.raw()
        defer { close(client) }
        #expect(UnixSocket.credentials(of: client)?.uid == geteuid())
    }

    @Test("No agent: the three lines of the design")
    func noAgent() throws {
        let address = try ControlAddress(path: "/tmp/seatagent-none/default.sock")
        let error = #expect(throws: UserError.self) { try ControlClient(address) }
        #expect(
            error?.lines == [
                "seatagent: no agent is running",
                "  why: nothing answers at /tmp/seatagent-none/default.sock",
                "  try: seatagent up --seat 14C --name ada",
            ])
        #expect(error?.code.exit.rawValue == 3)
    }
}
