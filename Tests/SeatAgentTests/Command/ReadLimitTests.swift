// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
import Glibc
import Testing

@testable import SeatAgent
@testable import System
@testable import Text

@Suite("What never ends is not read to its end") struct ReadLimitTests {
    private func session(_ input: String = "") -> CommandSession {
        CommandSession(
            console: Console(input: input),
            environment: ["HOME": "/nonexistent", "XDG_RUNTIME_DIR": "/nonexistent"])
    }

    @Test("audit, receipt --verify and cabin files of /dev/zero end with an error")
    func devices() {
        for words in [["audit", "/dev/zero"], ["receipt", "--verify", "/dev/zero"]] {
            let session = session()
            #expect(session.run(words) == .failed, "\(words)")
            #expect(
                session.console.captured.err.hasPrefix(
                    "seatagent: /dev/zero is too long to be read\n  why: it goes on after "),
                "\(words)")
            #expect(session.console.captured.err.hasSuffix("  try: ls -lL /dev/zero\n"))
        }
        let error = #expect(throws: UserError.self) {
            try PrivateFile.read("/dev/zero", limit: 1000)
        }
        #expect(error?.code == .file && error?.why?.contains("1000 bytes") == true)
    }

    @Test("A pipe is read up to the limit, and one that holds less to its end")
    func pipes() throws {
        func read(_ count: Int) throws -> [UInt8] {
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            let bytes = [UInt8](repeating: 9, count: count)
            #expect(write(ends[1], bytes, count) == count)
            // A writer that stays would block a reader that goes on.
            if count <= 1000 { close(ends[1]) }
            defer {
                close(ends[0])
                if count > 1000 { close(ends[1]) }
            }
            return try PrivateFile.readAll(ends[0], PrivateFile.standardInput, limit: 1000)
        }
        #expect(try read(1000).count == 1000)
        let error = #expect(throws: UserError.self) { try read(1001) }
        #expect(error?.what == "standard input is too long to be read" && error?.advice == nil)
    }

    @Test("Standard input: a text that goes on, and a line without an end")
    func input() throws {
        let long = String(repeating: "x", count: requestLineLimit + 1)
        #expect(throws: UserError.self) { try Console(input: long).readAll() }
        #expect(try Console(input: "a\r\nb\n").readAll() == "a\nb")
        #expect(try Console(input: "a\n\n").readAll() == "a\n")
        // In pieces: a pipe without line ends does not fill the memory.
        let console = Console(input: long + "\nnext\n")
        #expect(console.nextWaitingLine()?.utf8.count == long.utf8.count)
        #expect(console.nextWaitingLine() == "next")
    }
}
