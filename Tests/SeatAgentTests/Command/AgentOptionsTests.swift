// SPDX-License-Identifier: Apache-2.0
@testable import Launch
import Protocol
import Testing

@testable import Aviation
@testable import CivilTime
@testable import Profile
@testable import SeatAgent
@testable import Text
@testable import Transport

private func place() throws -> ProfilePlace {
    try ProfilePlace(profile: .standard, environment: ["HOME": "/home/ada"], uid: 1000)
}

private func options(_ values: [String: [String]]) throws -> AgentOptions {
    try AgentOptions(
        ["seat": ["14C"]].merging(values) { $1 }, place: try place(), foreground: true)
}

@Suite("How an agent is to run")
struct AgentOptionsTests {
    @Test("All options")
    func all() throws {
        let made = try options([
            "seat": ["14c,14D", "14C"], "name": [" ada "], "flight": ["xy123/2026-11-22/dub"],
            "departs": ["2026-11-22T14:05:00Z"], "arrives": ["2026-11-22T16:25:00Z"],
            "opens-before": ["72h"], "interface": ["lo"], "port": ["7711"],
            "peer": ["127.0.0.1:7712", "[::1]:7713"], "no-mdns": [""],
        ])
        #expect(made.seats.map(\.text) == ["14C", "14D"])
        #expect(made.name == "ada")
        #expect(made.flight.text == "XY123/2026-11-22/DUB")
        #expect(made.window.map { RFC3339.text($0.opens) } == "2026-11-19T14:05:00Z")
        #expect(made.window.map { RFC3339.text($0.closes) } == "2026-11-22T16:25:00Z")
        #expect(made.interface == "lo")
        #expect(made.port == 7711)
        #expect(made.peers.map(\.description) == ["127.0.0.1:7712", "[::1]:7713"])
        #expect(!made.mdns)
    }

    @Test("One flight, however its number is spelled")
    func flightSpellings() throws {
        let flights = try ["FR 123", "RYR123", "fr0123"].map {
            try options(["flight": [$0 + "/2026-11-22/DUB"]]).flight
        }
        #expect(Set(flights).count == 1)
        #expect(flights[0] == FlightName("FR123/2026-11-22/DUB"))
    }

    @Test("What is left out")
    func defaults() throws {
        let made = try options([:])
        #expect(made.name == "passenger")
        #expect(made.flight.isPractice)
        #expect(made.window == nil)
        #expect(made.interface == nil)
        #expect(made.port == 0)
        #expect(made.mdns)
        let departing = try options(["departs": ["2026-11-22T14:05:00Z"]])
        #expect(departing.window.map { RFC3339.text($0.opens) } == "2026-11-20T14:05:00Z")
        #expect(departing.window.map { RFC3339.text($0.closes) } == "2026-11-23T10:05:00Z")
    }

    private func refused(_ values: [String: [String]]) -> UserError? {
        do {
            _ = try options(values)
            return nil
        } catch {
            return error as? UserError
        }
    }

    @Test("What is wrong is said before anything is started")
    func wrong() {
        #expect(refused(["seat": []])?.code == .usage)
        #expect(refused(["seat": ["256B"]])?.code == .noSuchSeat)
        #expect(refused(["seat": ["1A,1B,1C,1D,1E,1F,2A,2B,2C,2D"]])?.code == .tooManyClaims)
        #expect(refused(["name": [" "]])?.code == .emptyText)
        #expect(refused(["name": [String(repeating: "é", count: 25)]])?.code == .tooLong)
        #expect(refused(["name": ["a\u{202E}b"]])?.code == .usage)
        #expect(refused(["flight": ["XY123"]])?.code == .usage)
        #expect(refused(["departs": ["tomorrow"]])?.code == .usage)
        #expect(refused(["arrives": ["2026-11-22T14:05:00Z"]])?.code == .usage)
        #expect(refused(["opens-before": ["48h"]])?.code == .usage)
        #expect(
            refused([
                "departs": ["2026-11-22T14:05:00Z"], "arrives": ["2026-11-22T14:05:00Z"],
            ])?.code == .usage)
        #expect(refused(["port": ["70000"]])?.code == .usage)
        #expect(refused(["peer": ["localhost"]])?.why == "a colon and the port stand after it")
        #expect(refused(["peer": ["ada.local:7"]])?.code == .usage)
    }

    @Test("No such seat: the design's own lines")
    func seatLines() {
        let error = #expect(throws: UserError.self) { try SeatText.parse("33B", in: .standard) }
        #expect(
            error?.lines == [
                "seatagent: \"33B\" is not a seat on this plane",
                "  why: rows go from 1 to 32, letters from A to F", "  try: seatagent seats",
            ])
    }

    @Test("Where a profile keeps things")
    func places() throws {
        let made = try place()
        #expect(made.dataDirectory == "/home/ada/.local/share/seatagent/default")
        #expect(made.logPath == "/home/ada/.local/state/seatagent/default/agent.log")
        #expect(made.socket.path == "/tmp/seatagent-1000/default.sock")
        let other = try ProfilePlace(
            profile: try ProfileName("bo"),
            environment: ["XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s"], uid: 0)
        #expect(other.dataDirectory == "/d/seatagent/bo")
        #expect(other.optionsPath == "/s/seatagent/bo/options.json")
        #expect(throws: UserError.self) {
            try ProfilePlace(profile: .standard, environment: [:], uid: 0)
        }
    }

    @Test("The line that starts an agent as the last time can be pasted")
    func storedLine() {
        let stored = StoredOptions(
            values: [
                "seat": ["14C"], "name": ["o'ada $x"], "no-mdns": [""], "peer": ["[::1]:7", "a:1"],
            ], at: UTCTime(seconds: 0))
        #expect(
            stored.commandLine
                == "seatagent up --seat 14C --name 'o'\\''ada $x' --peer '[::1]:7' --peer a:1 "
                + "--no-mdns")
    }
}
