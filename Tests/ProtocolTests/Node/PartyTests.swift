// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private func secret(_ byte: UInt8) throws -> PartySecret {
    try require(PartySecret(Array(repeating: byte, count: PartySecret.count)))
}

/// Linked agents, one in each seat.
private func cabin(_ seats: String...) throws -> World {
    var world = World()
    for seat in seats { try world.add(seat) }
    world.run(seconds: 2)
    return world
}

extension World {
    fileprivate func party(_ index: Int) -> PartyView? { hosts[index].node.party(at: now) }

    fileprivate func companions(_ index: Int) -> [Int] {
        let keys = party(index)?.companions ?? []
        return hosts.indices.filter { keys.contains(key($0)) }
    }

    /// Whom the user of a host was asked about, in this order.
    fileprivate func asked(_ index: Int) -> [Int] {
        hosts[index].notices.compactMap { notice in
            guard case .party(.candidate(let key)) = notice else { return nil }
            return hosts.indices.first { self.key($0) == key }
        }
    }

    fileprivate func lines(_ index: Int) -> [String] {
        hosts[index].node.partyLines.map(\.line.text)
    }

    @discardableResult
    fileprivate mutating func party(
        _ index: Int, _ intent: PartyIntent
    ) -> Result<IntentReply, Refusal>? {
        defer { run(seconds: 1) }
        return wish(index, .party(intent))
    }

    /// Everybody says yes to everybody else who has the code.
    fileprivate mutating func unite(_ members: Int...) throws {
        party(members[0], .new(try secret(1)))
        for member in members.dropFirst() { party(member, .join(try secret(1))) }
        for member in members {
            for other in members where other != member { party(member, .yes(key(other))) }
        }
    }
}

@Suite struct PartyTests {
    @Test func aCodeMakesACandidateAndAYesACompanion() throws {
        var world = try cabin("1A", "2A", "3A")
        #expect(world.party(0, .new(try secret(1))) == .success(.done))
        #expect(world.party(1, .join(try secret(1))) == .success(.done))
        // Each of them is asked about the other, and neither counts before.
        #expect(world.asked(0) == [1] && world.asked(1) == [0] && world.asked(2) == [])
        #expect(world.companions(0) == [] && world.companions(1) == [])
        #expect(world.hosts[0].node.assurance(of: world.key(1)) == .claimed)
        #expect(world.party(0, .yes(world.key(1))) == .success(.done))
        #expect(world.companions(0) == [1] && world.companions(1) == [])
        #expect(world.hosts[0].node.assurance(of: world.key(1)) == .party)
        #expect(world.hosts[1].node.assurance(of: world.key(0)) == .claimed)
        #expect(world.hosts[2].node.assurance(of: world.key(1)) == .claimed)
    }

    @Test func companionsReadEachOtherAndOthersCarryIt() throws {
        var world = try cabin("1A", "2A", "3A")
        try world.unite(0, 1)
        world.party(0, .say("galley in five"))
        world.party(1, .say("yes"))
        #expect(world.lines(0) == ["galley in five", "yes"] && world.lines(1) == world.lines(0))
        #expect(world.lines(2) == [])
        // The third has the entries, counts them, and tells nobody of them.
        let log = try #require(world.hosts[2].node.logs.log(of: world.key(0)))
        #expect(log.entries.contains { if case .sealed = $0.body { true } else { false } })
        #expect(!world.hosts[2].notices.contains { if case .party = $0 { true } else { false } })
        #expect(world.agree)
    }

    @Test func whatWasSaidBeforeTheYesIsReadAfterIt() throws {
        var world = try cabin("1A", "2A")
        world.party(0, .new(try secret(1)))
        world.party(1, .join(try secret(1)))
        world.party(1, .say("here I am"))
        #expect(world.lines(0) == [])
        world.party(0, .yes(world.key(1)))
        #expect(world.lines(0) == ["here I am"])
    }

    @Test func aboardACodeWorksForTenMinutes() throws {
        var world = try cabin("1A", "2A", "3A")
        world.party(0, .new(try secret(1)))
        world.run(seconds: 601)
        #expect(world.party(0)?.openUntil == nil)
        world.party(1, .join(try secret(1)))
        #expect(world.asked(0) == [])
        #expect(
            world.party(0, .yes(world.key(1)))?.refusal
                == .party(.notCandidate(world.key(1))))
        // An invitation lets whoever has the code by then be asked about.
        world.party(0, .invite)
        #expect(world.asked(0) == [1] && world.party(0)?.openUntil != nil)
        world.run(seconds: 601)
        world.party(2, .join(try secret(1)))
        #expect(world.asked(0) == [1])
        #expect(world.party(0, .yes(world.key(1))) == .success(.done))
    }

    @Test func aCodeFromHomeNeedsNoInvitation() throws {
        var world = try cabin("1A", "2A")
        world.party(0, .join(try secret(1), fromHome: true))
        world.run(seconds: 700)
        world.party(1, .join(try secret(1), fromHome: true))
        #expect(world.asked(0) == [1] && world.asked(1) == [0])
    }

    @Test func whoLeavesIsNoCompanion() throws {
        var world = try cabin("1A", "2A")
        try world.unite(0, 1)
        world.party(1, .leave)
        // Their wish waits for its turn.
        world.run(seconds: 10)
        #expect(world.companions(0) == [] && world.party(1) == nil)
        #expect(world.hosts[0].node.assurance(of: world.key(1)) == .claimed)
        // The yes was to a key: it counts again if they come back.
        world.party(1, .join(try secret(1)))
        #expect(world.companions(0) == [1] && world.companions(1) == [])
    }

    @Test func itSurvivesARestart() throws {
        var world = try cabin("1A", "2A")
        try world.unite(0, 1)
        world.party(0, .say("one"))
        world.party(1, .say("two"))
        world.kill(0)
        world.restart(0)
        world.run(seconds: 30)
        #expect(world.companions(0) == [1] && world.lines(0) == ["one", "two"])
        #expect(world.asked(0) == [1])
        // What a restart makes of the clock, the code does not outlive.
        #expect(world.party(0)?.openUntil == nil)
        world.party(1, .say("three"))
        #expect(world.lines(0) == ["one", "two", "three"])
    }

    @Test func whatCannotBeIsRefused() throws {
        var world = try cabin("1A", "2A")
        let other = world.key(1)
        #expect(world.party(0, .invite)?.refusal == .party(.none))
        #expect(world.party(0, .leave)?.refusal == .party(.none))
        #expect(world.hosts[0].node.logs.seq(of: world.key(0)) == 2)
        #expect(world.party(0, .say("a"))?.refusal == .party(.none))
        #expect(world.party(0, .yes(other))?.refusal == .party(.none))
        let next = PartyIntent.remove(other, next: try secret(3))
        #expect(world.party(0, next)?.refusal == .party(.none))
        world.party(0, .new(try secret(1)))
        #expect(world.party(0, .join(try secret(2)))?.refusal == .party(.already))
        #expect(world.party(0, .no(other))?.refusal == .party(.notCandidate(other)))
        #expect(world.party(0, next)?.refusal == .party(.notMember(other)))
        #expect(world.party(0, .say(" "))?.refusal == .emptyText)
        let long = String(repeating: "x", count: Limits.chatText + 1)
        #expect(world.party(0, .say(long))?.refusal == .tooLong(Limits.chatText))
    }
}

@Suite struct PartyRemovalTests {
    @Test func removingMakesANewCodeForTheRest() throws {
        var world = try cabin("1A", "2A", "3A")
        try world.unite(0, 1, 2)
        #expect(world.companions(0) == [1, 2] && world.companions(2) == [0, 1])
        world.party(0, .remove(world.key(2), next: try secret(9)))
        world.run(seconds: 1)
        #expect(world.companions(0) == [1] && world.companions(1) == [0])
        #expect(world.party(1)?.state.secrets.first == (try secret(9)))
        #expect(
            world.hosts[1].notices.contains(
                .party(.removed(world.key(2), by: world.key(0)))))
        // Whoever is out has the old code, and reads nothing that is said from now on.
        world.party(0, .say("just us"))
        #expect(world.lines(1).last == "just us" && world.lines(2) == [])
        world.party(2, .say("hello?"))
        #expect(!world.lines(0).contains("hello?") && !world.lines(1).contains("hello?"))
        // What agents tell each other is no message for people.
        #expect(world.hosts[1].node.messages == [])
        #expect(!world.hosts[1].notices.contains { if case .message = $0 { true } else { false } })
    }

    @Test func ofTwoAtOnceNeitherSecretCountsAndBothAreOut() throws {
        var world = try cabin("1A", "2A", "3A", "4A")
        try world.unite(0, 1, 2, 3)
        world.cut()
        world.wish(0, .party(.remove(world.key(2), next: try secret(9))))
        world.wish(1, .party(.remove(world.key(3), next: try secret(8))))
        world.heal()
        world.run(seconds: 60)
        for host in 0..<2 {
            let secrets = try require(world.party(host)?.state.secrets)
            #expect(secrets.first == world.party(1 - host)?.state.secrets.first, "\(host)")
            #expect(Set(secrets.prefix(3)).isSuperset(of: [try secret(8), try secret(9)]))
            #expect(![try secret(8), try secret(9)].contains(secrets[0]), "\(host)")
        }
        #expect(world.companions(0) == [1] && world.companions(1) == [0])
        // Each who is out was told one of the two secrets, and can read nothing from now on.
        world.party(0, .say("just us"))
        #expect(world.lines(1) == ["just us"] && world.lines(2) == [] && world.lines(3) == [])
    }
}

extension PartyRemovalTests {
    /// A code that is not the code any more is no question any more.
    @Test func whoHasOnlyTheOldCodeIsNobodyToAskAbout() throws {
        var world = try cabin("1A", "2A", "3A")
        try world.unite(0, 1)
        world.party(2, .join(try secret(1)))
        #expect(world.party(0)?.candidates == [world.key(2)])
        world.party(0, .remove(world.key(2), next: try secret(9)))
        #expect(world.party(0)?.candidates == [])
        world.party(0, .invite)
        world.party(1, .invite)
        #expect(world.party(0)?.candidates == [] && world.party(1)?.candidates == [])
        // With the new code they are somebody whom this user took out, and the other one asks.
        world.party(2, .leave)
        world.run(seconds: 10)
        world.party(2, .join(try secret(9)))
        #expect(world.party(0)?.candidates == [])
        world.party(0, .yes(world.key(2)))
        #expect(world.companions(0) == [1, 2])
    }
}

@Suite struct PartyAttackTests {
    /// Bytes of a wish are public: anybody can copy a tag.
    @Test func aCopiedTagIsNothing() throws {
        var world = try cabin("1A", "2A", "3A")
        world.party(0, .new(try secret(1)))
        world.party(1, .join(try secret(1)))
        let tag = try #require(world.hosts[1].node.fellows.ownTag)
        var effects = Effects()
        let copy = Wish(offered: [], ranks: [], tag: tag)
        _ = world.hosts[2].node.append(.wish(copy), &effects, at: world.now)
        world.carry(2, effects)
        world.run(seconds: 1)
        #expect(world.hosts[0].node.logs.seq(of: world.key(2)) == 3)
        #expect(world.asked(0) == [1] && world.asked(1) == [0])
    }

    /// Whoever overheard the code reads nothing here, and counts for nothing.
    @Test func anOverheardCodeMakesOneQuestionAndNoMore() throws {
        var world = try cabin("1A", "2A", "3A")
        try world.unite(0, 1)
        world.party(2, .join(try secret(1)))
        world.party(2, .say("I am Mia's brother"))
        #expect(world.asked(0) == [1, 2])
        #expect(world.hosts[0].node.assurance(of: world.key(2)) == .claimed)
        #expect(world.lines(0) == [])
        world.party(0, .no(world.key(2)))
        #expect(world.hosts[0].node.assurance(of: world.key(2)) == .claimed)
        // They leave and come again: nobody is asked twice.
        world.party(2, .leave)
        world.run(seconds: 10)
        world.party(2, .join(try secret(1)))
        #expect(world.asked(0) == [1, 2] && world.lines(0) == [])
        #expect(world.companions(0) == [1])
    }

    /// Keys without end that overheard the code: so many questions for one invitation.
    @Test func keysWithoutEndAskALittle() throws {
        let here = Companions(
            PartyState(secrets: [try secret(1)], isFromHome: true), me: FakeSigner(1).key,
            flight: testFlight.id, primitives: FakePrimitives())
        let keys = PartyKeys(
            try secret(1), flight: testFlight.id, primitives: FakePrimitives())
        var party = here
        var asked = 0
        for number in 2..<200 {
            let key = FakeSigner(UInt8(number)).key
            let effects = party.see((key, keys.tag(of: key)), at: .zero)
            asked += effects.notices.count
        }
        #expect(asked == Limits.candidates)
        #expect(party.state?.members.count == Limits.candidates)
        // Whoever the user names is no worse off for it.
        guard case .success = party.answer(FakeSigner(199).key, true, at: .zero) else {
            Issue.record("somebody with the code, whom the user names, is refused")
            return
        }
        #expect(party.counted == [FakeSigner(199).key])
    }

    /// A sealed line says who wrote it and where: replayed elsewhere it is nothing.
    @Test func aReplayedLineIsNothing() throws {
        var world = try cabin("1A", "2A", "3A")
        try world.unite(0, 1, 2)
        world.party(1, .say("the keys are in my bag"))
        let log = try #require(world.hosts[0].node.logs.log(of: world.key(1)))
        let said = log.entries.compactMap { entry -> SealedTalk? in
            if case .sealed(let talk) = entry.body { talk } else { nil }
        }
        let line = try #require(said.first)
        // Under another author, and by its author once more.
        for host in [2, 1] {
            var effects = Effects()
            _ = world.hosts[host].node.append(.sealed(line), &effects, at: world.now)
            world.carry(host, effects)
            world.run(seconds: 1)
        }
        #expect(world.lines(0) == ["the keys are in my bag"])
        #expect(world.agree)
    }

    /// Only companions change the code, only with proof, and never so that the user is out.
    @Test func aStrangerChangesNoCode() throws {
        var world = try cabin("1A", "2A", "3A", "4A")
        try world.unite(0, 1)
        let party = PartyKeys(
            try secret(1), flight: testFlight.id, primitives: FakePrimitives())
        let fresh = try secret(7)
        func news(without key: PeerKey, proof: [UInt8]? = nil) -> String {
            let proof = proof ?? party.proof(of: fresh, without: key)
            return SeatLink.nextParty(NextParty(secret: fresh, removed: key, proof: proof)).text
        }
        let none = [UInt8](repeating: 0, count: 16)
        for (from, text) in [
            (2, news(without: world.key(1))), (1, news(without: world.key(3), proof: none)),
            (1, news(without: world.key(0))), (1, news(without: world.key(1))),
        ] {
            world.wish(from, .message(to: world.key(0), text))
            world.run(seconds: 1)
            #expect(world.party(0)?.state.secrets == [try secret(1)], "\(from)")
        }
        world.wish(1, .message(to: world.key(0), news(without: world.key(3))))
        world.run(seconds: 1)
        #expect(world.party(0)?.state.secrets == [fresh, try secret(1)])
        // Said again, it says nothing.
        world.party(0, .remove(world.key(3), next: try secret(5)))
        world.wish(1, .message(to: world.key(0), news(without: world.key(3))))
        world.run(seconds: 1)
        #expect(world.party(0)?.state.secrets.first == (try secret(5)))
    }

    /// A blocked passenger is no companion, whatever they have.
    @Test func whoIsBlockedIsNoCompanion() throws {
        var world = try cabin("1A", "2A")
        try world.unite(0, 1)
        world.wish(0, .block(world.key(1), true))
        world.run(seconds: 1)
        #expect(world.companions(0) == [])
        world.wish(0, .block(world.key(1), false))
        world.run(seconds: 30)
        #expect(world.companions(0) == [1])
    }
}
