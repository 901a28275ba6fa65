// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import ProtocolTestKit

/// What the matcher finds, for `make matching`.
///
///     matching curve FLIGHTS               how often a scattered family sits together
///     matching plans FROM COUNT LOW HIGH   cabins of so many people, each as a line of JSON with
///                                          what was found, for a solver that knows the best
///     matching rings FROM COUNT LOW HIGH   the same of rings of people with wishes
///     matching properties FROM COUNT LOW HIGH   what holds of all proposals; fails where not
@main
enum Matching {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        let numbers = words.dropFirst().compactMap { Int($0) }
        switch (words.first, numbers.count) {
        case ("curve", 1): Curve.measure(flights: numbers[0])
        case ("plans", 4) where numbers[2] <= numbers[3] && numbers[2] > 5:
            Plans.list(numbers[0]..<numbers[0] + numbers[1], people: numbers[2]...numbers[3])
        case ("rings", 4) where numbers[2] <= numbers[3] && numbers[2] > 5:
            Rings.list(numbers[0]..<numbers[0] + numbers[1], people: numbers[2]...numbers[3])
        case ("properties", 4) where numbers[2] <= numbers[3] && numbers[2] > 3:
            Properties.hold(numbers[0]..<numbers[0] + numbers[1], people: numbers[2]...numbers[3])
        default:
            let usage =
                "usage: matching curve FLIGHTS, or plans, rings, properties FROM COUNT LOW HIGH\n"
            let line = Array(usage.utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(2)
        }
    }
}

/// The party of a scene as one proposal or none seats it.
struct Outcome {
    let found: MatchProposal?
    let isWhole: Bool

    init(_ cabin: SeatedCabin) {
        let matcher = Matcher(common: cabin.common, own: cabin.own)
        found = matcher.proposals.first { $0.standing.together.count > 0 }
        isWhole = matcher.isWhole
    }
}

/// How likely a scattered family of N sits together when so many of the cabin take part.
enum Curve {
    static func measure(flights: Int) {
        for family in 2...5 {
            for share in [5, 10, 20, 40, 80] {
                var degrees = Array(repeating: 0, count: 5)
                var some = 0
                for seed in 0..<flights {
                    var plan = SeatedCabin.FlightPlan()
                    plan.family = family
                    plan.participation = share
                    let (flight, parties) = SeatedCabin.flight(
                        seed: UInt64(seed * 1000 + family * 100 + share), plan)
                    let outcome = Outcome(flight.own(parties[0]))
                    guard let together = outcome.found?.standing.together else { continue }
                    degrees[together.degree.rawValue] += 1
                    some += 1
                }
                // Of the family: in one block, one row, two and two, two rows; some of them.
                print(
                    "curve", family, share, flights, degrees[4], degrees[3], degrees[2], degrees[1],
                    some)
            }
        }
    }
}
