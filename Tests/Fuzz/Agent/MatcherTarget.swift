// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import ProtocolTestKit

@testable import Protocol

/// Wishes of strangers, made to be slow too: whatever they wish, the search ends within its steps,
/// nobody whom it moves is worse off, and what it proposes can be a contract.
///
/// Input: the size of the cabin, then for each seat who sits there and what they wish.
enum MatcherTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        var choices = Choices(input)
        var cabin = SeatedCabin(
            ["ABC DEF", "AB CD", "ABC DEFG HIJ"][choices.below(3)], rows: 2 + choices.below(7))
        if choices.once(in: 3) { cabin.row(1, isExit: true) }
        if choices.once(in: 3) { cabin.row(2, class: 1, section: 1) }
        let seats = MatchCabin(cabin.rows).places.map(\.seat)
        let party = choices.below(7)
        for (index, seat) in seats.enumerated() where !choices.isEmpty {
            var passenger = SeatedCabin.Passenger(name: "p\(index)", seat: seat)
            let how = choices.byte()
            passenger.isOwn = index % 5 == 0 && index / 5 < party
            passenger.isFree = how & 1 == 0 || passenger.isOwn
            // Somebody with two seats; nobody is of the party with one of them only.
            if how & 2 != 0, index % 5 > 2 { passenger.name = "p\(index - 2)" }
            if passenger.isOwn {
                passenger.needs = MatchNeeds(
                    isChild: how & 4 != 0, isHelped: how & 8 != 0,
                    with: how & 16 != 0 ? seats[0] : nil, mayExit: how & 32 != 0)
            }
            passenger.ranks = (0..<Int(how >> 6)).compactMap { _ in set(&choices) }
            cabin.people.append(passenger)
        }
        return look(cabin)
    }

    /// Up to sixteen blocks of a row each, as slow to look through as a set can be.
    private static func set(_ choices: inout Choices) -> SeatSet? {
        let columns = Int(choices.byte()) | Int(choices.byte() & 3) << 8
        let first = 1 + choices.below(8)
        let count = 1 + choices.below(Limits.seatBlocks)
        return SeatSet(
            (0..<count).map { index in
                SeatSet.Block(
                    columns: max(columns, 1), first: first + index, last: first + index)
            })
    }

    private static func look(_ cabin: SeatedCabin) -> Verdict {
        let own = cabin.own
        var plans = PlanSearch(own, steps: MatchSteps(limit: 5000))
        plans.seatParty()
        plans.serveWishes()
        // Where somebody sits is decided in the step after the last: no more than one for each of
        // the party and each of a chain.
        hold(plans.steps.taken < 5100, "\(plans.steps.taken) steps")
        let search = RingSearch(cabin.common, steps: 5000)
        // To list all, to list some for each, and to choose, where the last step may look at each
        // ring.
        hold(search.steps.taken < 25_000, "\(search.steps.taken) steps for rings")
        check(plans.found, own)
        check(search.rings, cabin.common)
        return plans.found.isEmpty && search.rings.isEmpty ? .refused : .accepted
    }

    private static func check(_ proposals: [MatchProposal], _ scene: MatchScene) {
        for proposal in proposals {
            for fault in MatchFaults(scene).of(proposal) { broken(fault) }
            hold(
                Contract(
                    flight: testFlight.id, coordinator: proposal.legs[0].from,
                    nonce: ThreadID(high: 0, low: 0), legs: proposal.legs,
                    primitives: FakePrimitives()) != nil, "no contract")
        }
    }
}
