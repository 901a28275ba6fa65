// SPDX-License-Identifier: Apache-2.0
import Protocol

extension SeatedCabin {
    /// How a full flight is made.
    package struct FlightPlan {
        /// People aboard, six in a row.
        package var people = 192
        /// Of a hundred parties, how many have an agent each.
        package var participation = 100
        /// Of a hundred parties of several, how many sit scattered: 35 with the airline that
        /// scatters most (UK CAA 2018).
        package var scattered = 35
        /// Of a hundred people who travel alone or scattered, how many say what they would like.
        package var wishing = 60
        /// The size of a scattered family with one agent that comes first, however many others
        /// take part; 0 for none.
        package var family = 0

        /// 192 people, all with agents.
        package init() {}
    }

    /// Parties of a flight: each is the indexes of its people.
    package typealias Parties = [[Int]]

    /// A flight full of people, in parties, with the wishes of people who were asked for them:
    /// window 58, aisle 30, front 12 of a hundred.
    package static func flight(
        seed: UInt64, _ plan: FlightPlan = FlightPlan()
    ) -> (cabin: SeatedCabin, parties: Parties) {
        var random = SeededRandom(seed: seed)
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        let rows = (plan.people + 5) / 6
        var cabin = SeatedCabin("ABC DEF", rows: rows)
        for row in 1...rows {
            let isExit = row == rows / 2 || row == rows / 2 + 1
            cabin.row(row, section: row <= rows / 3 ? 0 : 1, isExit: isExit)
        }
        let seats = MatchCabin(cabin.rows).places.map(\.seat).prefix(plan.people)
        var sizes = plan.family > 0 ? [plan.family] : []
        while sizes.reduce(0, +) < seats.count {
            let size = [1, 1, 1, 1, 2, 2, 2, 2, 3, 4][Int.random(in: 0..<10, using: &random)]
            sizes.append(min(size, seats.count - sizes.reduce(0, +)))
        }
        // Whoever is scattered gets what the others leave.
        let apart = sizes.enumerated().map { number, size in
            size == 1 || number == 0 && plan.family > 0 || chance(plan.scattered)
        }
        let loose = zip(sizes, apart).reduce(0) { $1.1 ? $0 + $1.0 : $0 }
        var isLoose = Array(repeating: false, count: seats.count)
        for place in Array(0..<seats.count).shuffled(using: &random).prefix(loose) {
            isLoose[place] = true
        }
        var scattered = seats.indices.filter { isLoose[$0] }.shuffled(using: &random)
        var tight = Array(seats.indices.filter { !isLoose[$0] }.reversed())
        var parties: Parties = []
        for (number, size) in sizes.enumerated() {
            let isFamily = number == 0 && plan.family > 0
            let isIn = isFamily || chance(plan.participation)
            let isApart = apart[number]
            var party: [Int] = []
            for member in 0..<size {
                guard let place = isApart ? scattered.popLast() : tight.popLast() else { break }
                guard isIn else { continue }
                var passenger = Passenger(
                    name: isFamily ? "family" : "p\(number) \(member)", seat: seats[place])
                // Who sits with their own does not want to be asked.
                passenger.isFree = isApart && !chance(10)
                if isApart, !isFamily, chance(plan.wishing) {
                    passenger.ranks = wish(passenger.seat, rows, &random)
                }
                party.append(cabin.people.count)
                cabin.people.append(passenger)
            }
            if !party.isEmpty { parties.append(party) }
        }
        return (cabin, parties)
    }

    private static func wish(
        _ seat: Seat, _ rows: Int, _ random: inout SeededRandom
    ) -> [SeatSet] {
        let number = Int.random(in: 0..<100, using: &random)
        let half = rows / 2
        // No word of these names an exit row.
        let columns = number < 58 ? 1 << 0 | 1 << 5 : number < 88 ? 1 << 2 | 1 << 3 : 0b111111
        let ends = number < 88 ? [(1, half - 1), (half + 2, rows)] : [(1, max(rows / 3, 1))]
        let set = SeatSet(
            ends.filter { $0.0 >= 1 && $0.0 <= $0.1 }.map {
                SeatSet.Block(columns: columns, first: $0.0, last: $0.1)
            })
        return set.map { [$0] } ?? []
    }

    /// The same people with one party as the own one.
    package func own(_ party: [Int]) -> SeatedCabin {
        var cabin = self
        for person in party {
            cabin.people[person].isOwn = true
            cabin.people[person].isFree = true
        }
        return cabin
    }
}
