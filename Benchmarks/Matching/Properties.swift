// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import ProtocolTestKit

/// What holds of all that a search proposes, over many cabins.
enum Properties {
    /// Cabins made by chance of up to 24 people, flights of more.
    static func hold(_ seeds: Range<Int>, people: ClosedRange<Int>) {
        var (proposals, rings, faults) = (0, 0, 0)
        for seed in seeds {
            var cabin = cabin(UInt64(seed), people)
            let (common, own) = (cabin.common, cabin.own)
            let matcher = Matcher(common: common, own: own)
            proposals += matcher.proposals.count
            rings += matcher.rings.count
            var wrong = matcher.proposals.flatMap(MatchFaults(own).of)
            wrong += matcher.rings.flatMap(MatchFaults(common).of)
            var random = SeededRandom(seed: UInt64(seed))
            cabin.people.shuffle(using: &random)
            if Matcher(common: cabin.common, own: cabin.own).rings != matcher.rings {
                wrong.append("other rings where the same people came in another order")
            }
            faults += wrong.count
            for fault in wrong { print("seed \(seed): \(fault)") }
        }
        print(
            "\(seeds.count) cabins of \(people.lowerBound) to \(people.upperBound) people:",
            "\(proposals) proposals, \(rings) rings, \(faults) faults")
        if faults > 0 || proposals == 0 { exit(1) }
    }

    private static func cabin(_ seed: UInt64, _ people: ClosedRange<Int>) -> SeatedCabin {
        guard people.upperBound > 24 else { return .random(seed: seed, people: people) }
        var random = SeededRandom(seed: seed)
        var plan = SeatedCabin.FlightPlan()
        plan.people = Int.random(in: people, using: &random)
        plan.participation = [20, 40, 60, 80, 100][Int.random(in: 0..<5, using: &random)]
        plan.family = Int.random(in: 2...5, using: &random)
        let (flight, parties) = SeatedCabin.flight(seed: seed + 3_000_000, plan)
        var cabin = flight.own(parties[0])
        // The last of the family is a child, and one of them would sit in an exit row.
        let (first, last) = (parties[0][0], parties[0][parties[0].count - 1])
        cabin.people[first].needs = MatchNeeds(mayExit: true)
        if seed % 2 == 0 { cabin.people[last].needs = MatchNeeds(isChild: true) }
        return cabin
    }
}
