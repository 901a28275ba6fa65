// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// Cabins with one scattered family, written out for a solver.
enum Plans {
    static func list(_ seeds: Range<Int>, people: ClosedRange<Int>) {
        for seed in seeds {
            var random = SeededRandom(seed: UInt64(seed))
            var plan = SeatedCabin.FlightPlan()
            plan.people = Int.random(in: people, using: &random)
            plan.family = Int.random(in: 2...4, using: &random)
            plan.participation = [20, 40, 60, 80, 100][Int.random(in: 0..<5, using: &random)]
            let (flight, parties) = SeatedCabin.flight(seed: UInt64(seed) + 1_000_000, plan)
            write(seed, plan, flight.own(parties[0]))
        }
    }

    private static func write(
        _ seed: Int, _ plan: SeatedCabin.FlightPlan, _ cabin: SeatedCabin
    ) {
        let scene = cabin.own
        let outcome = Outcome(cabin)
        let standing = outcome.found?.standing
        let seats = scene.people.indices.map { seat($0, scene) }
        let found = [
            standing?.together.count ?? 0, standing?.together.degree.rawValue ?? 0,
            standing?.helped ?? 0, standing?.legs ?? 0,
        ]
        print(
            "{\"seed\": \(seed), \"people\": \(plan.people), \"share\": \(plan.participation),",
            "\"whole\": \(outcome.isWhole), \"found\": \(found), \"seats\": [",
            seats.joined(separator: ", "), "]}")
    }

    /// A person: row, index in the row, letter, block, whether they are of the family, whether they
    /// may enter an exit row, and what they would take: the index of whose seat, and the ranks that
    /// they gain.
    private static func seat(_ index: Int, _ scene: MatchScene) -> String {
        let person = scene.people[index]
        let wants = scene.people.indices.compactMap { other in
            scene.people[index].isOwn
                ? nil : scene.gain(of: index, in: other).map { "[\(other), \($0)]" }
        }
        let place = person.place
        return "[\(place?.row ?? 0), \(place?.index ?? 0), \(place?.across ?? 0), "
            + "\(place?.block ?? 0), \(person.isOwn), \(person.isFree), \(place?.isExit ?? false), "
            + "[\(wants.joined(separator: ", "))]]"
    }
}
