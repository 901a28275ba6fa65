// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// Cabins in which single people have wishes, written out for a solver and for simpler ways to make
/// rings.
enum Rings {
    static func list(_ seeds: Range<Int>, people: ClosedRange<Int>) {
        for seed in seeds {
            var random = SeededRandom(seed: UInt64(seed))
            var plan = SeatedCabin.FlightPlan()
            plan.people = Int.random(in: people, using: &random)
            plan.participation = [20, 40, 60, 80, 100][Int.random(in: 0..<5, using: &random)]
            let (flight, _) = SeatedCabin.flight(seed: UInt64(seed) + 2_000_000, plan)
            write(seed, plan, flight.common)
        }
    }

    private static func write(
        _ seed: Int, _ plan: SeatedCabin.FlightPlan, _ scene: MatchScene
    ) {
        let search = RingSearch(scene)
        let helped = search.rings.reduce(0) { $0 + $1.standing.helped }
        let moved = search.rings.reduce(0) { $0 + $1.standing.legs }
        let wants = scene.people.indices.map { person in
            let wants = scene.people.indices.compactMap { other in
                scene.gain(of: person, in: other).map { "[\(other), \($0)]" }
            }
            return "[\(wants.joined(separator: ", "))]"
        }
        print(
            "{\"seed\": \(seed), \"people\": \(plan.people), \"share\": \(plan.participation),",
            "\"best\": \(search.isBest), \"found\": [\(helped), \(moved)],",
            "\"wants\": [\(wants.joined(separator: ", "))]}")
    }
}
