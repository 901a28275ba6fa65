// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Somebody tries to get a yes that no person says (docs/protocol.md section 26).
@Suite struct AutomaticAttackTests {
    private let known = AutomaticYesTests.known

    private func trusting() -> AutomaticYes {
        var automatic = AutomaticYes()
        automatic.trust(true)
        return automatic
    }

    /// What 0 answers by itself to what `host` proposes.
    private func answer(
        _ world: inout World, _ host: Int, _ moves: [SeatMove], _ automatic: inout AutomaticYes,
        note: String = ""
    ) throws -> Result<AutomaticYes.Given, AutomaticYes.Why> {
        world.wish(host, .propose(moves, note: note, expires: 3600))
        world.run(seconds: 1)
        let answers = world.answerByItself(0, &automatic, known)
        world.run(seconds: 1)
        #expect(answers.count == 1)
        return try #require(answers.first)
    }

    /// The very plan that gets a yes of a companion is proposed by others: by a stranger, and by
    /// somebody who overheard the code and whom nobody said yes to.
    @Test func onlyACompanionsPlanGetsAnAutomaticYes() throws {
        for host in [2, 4, 1] {
            var (world, moves) = try AutomaticYesTests.aboard()
            if host == 4 {
                // In the place of 3, whom the plan leaves out.
                moves[2] = SeatMove(seat: try require(Seat("3C")), to: world.key(1))
                moves[3] = SeatMove(seat: try require(Seat("2E")), to: world.key(4))
                moves.append(SeatMove(seat: try require(Seat("4F")), to: world.key(3)))
            }
            var automatic = trusting()
            let said = try answer(&world, host, moves, &automatic)
            guard host == 1 else {
                #expect(said == .failure(.notCompanion), "\(host)")
                #expect(world.stage(0) == .invited && automatic.given.isEmpty)
                continue
            }
            #expect((try? said.get()) != nil)
            #expect(world.stage(0) == .ready)
            #expect(
                world.hosts[1].node.swaps.consented(to: 1).contains(world.key(0)))
            // It is a yes like any other: once all have it, the seats move.
            for other in [2, 3] { world.wish(other, .accept(1, override: false)) }
            world.run(seconds: 5)
            #expect(world.seats(0) == ["3B"] && world.seats(1) == ["3C"])
        }
    }

    /// A companion who would learn more from yeses than one in an hour tells, or who asks for
    /// something else than seats together.
    @Test func aCompanionLearnsOneThingInAnHour() throws {
        let (aboard, moves) = try AutomaticYesTests.aboard()
        var world = aboard
        var automatic = trusting()
        let seat = { (text: String) throws in try require(Seat(text)) }
        let nothing = [
            SeatMove(seat: try seat("1A"), to: world.key(1)),
            SeatMove(seat: try seat("2E"), to: world.key(2)),
            SeatMove(seat: try seat("3B"), to: world.key(0)),
        ]
        let first = try answer(&world, 1, nothing, &automatic)
        #expect(first == .failure(.party(.notBetter)))
        let second = try answer(&world, 1, moves, &automatic, note: "quick!")
        #expect(second == .failure(.words))
        world.wish(1, .cancel(2))
        world.run(seconds: 1)
        let third = try answer(&world, 1, moves, &automatic)
        #expect((try? third.get()) != nil)
        world.wish(1, .cancel(3))
        world.run(seconds: 1)
        #expect(world.stage(0) == .withdrawn)
        let fourth = try answer(&world, 1, moves, &automatic)
        #expect(fourth == .failure(.tooSoon))
    }

    /// A companion proposes a seat that somebody else claims too, or that a yes binds.
    @Test func whatIsDisputedIsAskedAbout() throws {
        let (aboard, moves) = try AutomaticYesTests.aboard()
        var world = aboard
        world.wish(1, .propose(moves, note: "", expires: 3600))
        world.wish(4, .claim(try require(Seat("3B")), dependant: false))
        world.run(seconds: 6)
        var automatic = trusting()
        let answers = world.answerByItself(0, &automatic, known)
        #expect(answers == [.failure(.party(.unsound))])
        // Without that claim it would have got one.
        automatic = trusting()
        var other = try AutomaticYesTests.aboard().world
        let said = try answer(&other, 1, moves, &automatic)
        #expect((try? said.get()) != nil)
    }

    // MARK: A wish that needs no word

    /// Somebody in 2B who wishes for 1A or 3C, says yes to whatever gives them that, and is a
    /// companion of nobody.
    private func wishing(isPrivate: Bool) throws -> (world: World, automatic: AutomaticYes) {
        var world = World()
        for seat in ["2B", "1A", "3C"] { try world.add(seat) }
        world.run(seconds: 4)
        world.wish(
            0,
            .wish(
                WishChange(
                    offer: .all, ranks: ["1A", "3C"].map(SeatedCabin.set), isPrivate: isPrivate)))
        world.run(seconds: 6)
        var automatic = AutomaticYes()
        automatic.serve(true)
        return (world, automatic)
    }

    /// A private wish gets no yes by itself, whatever a stranger offers: an answer would tell it.
    /// A public one gets one in an hour for each key, and what it gives is the seat that it says.
    @Test func aWishThatNeedsNoWordTellsNoMoreThanItSays() throws {
        let take = try require(Seat("2B"))
        for isPrivate in [true, false] {
            var (world, automatic) = try wishing(isPrivate: isPrivate)
            world.wish(1, .swap(take: take, give: nil, note: "", expires: 300))
            world.run(seconds: 1)
            let answers = world.answerByItself(0, &automatic, known)
            world.run(seconds: 5)
            guard !isPrivate else {
                #expect(answers == [.failure(.hidden)] && world.seats(0) == ["2B"])
                continue
            }
            #expect(answers.count == 1 && world.seats(0) == ["1A"] && world.seats(1) == ["2B"])
        }
    }

    /// A stranger who would vote last gets no yes by itself: of a ring they would hold the seat.
    @Test func aRingOfAStrangerGetsNoAutomaticYes() throws {
        var (world, automatic) = try wishing(isPrivate: false)
        let moves = try [("2B", 2), ("1A", 0), ("3C", 1)].map { seat, to in
            SeatMove(seat: try require(Seat(seat)), to: world.key(to))
        }
        let said = try answer(&world, 1, moves, &automatic)
        #expect(said == .failure(.claimed) && world.stage(0) == .invited)
    }

    /// Less than what is wished, and a seat that is not offered, are for the user to weigh.
    @Test func aWishThatNeedsNoWordGivesNothingForLess() throws {
        var (world, automatic) = try wishing(isPrivate: false)
        let (seat, take) = (try require(Seat("4D")), try require(Seat("2B")))
        world.wish(0, .claim(seat, dependant: false))
        world.wish(1, .claim(try require(Seat("4F")), dependant: false))
        world.run(seconds: 6)
        // Whoever holds two seats may give what somebody else needs.
        world.wish(1, .swap(take: take, give: try require(Seat("1A")), note: "", expires: 300))
        world.wish(2, .swap(take: seat, give: nil, note: "", expires: 300))
        world.run(seconds: 1)
        let answers = world.answerByItself(0, &automatic, known)
        #expect(answers == [.failure(.party(.unsound)), .failure(.notOffered)])
        world.wish(0, .wish(WishChange(ranks: [SeatedCabin.set("1A")])))
        world.run(seconds: 6)
        world.wish(2, .swap(take: take, give: nil, note: "", expires: 300))
        world.run(seconds: 1)
        let late = world.answerByItself(0, &automatic, known)
        #expect(late == [.failure(.party(.notWished))] && world.seats(0) == ["2B", "4D"])
    }
}
