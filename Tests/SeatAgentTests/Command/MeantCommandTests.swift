// SPDX-License-Identifier: Apache-2.0
import Testing
import Text

@testable import Grammar

@Suite("What newcomers type in place of a command")
struct MeantCommandTests {
    private func advice(_ words: [String]) -> String? {
        do throws(UserError) {
            _ = try CommandTable.parser.parse(words)
            return nil
        } catch {
            return error.advice
        }
    }

    @Test(
        "Words of other programs, and a seat alone, lead to a command",
        arguments: [
            (["join", "FR202"], "seatagent up --seat 14C --name ada"), (["quit"], "seatagent down"),
            (["list"], "seatagent peers"), (["map"], "seatagent seats"),
            (["send", "bo", "hi"], "seatagent help msg"), (["trade"], "seatagent help swap"),
            (["Yes"], "seatagent requests"), (["14c"], "seatagent up --seat 14C"),
            (["frobnicate"], "seatagent help"),
        ])
    func words(typed: [String], line: String) {
        #expect(advice(typed) == line)
    }

    @Test("What is given for a seat stands behind --give, and no other seat is asked for")
    func swap() {
        #expect(advice(["swap", "20f", "14c"]) == "seatagent swap 20F --give 14C")
        #expect(advice(["swap", "20F", "for", "14C"]) == "seatagent swap 20F --give 14C")
        #expect(advice(["swap", "20F", "please"]) == "seatagent swap 12A")
    }

    @Test("Each word leads to a line that parses")
    func parses() throws {
        for word in ["join", "stop", "people", "ls", "map", "tell", "ask", "no", "add", "info"] {
            let line = try #require(MeantCommand.line(word, among: CommandTable.parser.commands))
            let words = line.split(separator: " ").dropFirst().map(String.init)
            #expect(throws: Never.self) { try CommandTable.parser.parse(words) }
        }
    }
}
