// SPDX-License-Identifier: Apache-2.0
import Protocol

/// The best exchange for a party, found by trying every way in which everybody could sit: slow, and
/// written from the words of the design alone.
struct ReferenceMatch {
    /// How good an exchange is, compared from the first number on.
    struct Value: Comparable, CustomStringConvertible {
        var numbers: [Int]
        static func < (left: Value, right: Value) -> Bool {
            left.numbers.lexicographicallyPrecedes(right.numbers)
        }
        var description: String { "\(numbers)" }
    }

    let people: [MatchScene.Person]
    let own: [Int]
    private var target: [Int]
    private var isTaken: [Bool]
    private var choices: [[Int]] = []
    private(set) var best: Value?
    private(set) var bestTarget: [Int] = []
    private var now = Value(numbers: [])

    init(_ scene: MatchScene) {
        people = scene.people
        own = scene.own
        target = Array(people.indices)
        isTaken = Array(repeating: false, count: people.count)
        now = Value(numbers: party())
        choices = people.indices.map { mover in
            people.indices.filter { $0 == mover || mayMove(mover, $0) }
        }
        seat(0)
    }

    // MARK: Who may move where

    private func mayMove(_ mover: Int, _ goal: Int) -> Bool {
        let (who, there) = (people[mover], people[goal])
        guard who.isFree, there.isFree, let old = who.place, let new = there.place,
            old.compartment == new.compartment
        else { return false }
        if who.isOwn { return isMovable(mover) && (!new.isExit || who.needs.mayExit) }
        guard who.holder != there.holder else { return false }
        if who.ranks.isEmpty {
            let isKind = old.kind == new.kind || old.kind == .middle
            return isKind && new.section <= old.section && !new.isExit
        }
        let ranks = who.ranks.map { $0.contains(there.seat) }
        guard let rank = ranks.firstIndex(of: true) else { return false }
        return rank <= (who.ranks.map { $0.contains(who.seat) }.firstIndex(of: true) ?? 99)
    }

    private func isMovable(_ member: Int) -> Bool {
        let needs = people[member].needs
        return !(needs.isChild || needs.isHelped) || !carers(of: member).isEmpty
    }

    private func carers(of member: Int) -> [Int] {
        let needs = people[member].needs
        return own.filter { other in
            guard other != member else { return false }
            if let with = needs.with { return people[other].seat == with }
            return !people[other].needs.isChild && !people[other].needs.isHelped
        }
    }

    // MARK: Trying

    private mutating func seat(_ person: Int) {
        guard person < people.count else { return judge() }
        for goal in choices[person] where !isTaken[goal] {
            isTaken[goal] = true
            target[person] = goal
            seat(person + 1)
            isTaken[goal] = false
        }
        target[person] = person
    }

    private func gain(_ person: Int) -> Int {
        let who = people[person]
        let old = who.ranks.firstIndex { $0.contains(who.seat) } ?? who.ranks.count
        let new =
            who.ranks.firstIndex { $0.contains(people[target[person]].seat) } ?? who.ranks.count
        return max(0, old - new)
    }

    private mutating func judge() {
        let movers = people.indices.filter { target[$0] != $0 }
        let outsiders = movers.filter { !people[$0].isOwn }
        guard Set(outsiders.map { people[$0].holder }).count == outsiders.count else { return }
        let legs = movers.filter { people[$0].holder != people[target[$0]].holder }
        let parties = Set(legs.flatMap { [people[$0].holder, people[target[$0]].holder] })
        guard 2...8 ~= parties.count, 2...16 ~= legs.count,
            outsiders.allSatisfy({ chain(from: $0) <= 3 })
        else { return }
        for charge in own where isSafe(charge, at: { $0 }) {
            guard isSafe(charge, at: { target[$0] }) else { return }
        }
        let sitting = party()
        let state = Value(numbers: sitting)
        let helpedOwn = own.contains { gain($0) > 0 }
        guard state >= now, state > now || helpedOwn, sitting[2] > 0 || isModest() else { return }
        let helped = movers.filter { gain($0) > 0 }
        let value = Value(
            numbers: sitting + [
                helped.count, helped.reduce(0) { $0 + gain($1) },
                -outsiders.count { gain($0) == 0 }, -legs.count,
            ])
        if best.map({ $0 < value }) ?? true { (best, bestTarget) = (value, target) }
    }

    /// How many outsiders move one after the other until a seat of the party is reached; forever
    /// where none is.
    private func chain(from person: Int) -> Int {
        var (here, count) = (person, 0)
        while !people[here].isOwn {
            count += 1
            guard count < 5 else { return 99 }
            here = target[here]
        }
        return count
    }

    /// Where not all sit together: whoever gained no companion has one of the party's old seats, or
    /// one member alone went somewhere else.
    private func isModest() -> Bool {
        let entered = own.filter { !people[target[$0]].isOwn }
        if entered.count <= 1 { return true }
        let isUnsafe = own.contains { needsCare($0) && !isSafe($0, at: { $0 }) }
        return entered.allSatisfy { member in
            own.contains { other in
                guard let one = people[target[member]].place,
                    let two = people[target[other]].place, one.row == two.row,
                    one.block == two.block, one.index != two.index
                else { return false }
                return abs(one.index - two.index) == 1 || isUnsafe
            }
        }
    }

    // MARK: Sitting together

    private func needsCare(_ member: Int) -> Bool {
        !carers(of: member).isEmpty && isCharge(member)
    }

    private func isCharge(_ member: Int) -> Bool {
        people[member].needs.isChild || people[member].needs.isHelped
    }

    private func isSafe(_ member: Int, at seat: (Int) -> Int) -> Bool {
        guard needsCare(member), let mine = people[seat(member)].place else { return false }
        return carers(of: member).contains { carer in
            guard let place = people[seat(carer)].place else { return false }
            return place.row == mine.row && place.block == mine.block
        }
    }

    /// Charges beside their carers, people together, and how: 4 to 0.
    private func party() -> [Int] {
        let places = own.compactMap { people[target[$0]].place }
        let charges = own.filter(needsCare)
        let safe = charges.count { isSafe($0, at: { target[$0] }) }
        func beside(_ one: MatchCabin.Place, _ two: MatchCabin.Place) -> Bool {
            one.row == two.row && one.block == two.block && abs(one.index - two.index) == 1
        }
        let withCompanion = places.filter { one in places.contains { beside(one, $0) } }.count
        let rows = places.map(\.row)
        guard places.count > 1, let low = rows.min(), let high = rows.max(), isConnected(places)
        else { return [safe, withCompanion, 0] }
        let count = places.count
        if low == high {
            return [safe, count, Set(places.map(\.block)).count == 1 ? 4 : 3]
        }
        if high - low == 1, withCompanion == count { return [safe, count, 2] }
        let childRows = Set(charges.compactMap { people[target[$0]].place?.row })
        if !charges.isEmpty, safe == charges.count, childRows.count == 1, let row = childRows.first,
            low >= row - 1, high <= row + 1
        {
            return [safe, count, 2]
        }
        return high - low == 1 ? [safe, count, 1] : [safe, withCompanion, 0]
    }

    private func isConnected(_ places: [MatchCabin.Place]) -> Bool {
        var group = Set(places.prefix(1))
        for _ in places {
            for one in places where !group.contains(one) {
                let touches = group.contains { two in
                    one.row == two.row
                        ? abs(one.index - two.index) == 1
                        : abs(one.row - two.row) == 1 && abs(one.across - two.across) <= 1
                }
                if touches { group.insert(one) }
            }
        }
        return group.count == places.count
    }
}
