// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Agent
import Glibc
import Testing

@testable import ControlAPI
@testable import SeatAgent
@testable import System
@testable import Text

/// `docs/control.md` says what the socket does: nothing is left out, nothing is made up.
@Suite("Manual of the control socket")
struct ControlManualTests {
    private let manual: String

    init() throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let bytes = try #require(try PrivateFile.read("/\(root)/docs/control.md"))
        manual = String(decoding: bytes, as: UTF8.self)
    }

    @Test("Every operation has a heading, and every heading of that part is an operation")
    func operations() throws {
        let start = try #require(manual.firstRange(of: "## Operations"))
        let end = try #require(manual.firstRange(of: "## Events"))
        var headings: [String] = []
        for line in manual[start.upperBound..<end.lowerBound].split(separator: "\n")
        where line.hasPrefix("### ") {
            headings += line.dropFirst(4).split(separator: ",").map { name in
                String(name.filter { $0 != " " })
            }
        }
        #expect(headings.sorted() == OperationName.allCases.map(\.rawValue).sorted())
    }

    @Test("Every event and every state has its line")
    func events() {
        for name in EventName.allCases { #expect(manual.contains("| `\(name.rawValue)` |")) }
        for state in RequestState.allCases { #expect(manual.contains("`\(state.rawValue)`")) }
    }

    @Test("Every error code stands in the table with its exit code", arguments: ErrorCode.allCases)
    func codes(code: ErrorCode) {
        #expect(manual.contains("| `\(code.rawValue)` | \(code.exit.rawValue) |"))
    }

    @Test("The table has no other codes")
    func noOtherCodes() throws {
        let start = try #require(manual.firstRange(of: "| Code | Exit |"))
        let rows = manual[start.lowerBound...].split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count == ErrorCode.allCases.count)
    }
}
