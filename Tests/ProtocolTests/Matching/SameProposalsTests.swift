// SPDX-License-Identifier: Apache-2.0
import Foundation
import ProtocolTestKit
import Testing

@testable import Protocol

/// The same people get the same proposals from every agent, after the same steps: those of these
/// cabins are kept, so that a change of the search that changes them is seen and meant.
@Suite struct SameProposalsTests {
    private static let file = SourceTree.root
        .appending(path: "Tests/ProtocolTests/Matching/proposals.txt")

    /// A cabin and how much its search may take.
    private struct Case {
        let name: String
        let cabin: SeatedCabin
        let steps: Int
        var aims = [Matcher.Aim.all]
    }

    private static var cases: [Case] {
        // Every fourth search is cut in the middle.
        let small = (0..<200).map { number in
            Case(
                name: "cabin \(number)",
                cabin: .random(seed: 700_000 + UInt64(number), people: 4...24),
                steps: number % 4 == 0 ? 50 + 15 * number : MatchSteps.plan,
                aims: number % 3 == 0 ? [.all, .together, .wishes] : [.all])
        }
        // Each with one seat and a wish, so that there are rings.
        let wishers = (0..<40).map { number in
            var cabin = SeatedCabin.random(seed: 900_000 + UInt64(number), people: 8...14)
            for index in cabin.people.indices {
                cabin.people[index].name = "p\(index)"
                let row = (number + index) % 4 + 1
                if cabin.people[index].ranks.isEmpty {
                    cabin.people[index].ranks = [SeatedCabin.set("\(row)-\(row + index % 2)")]
                }
            }
            return Case(name: "wishers \(number)", cabin: cabin, steps: 4000)
        }
        let large = (0..<6).map { number in
            var plan = SeatedCabin.FlightPlan()
            plan.people = 48 + 8 * number
            plan.participation = 40 + 10 * number
            plan.family = 2 + number % 4
            let (flight, parties) = SeatedCabin.flight(seed: 800_000 + UInt64(number), plan)
            var cabin = flight.own(parties[0])
            if number % 2 == 0, let child = parties[0].last {
                cabin.people[child].needs = MatchNeeds(isChild: true)
            }
            return Case(name: "flight \(number)", cabin: cabin, steps: 8000)
        }
        return small + wishers + large
    }

    /// `cabin 12: 2 proposals, 1 ring, 431 steps, whole, 0a1b2c3d`.
    private static func line(_ one: Case) -> String {
        let (common, own) = (one.cabin.common, one.cabin.own)
        var said: [String] = []
        var counts: [Int] = []
        for aim in one.aims {
            let matcher = Matcher(common: common, own: own, aim: aim, steps: one.steps)
            said += matcher.proposals.map(\.text)
            said += ["rings"] + matcher.rings.map(\.text)
            said += ["\(matcher.isWhole) \(matcher.planSteps) \(matcher.now)"]
            counts += [matcher.proposals.count]
        }
        let search = RingSearch(common)
        said += ["\(search.steps.taken)"]
        for part in [2, 8] {
            let cut = RingSearch(common, steps: search.steps.taken / part)
            said += cut.rings.map(\.text) + ["\(cut.isBest) \(cut.steps.taken)"]
        }
        let digest = FakePrimitives().sha256(Array(said.joined(separator: "\n").utf8)).hex
        return "\(one.name): \(counts.map(String.init).joined(separator: ", ")) proposals, "
            + "\(search.rings.count) rings\(search.isBest ? "" : " so far"), \(digest.prefix(12))"
    }

    @Test func theyAreThoseThatAreKept() throws {
        let cases = Self.cases
        if ProcessInfo.processInfo.environment["PROPOSALS"] == "write" {
            let text = cases.map(Self.line).joined(separator: "\n") + "\n"
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        try #require(kept.count == cases.count)
        // Two of four in `make test`, so that there are some of each kind.
        let places = cases.indices.filter { Soak.isOn || $0 / 2 % 2 == 0 }
        let found = places.map { Self.line(cases[$0]) }
        let others = zip(places.map { kept[$0] }, found).filter { $0 != $1 }
        #expect(
            others.isEmpty,
            """
            \(others.count) of \(found.count) are others, the first:
            kept:  \(others.first?.0 ?? "")
            found: \(others.first?.1 ?? "")
            If the search is meant to find these: PROPOSALS=write swift test --filter \
            SameProposalsTests
            """)
    }
}
