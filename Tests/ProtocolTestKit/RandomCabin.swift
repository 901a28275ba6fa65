// SPDX-License-Identifier: Apache-2.0
import Protocol

extension SeatedCabin {
    /// A small cabin with a party in it, and everything in it by chance.
    package static func random(seed: UInt64, people: ClosedRange<Int> = 4...10) -> SeatedCabin {
        var random = SeededRandom(seed: seed)
        let letters = ["AB C", "ABC", "AB CD", "ABC DEF", "A BC"][Int(random.next() % 5)]
        let count = people.lowerBound + Int(random.next() % UInt64(people.count))
        let width = blocks(letters).joined().count
        let rows = max((count + width - 1) / width, 2) + Int(random.next() % 2)
        var aboard = SeatedCabin(letters, rows: rows)
        if random.next() % 4 == 0 { aboard.row(1, isExit: true) }
        if random.next() % 6 == 0 { aboard.row(rows, class: 1, section: 1) }
        var seats = MatchCabin(aboard.rows).places.map(\.seat)
        seats.shuffle(using: &random)
        let party = 1 + Int(random.next() % UInt64(min(count - 1, 5)))
        let isOneAgent = random.next() % 2 == 0
        for (index, seat) in seats.prefix(count).enumerated() {
            var passenger = Passenger(name: "p\(index)", seat: seat)
            passenger.isFree = random.next() % 8 != 0
            passenger.isOwn = index < party
            if passenger.isOwn { passenger.needs = needs(index, seats[0], &random) }
            if passenger.isOwn, isOneAgent { passenger.name = "p0" }
            if random.next() % 3 == 0 {
                passenger.ranks = (0...Int(random.next() % 2)).compactMap { _ in
                    someSeats(rows, width, &random)
                }
            }
            aboard.people.append(passenger)
        }
        // Somebody with two seats.
        if count > party + 2, random.next() % 3 == 0 {
            aboard.people[count - 1].name = aboard.people[count - 2].name
        }
        return aboard
    }

    private static func needs(
        _ index: Int, _ first: Seat, _ random: inout SeededRandom
    ) -> MatchNeeds {
        switch random.next() % 6 {
        case 0 where index > 0: MatchNeeds(isChild: true)
        case 1 where index > 0: MatchNeeds(isHelped: true, with: first)
        case 2: MatchNeeds(mayExit: true)
        default: MatchNeeds()
        }
    }

    private static func someSeats(
        _ rows: Int, _ width: Int, _ random: inout SeededRandom
    ) -> SeatSet? {
        let columns = Int(random.next() % UInt64(1 << width - 1)) + 1
        let first = 1 + Int(random.next() % UInt64(rows))
        return SeatSet([
            SeatSet.Block(
                columns: columns, first: first,
                last: first + Int(random.next() % UInt64(rows)))
        ])
    }
}
