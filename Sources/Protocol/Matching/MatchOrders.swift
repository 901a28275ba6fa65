// SPDX-License-Identifier: Apache-2.0
/// Who would take whose seat, of all but the own party: looked up once, since a search asks often.
struct MatchOrders {
    /// A seat that somebody would take.
    struct Want: Hashable {
        /// The index of whoever sits there.
        let to: Int
        /// What the move is worth.
        let weight: Int
    }

    /// For each person what they would take, what is worth most first, then by index; nothing for
    /// the own party.
    let wants: [[Want]]

    /// O(n²) and, for hostile wishes, 64 blocks for each row.
    init(_ scene: MatchScene) {
        let seats = scene.people.map(\.seat)
        wants = scene.people.indices.map { person in
            guard scene.people[person].isFree, !scene.people[person].isOwn else { return [] }
            let ranks = Self.ranks(of: scene.people[person], seats)
            return scene.people.indices.compactMap { other in
                scene.gain(of: person, in: other, ranks: (ranks[person], ranks[other])).map {
                    Want(to: other, weight: MatchWeight.of(gain: $0))
                }
            }
            .sorted { ($1.weight, $0.to) < ($0.weight, $1.to) }
        }
    }

    /// The rank of each of `seats`, sorted: blocks of one set are disjoint, so each seat is found
    /// once at most.
    private static func ranks(of person: MatchScene.Person, _ seats: [Seat]) -> [Int] {
        var ranks = Array(repeating: person.ranks.count, count: seats.count)
        for (rank, set) in person.ranks.enumerated().reversed() {
            for block in set.blocks {
                var index = seats.partitionPoint { Int($0.row) < block.first }
                while index < seats.count, Int(seats[index].row) <= block.last {
                    if block.columns & 1 << Int(seats[index].column) != 0 { ranks[index] = rank }
                    index += 1
                }
            }
        }
        return ranks
    }
}
