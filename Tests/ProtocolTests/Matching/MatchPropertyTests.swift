// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What holds of every proposal and every ring.
@Suite struct MatchPropertyTests {
    /// Cabins of 4 to 24 people; the search ends early in some, and what it found by then counts.
    @Test(arguments: 0..<8) func nobodyIsWorseOff(part: UInt64) {
        var count = 0
        for seed in part * 125..<part * 125 + UInt64(Soak.rounds(125, short: 60)) {
            let aboard = SeatedCabin.random(seed: 5000 + seed, people: 4...24)
            let (common, own) = (aboard.common, aboard.own)
            let matcher = Matcher(common: common, own: own, steps: 100 + 100 * Int(seed % 16))
            let (forMe, forAll) = (MatchFaults(own), MatchFaults(common))
            for proposal in matcher.proposals {
                #expect(forMe.of(proposal) == [], "seed \(5000 + seed) \(proposal.text)")
                #expect(proposal.moves.contains { $0.isOwn })
                count += 1
            }
            for ring in matcher.rings {
                #expect(forAll.of(ring) == [], "seed \(5000 + seed) \(ring.text)")
            }
        }
        #expect(count > Soak.rounds(100, short: 50))
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
