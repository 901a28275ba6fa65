// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// A desk at each stage, with what the way there must have done.
extension Desk {
    // MARK: Who is asked

    /// Asked by traveller 0, this agent being traveller 1.
    static func invited(_ parties: Int = 2) throws -> (Desk, Contract) {
        var desk = Desk(parties, me: 1)
        let contract = desk.ring(Array(0..<parties))
        #expect(
            desk.say(try desk.proposal(contract), from: 0).all == "row invited 1; say requested")
        #expect(desk.swaps.nextDeadline == .zero + .seconds(600))
        return (desk, contract)
    }

    /// Asked, and accepted.
    static func ready(_ parties: Int = 2) throws -> (Desk, Contract) {
        var (desk, contract) = try invited(parties)
        let effects = desk.put(.accept(1, override: false))
        #expect(effects.all == "row ready 1; say ready; send ready 1")
        guard case .message(.ready(let ready), let to)? = effects.sends.first else {
            Issue.record("no READY")
            return (desk, contract)
        }
        #expect(to == [desk.key(0)] && ready.head == desk.head(desk.key(1)))
        #expect(ready.contract == contract.id && ready.thread == desk.swaps.records[0].thread)
        return (desk, contract)
    }

    /// Accepted, and signed when PREPARE came.
    static func prepared(_ parties: Int = 2) throws -> (Desk, Contract) {
        var (desk, contract) = try ready(parties)
        let asked = "log yes; lock 1; row prepared 1; say binding; send vote \(parties - 1)"
        #expect(desk.say(try desk.prepare(contract), from: 0).all == asked)
        return (desk, contract)
    }

    // MARK: Who asks

    /// Traveller 0, who is this agent, asks.
    static func offered(_ parties: Int = 2) -> (Desk, Contract) {
        var desk = Desk(parties, me: 0)
        let legs = desk.ring(Array(0..<parties)).legs
        let effects = desk.put(.propose(legs, note: "please", expires: 100))
        #expect(effects.all == "row offered 1; send propose 1 \(parties - 1)")
        return (desk, desk.swaps.records[0].contract)
    }

    /// All consented.
    static func preparing(_ parties: Int = 2) throws -> (Desk, Contract) {
        var (desk, contract) = offered(parties)
        for party in 1..<parties {
            let effects = desk.say(try desk.ready(contract, party), from: party)
            let last = "; row preparing 1; say ready; say binding; send prepare \(parties - 1)"
            #expect("; " + effects.all == (party == parties - 1 ? last : "; say ready"))
        }
        return (desk, contract)
    }

    /// Traveller 1 wants something else.
    static func countered(_ parties: Int = 2) throws -> (Desk, Contract) {
        var (desk, _) = offered(parties)
        desk.slots[1] = desk.travellers[1].claim("9F")
        let other = desk.ring(Array(0..<parties), nonce: 4)
        desk.now.utc = UTCTime(seconds: 1001)
        let effects = desk.say(try desk.counter(other), from: 1)
        #expect(effects.all == "row countered 1; say countered")
        let record = desk.swaps.records[0]
        #expect(record.counter == other && record.counteredBy == desk.key(1))
        #expect(record.ending == "rather" && record.updated.seconds == 1001)
        return (desk, other)
    }

    /// PROPOSE of a counter-offer to the first negotiation.
    func counter(_ contract: Contract, revision: Int = 2) throws -> Message {
        let thread = try #require(swaps.records.first).thread
        return .propose(
            Proposal(
                thread: thread, revision: revision, contract: contract.bytes, note: "rather",
                expires: 60))
    }
}
