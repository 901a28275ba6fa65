// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SeatAgent
@testable import Text

@Suite("Errors as people and scripts see them")
struct UserErrorTests {
    @Test("Three lines, without those that are not known")
    func lines() {
        let error = UserError(.failed, "it broke", why: "it fell", advice: "seatagent status")
        #expect(
            error.lines == ["seatagent: it broke", "  why: it fell", "  try: seatagent status"])
        #expect(UserError(.failed, "it broke").lines == ["seatagent: it broke"])
    }

    @Test("A passenger's words cannot make a line of their own")
    func hostile() {
        let error = UserError(.ambiguous, "two are called bo\n  try: rm -rf \u{1B}[2J")
        #expect(error.lines == ["seatagent: two are called bo   try: rm -rf \u{FFFD}[2J"])
    }

    @Test("The object has code, what, why and try, and is read back", arguments: ErrorCode.allCases)
    func json(code: ErrorCode) {
        let error = UserError(code, "what", why: "why", advice: "try")
        let written =
            ["code": .string(code.rawValue), "what": "what", "why": "why", "try": "try"]
            as JSON
        #expect(error.json == written)
        #expect(UserError(json: error.json) == error)
        #expect(code.exit != .done)
    }

    @Test("A code of a newer agent is a failure, not a crash")
    func unknownCode() {
        let error = UserError(json: ["code": "from-the-future", "what": "x"])
        #expect(error.code == .failed)
        #expect(error.what == "x")
    }

    @Test("Exit codes are those of the table")
    func exitCodes() {
        #expect(ErrorCode.usage.exit.rawValue == 2)
        #expect(ErrorCode.noAgent.exit.rawValue == 3)
        #expect(ErrorCode.noSuchSeat.exit.rawValue == 4)
        #expect(ErrorCode.timeout.exit.rawValue == 5)
        #expect(ErrorCode.declined.exit.rawValue == 6)
        #expect(ErrorCode.expired.exit.rawValue == 6)
        #expect(ErrorCode.withdrawn.exit.rawValue == 6)
        #expect(ErrorCode.changed.exit.rawValue == 7)
        #expect(ErrorCode.blocked.exit.rawValue == 8)
        #expect(ErrorCode.windowEarly.exit.rawValue == 1)
        #expect(ExitCode.interrupted.rawValue == 130)
    }
}
