// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System
import Testing

/// A folder of a test, and what the program openssl makes there.
final class TestFolder {
    let path: String

    init() throws {
        var name = Array("/tmp/seatagent-brokers-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&name))
        path = String(cString: made)
    }

    deinit { Folder.remove(path) }

    /// Writes a small file.
    func write(_ name: String, _ text: String) throws {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let count = text.utf8.count
        try #require(
            Array(text.utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, count) } == count)
    }

    private func openssl(_ words: [String]) throws {
        let program = try #require(
            ProgramOutput.find("openssl", path: "/usr/bin"), "openssl is not installed")
        let output = ProgramOutput.of(
            [program] + words, deadline: SystemClock.now() + .seconds(30))
        try #require(output != nil, "openssl \(words)")
    }

    private static let newKey = [
        "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
    ]

    /// Somebody who signs: `NAME.pem` and `NAME.key`.
    func makeRoot(_ name: String) throws -> String {
        try openssl(
            ["req", "-x509"] + Self.newKey + [
                "-keyout", "\(path)/\(name).key", "-out", "\(path)/\(name).pem", "-days", "2",
                "-subj", "/CN=\(name)",
            ])
        return "\(path)/\(name).pem"
    }

    /// A host's certificate by `root`: `NAME.crt` and `NAME.key`.
    func makeHost(_ name: String, by root: String, days: Int = 2) throws {
        try openssl(
            ["req"] + Self.newKey + [
                "-keyout", "\(path)/\(name).key", "-out", "\(path)/\(name).csr", "-subj",
                "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
            ])
        try openssl([
            "x509", "-req", "-in", "\(path)/\(name).csr", "-CA", "\(path)/\(root).pem", "-CAkey",
            "\(path)/\(root).key", "-CAcreateserial", "-out", "\(path)/\(name).crt", "-days",
            "\(days)", "-copy_extensions", "copy",
        ])
    }
}

/// The program mosquitto on a free port of this machine.
final class RealBroker {
    let port: UInt16
    private let folder: TestFolder
    private var child: pid_t = -1

    /// Starts it with more lines of configuration: `host` has a certificate in the folder.
    init(in folder: TestFolder, host: String? = nil, _ lines: [String] = []) throws {
        self.folder = folder
        port = try Self.freePort()
        var all = ["listener \(port) 127.0.0.1", "persistence false", "set_tcp_nodelay true"]
        all += ["max_queued_messages 2000"]
        if !lines.contains(where: { $0.hasPrefix("allow_anonymous") }) {
            all.append("allow_anonymous true")
        }
        if let host {
            all += ["certfile \(folder.path)/\(host).crt", "keyfile \(folder.path)/\(host).key"]
        }
        // It gives its rights up when it starts as root, and could not read the folder then.
        all.append("user root")
        try folder.write("\(port).conf", (all + lines).joined(separator: "\n") + "\n")
        try start()
    }

    deinit { kill() }

    /// Starts it again, on the same port and empty.
    func start() throws {
        let program = try #require(
            ProgramOutput.find("mosquitto", path: "/usr/sbin"), "mosquitto is not installed")
        let process = ChildProcess(
            path: program, arguments: [program, "-c", "\(folder.path)/\(port).conf"],
            input: .nowhere, output: .nowhere, errors: .log("\(folder.path)/\(port).log"))
        child = try process.start()
        let end = SystemClock.now() + .seconds(10)
        while !Self.isListening(port) {
            try #require(SystemClock.now() < end, "mosquitto does not listen")
            usleep(5000)
        }
    }

    /// As `kill -9` does it.
    func kill() {
        guard child > 0 else { return }
        Glibc.kill(child, SIGKILL)
        _ = ChildProcess.wait(for: child)
        child = -1
    }

    /// It stands still, and its connections stay.
    func freeze() { Glibc.kill(child, SIGSTOP) }

    static func isListening(_ port: UInt16) -> Bool {
        let address = Address(host: .loopback4, port: port)
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        return address.withSocketAddress { connect(socket, $0, $1) } == 0
    }

    static func freePort() throws -> UInt16 {
        let calls = Syscalls()
        let address = Address(host: .loopback4, port: 0)
        let socket = try calls.socket(address)
        defer { calls.close(socket) }
        try calls.bind(socket, address)
        return try #require(calls.localAddress(socket)).port
    }
}
