// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What holds of every proposal and every ring.
@Suite struct MatchPropertyTests {
    /// What is broken by `moves`, in words.
    static func faults(_ proposal: MatchProposal, _ scene: MatchScene) -> [String] {
        func person(_ seat: Seat) -> MatchScene.Person? {
            scene.people.first { $0.seat == seat }
        }
        var faults: [String] = []
        for move in proposal.moves {
            guard let mover = person(move.from), let target = person(move.to) else {
                faults.append("no such seat")
                continue
            }
            if !mover.isFree || !target.isFree { faults.append("\(move.from.text) is frozen") }
            if mover.place?.compartment != target.place?.compartment {
                faults.append("\(move.from.text) crosses a class")
            }
            let isNamed =
                mover.isOwn ? mover.needs.mayExit : mover.ranks.contains { $0.contains(move.to) }
            if target.place?.isExit == true, !isNamed {
                faults.append("\(move.to.text) is an exit")
            }
            if mover.isOwn { continue }
            let isLike =
                mover.place?.kind == target.place?.kind || mover.place?.kind == .middle
            let isWorse =
                mover.ranks.isEmpty
                ? !isLike : mover.rank(of: move.to) > mover.rank(of: move.from)
            if isWorse { faults.append("\(move.from.text) is worse off") }
        }
        let places = Set(proposal.moves.map(\.from))
        if places != Set(proposal.moves.map(\.to)) { faults.append("no permutation") }
        for child in scene.people where child.isOwn && child.needs.isChild {
            func seat(_ person: MatchScene.Person) -> MatchCabin.Place? {
                let move = proposal.moves.first { $0.from == person.seat }
                return scene.people.first { $0.seat == move?.to ?? person.seat }?.place
            }
            let grown = scene.people.filter { other in
                other.isOwn && !other.needs.isCaredFor
                    && (child.needs.with.map { $0 == other.seat } ?? true)
            }
            func isBeside(_ place: (MatchScene.Person) -> MatchCabin.Place?) -> Bool {
                grown.contains { other in
                    guard let one = place(child), let two = place(other) else { return false }
                    return one.reaches(two)
                }
            }
            if isBeside(\.place), !isBeside(seat) { faults.append("a child apart") }
        }
        return faults
    }

    @Test(arguments: 0..<8) func nobodyIsWorseOff(part: UInt64) {
        var count = 0
        for seed in part * 25..<part * 25 + 25 {
            let aboard = SeatedCabin.random(seed: 5000 + seed, people: 4...16)
            let own = aboard.own
            let matcher = Matcher(common: aboard.common, own: own)
            for proposal in matcher.proposals {
                #expect(Self.faults(proposal, own) == [], "seed \(5000 + seed) \(proposal.text)")
                #expect(proposal.moves.contains { $0.isOwn })
                count += 1
            }
        }
        #expect(count > 10)
    }

    @Test func whoComesFirstMakesNoDifference() {
        for seed: UInt64 in 0..<40 {
            var aboard = SeatedCabin.random(seed: seed, people: 6...16)
            var random = SeededRandom(seed: seed)
            let (common, own) = (aboard.common, aboard.own)
            let rings = RingSearch(common).rings
            let matcher = Matcher(common: common, own: own)
            aboard.people.shuffle(using: &random)
            #expect(RingSearch(aboard.common).rings == rings)
            #expect(Matcher(common: aboard.common, own: aboard.own).proposals == matcher.proposals)
        }
    }

    /// What a proposal moves can be a contract.
    @Test func everyProposalIsAContract() throws {
        var count = 0
        for seed: UInt64 in 0..<60 {
            let aboard = SeatedCabin.random(seed: seed, people: 6...14)
            for proposal in Matcher(common: aboard.common, own: aboard.own).proposals {
                let contract = Contract(
                    flight: Traveller.flight, coordinator: proposal.legs[0].from,
                    nonce: ThreadID(high: 1, low: 2), legs: proposal.legs,
                    primitives: Traveller.primitives)
                #expect(contract != nil, "seed \(seed): \(proposal.text)")
                count += 1
            }
        }
        #expect(count > 20)
    }
}
