// SPDX-License-Identifier: Apache-2.0
import Aviation
import Glibc
import Testing

@testable import Agent
@testable import ControlAPI
@testable import Grammar
@testable import Keys
@testable import Protocol
@testable import SeatAgent
@testable import Store
@testable import Text
@testable import Wording

@Suite("A yes that the agent says: the desk and words")
struct AutomaticDeskTests {
    private let host: FakeHost
    private let voyage: Voyage

    init() throws {
        voyage = try Voyage()
        host = FakeHost(FakeNode(voyage))
        let secret = try #require(PartySecret(Array(repeating: 0, count: PartySecret.count)))
        host.node.party = PartyView(
            state: PartyState(
                secrets: [secret], isFromHome: false,
                members: [PartyMember(key: voyage.bo.key, standing: .companion)]),
            companions: [voyage.bo.key],
            current: [voyage.bo.key], candidates: [], openUntil: nil)
    }

    /// A ring of all three that bo proposed.
    private func record(_ stage: SwapRecord.Stage) throws -> SwapRecord {
        let ring = try voyage.contract(
            [("14C", voyage.bo), ("12A", voyage.cy), ("20F", voyage.ada)], nonce: 6, by: voyage.bo)
        return FakeNode.record(3, ring, role: .participant, stage: stage)
    }

    private func shown(_ record: SwapRecord) throws -> RequestText {
        host.node.swapRecords = [record]
        let list = host.result("requests", ["all": true])?["requests"]?.list
        return RequestText(request: try #require(list?.first))
    }

    @Test("It is on or off, is kept, and needs a party")
    func setting() throws {
        let on = try PartyStatus(told: #require(host.result("party-trust", ["on": true])))
        #expect(on.trust && host.automatic.trusts)
        #expect(try PartyStatus(told: #require(host.result("party"))).trust)
        #expect(PartyWords.lines(on).contains { $0.hasPrefix("Trust: on. ") })
        let off = try PartyStatus(told: #require(host.result("party-trust", ["on": false])))
        #expect(!off.trust && !host.automatic.trusts)
        #expect(PartyWords.lines(off).contains("Trust: off. You are asked about everything."))
        host.node.party = nil
        #expect(host.refusal("party-trust", ["on": true])?.advice == "seatagent party new")
        #expect(host.result("party-trust", ["on": false]) != nil)
    }

    @Test("Whatever was said for the user says so, and how to take it back")
    func words() throws {
        var automatic = AutomaticYes()
        automatic.trust(true)
        let ready = try record(.ready)
        var words = try shown(ready)
        #expect(!words.request.automatic && words.recanting(slash: false).isEmpty)
        #expect(words.news == nil)
        _ = automatic.answer(
            AutomaticYes.Request(
                contract: ready.contract.id, proposer: voyage.bo.key, isCompanion: true,
                isKnown: true, isOpen: true, hasWords: false, isWarned: false, fault: nil),
            at: host.now.utc)
        host.automatic = automatic
        words = try shown(ready)
        #expect(words.request.automatic)
        #expect(
            words.line().hasSuffix(
                "  your agent said yes for you; it goes through when all have. To take it back: "
                    + "seatagent decline 3"))
        #expect(words.line(slash: true).hasSuffix("To take it back: /decline 3"))
        #expect(words.news?.hasPrefix("Your agent said yes to request 3 for you: ") == true)
        // Nothing can be taken back any more.
        words = try shown(record(.prepared))
        #expect(words.request.automatic && words.recanting(slash: false).isEmpty)
        words = try shown(record(.committed))
        #expect(words.closing(slash: false).contains(" Your agent said yes to it for you. "))
        // It is as any other request once the user took the yes back.
        #expect(try !shown(record(.invited)).request.automatic)
        host.automatic.forget(ready.contract.id)
        #expect(try !shown(ready).request.automatic)
    }

    @Test("A wish needs no word only where it says something, and until it is taken back")
    func wish() throws {
        #expect(host.refusal("wish", ["auto": true])?.advice == "seatagent wish window --auto")
        #expect(!host.automatic.serves)
        let asked = try WishFacts(
            told: #require(host.result("wish", ["words": "window", "auto": true])))
        #expect(asked.auto && host.automatic.serves)
        #expect(
            WishText(asked, .standard).lines.contains { $0.hasSuffix("--auto=off ends that.") })
        host.node.ownWish.words = "\nwindow"
        #expect(try !WishFacts(told: #require(host.result("wish", ["auto": false]))).auto)
        #expect(try WishFacts(told: #require(host.result("wish", ["auto": true]))).auto)
        // Another wish leaves it as it is; taking the offer back does not.
        #expect(try WishFacts(told: #require(host.result("wish", ["words": "aisle"]))).auto)
        #expect(try !WishFacts(told: #require(host.result("wish", ["offer": []]))).auto)
        host.automatic.serve(true)
        _ = host.result("withdraw")
        #expect(!host.automatic.serves)
    }

    @Test("What the agent asked for says so, and how to take it back")
    func asked() throws {
        let ring = try voyage.contract(
            [("14C", voyage.bo), ("12A", voyage.cy), ("20F", voyage.ada)], nonce: 7, by: voyage.ada)
        let record = FakeNode.record(4, ring, role: .coordinator, stage: .offered)
        #expect(try !shown(record).request.automatic)
        host.automatic.proposed(ring.id, by: voyage.ada.key, at: host.now.utc)
        let words = try shown(record)
        #expect(
            words.line().hasSuffix(
                ". Your agent asked for you; to take it back: seatagent cancel 4"))
        #expect(words.news?.hasPrefix("Your agent asked for you: you propose: ") == true)
    }

    @Test("It is on the disk, and an older file has none of it")
    func kept() throws {
        let path = "/tmp/seatagent-automatic-\(getpid()).db"
        defer { for end in ["", "-wal", "-shm"] { unlink(path + end) } }
        let primitives = try #require(SodiumPrimitives())
        var automatic = AutomaticYes()
        let empty = try Store(path: path, primitives: primitives)
        #expect(try empty.automaticYes() == automatic)
        automatic.trust(true)
        automatic.serve(true)
        let store = try Store(path: path, primitives: primitives)
        try store.keep(automatic)
        try store.keep(automatic)
        let again = try Store(path: path, primitives: primitives)
        #expect(try again.automaticYes() == automatic)
    }

    @Test("What a person has to weigh is a reason to ask them")
    func warned() throws {
        host.node.swapRecords = [try record(.invited)]
        let facts = host.node.facts(of: host.node.swapRecords[0])
        #expect(!host.isWarned(of: facts))
        let seat = try #require(Seat("14C"))
        for fact in [Needs.Fact.paid, .standby, .infant] {
            host.needs = Needs([Needs.Person(seat: seat, facts: [fact])])
            #expect(host.isWarned(of: facts), "\(fact)")
        }
        host.needs = Needs()
        // Of an aeroplane whose layout nobody said nothing is known that a yes could rest on.
        host.node.flight = try #require(FlightName("XY1/2026-11-22/DUB"))
        #expect(host.cabin.sure == .invented && host.isWarned(of: facts))
    }

    @Test("Only what is true of every swap needs nobody")
    func kinds() {
        let plain = RuleFinding.Kind.allCases.filter { !$0.isWeighed }
        #expect(plain == [.row, .layout, .belongings, .pass, .crew, .airline])
    }
}
