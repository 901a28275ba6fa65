// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What is wrong with an exchange that a search proposes, in words; written from docs/matching.md,
/// not from the search.
package struct MatchFaults {
    private let scene: MatchScene
    private let people: [Seat: MatchScene.Person]

    /// For exchanges of that scene.
    package init(_ scene: MatchScene) {
        self.scene = scene
        people = Dictionary(scene.people.map { ($0.seat, $0) }) { first, _ in first }
    }

    /// All that is wrong with it.
    package func of(_ proposal: MatchProposal) -> [String] {
        var faults = proposal.moves.flatMap(of)
        let seats = Set(proposal.moves.map(\.from))
        if seats != Set(proposal.moves.map(\.to)) || seats.count != proposal.moves.count {
            faults.append("no permutation")
        }
        let parties = Set(proposal.legs.flatMap { [$0.from, $0.to] })
        if !(2...8 ~= parties.count && 2...16 ~= proposal.legs.count) {
            faults.append("\(parties.count) parties and \(proposal.legs.count) legs")
        }
        let outsiders = proposal.moves.filter { !$0.isOwn }.map(\.holder)
        if Set(outsiders).count != outsiders.count { faults.append("one gives two seats") }
        let apart = scene.people.filter { $0.isOwn && $0.needs.isCaredFor && isLeft($0, proposal) }
        return faults + apart.map { "\($0.seat.text) is left alone" }
    }

    private func of(_ move: MatchMove) -> [String] {
        guard let mover = people[move.from], let target = people[move.to] else {
            return ["no such seat"]
        }
        var faults: [String] = []
        if !mover.isFree || !target.isFree { faults.append("\(move.from.text) is frozen") }
        if mover.place?.compartment != target.place?.compartment {
            faults.append("\(move.from.text) crosses a class")
        }
        let isNamed =
            mover.isOwn ? mover.needs.mayExit : mover.ranks.contains { $0.contains(move.to) }
        if target.place?.isExit == true, !isNamed { faults.append("\(move.to.text) is an exit") }
        if !mover.isOwn, isWorse(mover, target) { faults.append("\(move.from.text) is worse off") }
        return faults
    }

    /// By their own order, or like for like.
    private func isWorse(_ mover: MatchScene.Person, _ target: MatchScene.Person) -> Bool {
        guard mover.ranks.isEmpty else {
            let old = mover.ranks.firstIndex { $0.contains(mover.seat) } ?? Int.max
            let new = mover.ranks.firstIndex { $0.contains(target.seat) } ?? Int.max
            return new == Int.max || new > old
        }
        guard let old = mover.place, let new = target.place else { return true }
        return old.kind != .middle && new.kind != old.kind || new.section > old.section
    }

    /// Whether somebody who cannot be alone has nobody in reach any more, and had.
    private func isLeft(_ charge: MatchScene.Person, _ proposal: MatchProposal) -> Bool {
        let carers = scene.people.filter { other in
            other.isOwn && other.seat != charge.seat
                && (charge.needs.with.map { $0 == other.seat } ?? !other.needs.isCaredFor)
        }
        func isBeside(_ seat: (Seat) -> Seat) -> Bool {
            guard let mine = people[seat(charge.seat)]?.place else { return false }
            return carers.contains { people[seat($0.seat)]?.place?.reaches(mine) == true }
        }
        return isBeside { $0 }
            && !isBeside { seat in proposal.moves.first { $0.from == seat }?.to ?? seat }
    }
}
