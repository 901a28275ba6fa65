// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Agent
@testable import ControlAPI
@testable import Protocol
@testable import SeatAgent
@testable import Text
@testable import Keys
@testable import Wording

/// What people read while a yes to a swap of several stands, and when it is gone.
@Suite("A yes that stands: words")
struct StandingYesWordTests {
    private let host: FakeHost
    private let voyage: Voyage

    init() throws {
        voyage = try Voyage()
        host = FakeHost(FakeNode(voyage))
    }

    /// A ring of all three that `by` proposed.
    private func record(
        by: Identity, _ role: SwapRecord.Role, _ stage: SwapRecord.Stage
    ) throws -> SwapRecord {
        let ring = try voyage.contract(
            [("14C", voyage.bo), ("12A", voyage.cy), ("20F", voyage.ada)], nonce: 6, by: by)
        return FakeNode.record(1, ring, role: role, stage: stage)
    }

    private func shown(_ record: SwapRecord) throws -> RequestText {
        host.node.swapRecords = [record]
        let list = host.result("requests", ["all": true])?["requests"]?.list
        return RequestText(request: try #require(list?.first))
    }

    @Test("Whoever asked sees who has not said yes")
    func asker() throws {
        let offered = try record(by: voyage.ada, .coordinator, .offered)
        let (bo, cy) = (voyage.bo.key, voyage.cy.key)
        let both = try shown(offered).line()
        #expect(both.contains("30:00 left  waiting for "))
        #expect(both.contains(bo.shortTag) && both.contains(cy.shortTag))
        host.node.consents = [1: [bo]]
        #expect(try shown(offered).line().hasSuffix("  waiting for cy \(cy.shortTag)"))
        host.node.consents = [1: [bo, cy]]
        #expect(try !shown(offered).isWaiting)
    }

    @Test("Whoever said yes reads that it stands, and for how long")
    func stands() throws {
        let text = try shown(record(by: voyage.bo, .participant, .ready))
        #expect(text.stands && text.request.left == 1800)
        #expect(text.line().contains("30:00 left  you said yes; it goes through when all have"))
        #expect(try !shown(record(by: voyage.bo, .participant, .prepared)).stands)
    }

    @Test("A restart asks for the yes again and says why; a yes taken back says nothing")
    func gone() throws {
        let invited = try record(by: voyage.bo, .participant, .invited)
        let lapsed = Notice.swap(SwapNotice(record: invited, what: .lapsed))
        host.keep([lapsed], isOwn: true)
        #expect(try shown(invited).request.reason == nil)
        host.keep([lapsed], isOwn: false)
        #expect(
            try shown(invited).line().hasSuffix(
                "  your yes ended when your agent was started anew  seatagent accept 1"))
        // Said again, it is as any other.
        let ready = try record(by: voyage.bo, .participant, .ready)
        host.keep(
            [.swap(SwapNotice(record: ready, what: .ready(voyage.ada.key)))], isOwn: true)
        host.keep([lapsed], isOwn: true)
        #expect(try shown(invited).request.reason == nil)
    }

    @Test("Time ran out: whoever said yes is told, whoever did not answer is not")
    func expired() throws {
        let over = try record(by: voyage.bo, .participant, .expired)
        let expired = Notice.swap(SwapNotice(record: over, what: .expired))
        host.keep([expired], isOwn: false)
        #expect(try shown(over).news == nil)
        let ready = try record(by: voyage.bo, .participant, .ready)
        host.keep(
            [.swap(SwapNotice(record: ready, what: .ready(voyage.ada.key))), expired],
            isOwn: false)
        #expect(
            try shown(over).news == "Request 1 has expired: not everybody said yes in time")
        let own = try shown(record(by: voyage.ada, .coordinator, .expired))
        #expect(own.news == "Not everybody said yes to your request 1 in time")
    }
}
