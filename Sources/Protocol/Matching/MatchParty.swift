// SPDX-License-Identifier: Apache-2.0
/// The own party as a search sees it: numbered from 0, in the order of their seats now.
struct MatchParty {
    /// One of the party.
    struct Member {
        /// Their index among all people.
        let person: Int
        /// Whose agent holds their seat, as a number within the party.
        let unit: Int
        /// They keep their seat, whatever comes.
        let isFixed: Bool
        /// Who may look after them; empty for whoever needs nobody.
        let carers: [Int]
        /// Whether they have needs or wishes of their own.
        let isPlain: Bool
    }

    let members: [Member]
    /// For each person their number in the party, -1 for outsiders.
    let number: [Int]
    /// Members who are cared for and have somebody of the party for it.
    let charges: [Int]
    /// Of ``charges`` those who sit beside whoever looks after them now.
    let safe: [Int]

    /// At most this many can be seated: each is a leg.
    static let most = Limits.legs.upperBound

    /// The party of a scene: those of it whose seat is in the cabin.
    init(_ scene: MatchScene) {
        let people = scene.own.filter { scene.people[$0].place != nil }
        var number = Array(repeating: -1, count: scene.people.count)
        for (index, person) in people.enumerated() { number[person] = index }
        let units = people.map { scene.people[$0].unit }.sortedOnce(by: <)
        let members = people.map { person in
            let whole = scene.people[person]
            let carers = Self.carers(of: person, people, scene)
            return Member(
                person: person, unit: units.lowerBound(of: whole.unit) { $0 },
                // Somebody else's care ends where they sit.
                isFixed: !whole.isFree || whole.needs.isCaredFor && carers.isEmpty,
                carers: carers, isPlain: whole.needs == MatchNeeds() && whole.ranks.isEmpty)
        }
        self.members = members
        self.number = number
        charges = members.indices.filter { !members[$0].carers.isEmpty }
        let places = people.compactMap { scene.people[$0].place }
        safe = charges.filter { charge in
            members[charge].carers.contains { places[$0].reaches(places[charge]) }
        }
    }

    private static func carers(of person: Int, _ people: [Int], _ scene: MatchScene) -> [Int] {
        let needs = scene.people[person].needs
        guard needs.isCaredFor else { return [] }
        return people.indices.filter { index in
            let other = scene.people[people[index]]
            return people[index] != person
                && (needs.with.map { $0 == other.seat } ?? !other.needs.isCaredFor)
        }
    }

    /// Whether `charge` has somebody beside them when members sit in `places`.
    func isSafe(_ charge: Int, in places: [MatchCabin.Place]) -> Bool {
        members[charge].carers.contains { places[$0].reaches(places[charge]) }
    }
}
