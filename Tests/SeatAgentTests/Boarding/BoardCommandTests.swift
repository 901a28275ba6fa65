// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SeatAgent
@testable import Text

@Suite("Boarding command")
struct BoardCommandTests {
    private let pass = "M1DOE/JOHN            EABC123 DUBSTNFR 0202 064Y017A0042 100"

    private func run(_ words: [String], _ input: String) -> (ExitCode, out: String, err: String) {
        let console = Console(input: input)
        let session = CommandSession(console: console, environment: ["HOME": "/nowhere"])
        let code = session.run(["board"] + words)
        return (code, console.captured.out, console.captured.err)
    }

    @Test("JSON in the shape of all results", arguments: ["", "\n", "\r\n"])
    func json(end: String) {
        let (code, out, err) = run(["--parse", "--json", "--on", "2026-03-01", "-"], pass + end)
        #expect(code == .done && err.isEmpty)
        #expect(
            out == """
                {"ok":true,"result":{"legs":[{"carrier":"FR","compartment":"Y","flight":"FR202",\
                "flightDate":"2026-03-05","from":"DUB","seat":"17A","seatKind":"seat","to":"STN"}],\
                "warnings":[]},"version":1}\n
                """)
    }

    @Test("Words for people, and none of the person")
    func words() {
        let (code, out, _) = run(["--parse", "--on=2026-03-01", "-"], pass + "^1")
        #expect(code == .done)
        #expect(
            out == """
                FR202 from DUB to STN on 2026-03-05, seat 17A
                  note: more text follows the end of the pass\n
                """)
    }

    @Test("A refusal has what, why and try")
    func refused() throws {
        let (code, out, _) = run(["--parse", "--json", "--on", "2026-03-01", "-"], "hello")
        #expect(code == .failed)
        let reply = try JSON(line: Array(out.utf8.dropLast()))
        #expect(reply["ok"] == false && reply["version"] == 1)
        for name in ["what", "why", "try"] { #expect(reply["error"]?[name]?.text != nil) }
        let long = String(repeating: "M", count: 100_000)
        #expect(run(["--parse", "-"], long).err.contains("longer than 4096 bytes"))
    }

    @Test("A word that is no file is the text of a pass, or refused without being shown")
    func text() {
        let (code, out, err) = run(["--parse", "--on=2026-03-01", pass], "")
        #expect(code == .done && out == "FR202 from DUB to STN on 2026-03-05, seat 17A\n")
        #expect(err.contains("shell") && !err.contains("DOE"))
        let (other, _, why) = run(["--parse", "DOE/JOHN.png"], "")
        #expect(other == .failed && !why.contains("DOE"))
    }

    @Test(
        "No word of its line is shown again, whatever is wrong with it",
        arguments: [
            ["M1DOE/JOHN", "EABC123", "DUBSTNFR", "0202", "064Y017A0042", "100"],
            ["--on", "EABC123", "DOE/JOHN"], ["--parse", "M1DOE/JOHN", "--EABC123"],
            ["M1DOE/JOHN            EABC123 dubSTNFR 0202 064Y017A0042 100"],
            ["--date", "EABC123", "--yes", "M1DOE/JOHN"], ["--json", "M1DOE/JOHN", "EABC123"],
        ])
    func shy(words: [String]) {
        let (code, out, err) = run(words, "")
        #expect(code != .done && !(out + err).isEmpty)
        for secret in ["DOE", "ABC123", "0042"] { #expect(!(out + err).contains(secret)) }
    }

    @Test("What it does not do, it says")
    func usage() {
        #expect(run(["--on", "2026-03-01", "-"], pass).0 == .failed)
        #expect(run(["--parse", "--on", "2026-02-30", "-"], pass).0 == .usage)
        #expect(run(["--parse", "-"], "%PDF-1.4").err.contains("a PDF"))
    }
}
