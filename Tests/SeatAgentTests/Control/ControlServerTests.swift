// SPDX-License-Identifier: Apache-2.0
@testable import Notify
@testable import Agent
@testable import ControlAPI
@testable import Wording
import Glibc
import Testing

@testable import Aviation
@testable import Profile
@testable import Protocol
@testable import SeatAgent
@testable import System
@testable import Text
@testable import Transport
@testable import Keys

/// A server over a real socket with a host that is a value, and a client in the same thread.
private final class ServedHost {
    let voyage: Voyage
    let host: FakeHost
    let loop: EventLoop
    let server: ControlServer
    let directory: String
    let address: ControlAddress
    private var descriptor: Int32 = -1
    private var input = LineBuffer(limit: Int.max)

    init() throws {
        voyage = try Voyage()
        host = FakeHost(FakeNode(voyage))
        loop = try EventLoop()
        var template = Array("/tmp/seatagent-test-XXXXXX".utf8CString)
        directory = try #require(mkdtemp(&template).map { String(cString: $0) })
        address = try ControlAddress(path: directory + "/s/ada.sock")
        server = try ControlServer(host: host, loop: loop, path: address.path)
        guard case .connected(let client) = UnixSocket.connect(to: address) else {
            throw UserError(.noAgent, "not connected")
        }
        descriptor = client
        turn()
    }

    deinit {
        server.close()
        close(descriptor)
        rmdir(address.directory)
        rmdir(directory)
    }

    func turn() {
        for _ in 0..<4 { loop.turn(waitingAtMost: TimeSpan(nanoseconds: 0)) }
    }

    func send(_ op: String, _ arguments: [String: JSON] = [:]) {
        let line = ControlRequest(id: 1, op: op, arguments: arguments).line + "\n"
        #expect(write(descriptor, line, line.utf8.count) == line.utf8.count)
        turn()
    }

    /// Lines that have come.
    func lines() throws -> [JSON] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        input.append(bytes.prefix(max(count, 0)))
        var lines: [JSON] = []
        while let line = input.nextLine() { lines.append(try JSON(line: line)) }
        return lines
    }
}

@Suite("Control server")
struct ControlServerTests {
    @Test("Greets with version, profile and process; answers; refuses")
    func answers() throws {
        let rig = try ServedHost()
        #expect(
            try rig.lines() == [
                [
                    "event": "hello", "version": 1, "agent": .string(Version.text),
                    "commit": Version.json, "profile": "ada", "pid": 7,
                ]
            ])
        rig.send("status")
        rig.send("sawp")
        let answers = try rig.lines()
        #expect(answers.map { $0["ok"] } == [true, false])
        #expect(answers[0]["result"]?["me"]?["seats"] == ["14C"])
        #expect(answers[1]["error"]?["code"] == "unknown-op")
    }

    @Test("An answer that has to wait for the disk comes when it is durable")
    func waits() throws {
        let rig = try ServedHost()
        _ = try rig.lines()
        rig.host.holdsAnswers = true
        rig.send("say", ["text": "hi"])
        #expect(rig.host.performed == [.say("hi")])
        #expect(try rig.lines().isEmpty)
        for answer in rig.host.held { answer() }
        rig.turn()
        #expect(try rig.lines().map { $0["ok"] } == [true])
    }

    @Test("Dials what was typed, stops when told")
    func commands() throws {
        let rig = try ServedHost()
        _ = try rig.lines()
        rig.send("peer-add", ["address": "10.77.0.2:4000"])
        #expect(rig.host.dialled == [PeerAddress(host: "10.77.0.2", port: 4000)])
        rig.send("peer-add", ["address": "nowhere"])
        rig.send("down")
        #expect(rig.host.isStopped)
        #expect(try rig.lines().map { $0["ok"] } == [true, false, true])
    }

    @Test(
        "A negotiation is told once at every step, as request while an answer is wanted from here")
    func steps() throws {
        let rig = try ServedHost()
        let contract = try rig.voyage.contract([("14C", rig.voyage.bo), ("12A", rig.voyage.ada)])
        rig.send("watch", ["events": ["request", "swap"]])
        _ = try rig.lines()
        func tell(_ stage: SwapRecord.Stage, isFinal: Bool = false) throws -> [String?] {
            var record = FakeNode.record(1, contract, role: .participant, stage: stage)
            record.isFinal = isFinal
            rig.host.node.swapRecords = [record]
            rig.server.publish([])
            rig.turn()
            return try rig.lines().map {
                "\($0["event"]?.text ?? "") \($0["state"]?.text ?? "")"
            }
        }
        #expect(try tell(.invited) == ["request open"])
        #expect(try tell(.invited) == [])
        #expect(try tell(.ready) == ["swap agreed"])
        #expect(try tell(.prepared) == [])
        #expect(try tell(.committed) == [])
        #expect(try tell(.committed, isFinal: true) == ["swap final"])
        #expect(try tell(.committed, isFinal: true) == [])
    }

    @Test("Who sits after a swap is told once, and once when they take it back")
    func seated() throws {
        let rig = try ServedHost()
        var voyage = rig.voyage
        let moves = [("14C", voyage.bo), ("12A", voyage.ada)]
        let contract = try voyage.contract(moves)
        try voyage.swap(moves)
        rig.send("watch", ["events": ["seated"]])
        _ = try rig.lines()
        func tell(_ sits: Bool?, by who: Identity) throws -> [String] {
            if let sits { try voyage.add(.seated(contract.id, sits), by: who) }
            rig.host.node = FakeNode(voyage)
            rig.host.node.swapRecords = [
                FakeNode.record(1, contract, role: .participant, stage: .committed)
            ]
            rig.server.publish([])
            rig.turn()
            return try rig.lines().map { line in
                "\(line["who"]?["name"]?.text ?? "") \(line["sits"] == true)"
            }
        }
        #expect(try tell(nil, by: voyage.bo) == [])
        #expect(try tell(true, by: voyage.bo) == ["bo true"])
        #expect(try tell(true, by: voyage.bo) == [])
        #expect(try tell(true, by: voyage.cy) == [])
        #expect(try tell(true, by: voyage.ada) == ["ada true"])
        #expect(try tell(false, by: voyage.bo) == ["bo false"])
    }

    @Test("A seat whose holder changes is told, with who holds it now")
    func seats() throws {
        let rig = try ServedHost()
        rig.send("watch", ["events": ["seat"]])
        _ = try rig.lines()
        var voyage = rig.voyage
        try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
        rig.host.node.fold = voyage.fold
        rig.server.publish([.map])
        rig.turn()
        let events = try rig.lines()
        #expect(events.map { $0["seat"] } == ["12A", "14C"])
        #expect(events[0]["holders"]?.list?.first?["me"] == true)
        rig.server.publish([.map])
        rig.turn()
        #expect(try rig.lines().isEmpty)
    }

    @Test("Who is shown in a seat is told as seats has it, also when an agent comes and goes")
    func shownSeats() throws {
        let rig = try ServedHost()
        rig.send("watch", ["events": ["seat"]])
        _ = try rig.lines()
        let bo = rig.voyage.bo.key
        try rig.host.claimAgain(rig.voyage)
        func tell(_ notice: Notice) throws -> [String?] {
            rig.server.publish([notice])
            rig.turn()
            return try rig.lines().map { "\($0["seat"]?.text ?? "") \($0["state"]?.text ?? "")" }
        }
        // It may be bo with a new key: a remark on the seat.
        #expect(try tell(.map) == [])
        #expect(rig.host.state(of: "12A") == "held")
        rig.host.passenger(bo) { ($0.isAway, $0.isLinked) = (false, true) }
        #expect(try tell(.aboard(bo)) == ["12A disputed"])
        rig.host.passenger(bo) { ($0.isAway, $0.isLinked) = (true, false) }
        #expect(try tell(.left(bo)) == ["12A held"])
    }

    @Test("A key that was never met hides nobody, and a remark stands over no own claim")
    func shownOverOthers() throws {
        let voyage = try Voyage()
        let host = FakeHost(FakeNode(voyage))
        try host.claimAgain(voyage)
        #expect(host.state(of: "12A") == "held")
        host.passenger(voyage.bo.key) { $0.awaySince = nil }
        #expect(host.state(of: "12A") == "disputed")
        host.passenger(voyage.bo.key) { $0.awaySince = UTCTime(seconds: 30) }
        host.passenger(host.node.me) { $0.isMe = false }
        host.passenger(voyage.cy.key) { $0.isMe = true }
        #expect(host.state(of: "12A") == "disputed")
    }

    @Test("A passenger's first record is told, as nothing else tells of the name")
    func joined() throws {
        let rig = try ServedHost()
        rig.send("watch", ["events": ["peer"]])
        _ = try rig.lines()
        var voyage = rig.voyage
        let dee = try #require(Identity(seed: Array(repeating: 4, count: 32)))
        try voyage.add(.genesis(name: "dee", agent: "x"), by: dee)
        rig.host.node.logs = voyage.logs
        rig.server.publish([])
        rig.server.publish([])
        rig.turn()
        let events = try rig.lines()
        #expect(events.map { $0["change"] } == ["joined"])
        #expect(events.first?["who"]?["key"] == .string(dee.key.hex))
    }

    @Test("Notices become events with their members")
    func notices() throws {
        let rig = try ServedHost()
        rig.send("watch")
        _ = try rig.lines()
        let bo = rig.voyage.bo.key
        let claim = try rig.voyage.token("12A").token
        let front = try #require(SeatSet(before: 12))
        rig.server.publish([
            .aboard(bo), .renamed(bo, from: "b", to: "bo"),
            .offer(
                bo,
                Wish(
                    offered: [claim],
                    ranks: [try #require(CabinLayout.standard.set(where: \.aisle)), .all, front],
                    tag: ThreadID(high: 1, low: 2), note: "n")),
            .trouble(.divergence(bo)), .caughtUp, .left(bo),
        ])
        rig.turn()
        let events = try rig.lines()
        #expect(
            events.map { $0["event"] } == ["peer", "peer", "offer", "trouble", "ready", "peer"])
        #expect(events.allSatisfy { $0["at"] == "1970-01-01T00:16:40Z" })
        #expect(events[2]["seats"] == ["12A"])
        #expect(events[2]["wants"] == ["aisle", "any", "front"])
        #expect(events.compactMap { EventText(event: $0).line }.count == 5)
    }
}

extension FakeHost {
    /// cy claims 12A while the agent of bo, who claimed it first, is away.
    fileprivate func claimAgain(_ voyage: Voyage) throws {
        var voyage = voyage
        let first = try voyage.token("12A").token
        let seat = try #require(Seat("12A"))
        let again = try voyage.add(.claim(seat: seat, dependant: false), by: voyage.cy)
        node.fold = voyage.fold
        node.heard = [first: UTCTime(seconds: 10), again.id.token: UTCTime(seconds: 20)]
        passenger(voyage.bo.key) {
            ($0.isLinked, $0.isAway, $0.awaySince) = (false, true, UTCTime(seconds: 30))
        }
    }

    fileprivate func passenger(_ key: PeerKey, _ change: (inout Passenger) -> Void) {
        for index in node.passengers.indices where node.passengers[index].key == key {
            change(&node.passengers[index])
        }
    }

    fileprivate func state(of seat: String) -> JSON? {
        result("seats")?["seats"]?.list?.first { $0["seat"] == .string(seat) }?["state"]
    }
}
