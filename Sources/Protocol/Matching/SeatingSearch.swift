// SPDX-License-Identifier: Apache-2.0
/// Who of the own party sits where in seats that were chosen for all of them. Exact: the best for
/// each count of agents and legs, because a contract has limits for both.
struct SeatingSearch {
    /// Everybody of the party in a seat.
    struct Seating {
        /// For each member the index among people of whose seat they get.
        let seats: [Int]
        /// Agents of the party that take part.
        let units: Int
        /// Seats that change hands, counted where a member gets one.
        let legs: Int
        /// Charges beside whoever looks after them.
        let safe: Int
        /// How they sit.
        let together: Together
        /// Score of how they sit, and what it is worth by their own wishes.
        let score: Int
    }

    private let scene: MatchScene
    private let party: MatchParty

    // What is being tried.
    private var seats: [Int] = []
    private var taken: [Bool] = []
    private var given: [Int] = []
    private var units: UInt32 = 0
    private var legs = 0
    private var worth = 0
    private var most = 0
    /// At least so many seats change hands: those of others that somebody of the party gets.
    private var least = 0
    private var found: [Seating] = []

    init(_ scene: MatchScene, _ party: MatchParty) {
        self.scene = scene
        self.party = party
    }

    /// The seatings in `seats`, of which none has fewer agents, fewer legs and a better score than
    /// another. `most` is the score that none can pass.
    mutating func all(
        in seats: [Int], most: Int, _ steps: inout MatchSteps
    ) -> [Seating] {
        self.seats = seats
        self.most = most
        taken = Array(repeating: false, count: seats.count)
        least = seats.count { party.number[$0] < 0 }
        (given, units, legs, worth, found) = ([], 0, 0, 0, [])
        next(&steps)
        return found.sorted { $0.score > $1.score }
    }

    /// What the wishes of the party can be worth at most.
    func mostByWishes() -> Int {
        party.members.reduce(0) { sum, member in
            let ranks = scene.people[member.person].ranks.count
            return sum + (ranks > 0 ? MatchWeight.of(gain: ranks) : 0)
        }
    }

    private mutating func next(_ steps: inout MatchSteps) {
        let index = given.count
        guard index < party.members.count else { return keep() }
        // Nothing below can be better than one that was found.
        let score = most - max(legs, least)
        guard !found.contains(where: { isBehind($0, score: score) }) else { return }
        steps.take()
        let member = party.members[index]
        // The own seat first: who stays need not be asked.
        let stay = seats.firstIndex(of: member.person)
        if let stay, !taken[stay] { give(stay, to: index, &steps) }
        guard !member.isFixed else { return }
        for place in seats.indices where place != stay && !taken[place] && !steps.isOver {
            guard fits(member, seats[place]) else { continue }
            give(place, to: index, &steps)
        }
    }

    private func isBehind(_ seating: Seating, score: Int) -> Bool {
        seating.units <= max(units.nonzeroBitCount, min(least, 1))
            && seating.legs <= max(legs, least) && seating.score >= score
    }

    private func fits(_ member: MatchParty.Member, _ seat: Int) -> Bool {
        let (mover, target) = (scene.people[member.person], scene.people[seat])
        guard target.isFree, let old = mover.place, let new = target.place else { return false }
        return old.compartment == new.compartment && (!new.isExit || mover.needs.mayExit)
    }

    private mutating func give(_ place: Int, to index: Int, _ steps: inout MatchSteps) {
        let before = (units, legs, worth)
        let member = scene.people[party.members[index].person]
        let target = scene.people[seats[place]]
        if member.unit != target.unit {
            units |= 1 << UInt32(party.members[index].unit)
            legs += 1
            worth -= MatchWeight.move
        }
        if !member.ranks.isEmpty, seats[place] != party.members[index].person {
            let gain = member.rank(of: member.seat) - member.rank(of: target.seat)
            if gain > 0 { worth += MatchWeight.helped + gain * MatchWeight.gain }
        }
        given.append(seats[place])
        taken[place] = true
        next(&steps)
        taken[place] = false
        given.removeLast()
        (units, legs, worth) = before
    }

    private mutating func keep() {
        let places = given.compactMap { scene.people[$0].place }
        guard places.count == given.count,
            party.safe.allSatisfy({ party.isSafe($0, in: places) })
        else { return }
        let safe = party.charges.count { party.isSafe($0, in: places) }
        let together = Together(
            places, charges: party.charges.map { places[$0] }, isSafe: safe == party.charges.count)
        let score = MatchScore.of(safe: safe, together) + worth
        guard !found.contains(where: { isBehind($0, score: score) }) else { return }
        found.append(
            Seating(
                seats: given, units: units.nonzeroBitCount, legs: legs, safe: safe,
                together: together, score: score))
    }
}
