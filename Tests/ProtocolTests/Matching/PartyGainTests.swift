// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What an exchange does for the own party, in the order of the matcher.
@Suite struct PartyGainTests {
    /// me in 1A, mia in 2E, bo and cy side by side, dee elsewhere.
    private func cabin(
        needs: MatchNeeds = MatchNeeds(), _ change: (inout SeatedCabin) -> Void = { _ in }
    ) -> SeatedCabin {
        var cabin = SeatedCabin("ABC DEF", rows: 6)
        cabin.sit("1A", "me", own: true, needs: needs)
        cabin.sit("2E", "mia", own: true)
        cabin.sit("3B", "bo")
        cabin.sit("3C", "cy")
        cabin.sit("5F", "dee")
        change(&cabin)
        return cabin
    }

    /// Each goes to the seat of the next, and the last to that of the first.
    private func fault(_ cabin: SeatedCabin, _ cycles: String...) throws -> PartyGain.Fault? {
        let scene = cabin.own
        return PartyGain.fault(
            of: try legs(scene, cycles), in: scene, for: SeatedCabin.key(of: "me"))
    }

    private func wishFault(_ cabin: SeatedCabin, _ cycles: String...) throws -> PartyGain.Fault? {
        let scene = cabin.own
        return PartyGain.wishFault(
            of: try legs(scene, cycles), in: scene, for: SeatedCabin.key(of: "me"))
    }

    private func legs(_ scene: MatchScene, _ cycles: [String]) throws -> [Leg] {
        var legs: [Leg] = []
        for cycle in cycles {
            let people = try cycle.split(separator: " ").map { word in
                try #require(scene.people.first { $0.seat.text == String(word) })
            }
            for (index, person) in people.enumerated() {
                let next = people[(index + 1) % people.count]
                legs.append(
                    Leg(
                        token: next.slot.token, producer: next.slot.producer, from: next.holder,
                        to: person.holder))
            }
        }
        return legs
    }

    @Test("Side by side is better than apart, and nothing is worse than now")
    func better() throws {
        #expect(try fault(cabin(), "1A 3B", "2E 3C") == nil)
        // Side by side already: another block is no better.
        let sitting = cabin { $0.people[1].seat = Seat("1B") ?? $0.people[1].seat }
        #expect(try fault(sitting, "1A 3B", "1B 3C") == .notBetter)
        #expect(try fault(cabin(), "1A 5F") == .notBetter)
        // One row is better than apart, and worse than a block.
        let close = cabin { cabin in
            cabin.sit("4C", "eve")
            cabin.sit("4D", "fay")
        }
        #expect(try fault(close, "1A 4C", "2E 4D") == nil)
    }

    @Test("A seat that is not as it was said, or may not move, is none to speak about")
    func unsound() throws {
        for place in [0, 1, 2] {
            #expect(
                try fault(cabin { $0.people[place].isFree = false }, "1A 3B", "2E 3C") == .unsound)
        }
        // Nor do others exchange a seat that the cabin does not have.
        let beyond = cabin { $0.sit("9A", "eve") }
        #expect(try fault(beyond, "1A 3B", "2E 3C", "5F 9A") == .unsound)
        // Where the layout is not known, nobody knows who would sit beside whom.
        var wishing = cabin()
        for place in wishing.people.indices {
            wishing.people[place].ranks = [SeatedCabin.set("5F")]
        }
        let common = wishing.common
        #expect(
            PartyGain.fault(
                of: try legs(common, ["1A 3B"]), in: common, for: SeatedCabin.key(of: "me"))
                == .unsound)
        let scene = cabin().own
        let stranger = Leg(
            token: scene.people[0].slot.token, producer: Producer(.zero),
            from: scene.people[0].holder, to: SeatedCabin.key(of: "bo"))
        #expect(PartyGain.fault(of: [stranger], in: scene, for: scene.people[0].holder) == .unsound)
        // More is given than got.
        let leg = Leg(
            token: scene.people[0].slot.token, producer: scene.people[0].slot.producer,
            from: scene.people[0].holder, to: SeatedCabin.key(of: "bo"))
        #expect(PartyGain.fault(of: [leg], in: scene, for: scene.people[0].holder) == .unsound)
        // Another holder than the leg says.
        let liar = Leg(
            token: leg.token, producer: leg.producer, from: SeatedCabin.key(of: "bo"),
            to: scene.people[0].holder)
        #expect(PartyGain.fault(of: [liar], in: scene, for: scene.people[0].holder) == .unsound)
        // A seat that the cabin does not have.
        let outside = cabin { $0.rows.removeLast(4) }
        #expect(try fault(outside, "1A 3B", "2E 3C") == .unsound)
    }

    @Test("Neither class nor exit row nor somebody's care is given away")
    func broken() throws {
        #expect(
            try fault(cabin { $0.row(3, class: 1) }, "1A 3B", "2E 3C") == .broken)
        let exit = { (cabin: inout SeatedCabin) in cabin.row(3, isExit: true) }
        #expect(try fault(cabin(exit), "1A 3B", "2E 3C") == .broken)
        #expect(
            try fault(cabin(needs: MatchNeeds(mayExit: true), exit), "1A 3B", "2E 3C") == nil)
        // A child beside me now, who would be left.
        let family = cabin { cabin in
            cabin.sit("1B", "me", own: true, needs: MatchNeeds(isChild: true))
        }
        #expect(try fault(family, "1A 3B", "2E 3C") == .broken)
        // A child of whom nobody here takes care stays where they sit.
        let alone = cabin(needs: MatchNeeds(isChild: true, with: Seat("6A")))
        #expect(try fault(alone, "1A 3B", "2E 3C") == .broken)
    }

    @Test("That others of the party sit together does not part the user from them")
    func apart() throws {
        // mia and tom would sit side by side, and the user elsewhere alone.
        let four = cabin { cabin in
            cabin.sit("6A", "tom", own: true)
            cabin.sit("1F", "eve")
        }
        #expect(try fault(four, "2E 3B", "6A 3C", "1A 5F") == .apart)
        #expect(try fault(four, "1A 3B", "2E 3C") == nil)
        // From the side of one to nobody's.
        let beside = cabin { cabin in
            cabin.people[1].seat = Seat("1B") ?? cabin.people[1].seat
            cabin.sit("6A", "tom", own: true)
            cabin.sit("6F", "kim", own: true)
            cabin.sit("3A", "eve")
        }
        #expect(try fault(beside, "1B 3A", "6A 3B", "6F 3C") == .apart)
    }

    @Test("A wish is served by a better seat of it, and by nothing that parts the party")
    func wish() throws {
        func wishing(_ words: String...) -> SeatedCabin {
            cabin { $0.people[0].ranks = words.map(SeatedCabin.set) }
        }
        #expect(try wishFault(wishing("5F"), "1A 5F") == nil)
        #expect(try wishFault(wishing("5F", "3B"), "1A 3B") == nil)
        #expect(try wishFault(wishing("5F"), "1A 3B") == .notWished)
        #expect(try wishFault(cabin(), "1A 5F") == .notWished)
        // As good as what they have is nothing better.
        #expect(try wishFault(wishing("AF"), "1A 5F") == .notWished)
        // Of the others' moves nothing serves it.
        #expect(try wishFault(wishing("5F"), "3B 5F") == .notWished)
        let free = { (cabin: inout SeatedCabin) in
            cabin.people[0].ranks = [SeatedCabin.set("5F")]
            cabin.people[4].isFree = false
        }
        #expect(try wishFault(cabin(free), "1A 5F") == .unsound)
        let close = cabin { cabin in
            cabin.people[0].ranks = [SeatedCabin.set("5F")]
            cabin.people[1].seat = Seat("1B") ?? cabin.people[1].seat
        }
        #expect(try wishFault(close, "1A 5F") == .apart)
        let crossed = cabin { cabin in
            cabin.people[0].ranks = [SeatedCabin.set("5F")]
            cabin.row(5, class: 1)
        }
        #expect(try wishFault(crossed, "1A 5F") == .broken)
    }
}
