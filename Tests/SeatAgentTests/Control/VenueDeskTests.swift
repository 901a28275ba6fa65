// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Agent
@testable import ControlAPI
@testable import Keys
@testable import SeatAgent
@testable import Text

/// An agent in a library: two at the first place, and the user nowhere.
private func library(stay: Stay? = nil) throws -> FakeHost {
    var node = FakeNode(try Voyage())
    let name = try #require(
        VenueName("uva/2026-12-05/" + OperatorKey(Bytes32.zero).text))
    let page = try #require(
        VenuePage(
            revision: 3, signature: Array(repeating: 7, count: 64), bytes: Array("{}".utf8)))
    node.venueView = VenueView(
        name: name, page: page, places: [VenueView.Count(place: 1, people: 2)], stay: stay,
        isIn: stay != nil && stay?.until == nil, known: 5)
    return FakeHost(node)
}

@Suite("A venue at the desk")
struct VenueDeskTests {
    private let tag = "000102030405060708090a0b0c0d0e0f"

    @Test("It says who is where, whose words these are, and where the user is")
    func status() throws {
        let since = UTCTime(seconds: 1_796_371_200)
        let stay = try #require(Stay(place: 1, since: since))
        let host = try library(stay: stay)
        let status = try VenueStatus(told: try #require(host.result("venue")))
        #expect(status.venue == "uva" && status.volume == "2026-12-05" && status.revision == 3)
        #expect(status.words == "{}" && status.signature.count == 128 && status.known == 5)
        #expect(status.people(at: 1) == 2 && status.people(at: 9) == 0)
        #expect(status.isIn && status.stay?.begin == since && status.stay?.until == nil)
    }

    @Test("Who comes, leaves and looks for a friend asks the core, with a tag of 32 digits")
    func stays() throws {
        let host = try library()
        let thread = try #require(ThreadID(Array(0..<16)))
        let stay = try #require(Stay(place: 2, since: UTCTime(seconds: 60), tag: thread))
        host.answer = .success(.stay(stay))
        let facts = try StayFacts(
            told: try #require(host.result("checkin", ["place": 2, "tag": .string(tag)])))
        #expect(host.performed == [.stay(.checkIn(2, tag: thread))])
        #expect(facts.place == 2 && facts.findable)
        _ = host.result("checkout")
        #expect(host.performed.last == .stay(.checkOut))
        #expect(host.refusal("checkin", ["place": 2, "tag": "0"])?.code == .badRequest)
        host.node.staysTagged = [(PeerKey(Bytes32.zero), stay)]
        let found = try Op.Friend.Reply(
            told: try #require(host.result("friend", ["tag": .string(tag)])))
        #expect(found.stays.map(\.isIn) == [true])
        let other = String(repeating: "f", count: 32)
        let none = try Op.Friend.Reply(
            told: try #require(host.result("friend", ["tag": .string(other)])))
        #expect(none.stays.isEmpty)
    }

    @Test("What the core refuses is said with what to do")
    func refusals() throws {
        let host = try library()
        let stay = try #require(Stay(place: 2, since: UTCTime(seconds: 0)))
        let cases: [(Refusal, ErrorCode)] = [
            (.staysAt(stay), .alreadySo), (.staysNowhere, .notAllowedNow),
            (.outsideOfVolume, .notAllowedNow), (.noVenue, .notAllowedNow),
        ]
        for (refusal, code) in cases {
            host.answer = .failure(refusal)
            let error = host.refusal("checkout")
            #expect(error?.code == code && error?.advice != nil, "\(refusal)")
        }
    }

    @Test("The agent of a flight knows no venue")
    func flight() throws {
        let host = FakeHost(FakeNode(try Voyage()))
        for op in ["venue", "checkout"] { #expect(host.refusal(op)?.code == .notAllowedNow) }
        #expect(host.refusal("checkin", ["place": 1])?.code == .notAllowedNow)
        #expect(host.refusal("friend", ["tag": .string(tag)])?.code == .notAllowedNow)
    }

    @Test("What is about seats is refused in a venue, with what there is to see")
    func seatless() throws {
        let host = try library()
        for operation in OperationName.allCases where !operation.worksInVenue {
            let error = host.refusal(operation.rawValue)
            #expect(
                error?.what == "this agent is in a venue; \(operation.rawValue) is for flights")
            #expect(error?.code == .notAllowedNow)
            #expect(error?.advice == "seatagent --profile ada venue show uva")
        }
        for word in ["hello", "status", "peers", "log", "venue"] {
            #expect(host.result(word) != nil, "\(word)")
        }
        // A flight answers all of them.
        let flight = FakeHost(FakeNode(try Voyage()))
        for word in ["seats", "requests", "party", "needs"] {
            #expect(flight.result(word) != nil, "\(word)")
        }
    }
}
