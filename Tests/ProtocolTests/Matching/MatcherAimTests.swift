// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What is looked for, and who can propose it.
@Suite struct MatcherAimTests {
    private func search(
        _ aboard: SeatedCabin, _ aim: Matcher.Aim, _ proposer: String? = nil
    ) -> [MatchProposal] {
        Matcher(
            common: aboard.common, own: aboard.own, aim: aim,
            proposer: proposer.map { SeatedCabin.key(of: $0) }
        ).proposals
    }

    @Test func aWishIsNoSeatWithThePartyAndTheOtherWayRound() {
        var aboard = SeatedCabin("ABC DEF", rows: 6)
        aboard.sit("2A", "me", wants: ["6F"], own: true)
        aboard.sit("5C", "mia", own: true)
        aboard.sit("2B", "bo", wants: ["5C"])
        aboard.sit("6F", "cy", wants: ["2A"])
        #expect(search(aboard, .together, "me").map(\.text) == ["2B>5C wish 1, 5C>2B together"])
        #expect(search(aboard, .wishes, "me").map(\.text) == ["2A>6F wish 1, 6F>2A wish 1"])
        // Of the wishes of all it is not one of mia's.
        #expect(search(aboard, .wishes).count == 1 && search(aboard, .wishes, "mia").isEmpty)
    }

    @Test func aWishDoesNotPartWhoSitsTogether() {
        var aboard = SeatedCabin("ABC DEF", rows: 6)
        aboard.sit("2A", "me", wants: ["6F"], own: true)
        aboard.sit("2B", "mia", own: true)
        aboard.sit("6F", "cy", wants: ["2A"])
        #expect(search(aboard, .wishes, "me").isEmpty)
    }

    @Test func somethingIsFoundThatTheUserCanPropose() {
        var aboard = SeatedCabin("ABC DEF", rows: 30)
        aboard.sit("14B", "me", own: true)
        aboard.sit("20F", "mia", own: true)
        // mia could go to any of these seats, and all gain more than fay.
        for (seat, name) in [("14A", "bo"), ("14C", "cy"), ("13B", "dee"), ("15B", "eli")] {
            aboard.sit(seat, name, wants: ["20F", "1A"])
        }
        aboard.sit("21F", "fay", wants: ["14B"])
        let both = search(aboard, .together)
        #expect(!both.isEmpty)
        #expect(!both.contains { $0.gives(to: SeatedCabin.key(of: "me")) })
        let mine = search(aboard, .together, "me")
        #expect(mine.prefix(both.count).map(\.text) == both.map(\.text))
        let left = mine.dropFirst(both.count)
        #expect(!left.isEmpty && left.allSatisfy { $0.gives(to: SeatedCabin.key(of: "me")) })
        #expect(left.contains { $0.text == "14B>21F together, 21F>14B wish 1" })
        // Who cannot move at all takes part in nothing.
        aboard.people[0].isFree = false
        #expect(search(aboard, .together, "me").map(\.text) == both.map(\.text))
    }
}
