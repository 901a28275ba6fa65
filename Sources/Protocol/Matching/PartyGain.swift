// SPDX-License-Identifier: Apache-2.0
/// Whether an exchange that somebody else proposes seats the own party better together, in the
/// order in which the matcher ranks plans.
package enum PartyGain {
    /// Why an agent cannot speak for its user there.
    package enum Fault: Hashable, Sendable, CaseIterable {
        /// A seat of it is disputed, promised, bound, stale or not asked for, or its place is not
        /// known.
        case unsound
        /// It takes away what the user needs, or brings them into another class or an exit row.
        case broken
        /// The party sits no better than now.
        case notBetter
        /// Somebody in a seat of the user's would have none of the party at their side.
        case apart
    }

    /// A move from one index among people to another.
    private typealias Move = (from: Int, to: Int)

    /// What is wrong with an exchange by `legs` in the scene of the party, for `me` of it; `nil` if
    /// nothing is.
    package static func fault(of legs: [Leg], in scene: MatchScene, for me: PeerKey) -> Fault? {
        guard let moves = moves(legs, scene) else { return .unsound }
        let party = MatchParty(scene)
        let seats = party.members.map { member in
            moves.first { $0.from == member.person }?.to ?? member.person
        }
        let now = party.members.compactMap { scene.people[$0.person].place }
        let then = seats.compactMap { scene.people[$0].place }
        guard then.count == now.count else { return .unsound }
        let moved = party.members.indices.filter { seats[$0] != party.members[$0].person }
        guard !moved.contains(where: { party.members[$0].isFixed }),
            moves.allSatisfy({ scene.people[$0.from].holder != me || fits($0, scene) }),
            party.safe.allSatisfy({ party.isSafe($0, in: then) })
        else { return .broken }
        let (before, after) = (standing(of: party, in: now), standing(of: party, in: then))
        guard after > before else { return .notBetter }
        guard after.together.degree == .apart else { return nil }
        let mine = party.members.indices.filter {
            scene.people[party.members[$0].person].holder == me
        }
        let isBeside = { (index: Int) in then.contains { $0.touches(then[index]) } }
        return mine.allSatisfy(isBeside) ? nil : .apart
    }

    /// Who goes where: of one holder in the order of their seats. `nil` where a seat is not as the
    /// legs have it, or may not move.
    private static func moves(_ legs: [Leg], _ scene: MatchScene) -> [Move]? {
        var seats: [(index: Int, leg: Leg)] = []
        for leg in legs {
            guard let index = scene.people.firstIndex(where: { $0.slot == leg.slot }) else {
                return nil
            }
            let person = scene.people[index]
            guard person.holder == leg.from, person.isFree, person.place != nil else { return nil }
            seats.append((index, leg))
        }
        var moves: [Move] = []
        for key in legs.map(\.from).sortedOnce(by: <) {
            let given = seats.filter { $0.leg.from == key }.map(\.index).sorted()
            let taken = seats.filter { $0.leg.to == key }.map(\.index).sorted()
            guard given.count == taken.count else { return nil }
            moves += zip(given, taken).map { (from: $0, to: $1) }
        }
        return moves
    }

    /// No class is crossed, and an exit row is only for whoever named it.
    private static func fits(_ move: Move, _ scene: MatchScene) -> Bool {
        let mover = scene.people[move.from]
        guard let old = mover.place, let new = scene.people[move.to].place else { return false }
        return old.compartment == new.compartment && (!new.isExit || mover.needs.mayExit)
    }

    private static func standing(
        of party: MatchParty, in places: [MatchCabin.Place]
    ) -> (safe: Int, together: Together) {
        let safe = party.charges.count { party.isSafe($0, in: places) }
        let together = Together(
            places, charges: party.charges.map { places[$0] }, isSafe: safe == party.charges.count)
        return (safe, together)
    }
}
