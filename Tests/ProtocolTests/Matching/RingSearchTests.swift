// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Rings that all agents find.
@Suite struct RingSearchTests {
    func texts(_ aboard: SeatedCabin) -> [String] { RingSearch(aboard.common).rings.map(\.text) }

    @Test func twoThreeAndFourExchange() {
        var aboard = SeatedCabin("ABC DEF", rows: 9)
        aboard.sit("1A", "a", wants: ["1B"])
        aboard.sit("1B", "b", wants: ["1A"])
        aboard.sit("2A", "c", wants: ["2B"])
        aboard.sit("2B", "d", wants: ["2C"])
        aboard.sit("2C", "e", wants: ["2A"])
        for (seat, wish) in [("3A", "3B"), ("3B", "3C"), ("3C", "3D"), ("3D", "3A")] {
            aboard.sit(seat, "f\(seat)", wants: [wish])
        }
        // Five would have to trust each other at once.
        for (seat, wish) in [("4A", "4B"), ("4B", "4C"), ("4C", "4D"), ("4D", "4E"), ("4E", "4A")] {
            aboard.sit(seat, "g\(seat)", wants: [wish])
        }
        let search = RingSearch(aboard.common)
        #expect(search.isBest)
        #expect(
            search.rings.map(\.text) == [
                "3A>3B wish 1, 3B>3C wish 1, 3C>3D wish 1, 3D>3A wish 1",
                "2A>2B wish 1, 2B>2C wish 1, 2C>2A wish 1", "1A>1B wish 1, 1B>1A wish 1",
            ])
    }

    @Test func morePeopleAreBetterThanHigherRanks() {
        var aboard = SeatedCabin("ABC DEF", rows: 9)
        // b could have a's seat, which is their first wish, or c's, and then a has d's.
        aboard.sit("1A", "a", wants: ["1D 1B"])
        aboard.sit("1B", "b", wants: ["1A", "1C"])
        aboard.sit("1C", "c", wants: ["1B"])
        aboard.sit("1D", "d", wants: ["1A"])
        #expect(
            Set(texts(aboard)) == [
                "1A>1D wish 1, 1D>1A wish 1", "1B>1C wish 2, 1C>1B wish 1",
            ])
    }

    @Test func nobodyGivesTwoSeatsForOneWish() {
        var aboard = SeatedCabin("ABC DEF", rows: 9)
        aboard.sit("1A", "a", wants: ["2-9"])
        aboard.sit("1B", "a", wants: ["2-9"])
        aboard.sit("2A", "b", wants: ["1-1"])
        aboard.sit("2B", "c", wants: ["1-1"])
        #expect(texts(aboard).count == 1)
    }

    @Test func aRingWithoutAnyGainIsNone() {
        var aboard = SeatedCabin("ABC DEF", rows: 9)
        aboard.sit("1A", "a", wants: ["A"])
        aboard.sit("2A", "b", wants: ["A"])
        #expect(texts(aboard).isEmpty)
        aboard.people[0].ranks = [SeatedCabin.set("2A")]
        #expect(texts(aboard) == ["1A>2A wish 1, 2A>1A alike"])
    }

    /// The heaviest set by trying all of them.
    private func heaviest(_ scene: MatchScene) -> Int {
        let wants = MatchOrders(scene).wants
        func worth(_ one: Int, _ other: Int) -> Int? {
            wants[one].first { $0.to == other }?.weight
        }
        func most(_ left: [Int]) -> Int {
            guard let first = left.first else { return 0 }
            let rest = Array(left.dropFirst())
            var best = most(rest)
            func walk(_ path: [Int], _ weight: Int) {
                if path.count > 1, let back = worth(path[path.count - 1], first) {
                    best = max(best, weight + back + most(rest.filter { !path.contains($0) }))
                }
                guard path.count < 4 else { return }
                for other in rest where !path.contains(other) {
                    let units = path.map { scene.people[$0].unit }
                    guard !units.contains(scene.people[other].unit),
                        let on = worth(path[path.count - 1], other)
                    else { continue }
                    walk(path + [other], weight + on)
                }
            }
            walk([first], 0)
            return best
        }
        return most(Array(scene.people.indices))
    }

    @Test func theHeaviestSetIsFound() {
        var count = 0
        for seed: UInt64 in 0..<60 {
            var aboard = SeatedCabin.random(seed: seed, people: 5...9)
            // One seat for each holder, and wishes for all of them.
            for index in aboard.people.indices {
                aboard.people[index].name = "p\(index)"
                let row = Int(seed) % 3 + 1
                if aboard.people[index].ranks.isEmpty {
                    aboard.people[index].ranks = [SeatedCabin.set("\(row)-\(row + index % 2)")]
                }
            }
            let scene = aboard.common
            let search = RingSearch(scene)
            let weight = search.rings.reduce(0) { sum, ring in
                let standing = ring.standing
                return sum + standing.helped * MatchWeight.helped
                    + standing.gains * MatchWeight.gain - standing.favours * MatchWeight.favour
                    - standing.legs
            }
            #expect(search.isBest && weight == heaviest(scene), "seed \(seed)")
            count += search.rings.count
        }
        #expect(count > 30)
    }

    /// The first of fifty-four is in more rings than are listed: the others are not forgotten.
    @Test func whereThereAreTooManyRingsEachPersonHasSome() {
        var aboard = SeatedCabin("ABC DEF", rows: 9)
        for row in 1...9 {
            let others = (1...9).filter { $0 != row }.map { "\($0)-\($0)" }
            for letter in ["A", "B", "C", "D", "E", "F"] {
                aboard.sit(
                    "\(row)\(letter)", "p\(row)\(letter)", wants: [others.joined(separator: " ")])
            }
        }
        let search = RingSearch(aboard.common)
        #expect(!search.isBest)
        #expect(search.rings.reduce(0) { $0 + $1.standing.helped } == 54)
    }

    @Test func allAgreeOnWhoProposesFirstAndItIsNotAlwaysTheSame() {
        let keys = (1...4).map { Traveller(UInt8($0)).key }
        var first: [PeerKey] = []
        for ring in 0..<12 {
            let legs = keys.indices.map { index in
                Leg(
                    token: Token(SeatedCabin.key(of: "\(ring) \(index)").raw),
                    producer: Producer(.zero), from: keys[index], to: keys[(index + 1) % 4])
            }
            let order = RingTurns.order(legs, Traveller.primitives)
            #expect(order == RingTurns.order(legs.reversed(), Traveller.primitives))
            #expect(order.sorted() == keys)
            first.append(order[0])
        }
        #expect(Set(first).count > 2)
    }
}
