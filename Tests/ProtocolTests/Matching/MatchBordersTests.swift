// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The small rules of a search right at their limits, where cabins by chance seldom come.
@Suite struct MatchBordersTests {
    private func places(
        _ seats: String, in letters: String = "ABC DEF", rows: Int = 6
    ) throws -> [MatchCabin.Place] {
        let cabin = MatchCabin(SeatedCabin(letters, rows: rows).rows)
        return try seats.split(separator: " ").map { word in
            try #require(Seat(String(word)).flatMap(cabin.place))
        }
    }

    // MARK: Cabins

    @Test func aBlockOfOneHasAWallAndNoNeighbour() throws {
        let all = try places("1A 1B 1C", in: "A BC", rows: 1)
        #expect(all.map(\.kind) == [.window, .aisle, .window])
        #expect(all.map(\.block) == [0, 1, 1] && all.map(\.index) == [0, 1, 2])
        #expect(!all[0].touches(all[1]) && all[0].isNear(all[1]) && all[1].touches(all[2]))
        let inner = try places("1A 1B 1C 1D 1E 1F 1G", in: "AB CDE FG", rows: 1)
        #expect(inner.map(\.kind) == [.window, .aisle, .aisle, .middle, .aisle, .aisle, .window])
        // Without an aisle there are walls only.
        let narrow = try places("1A 1B 1C", in: "ABC", rows: 1)
        #expect(narrow.map(\.kind) == [.window, .middle, .window])
    }

    @Test func aRowIsCountedFromTheNoseAndALetterByItsName() throws {
        let blocks = SeatedCabin.blocks("AC DF")
        let cabin = MatchCabin([
            MatchCabin.Row(number: 12, blocks: SeatedCabin.blocks("ABC DEF")),
            MatchCabin.Row(number: 14, blocks: blocks, section: 2, exits: blocks[1]),
            // A number that was there, and a column that is no letter.
            MatchCabin.Row(number: 12, blocks: [[0]], compartment: 5),
            MatchCabin.Row(number: 20, blocks: [[0, 26, 1]]),
        ])
        func place(_ text: String) throws -> MatchCabin.Place {
            try #require(Seat(text).flatMap(cabin.place))
        }
        #expect(cabin.places.count == 12)
        let (front, back) = (try place("12C"), try place("14C"))
        #expect(front.row == 0 && back.row == 1 && front.index == 2 && back.index == 1)
        #expect(front.across == 2 && back.across == 2 && front.compartment == 0)
        #expect(front.isNear(back) && back.isNear(front) && !front.touches(back))
        let (a, b, e) = (try place("12A"), try place("12B"), try place("12E"))
        #expect(!front.reaches(back) && !a.isNear(back) && b.isNear(back) && !e.isNear(back))
        let exit = try place("14D")
        #expect(exit.isExit && !back.isExit && back.section == 2)
        // What has no name keeps its room: A and B are at the walls and do not touch.
        let (left, right) = (try place("20A"), try place("20B"))
        #expect(right.index == 2 && !left.touches(right) && left.reaches(right))
        #expect(cabin.place(of: try #require(Seat("14B"))) == nil)
        // Two rows apart is not one before the other.
        #expect(!a.isNear(left) && !front.isNear(front))
    }

    // MARK: Shapes

    @Test(arguments: [
        ("1A", 0, Together.Degree.apart), ("1A 1B", 2, .block), ("1A 1C", 0, .apart),
        ("1C 1D", 2, .row), ("1B 1C 1D", 3, .row), ("1A 2A", 2, .near), ("1A 2B", 2, .near),
        ("1A 2C", 0, .apart), ("1A 3A", 0, .apart), ("1A 1B 2A 2B", 4, .pairs),
        ("1A 1B 2A", 3, .near), ("1C 1D 2C 2D", 4, .near), ("1A 1B 3A 3B", 4, .apart),
        ("1A 1B 2B 2C", 4, .pairs), ("1A 1B 1D 1F", 2, .apart), ("1A 2A 3A", 0, .apart),
        ("1A 1B 2B 3B 3C", 4, .apart), ("1A 1B 2A 2B 3A 3B", 6, .apart),
    ])
    func aPartySitsInAShape(seats: String, count: Int, degree: Together.Degree) throws {
        let found = Together(try places(seats))
        #expect(found.degree == degree && found.count == count)
    }

    @Test func aChildInTheMiddleHoldsThreeRowsTogether() throws {
        func degree(_ seats: String, _ charges: String, isSafe: Bool = true) throws
            -> Together.Degree
        {
            Together(try places(seats), charges: try places(charges), isSafe: isSafe).degree
        }
        #expect(try degree("1A 2A 2B 3B", "2A") == .pairs)
        #expect(try degree("1A 2A 2B 3B", "2A 2B") == .pairs)
        // At either end it is two rows away from the other end.
        #expect(try degree("1A 2A 2B 3B", "1A") == .apart)
        #expect(try degree("1A 2A 2B 3B", "3B") == .apart)
        #expect(try degree("1A 2A 2B 3B", "2A", isSafe: false) == .apart)
        // Children in two rows are not in one.
        #expect(try degree("1A 1B 2A 2B 3B", "1A 2A") == .apart)
        #expect(try degree("1A 1B 2A 2B 3B", "2A 1A") == .apart)
        #expect(try degree("1A 1B 2A", "1A") == .pairs)
        #expect(try degree("1A 1B 2A", "1A", isSafe: false) == .near)
        // Four rows are too many.
        #expect(try degree("1A 2A 2B 3A 4A", "2A") == .apart)
        #expect(try degree("1A 1B", "1A") == .block)
        #expect(try degree("1C 1D", "1C") == .row)
    }

    @Test func moreTogetherIsBetterThanABetterShape() throws {
        let (two, three) = (Together(try places("1A 1B")), Together(try places("1A 1B 2A")))
        #expect(two < three && !(three < two) && !(two < two))
        let row = Together(try places("1C 1D"))
        #expect(row < two && MatchScore.of(safe: 0, row) < MatchScore.of(safe: 0, two))
        #expect(MatchScore.of(safe: 0, two) < MatchScore.of(safe: 0, three))
        #expect(MatchScore.of(safe: 0, 63, .block) < MatchScore.of(safe: 1, 0, .apart))
        #expect(
            MatchScore.of(safe: 1, 2, .near) - MatchScore.of(safe: 1, 2, .apart)
                == MatchScore.shape)
    }

    // MARK: Order

    @Test func ofTwoExchangesTheFirstDifferenceDecides() throws {
        let (low, high) = (Together(try places("1A 2A")), Together(try places("1A 1B")))
        let one = Token(SeatedCabin.key(of: "one").raw)
        let other = Token(SeatedCabin.key(of: "other").raw)
        let tokens = [one, other].sorted()
        func standing(
            _ safe: Int = 1, _ together: Together? = nil, helped: Int = 1, gains: Int = 1,
            favours: Int = 1, legs: Int = 3, by token: Token? = nil
        ) -> MatchStanding {
            MatchStanding(
                safe: safe, together: together ?? low, helped: helped, gains: gains,
                favours: favours, legs: legs, tokens: [token ?? tokens[0]])
        }
        // Each is better than the next, whatever is worse in what counts less.
        let order = [
            standing(2, helped: 0, gains: 0, favours: 9, legs: 9, by: tokens[1]),
            standing(1, high, helped: 0, gains: 0, favours: 9, legs: 9, by: tokens[1]),
            standing(helped: 2, gains: 0, favours: 9, legs: 9, by: tokens[1]),
            standing(gains: 2, favours: 9, legs: 9, by: tokens[1]),
            standing(favours: 0, legs: 9, by: tokens[1]), standing(legs: 2, by: tokens[1]),
            standing(),
            standing(by: tokens[1]),
        ]
        for (index, better) in order.enumerated() {
            #expect(!(better < better))
            for worse in order[(index + 1)...] { #expect(worse < better && !(better < worse)) }
        }
        // As they sit now counts only with somebody of the party helped.
        let same = standing()
        #expect(!same.isBetter(than: (1, low), ownHelped: 0))
        #expect(same.isBetter(than: (1, low), ownHelped: 1))
        #expect(same.isBetter(than: (0, high), ownHelped: 0))
        #expect(!same.isBetter(than: (1, high), ownHelped: 1))
        #expect(!same.isBetter(than: (2, low), ownHelped: 1))
    }

    @Test func stepsAreOverAtTheirLimitAndHalfOfWhatIsLeftIsHalf() {
        var steps = MatchSteps(limit: 100)
        steps.take(20)
        let half = steps.half
        #expect(half.taken == 20 && half.limit == 60 && !half.isOver)
        var part = half
        part.take(39)
        #expect(!part.isOver)
        part.take()
        #expect(part.isOver && part.taken == 60)
        let rest = steps.after(part)
        #expect(rest.taken == 60 && rest.limit == 100)
        steps.look(at: 31)
        #expect(steps.taken == 20)
        steps.look(at: 64)
        #expect(steps.taken == 22)
        #expect(MatchSteps(limit: 0).isOver)
    }

    @Test func oneWhoGainsIsWorthMoreThanAllThatTheyCost() {
        #expect(MatchWeight.of(gain: 0) == -MatchWeight.favour - MatchWeight.move)
        #expect(
            MatchWeight.of(gain: 2)
                == MatchWeight.helped + 2 * MatchWeight.gain - MatchWeight.move)
        #expect(MatchWeight.of(gain: 1) + 1023 * MatchWeight.of(gain: 0) > 0)
        #expect(MatchWeight.of(gain: 1) < MatchWeight.of(gain: 2))
    }

    // MARK: Scenes

    /// So many seats of one holder from the nose on: the first may not move and wants nothing, the
    /// second may not move, the third wants nothing.
    private func greedy(_ count: Int) throws -> [MatchScene.Person] {
        try (0..<count).map { index in
            let seat = try #require(Seat(row: index / 26 + 1, column: index % 26))
            let token = Token(SeatedCabin.key(of: seat.text).raw)
            return MatchScene.Person(
                slot: Slot(token: token, producer: Producer(claim: token)), seat: seat,
                holder: SeatedCabin.key(of: "greedy"), unit: 0,
                ranks: index == 0 || index == 2 ? [] : [.all], isFree: index > 1)
        }
    }

    @Test(arguments: 0...4) func whatIsOfLeastUseIsLeftOutFirst(over: Int) throws {
        let people = try greedy(MatchScene.most + over)
        let scene = MatchScene(people.reversed())
        let left = [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, people.count - 1]][over]
        #expect(scene.isCut == (over > 0))
        #expect(scene.people == people.indices.filter { !left.contains($0) }.map { people[$0] })
    }

    @Test func whoIsFrozenStaysAndAllElseIsTheSame() {
        var aboard = SeatedCabin("ABC DEF", rows: 3)
        aboard.sit("1A", "me", wants: ["2A"], own: true, needs: MatchNeeds(isChild: true))
        aboard.sit("2A", "bo", wants: ["1A"])
        aboard.sit("3A", "cy")
        let scene = aboard.own
        #expect(scene.freezing([]) == scene)
        let frozen = scene.freezing([scene.people[1].slot, scene.people[0].slot])
        aboard.people[0].isFree = false
        aboard.people[1].isFree = false
        #expect(frozen == aboard.own && frozen != scene)
    }

    @Test func likeForLikeIsNoWorsePartOfTheCabin() {
        var aboard = SeatedCabin("ABC DEF", rows: 3)
        aboard.row(2, section: 1)
        aboard.row(3, section: 1)
        for seat in ["1A", "1B", "1C", "1F", "2A", "2B", "2D", "3A"] { aboard.sit(seat, seat) }
        let scene = aboard.own
        func goes(_ from: String) -> [String] {
            let one = scene.people.firstIndex { $0.seat.text == from } ?? 0
            return scene.people.indices.filter { scene.gain(of: one, in: $0) == 0 }
                .map { scene.people[$0].seat.text }
        }
        #expect(goes("1A") == ["1F"] && goes("1C") == [])
        #expect(goes("2A") == ["1A", "1F", "3A"] && goes("2D") == ["1C"])
        #expect(goes("1B") == ["1A", "1C", "1F"])
        #expect(goes("2B") == ["1A", "1B", "1C", "1F", "2A", "2D", "3A"])
    }

    @Test func ranksSayHowMuchBetterASeatIs() {
        var aboard = SeatedCabin("ABC DEF", rows: 4)
        aboard.sit("1A", "me", wants: ["2A", "1A 3A", "4A"])
        for seat in ["2A", "3A", "4A"] { aboard.sit(seat, seat) }
        aboard.sit("4C", "me")
        func gains() -> [Int?] { (0..<5).map { aboard.own.gain(of: 0, in: $0) } }
        #expect(gains() == [nil, 1, 0, nil, nil])
        // Whose own seat is in no rank gains by each of them.
        aboard.people[0].ranks[1] = SeatedCabin.set("3A")
        #expect(gains() == [nil, 3, 2, 1, nil])
        aboard.row(3, class: 1)
        #expect(gains() == [nil, 3, nil, 1, nil])
        aboard.row(3, isExit: true)
        #expect(gains() == [nil, 3, 2, 1, nil])
        aboard.people[0].isOwn = true
        #expect(gains() == [nil, 3, nil, 1, nil])
        aboard.people[0].needs = MatchNeeds(mayExit: true)
        aboard.people[1].isFree = false
        #expect(gains() == [nil, nil, 2, 1, nil])
    }

    // MARK: Parties

    @Test func ofTooFewAndTooManyNothingIsTried() {
        for (count, wants) in [(1, true), (1, false), (16, true), (16, false), (17, true)] {
            var aboard = SeatedCabin("ABC DEF", rows: 6)
            for (index, place) in MatchCabin(aboard.rows).places.prefix(17).enumerated() {
                let wish = index == 0 && wants ? ["3F"] : []
                aboard.sit(place.seat.text, "p\(index)", wants: wish, own: index < count)
            }
            var plans = PlanSearch(aboard.own, steps: MatchSteps(limit: 50))
            plans.serveWishes()
            #expect((plans.steps.taken > 0) == (wants && count < 17), "\(count) \(wants)")
            var seated = PlanSearch(aboard.own, steps: MatchSteps(limit: 50))
            seated.seatParty()
            #expect((seated.steps.taken > 0) == (count == 16), "\(count) \(wants)")
        }
    }

    @Test func whoIsCaredForByWhom() {
        var aboard = SeatedCabin("ABC DEF", rows: 3)
        aboard.sit("1A", "me", own: true)
        aboard.sit("1C", "kid", own: true, needs: MatchNeeds(isChild: true))
        aboard.sit("1D", "gran", own: true, needs: MatchNeeds(isHelped: true, with: Seat("1F")))
        aboard.sit("1F", "me", own: true, needs: MatchNeeds(mayExit: true))
        aboard.sit("2A", "bo")
        aboard.sit("2C", "sis", own: true, needs: MatchNeeds(isChild: true, with: Seat("2A")))
        aboard.sit("2D", "tom", free: false, own: true)
        let party = MatchParty(aboard.own)
        #expect(party.members.map(\.person) == [0, 1, 2, 3, 5, 6])
        #expect(party.number == [0, 1, 2, 3, -1, 4, 5])
        #expect(party.members.map(\.carers) == [[], [0, 3, 5], [3], [], [], []])
        #expect(party.charges == [1, 2] && party.safe == [1, 2])
        #expect(party.members.map(\.isFixed) == [false, false, false, false, true, true])
        #expect(party.members.map(\.isPlain) == [true, false, false, false, false, true])
        #expect(party.members[0].unit == party.members[3].unit)
        #expect(Set(party.members.map(\.unit)) == Set(0..<5))
        // Over the aisle nobody is in reach.
        aboard.people[0].seat = Seat("1E") ?? aboard.people[0].seat
        #expect(MatchParty(aboard.own).safe.count == 1)
        // Who sits where the cabin has no seat is not seated by a search.
        aboard.rows.removeLast(2)
        #expect(MatchParty(aboard.own).members.count == 4)
    }
}
