// SPDX-License-Identifier: Apache-2.0
/// Whether an exchange that somebody else proposes seats the own party better together, in the
/// order in which the matcher ranks plans, or serves the user's wish.
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
        /// Somebody in a seat of the user's would have none of the party at their side, or the
        /// party sits worse than now.
        case apart
        /// A seat that the user gets is no better than theirs by their own wish.
        case notWished
    }

    /// An exchange as the own party sees it, which breaks nothing.
    private struct Change {
        let moves: [Move]
        let party: MatchParty
        let places: [MatchCabin.Place]
        let before: (safe: Int, together: Together)
        let after: (safe: Int, together: Together)
    }

    /// A move from one index among people to another.
    private typealias Move = (from: Int, to: Int)

    /// What is wrong with an exchange by `legs` in the scene of the party, of which `me` is one, as
    /// one that seats them better together; `nil` if nothing is.
    package static func fault(of legs: [Leg], in scene: MatchScene, for me: PeerKey) -> Fault? {
        let change: Change
        switch self.change(legs, scene, me) {
        case .failure(let broken): return broken.fault
        case .success(let made): change = made
        }
        guard change.after > change.before else { return .notBetter }
        guard change.after.together.degree == .apart else { return nil }
        let mine = change.party.members.indices.filter {
            scene.people[change.party.members[$0].person].holder == me
        }
        let isBeside = { (index: Int) in
            change.places.contains { $0.touches(change.places[index]) }
        }
        return mine.allSatisfy(isBeside) ? nil : .apart
    }

    /// The same as one that serves the wish of `me`, who gets a better one by their ranks for each
    /// seat, and that leaves the party as well together as it is.
    package static func wishFault(of legs: [Leg], in scene: MatchScene, for me: PeerKey) -> Fault? {
        switch change(legs, scene, me) {
        case .failure(let broken): return broken.fault
        case .success(let change):
            guard change.after >= change.before else { return .apart }
            let mine = change.moves.filter { scene.people[$0.from].holder == me }
            let isServed = mine.allSatisfy { move in
                let mover = scene.people[move.from]
                return mover.rank(of: scene.people[move.to].seat) < mover.rank(of: mover.seat)
            }
            return !mine.isEmpty && isServed ? nil : .notWished
        }
    }

    private struct Broken: Error { let fault: Fault }

    private static func change(
        _ legs: [Leg], _ scene: MatchScene, _ me: PeerKey
    ) -> Result<Change, Broken> {
        guard let moves = moves(legs, scene) else { return .failure(Broken(fault: .unsound)) }
        let party = MatchParty(scene)
        let seats = party.members.map { member in
            moves.first { $0.from == member.person }?.to ?? member.person
        }
        let now = party.members.compactMap { scene.people[$0.person].place }
        let then = seats.compactMap { scene.people[$0].place }
        guard then.count == now.count else { return .failure(Broken(fault: .unsound)) }
        let moved = party.members.indices.filter { seats[$0] != party.members[$0].person }
        guard !moved.contains(where: { party.members[$0].isFixed }),
            moves.allSatisfy({ scene.people[$0.from].holder != me || fits($0, scene) }),
            party.safe.allSatisfy({ party.isSafe($0, in: then) })
        else { return .failure(Broken(fault: .broken)) }
        return .success(
            Change(
                moves: moves, party: party, places: then, before: standing(of: party, in: now),
                after: standing(of: party, in: then)))
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
