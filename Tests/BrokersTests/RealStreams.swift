// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System
import Testing

/// The program nats-server on a free port of this machine, with or without streams.
final class RealStreams {
    let port: UInt16
    private let folder: TestFolder
    private var child: pid_t = -1

    init(in folder: TestFolder, hasStreams: Bool = true) throws {
        self.folder = folder
        port = try RealBroker.freePort()
        try folder.write(
            "\(port).conf",
            """
            listen: 127.0.0.1:\(port)
            max_payload: 20000
            jetstream { store_dir: "\(folder.path)/\(port)", max_mem: 16MB, max_file: 20GB }
            """)
        try start()
        if hasStreams { try makeStreams() }
    }

    deinit { kill() }

    /// Starts it, again with what it had.
    func start() throws {
        let program = try #require(
            ProgramOutput.find("nats-server", path: "/usr/sbin:/usr/bin"),
            "nats-server is not installed")
        let process = ChildProcess(
            path: program, arguments: [program, "-c", "\(folder.path)/\(port).conf"],
            input: .nowhere, output: .nowhere, errors: .log("\(folder.path)/\(port).log"))
        child = try process.start()
        let end = SystemClock.now() + .seconds(10)
        while !RealBroker.isListening(port) {
            try #require(SystemClock.now() < end, "nats-server does not listen")
            usleep(5000)
        }
    }

    /// As its operator does it.
    private func makeStreams() throws {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        let python = try #require(ProgramOutput.find("python3", path: "/usr/bin"))
        let said = ProgramOutput.of(
            [
                python, "\(root)/examples/meet/nats/streams.py", "nats://127.0.0.1:\(port)",
                "--replicas", "1", "--bytes", "16777216",
            ], deadline: SystemClock.now() + .seconds(20))
        try #require(
            said.map { String(decoding: $0, as: UTF8.self).contains("SA1_F made") } == true)
    }

    /// As `kill -9` does it.
    func kill() {
        guard child > 0 else { return }
        Glibc.kill(child, SIGKILL)
        _ = ChildProcess.wait(for: child)
        child = -1
    }
}
