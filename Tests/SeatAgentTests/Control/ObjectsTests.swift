// SPDX-License-Identifier: Apache-2.0
@testable import Agent
@testable import View
import Glibc
import Testing

@testable import Aviation
@testable import ControlAPI
@testable import Protocol
@testable import SeatAgent
@testable import Store
@testable import System
@testable import Text
@testable import Transport
@testable import Trips

/// A flight on which everything has happened that the socket can tell of.
private struct Eventful {
    var voyage: Voyage
    let host: FakeHost
    private(set) var lines: [String] = []

    init() throws {
        voyage = try Voyage()
        try voyage.add(.claim(seat: try Self.seat("12A"), dependant: false), by: voyage.cy)
        try voyage.add(.claim(seat: try Self.seat("12B"), dependant: false), by: voyage.bo)
        try voyage.add(.chat(text: "a window?", replyTo: nil), by: voyage.bo)
        host = FakeHost(FakeNode(voyage))
        var node = host.node
        node.trust = Trust(me: node.me, party: [voyage.bo.key])
        node.passengers[1].assurance = .party
        node.passengers[1].misdeed = try misdeed()
        node.passengers[1].wish = try wish()
        node.passengers[2].isLinked = false
        node.passengers[2].isAway = true
        node.passengers[2].awaySince = UTCTime(seconds: 940)
        node.passengers[2].name = "captain"
        node.links[0].relay = voyage.cy.key
        node.silentPlaces = [(address: PeerAddress(host: "10.0.0.9", port: 4000), tries: 2)]
        node.heard = Dictionary(
            node.fold.tokens.map { ($0.token, UTCTime(seconds: 930)) }, uniquingKeysWith: { $1 })
        node.messages = [try message(.waiting)]
        node.party = try party()
        node.partyLines = [try partyLine()]
        node.timeline = try timeline()
        host.node = node
        host.found = [.message(try message(.received))]
    }

    private static func seat(_ text: String) throws -> Seat { try #require(Seat(text)) }

    private func message(_ state: DirectMessage.State) throws -> DirectMessage {
        DirectMessage(
            id: try #require(ThreadID(Array(repeating: 4, count: 16))), peer: voyage.bo.key,
            outgoing: state != .received, text: "psst \u{1B}", at: UTCTime(seconds: 950),
            state: state)
    }

    private func wish() throws -> Wish {
        let token = try #require(voyage.fold.tokens.first { $0.holder == voyage.bo.key }).token
        let tag = try #require(ThreadID(Array(repeating: 5, count: 16)))
        return Wish(offered: [token], ranks: [.all], tag: tag, note: "long legs")
    }

    private func party() throws -> PartyView {
        let secret = try #require(PartySecret(Array(repeating: 0, count: PartySecret.count)))
        let members = [
            PartyMember(key: voyage.bo.key, standing: .companion),
            PartyMember(key: voyage.cy.key, standing: .candidate),
        ]
        return PartyView(
            state: PartyState(secrets: [secret], isFromHome: false, members: members),
            companions: [voyage.bo.key], current: [voyage.bo.key],
            candidates: [voyage.cy.key],
            openUntil: Instant(nanoseconds: 90_000_000_000))
    }

    private func partyLine() throws -> PartyLine {
        let entry = try #require(voyage.logs.log(of: voyage.bo.key)?.entries.last)
        return PartyLine(
            at: UTCTime(seconds: 930), author: voyage.bo.key, id: entry.id,
            line: PartyText(text: "galley \u{1B}", time: UTCTime(seconds: 929)))
    }

    private func misdeed() throws -> Misdeed {
        let entries = try #require(voyage.logs.log(of: voyage.bo.key)?.entries)
        return Misdeed(
            author: voyage.bo.key, kind: .overlap, first: entries[0], second: entries[1])
    }

    private func timeline() throws -> [TimelineItem] {
        let entry = try #require(voyage.logs.log(of: voyage.bo.key)?.entries.last)
        let line = ChatLine(
            text: "hi", replyTo: entry.id, time: UTCTime(seconds: 900), after: [])
        let whats: [TimelineItem.What] = [
            .joined(name: "bo"), .chat(line), .renamed("bob"), .claimed(try Self.seat("12A")),
            .retracted(try Self.seat("12A")), .offered(try wish()), .ended,
        ]
        return whats.enumerated().map { index, what in
            var item = TimelineItem(
                at: UTCTime(seconds: Int64(910 + index)), author: voyage.bo.key, id: entry.id,
                what: what)
            item.isLate = index == 1
            return item
        }
    }

    // MARK: What is told

    mutating func ask(_ op: String, _ arguments: [String: JSON] = [:]) throws {
        let result = try #require(host.result(op, arguments), "\(op)")
        lines.append("\(op) \(JSON.object(arguments).line) \(result.line)")
    }

    mutating func tell(_ told: ControlEvent) {
        let event = JSON(told)
        Proof.check(event: event)
        lines.append("event \(event.line)")
    }

    mutating func tellAll() throws {
        let scribe = EventScribe(host: host)
        let (bo, seat) = (voyage.bo.key, try Self.seat("12A"))
        let secret = VerificationSecret([1, 2, 3, 4, 5, 6])
        let notices: [Notice] = [
            .aboard(bo), .left(bo), .renamed(bo, from: "bobby", to: "bo"),
            .chat(host.node.timeline[1]), .message(try message(.acknowledged)),
            .message(try message(.gaveUp)), .offer(bo, try wish()),
            .verification(bo, .asked), .verification(bo, .code(secret)),
            .verification(bo, .verified), .verification(bo, .alarm(.differsThere)),
            .verification(bo, .ended(.busy)), .party(.candidate(voyage.cy.key)),
            .party(.line(try partyLine())), .party(.changed),
            .party(.removed(voyage.cy.key, by: bo)), .caughtUp, .trouble(.keyRunsTwice),
            .trouble(.runsTwice(bo)), .trouble(.misdeed(try misdeed())), .trouble(.divergence(bo)),
            .trouble(.otherVersion(bo)),
            .trouble(.otherFlight(PeerAddress(host: "1.2.3.4", port: 5))),
            .trouble(.aliasOnly(bo, FlightName("BA8421/2026-12-05/LCY"))),
            .trouble(.aliasOnly(bo, nil)),
        ]
        for notice in notices { for event in scribe.events(notice) { tell(event) } }
        tell(scribe.joined(bo))
        tell(scribe.seat(seat, [bo, host.node.me]))
        tell(scribe.seat(seat, []))
        tell(scribe.event(.woke(WokeNews(host, slept: 45))))
        tell(scribe.event(.window(try #require(WindowFacts(host)))))
        tell(scribe.event(.awake(AwakeNews(held: true))))
        let people = (bo: scribe.book.person(bo), me: scribe.book.person(host.node.me))
        tell(
            scribe.event(
                .seated(
                    SeatedNews(
                        number: 1, who: people.bo, seats: [seat], sits: true, seated: [people.bo],
                        missing: [people.me]))))
    }

    /// Requests of every stage.
    mutating func negotiate() throws {
        let two = try voyage.contract([("14C", voyage.bo), ("12B", voyage.ada)], by: voyage.bo)
        let stages: [SwapRecord.Stage] = [
            .offered, .invited, .countered, .ready, .agreed, .prepared, .stranded, .committed,
            .aborted, .declined, .withdrawn, .expired,
        ]
        host.node.swapRecords = stages.enumerated().map { index, stage in
            FakeNode.record(
                index + 1, two, role: stage == .agreed ? .asker : .participant, stage: stage)
        }
        host.node.swapRecords[10].instead = 1
        host.node.swapRecords[11].revision = 2
        try ask("requests", ["all": true])
        let scribe = EventScribe(host: host)
        for record in host.node.swapRecords {
            let facts = RequestFacts(record, me: host.node.me)
            tell(scribe.request(facts, PastStandings(host.node.timeline)))
        }
        try ask("log")
        try ask("status")
        let here = try voyage.contract(
            [("14C", voyage.bo), ("12B", voyage.ada)], by: voyage.ada)
        host.node.swapRecords = (1...5).map {
            FakeNode.record($0, here, role: .asked, stage: .requested)
        }
        tell(
            scribe.request(
                RequestFacts(host.node.swapRecords[0], me: host.node.me),
                PastStandings(host.node.timeline)))
        host.node.window = nil
        try ask("counter", ["request": 1, "draft": true])
    }
}

/// `Objects.txt` has what the socket says on that flight, a line for each object.
/// `SEATAGENT_OBJECTS=write` writes it anew.
@Suite("The objects of the control socket")
struct ObjectsTests {
    @Test("Every object is byte for byte what it was, and says the same as its type")
    func same() throws {
        var flight = try Eventful()
        for op in ["status", "peers", "seats", "cabin", "needs", "cabin-suggestions", "log"] {
            try flight.ask(op)
        }
        for who in ["bo", "captain", "14C"] { try flight.ask("who", ["who": .string(who)]) }
        try flight.ask("search", ["text": "psst"])
        try flight.ask("swap", ["seat": "20F", "draft": true])
        try flight.ask("needs-set", ["seat": "14C", "facts": ["helped"], "with": "12A"])
        try flight.ask("needs")
        flight.host.needs = Needs()
        try flight.ask("verify", ["who": "bo"])
        for op in ["party", "party-new", "party-invite", "party-leave"] { try flight.ask(op) }
        try flight.ask("party-join", ["code": "aaaa-aaaa-aaaa-aaaa-a"])
        try flight.ask("party-answer", ["who": "bo", "companion": true])
        try flight.ask("party-remove", ["who": "bo"])
        try flight.ask("party-trust", ["on": true])
        try flight.ask("party-say", ["text": "hi"])
        for op in ["vouch", "block", "unblock"] { try flight.ask(op, ["who": "bo"]) }
        try flight.ask("silence", ["on": true])
        try flight.ask("rename", ["name": "ada l."])
        try flight.ask("claim", ["seat": "12A", "dependant": false])
        try flight.ask("release", ["seat": "14C"])
        flight.host.node.ownWish.words = "stay\nwindow, away from toilets"
        flight.host.node.ownWish.isPrivate = true
        try flight.ask("wish")
        flight.host.node.ownWish = OwnWish()
        try flight.ask("wish", ["words": "aisle", "offer": ["14C"], "asks": "anything"])
        try flight.ask("offer", ["for": ["any"]])
        try flight.ask("export", ["after": .null])
        try flight.ask("say", ["text": "hi"])
        flight.host.node.window = SelectionWindow(
            departs: UTCTime(seconds: 100_000), lead: 90_000, arrives: UTCTime(seconds: 120_000))
        try flight.tellAll()
        try flight.negotiate()
        try flight.ask("forget", ["force": true])
        try compare(flight.lines)
    }

    private func compare(_ lines: [String]) throws {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let path = "/\(folder)/Objects.txt"
        let version = "\"agent\":\"\(Version.text)\""
        let text = lines.map { $0.replacing(version, with: "\"agent\":\"VERSION\"") + "\n" }
            .joined()
        if getenv("SEATAGENT_OBJECTS") != nil {
            try PrivateFile.write(Array(text.utf8), to: path)
        }
        let kept = String(decoding: try #require(try PrivateFile.read(path)), as: UTF8.self)
        let (old, new) = (kept.split(separator: "\n"), text.split(separator: "\n"))
        #expect(old.count == new.count)
        for (old, new) in zip(old, new) { #expect(old == new) }
    }
}
