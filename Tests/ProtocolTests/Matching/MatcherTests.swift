// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What is proposed to a party, case by case.
@Suite struct MatcherTests {
    /// The first proposal, in words.
    func first(_ aboard: SeatedCabin) -> String {
        Matcher(common: aboard.common, own: aboard.own).proposals.first?.text ?? "nothing"
    }

    func together(_ aboard: SeatedCabin) -> Together.Degree? {
        Matcher(common: aboard.common, own: aboard.own).proposals.first?.standing.together.degree
    }

    @Test func twoSitSideBySideWithOneFavour() {
        var aboard = SeatedCabin("ABC DEF", rows: 6)
        aboard.party("2A 5C")
        aboard.sit("2B", "bo")
        // A window is no seat for somebody on the aisle.
        aboard.sit("5D", "cy")
        #expect(first(aboard) == "2B>5C alike, 5C>2B together")
    }

    @Test func aWishComesBeforeAFavour() {
        var aboard = SeatedCabin("ABC DEF", rows: 6)
        aboard.party("2A 5C")
        aboard.sit("2B", "bo", wants: ["CD"])
        aboard.sit("5B", "dan")
        #expect(first(aboard) == "2B>5C wish 1, 5C>2B together")
    }

    @Test func whoDoesNotWantToBeAskedIsNot() {
        var aboard = SeatedCabin("ABC DEF", rows: 6)
        aboard.party("2A 5C")
        aboard.sit("2B", "bo", free: false)
        aboard.sit("5B", "dan", free: false)
        #expect(first(aboard) == "nothing")
    }

    @Test func aThirdSeatServesWhoMoves() {
        var aboard = SeatedCabin("ABC DEF", rows: 6)
        aboard.party("2A 5E")
        // bo would only take an aisle; ed has one and would take the middle of row 5.
        aboard.sit("2B", "bo", wants: ["CD"])
        aboard.sit("6D", "ed", wants: ["5E"])
        #expect(first(aboard) == "2B>6D wish 1, 5E>2B together, 6D>5E wish 1")
    }

    @Test func threeSitInOneBlock() {
        var aboard = SeatedCabin("ABC DEF", rows: 8)
        aboard.party("2B 5C 7D")
        aboard.sit("2A", "bo", wants: ["7D 7C"])
        aboard.sit("2C", "cy")
        #expect(
            first(aboard)
                == "2A>7D wish 1, 2C>5C alike, 5C>2A together, 7D>2C together")
        #expect(together(aboard) == .block)
    }

    @Test func fourSitInARowOrTwoAndTwo() {
        var aboard = SeatedCabin("ABC DEF", rows: 8)
        aboard.party("2A 2B 5B 7E")
        aboard.sit("2C", "bo", wants: ["5B"])
        aboard.sit("2D", "cy", wants: ["7E"])
        #expect(together(aboard) == .row)
        aboard.people[5].isFree = false
        aboard.sit("3A", "di", wants: ["7E"])
        #expect(together(aboard) == .near, "2A 2B 2C and 3A")
        aboard.sit("3B", "ed", wants: ["5B"])
        #expect(together(aboard) == .pairs)
    }

    @Test func fiveSitInTwoRows() {
        var aboard = SeatedCabin("ABC DEF", rows: 8)
        aboard.party("2A 2B 2C 5B 7E")
        aboard.sit("3A", "bo", wants: ["5B"])
        aboard.sit("3B", "cy", wants: ["7E"])
        #expect(together(aboard) == .pairs)
    }

    @Test func aChildComesToAGrownUpFirst() {
        var aboard = SeatedCabin("ABC DEF", rows: 6)
        aboard.sit("2B", "me", own: true)
        aboard.sit("5B", "me", own: true, needs: MatchNeeds(isChild: true))
        aboard.sit("4E", "me", own: true)
        aboard.sit("2A", "bo", wants: ["4E 5B"])
        let proposal = Matcher(common: aboard.common, own: aboard.own).proposals.first
        #expect(proposal?.standing.safe == 1 && proposal?.standing.together.count == 2)
        // One agent holds all three, who sit in their seats as they like.
        #expect(proposal?.legs.count == 2)
    }

    @Test func aChildBesideAGrownUpStaysThere() {
        var aboard = SeatedCabin("ABC", rows: 4)
        aboard.sit("2A", "me", own: true)
        aboard.sit("2C", "me", own: true, needs: MatchNeeds(isChild: true))
        // A seat that the grown-up would like better, were it not for the child.
        aboard.people[0].ranks = [SeatedCabin.set("3A")]
        aboard.sit("3A", "bo", wants: ["2A"])
        #expect(first(aboard) == "nothing")
        aboard.people[1].needs = MatchNeeds()
        #expect(first(aboard) == "2A>3A wish 1, 3A>2A wish 1")
    }

    @Test func theRestSitsBeforeOrBehindAChild() {
        var aboard = SeatedCabin("AB CD", rows: 6)
        aboard.sit("3A", "me", own: true)
        aboard.sit("3B", "me", own: true, needs: MatchNeeds(isChild: true))
        aboard.sit("6D", "you", own: true)
        aboard.sit("6C", "ed", own: true)
        aboard.sit("2A", "bo", wants: ["6D"])
        aboard.sit("4B", "cy", wants: ["6C"])
        #expect(together(aboard) == .pairs, "one before, one behind")
        aboard.people[1].needs = MatchNeeds()
        #expect(together(aboard) != .pairs, "three rows are too many without a child")
    }

    @Test func oneExchangeServesTwoFamilies() {
        var aboard = SeatedCabin("AB CD", rows: 4)
        aboard.party("1A 3D")
        // kim wants to sit beside lee, who sits beside one of ours.
        aboard.sit("1B", "kim", wants: ["3D"])
        aboard.sit("3C", "lee")
        #expect(first(aboard) == "1B>3D wish 1, 3D>1B together")
    }

    @Test func ofTwoFamiliesWhoWantOneBlockNobodyIsPushedOut() {
        var aboard = SeatedCabin("AB CD", rows: 4)
        aboard.party("1A 3D")
        // kim would only go where lee is, and lee does not move.
        aboard.sit("1B", "kim", wants: ["1A 2B"])
        aboard.sit("2A", "lee", free: false)
        #expect(first(aboard) == "nothing")
        // With an agent in 2B who would take 3D there is a way for all.
        aboard.sit("2B", "max", wants: ["3D"])
        #expect(first(aboard) == "1B>2B wish 1, 2B>3D wish 1, 3D>1B together")
    }

    @Test func anExitRowIsForWhoNamesIt() {
        var aboard = SeatedCabin("ABC DEF", rows: 6)
        aboard.row(2, isExit: true)
        aboard.party("2A 5C")
        aboard.sit("2B", "bo")
        aboard.sit("5B", "dan")
        #expect(first(aboard) == "nothing", "neither may sit in row 2, and 5B may not go there")
        aboard.people[3].ranks = [SeatedCabin.set("2A")]
        #expect(first(aboard) == "2A>5B together, 5B>2A wish 1")
        aboard.people[3].isFree = false
        aboard.people[1].needs = MatchNeeds(mayExit: true)
        aboard.people[2].ranks = [SeatedCabin.set("5C")]
        #expect(first(aboard) == "2B>5C wish 1, 5C>2B together")
    }

    @Test func nobodyMovesToAnotherClass() {
        var aboard = SeatedCabin("ABC DEF", rows: 6)
        aboard.row(1, class: 1)
        aboard.row(2, class: 1)
        aboard.party("2A 5C")
        aboard.sit("2B", "bo", wants: ["1-6"])
        aboard.sit("5B", "dan", wants: ["1-2", "3-6"])
        #expect(first(aboard) == "nothing")
    }

    @Test func aWorsePartOfTheCabinIsNotLikeForLike() {
        var aboard = SeatedCabin("ABC DEF", rows: 6)
        aboard.row(5, section: 1)
        aboard.party("2A 5C")
        aboard.sit("2B", "bo")
        #expect(first(aboard) == "nothing")
        aboard.row(5, section: 0)
        #expect(first(aboard) == "2B>5C alike, 5C>2B together")
    }

    @Test func theBestComesFirstAndNoMoreThanEight() {
        var aboard = SeatedCabin("ABC DEF", rows: 30)
        aboard.party("15B")
        aboard.people[0].ranks = [SeatedCabin.set("A"), SeatedCabin.set("CD")]
        for row in 1...20 where row != 15 {
            aboard.sit("\(row)A", "a\(row)", wants: ["B"])
            aboard.sit("\(row)C", "c\(row)", wants: ["B"])
        }
        let matcher = Matcher(common: aboard.common, own: aboard.own)
        #expect(matcher.proposals.count <= Matcher.most && matcher.proposals.count >= 4)
        let standings = matcher.proposals.map(\.standing)
        #expect(standings == standings.sorted(by: >))
        #expect(standings.first?.gains == 3)
    }

    @Test func theLimitsOfAContractHold() {
        // Five agents of a party in five rows, and a row of five others who would move.
        var aboard = SeatedCabin("ABCDE", rows: 6)
        aboard.party("2A 3A 4A 5A 6A")
        for letter in ["A", "B", "C", "D", "E"] { aboard.sit("1\(letter)", letter, wants: ["A"]) }
        for proposal in Matcher(common: aboard.common, own: aboard.own).proposals {
            #expect(Set(proposal.legs.map(\.from)).count <= 8 && proposal.legs.count <= 16)
        }
        // The same with one agent: six parties.
        aboard.people = aboard.people.map { person in
            var person = person
            if person.isOwn { person.name = "me" }
            return person
        }
        #expect(together(aboard) == .block)
    }

    @Test func stepsThatEndAreSaid() {
        var aboard = SeatedCabin("ABC DEF", rows: 20)
        aboard.party("1B 5C 9D 13E 17F 20A")
        for place in MatchCabin(aboard.rows).places
        where !aboard.people.contains(where: { $0.seat == place.seat }) {
            aboard.sit(place.seat.text, place.seat.text)
        }
        // One agent has all six: six agents and those who move would be too many for a contract.
        for index in aboard.people.indices where aboard.people[index].isOwn {
            aboard.people[index].name = "me"
        }
        var whole = PlanSearch(aboard.own)
        whole.seatParty()
        #expect(!whole.steps.isOver && whole.found.count == PlanSearch.most)
        let limit = whole.steps.taken / 2
        var plans = PlanSearch(aboard.own, steps: MatchSteps(limit: limit))
        plans.seatParty()
        #expect(plans.steps.isOver && plans.steps.taken < limit + 10)
        #expect(plans.found.first?.standing.together.count == 6)
    }
}
