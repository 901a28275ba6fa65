import Testing

@testable import Protocol

/// A participant's desk at each stage, with what the way there must have done.
extension Desk {
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
}
