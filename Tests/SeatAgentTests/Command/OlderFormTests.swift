// SPDX-License-Identifier: Apache-2.0
@testable import Launch
@testable import Agent
import Glibc
import Protocol
import Testing

@testable import Profile
@testable import SeatAgent
@testable import Store
@testable import System
@testable import Text
@testable import Transport
@testable import Keys

extension Voyage {
    /// The third entry of bo, signed, with a type and a body that may be of 0.1.
    func older(_ tail: [UInt8]) -> Bundle.Item {
        var payload = CBORWriter()
        payload.array(7)
        payload.uint(1)
        payload.value(flightID)
        payload.value(bo.key)
        payload.uint(3)
        payload.value(logs.head(of: bo.key).id)
        payload.raw(tail)
        var whole = CBORWriter()
        whole.array(4)
        whole.bytes(EntryCodec.protected)
        whole.map(0)
        whole.bytes(payload.bytes)
        whole.bytes(bo.sign(EntryCodec.toBeSigned(payload.bytes)))
        return .entry(whole.bytes)
    }
}

@Suite("What 0.1 wrote, and receipts with a cabin code, in words") struct OlderFormTests {
    private func run(
        _ words: [String], _ input: String = "", in folder: ProfileFolder? = nil
    ) -> (code: ExitCode, out: String, err: String) {
        let home = folder?.path ?? "/nonexistent"
        let session = CommandSession(
            console: Console(input: input),
            environment: [
                "HOME": home, "XDG_DATA_HOME": home + "/d", "XDG_STATE_HOME": home + "/s",
                "XDG_RUNTIME_DIR": home,
            ])
        let code = session.run(words)
        return (code, session.console.captured.out, session.console.captured.err)
    }

    @Test("A receipt of 0.1, of an open flight and of one with a code, says what it is")
    func receipt() throws {
        for code in [nil, "k7q2m5"] {
            let text = try Paper(code: code, isOlder: true).text()
            let words = ["receipt", "--verify", "-"] + (code.map { ["--code", $0] } ?? [])
            let done = run(words, text)
            #expect(done.code == .failed && done.out.isEmpty)
            #expect(
                done.err == """
                    seatagent: the receipt is of seatagent 0.1
                      why: flights have had other rules since, so it proves nothing about a flight \
                    of today
                      try: seatagent receipt

                    """)
        }
    }

    @Test("A receipt with a cabin code asks for it, and knows a wrong one")
    func gated() throws {
        let text = try Paper(code: "k7q2m5").text()
        let bare = run(["receipt", "--verify", "-"], text)
        #expect(bare.code == .usage)
        #expect(
            bare.err == """
                seatagent: the receipt cannot be checked without the cabin code of its flight
                  why: XY123/2026-11-22/DUB has one, and the signatures cover it: --code CODE
                  try: seatagent help receipt

                """)
        let wrong = run(["receipt", "--verify", "-", "--code", "k7q2m6"], text)
        #expect(wrong.code == .failed)
        #expect(
            wrong.err == """
                seatagent: the receipt names another flight than its certificate
                  why: nobody here signed for XY123/2026-11-22/DUB with this cabin code

                """)
        let right = run(["receipt", "--verify", "-", "--code", "K7Q2-m5"], text)
        #expect(right.code == .done && right.out.hasPrefix("Valid: both passengers signed"))
        // The line to try works, and says what --code is.
        #expect(run(["help", "receipt"]).out.contains("--code"))
    }

    @Test("A log of 0.1 is named as one, and one of a flight with a code is audited without it")
    func audit() throws {
        let folder = try ProfileFolder()
        let path = folder.place.stateDirectory + "/flight.log"
        let voyage = try Voyage(isOlder: true)
        let chat = voyage.older([7, 0x82, 0x61, 0x61, 0xF6])
        try PrivateFile.write(Bundle.bytes(voyage.logs) + chat.bytes, to: path)
        let done = run(["audit", path])
        #expect(done.code == .failed && done.out.isEmpty)
        #expect(
            done.err == """
                seatagent: \(path) is of seatagent 0.1
                  why: item 6 has a form that flights have no more, since their rules changed
                  try: seatagent log --export flight.log

                """)
        let paper = try Paper(code: "k7q2m5")
        try PrivateFile.write(Bundle.bytes(paper.voyage.logs), to: path)
        let gated = run(["audit", path])
        #expect(gated.code == .done && gated.out.hasPrefix("9 records of 3 passengers, every"))
    }

    @Test("Records of 0.1 stop a start, and the line to try makes place for new ones")
    func records() throws {
        let folder = try ProfileFolder()
        let primitives = try #require(AgentPrimitives())
        _ = try folder.open()
        try Database(path: folder.file).execute("PRAGMA user_version = 6")
        let options = try AgentOptions(
            ["seat": ["14C"]], place: folder.place, foreground: false)
        let error = #expect(throws: UserError.self) { try Agent.open(options, primitives) }
        #expect(
            error?.lines == [
                "seatagent: this flight's records are of seatagent 0.1",
                "  why: flights have had other rules since, so they cannot be used",
                "  try: seatagent forget practice",
            ])
        #expect(run(["forget", "practice", "--yes"], in: folder).code == .done)
        #expect(access(folder.file, F_OK) != 0)
        _ = try folder.open()
    }

    @Test("So does a file of 0.1 of a flight with a cabin code, which has another name")
    func gatedRecords() throws {
        let folder = try ProfileFolder()
        let primitives = try #require(AgentPrimitives())
        let flight = try #require(FlightName("XY123/2099-11-22/DUB"))
        let key = try #require(FlightKey(flight, code: "k7q2m5", primitives: primitives))
        let older = key.olderIDs(primitives: primitives)[0]
        let path =
            folder.place.dataDirectory + "/" + FlightFile.name(flight.text, id: older.hex)
        try PrivateFile.write([], to: path)
        let open = {
            try FlightStore.open(
                .flight(flight), code: "k7q2m5", place: folder.place, primitives: primitives)
        }
        #expect(throws: FlightStore.Obstacle.older) { try open() }
        unlink(path)
        _ = try open()
    }
}
