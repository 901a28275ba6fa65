// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Grammar
@testable import Agent
@testable import View
import Testing

@testable import Profile
@testable import SeatAgent
@testable import System
@testable import Text

private let date = "November 21, 2026"

@Suite("Man pages")
struct ManualTests {
    @Test("Every command, option, setting and exit code stands in seatagent(1)")
    func commands() {
        let page = CommandManual.page(CommandTable.parser, date: date).text
        for command in CommandTable.commands {
            #expect(page.contains(".Ss \"\\&\(command.name)") == !command.isHidden)
            guard !command.isHidden else { continue }
            for option in command.options { #expect(page.contains("Fl Fl \(option.name)")) }
        }
        for option in CommandTable.globals { #expect(page.contains("Fl Fl \(option.name)")) }
        for key in ConfigKey.allCases {
            #expect(page.contains(".It Cm \"\\&\(key.rawValue)\"\n"))
            #expect(page.contains(".It Ev \(key.variable)\n"))
        }
        for code in ExitCode.allCases { #expect(page.contains(".It \"\\&\(code.rawValue)\"\n")) }
        #expect(page.hasPrefix(".\\\""))
        #expect(page.contains(".Dd November 21, 2026\n.Dt SEATAGENT 1\n"))
    }

    @Test("Each command has a page with its summary, operands, options and examples")
    func pages() {
        let main = CommandManual.page(CommandTable.parser, date: date).text
        for command in CommandTable.commands where !command.isHidden {
            let page = CommandManual.page(of: command, date: date).text
            #expect(page.contains(".Dt SEATAGENT-\(command.name.uppercased()) 1\n"))
            #expect(page.contains(".Nd \(Mdoc.escaped(command.summary))\n"))
            #expect(main.contains(".Xr seatagent-\(command.name) 1 ,\n"))
            if !command.operands.isEmpty {
                #expect(page.contains(".Ar \(Mdoc.argument(command.operands))\n"))
            }
            for option in command.options { #expect(page.contains(".It \(Mdoc.option(option))\n")) }
            for example in command.examples { #expect(page.contains(Mdoc.code(example))) }
        }
    }

    @Test("Every key of the view and every slash command stands in seatagent(1)")
    func keys() {
        let page = CommandManual.page(CommandTable.parser, date: date).text
        #expect(page.contains(".Sh \"\\&KEYS\"\n"))
        for binding in KeyTable.bindings where !binding.shown.isEmpty {
            #expect(page.contains(".It \(Mdoc.argument(binding.shown))\n"), "\(binding.shown)")
        }
        for command in SlashTable.commands {
            #expect(page.contains(".It \"\\&/\(command.name)"), "\(command.name)")
        }
    }

    @Test("Every operation, event and error code stands in seatagent-api(7)")
    func socket() throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let bytes = try #require(try PrivateFile.read("/\(root)/docs/control.md"))
        let page = SocketManual.page(String(decoding: bytes, as: UTF8.self), date: date)
        let headings = page.lines.filter { $0.hasPrefix(".Ss ") }.joined(separator: " ")
        for operation in OperationName.allCases {
            #expect(headings.contains(operation.rawValue), "\(operation.rawValue)")
        }
        let tags = page.lines.filter { $0.hasPrefix(".It ") }
        for name in EventName.allCases.map(\.rawValue) + ErrorCode.allCases.map(\.rawValue) {
            let code = "\\fB" + Mdoc.code(name) + "\\fR"
            #expect(tags.contains { $0.hasPrefix(".It \"\\&\(code)") }, "\(name)")
        }
        #expect(
            page.lines.filter { $0 == ".El" }.count
                == page.lines.filter { $0.hasPrefix(".Bl") }.count)
        #expect(
            page.lines.filter { $0 == ".Ed" }.count
                == page.lines.filter { $0.hasPrefix(".Bd") }.count)
        // Nothing of Markdown is left over.
        #expect(
            !page.lines.contains { $0.contains("```") || $0.hasPrefix("|") || $0.contains("**") })
    }

    private func rendered(_ text: String) -> [String] {
        var page = Mdoc("x", section: 1, about: "x", date: date)
        let before = page.lines.count
        page.paragraph(text)
        return Array(page.lines.dropFirst(before))
    }

    @Test("No text becomes a request or an escape")
    func escapes() {
        #expect(rendered(".Sh x") == ["\\&.Sh x"])
        #expect(rendered("'x") == ["\\&'x"])
        #expect(rendered("a\\b") == ["a\\eb"])
        #expect(rendered("é ✓") == ["\\[u00E9] \\[u2713]"])
        #expect(rendered("say `--no-x` **so**") == ["say \\fB\\-\\-no\\-x\\fR \\fBso\\fR"])
        #expect(rendered("an odd ` stays") == ["an odd ` stays"])
        #expect(Mdoc.argument("say \"No\"") == "\"\\&say \\(dqNo\\(dq\"")
        let words = rendered(String(repeating: "word ", count: 40) + ". x")
        #expect(words.count == 4 && words.allSatisfy { $0.count <= 80 })
        #expect(rendered("One. Two (so.) Three") == ["One.", "Two (so.)", "Three"])
    }

    @Test("Lists, code and paragraphs are set apart once")
    func pieces() {
        var page = Mdoc("x", section: 1, about: "x", date: date)
        let before = page.lines.count
        page.section("Part")
        page.paragraph("a")
        page.paragraph("b")
        page.literal([".x -y"])
        page.paragraph("c")
        page.list([("Fl f", "d")])
        page.list([])
        page.literal([])
        #expect(
            Array(page.lines.dropFirst(before)) == [
                ".Sh \"\\&PART\"", "a", ".Pp", "b", ".Bd -literal -offset indent", "\\&.x \\-y",
                ".Ed", ".Pp", "c", ".Bl -tag -width Ds", ".It Fl f", "d", ".El",
            ])
    }
}
