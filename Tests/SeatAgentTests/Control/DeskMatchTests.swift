// SPDX-License-Identifier: Apache-2.0
import Aviation
import ProtocolTestKit
import Testing

@testable import Agent
@testable import ControlAPI
@testable import Protocol
@testable import SeatAgent
@testable import Text
@testable import Wording

/// ada in 14C and 12B, bo in 12A, cy in 20F; bo offers 12A for 14C, if that is asked for.
private func aboard(wishing: Bool = true) throws -> FakeHost {
    var voyage = try Voyage()
    try voyage.add(.claim(seat: #require(Seat("12B")), dependant: false), by: voyage.ada)
    if wishing {
        let wish = Wish(
            offered: [try voyage.token("12A").token], ranks: [SeatedCabin.set("14C")],
            tag: ThreadID(high: 1, low: 1))
        try voyage.add(.wish(wish), by: voyage.bo)
    }
    return FakeHost(FakeNode(voyage))
}

@Suite("Exchanges that are found, at the desk")
struct DeskMatchTests {
    private func plans(_ host: FakeHost, _ op: String) throws -> MatchPlans {
        try MatchPlans(told: #require(host.result(op)))
    }

    @Test("A plan says who moves and why, and what the party is like after it")
    func together() throws {
        let host = try aboard()
        let found = try plans(host, "together")
        #expect(host.performed.isEmpty)
        #expect(found.whole && !found.cut && !found.guessed && found.shape == .apart)
        #expect(found.party.map(\.name) == ["ada"])
        let plan = try #require(found.plans.first)
        #expect(found.plans.count == 1 && plan.number == 1 && plan.yours)
        #expect(plan.shape == .block && plan.together == 2)
        #expect(plan.helped == 1 && plan.favours == 0)
        #expect(
            plan.changes.map { [$0.who.name, $0.from.text, $0.to.text] } == [
                ["bo", "12A", "14C"], ["ada", "14C", "12A"],
            ])
        #expect(plan.changes.map(\.rank) == [1, nil] && plan.changes.map(\.own) == [false, true])
        #expect(plan.moves.map(\.seat.text) == ["14C", "12A"])
        #expect(
            plan.sentences.first == "You give 14C (aisle) and get 12A (window), to sit with "
                + "your party.")
        #expect(
            MatchPlansText(found).lines.first
                == "1  Both of you in one block; 1 person gets what they like better.")
        let seat = try #require(Seat("14C"))
        let picture = PlanPicture(
            plan: plan, party: found.party,
            taken: ["12A", "12B", "14C", "20F"].compactMap { Seat($0) }, cabin: .standard)
        #expect(
            picture.lines == [
                "      before               after",
                "      A B C   D E F        A B C   D E F",
                "  12  x @ ·   · · ·        @ @ ·   · · ·",
                "",
                "  14  · · @   · · ·        · · x   · · ·",
                "",
                "@ your party   x others who move   o others   · nobody",
            ])
        let alone = PlanPicture(
            plan: plan, party: [Person(key: "00", tag: "#k7q2", name: "", seats: [seat])],
            taken: [], cabin: .standard)
        #expect(alone.lines.last?.hasPrefix("@ you   x others") == true)
    }

    @Test("It is proposed as it was shown, and asks what every swap asks")
    func proposed() throws {
        let host = try aboard()
        let plan = try #require(try plans(host, "together").plans.first)
        let call = Drafted.plan(plan.proposal(SwapTerms(note: "n")))
        let draft = try #require(
            host.result("propose", call.draft.arguments.members ?? [:]))
        let told = try SwapDraft(told: draft)
        #expect(told.who?.name == "bo" && told.risk != nil && host.performed.isEmpty)
        #expect(told.moves == plan.moves)
        _ = host.result("propose", call.call.arguments.members ?? [:])
        let (ada, bo) = (host.node.me, try #require(told.who?.key))
        let other = try #require(host.node.passengers.first { $0.key.hex == bo }).key
        #expect(
            host.performed == [
                .propose(
                    [
                        SeatMove(seat: try #require(Seat("14C")), to: other, from: ada),
                        SeatMove(seat: try #require(Seat("12A")), to: ada, from: other),
                    ], note: "n", expires: nil)
            ])
        // What was refused can be typed again.
        var terms = SwapTerms(note: "n")
        terms.typed = SwapTerms.Typed(yes: true, found: "together", pick: 1)
        host.answer = .failure(.swap(.mayStick(other, give: nil)))
        let error = host.refusal(
            "propose", ControlCall(plan.proposal(terms)).arguments.members ?? [:])
        #expect(error?.advice == "seatagent together --pick 1 --note 'n' --unverified --yes")
    }

    @Test("What the cabin forbids is not shown, and the reason is said")
    func forbidden() throws {
        let host = try aboard()
        let seat = try #require(Seat("14C"))
        host.needs = Needs([Needs.Person(seat: seat, facts: [.standby])])
        #expect(host.refusal("together")?.code == .nothingFound)
        let other = try #require(Seat("12B"))
        host.needs = Needs([
            Needs.Person(seat: seat, facts: [.standby]),
            Needs.Person(seat: other, facts: [.standby]),
        ])
        #expect(host.refusal("together")?.advice == "seatagent needs 12B standby --remove")
        // Of somebody who sits elsewhere by now nothing is known.
        host.needs = Needs([
            Needs.Person(seat: seat, facts: [.paid]),
            Needs.Person(seat: try #require(Seat("9A")), facts: [.paid]),
        ])
        #expect(host.refusal("together")?.advice == "seatagent needs 9A --remove")
    }

    @Test("A wish is served by whoever would take the user's seat")
    func match() throws {
        let host = try aboard()
        #expect(host.refusal("match")?.advice == "seatagent wish window, aisle")
        host.node.ownWish.ranks = [SeatedCabin.set("14C 12B")]
        #expect(host.refusal("match")?.what == "you have what you wish for first")
        host.node.ownWish.ranks = [SeatedCabin.set("20F"), SeatedCabin.set("12A")]
        let found = try plans(host, "match")
        #expect(found.plans.first?.changes.map(\.to.text) == ["14C", "12A"])
        #expect(found.plans.first?.sentences.first?.hasSuffix("your second wish.") == true)
        host.node.ownWish.ranks = [SeatedCabin.set("30A")]
        #expect(host.refusal("match")?.what.hasPrefix("no swap was found that serves") == true)
    }

    @Test("Whose seat is disputed, or drawn nowhere, reads that")
    func noOwnSeat() throws {
        var voyage = try Voyage()
        try voyage.add(.claim(seat: #require(Seat("14C")), dependant: false), by: voyage.cy)
        let disputed = FakeHost(FakeNode(voyage))
        for op in ["together", "match"] {
            #expect(disputed.refusal(op)?.code == .disputed, "\(op)")
        }
        let host = try aboard()
        host.cabin = try CabinLayout(json: CabinReaderTests.sample)
        for op in ["together", "match"] {
            #expect(host.refusal(op)?.what == "it is not known where your party sits", "\(op)")
        }
    }

    @Test("Somebody's no stands")
    func refused() throws {
        let host = try aboard()
        let plan = try #require(try plans(host, "together").plans.first)
        #expect(plan.yours)
        let voyage = try Voyage()
        let contract = try voyage.contract([("14C", voyage.bo), ("12A", voyage.ada)])
        var record = FakeNode.record(1, contract, role: .asker, stage: .declined)
        host.node.swapRecords = [record]
        #expect(host.refusal("together")?.code == .nothingFound)
        // A request of somebody else's that the user declined is no reason.
        record.role = .asked
        host.node.swapRecords = [record]
        host.keep(
            [.swap(SwapNotice(record: record, what: .declined(voyage.ada.key)))], isOwn: true)
        #expect(try plans(host, "together").plans.count == 1)
        // Nor is the user's no to a counter-offer.
        record.role = .coordinator
        host.node.swapRecords = []
        host.keep(
            [.swap(SwapNotice(record: record, what: .declined(voyage.ada.key)))], isOwn: true)
        #expect(try plans(host, "together").plans.count == 1)
        // Whoever said no to what the user proposed is not asked for anything else either.
        host.keep(
            [.swap(SwapNotice(record: record, what: .declined(voyage.bo.key)))], isOwn: false)
        #expect(host.refusal("together")?.code == .nothingFound)
    }

    @Test("Where there is nothing to look for it is said why, and what to do")
    func nothing() throws {
        let voyage = try Voyage()
        let host = FakeHost(FakeNode(voyage))
        #expect(
            host.refusal("together")?.lines == [
                "seatagent: there is nobody to sit with",
                "  why: you have one seat, and you are in no party",
                "  try: seatagent party new",
            ])
        let secret = try #require(PartySecret(Array(repeating: 1, count: PartySecret.count)))
        var party = PartyView(
            state: PartyState(secrets: [secret], isFromHome: false), companions: [], current: [],
            candidates: [], openUntil: nil)
        host.node.party = party
        #expect(host.refusal("together")?.advice == "seatagent party invite")
        party.candidates = [voyage.bo.key]
        host.node.party = party
        #expect(host.refusal("together")?.advice?.hasPrefix("seatagent party yes '#") == true)
        party.companions = [voyage.bo.key]
        host.node.party = party
        let error = host.refusal("together")
        #expect(error?.code == .nothingFound && error?.why?.hasPrefix("1 seat could") == true)
        #expect(error?.advice?.hasPrefix("seatagent say ") == true)
    }
}
