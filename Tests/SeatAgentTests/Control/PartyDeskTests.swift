// SPDX-License-Identifier: Apache-2.0
@testable import Agent
@testable import ControlAPI
import Testing
@testable import Wording

@testable import Protocol
@testable import SeatAgent
@testable import Text

@Suite("The desk: the party")
struct PartyDeskTests {
    private static let code = "aaaa-aaaa-aaaa-aaaa-a"

    private func host() throws -> FakeHost { FakeHost(FakeNode(try Voyage())) }

    @Test("Each new code is another one")
    func codes() throws {
        let host = try host()
        for _ in 0..<2 { _ = host.result("party-new") }
        let secrets = host.performed.compactMap { intent -> PartySecret? in
            if case .party(.new(let secret)) = intent { secret } else { nil }
        }
        #expect(secrets.count == 2 && secrets[0] != secrets[1])
    }

    @Test("A code, a link of this flight, and none of another")
    func joining() throws {
        let host = try host()
        let zero = try #require(PartySecret(Array(repeating: 0, count: 10)))
        let link = "seatagent:party?v=1&k=aaaaaaaaaaaaaaaaa"
        for text in [Self.code, " AAAA aaaa aaaa aaaa a\n", link, " \(link) "] {
            host.performed = []
            #expect(host.result("party-join", ["code": .string(text)]) != nil)
            #expect(host.performed == [.party(.join(zero))], "\(text)")
        }
        for text in [
            "", "aaaa", "aaaa-aaaa-aaaa-aaaa-b", link + "&f=XY1/2026-11-22/DUB",
            "seatagent:venue?v=1", "seatagent:party?v=2", "seatagent:party",
            "seatagent:party-next?v=1&k=aaaaaaaaaaaaaaaaa&x=" + String(repeating: "a", count: 52)
                + "&p=" + String(repeating: "a", count: 26),
        ] {
            host.performed = []
            let error = host.refusal("party-join", ["code": .string(text)])
            #expect(error?.code == .badRequest, "\(text)")
            #expect(host.performed == [], "\(text)")
        }
        let flight = try #require(FlightName("XY1/2026-11-22/DUB"))
        host.node.flight = flight
        let here = SeatLink.party(zero, flight: flight).text
        #expect(host.result("party-join", ["code": .string(here)]) != nil)
    }

    @Test("Whoever is meant is meant by their key")
    func people() throws {
        let host = try host()
        let bo = host.node.passengers[1].key
        _ = host.result("party-answer", ["who": "bo", "companion": true])
        _ = host.result("party-answer", ["who": "bo", "companion": false])
        #expect(host.performed == [.party(.yes(bo)), .party(.no(bo))])
        let stranger = host.refusal("party-answer", ["who": "nobody", "companion": true])
        #expect(stranger?.code == .noSuchPassenger)
        #expect(host.refusal("party-remove", ["who": "ada"])?.code == .yourself)
    }

    @Test("Refusals say what to do")
    func refusals() throws {
        let host = try host()
        let bo = host.node.passengers[1].key
        let refusals: [(PartyRefusal, String)] = [
            (.none, "seatagent party new"), (.already, "seatagent party show"),
            (.notCandidate(bo), "seatagent party invite"),
            (.notMember(bo), "seatagent party show"), (.full, "seatagent party show"),
            (.tooOften, "seatagent party leave"),
        ]
        for (refusal, advice) in refusals {
            host.answer = .failure(.party(refusal))
            #expect(host.refusal("party-invite")?.advice == advice, "\(refusal)")
        }
    }

    @Test("Everybody of a party stands where they sit")
    func order() throws {
        let voyage = try Voyage()
        let host = FakeHost(FakeNode(voyage))
        let secret = try #require(PartySecret(Array(repeating: 0, count: PartySecret.count)))
        for keys in [[voyage.bo.key, voyage.cy.key], [voyage.cy.key, voyage.bo.key]] {
            host.node.party = PartyView(
                state: PartyState(secrets: [secret], isFromHome: false), companions: [],
                current: [], candidates: keys, openUntil: nil)
            let status = try PartyStatus(told: #require(host.result("party")))
            let seats = status.candidates.flatMap(\.seats)
            #expect(seats.count == 2 && seats == seats.sorted())
        }
    }

    @Test("The question names the tag first, and hides what acts on a terminal")
    func words() {
        let who = Person(
            key: "00", tag: "#k7q2", name: "Mia\u{1B}[2J", seats: [Seat("14B")].compactMap { $0 })
        let news = PartyNews(change: Word(.asked), who: who)
        #expect(
            PartyWords.event(news, slash: false)
                == "* #k7q2 Mia\u{FFFD}[2J (14B) has your code: with you?"
                + " seatagent party yes '#k7q2', or seatagent party no '#k7q2'")
        #expect(PartyWords.lines(PartyStatus()) == ["You are in no party."])
        #expect(PartyWords.next(PartyStatus()) == nil)
        #expect(
            PartyWords.next(PartyStatus(candidates: [who]))
                == "Next: seatagent party yes '#k7q2', or seatagent party no '#k7q2'")
    }
}
