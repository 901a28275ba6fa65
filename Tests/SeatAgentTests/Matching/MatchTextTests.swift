// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import ProtocolTestKit
import Testing
import Wording

/// Why people would say yes, in sentences.
@Suite struct MatchTextTests {
    private func sentences(_ cabin: SeatedCabin, me: String) -> [String] {
        let names = Dictionary(
            cabin.people.map { (SeatedCabin.key(of: $0.name), $0.name) }, uniquingKeysWith: { $1 })
        let text = MatchText(cabin: .standard, me: SeatedCabin.key(of: me)) { names[$0] ?? "?" }
        let matcher = Matcher(common: cabin.common, own: cabin.own)
        return matcher.proposals.first.map(text.sentences) ?? []
    }

    @Test func theUserComesFirstThenTheirPartyThenTheOthers() {
        var cabin = SeatedCabin("ABC DEF", rows: 16)
        cabin.sit("14B", "mia", own: true)
        cabin.sit("15B", "ann", own: true)
        cabin.sit("16E", "me", own: true)
        cabin.sit("14C", "bo", wants: ["12A", "15B 13B"])
        cabin.sit("14A", "cy", wants: ["DE"])
        #expect(
            sentences(cabin, me: "me") == [
                "You give 16E (middle) and get 14C (aisle), to sit with your party.",
                "ann gives 15B (middle) and gets 14A (window), to sit with their party.",
                "cy gives 14A (window) and gets 16E (middle), their first wish.",
                "bo gives 14C (aisle) and gets 15B (middle), their second wish.",
            ])
    }

    @Test func aFavourIsSaidToBeOne() {
        var cabin = SeatedCabin("ABC DEF", rows: 16)
        cabin.sit("14B", "me", own: true)
        cabin.sit("15F", "mia", own: true)
        cabin.sit("14A", "bo")
        #expect(
            sentences(cabin, me: "me") == [
                "mia gives 15F (window) and gets 14A (window), to sit with their party.",
                "bo gives 14A (window) and gets 15F (window), which is as good: a favour.",
            ])
    }

    @Test func whatOneAgentHoldsIsOneSentence() {
        var cabin = SeatedCabin("ABC DEF", rows: 16)
        cabin.sit("14A", "me", own: true)
        cabin.sit("14C", "me", own: true)
        cabin.sit("15C", "me", own: true)
        cabin.sit("14B", "bo", wants: ["15C"])
        #expect(
            sentences(cabin, me: "me") == [
                "You give 15C (aisle) and get 14B (middle), to sit with your party.",
                "bo gives 14B (middle) and gets 15C (aisle), their first wish.",
            ])
        cabin.sit("16E", "me", own: true)
        cabin.sit("15B", "cy", wants: ["16E"])
        cabin.people[3].ranks = [SeatedCabin.set("16E 14C")]
        cabin.people[2].isFree = false
        let said = sentences(cabin, me: "me")
        #expect(said.first?.hasPrefix("You give 14C (aisle) and 16E (middle) and get 14B") == true)
    }
}
