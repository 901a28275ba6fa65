// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// People in a cabin, for tests of who could sit where.
package struct SeatedCabin {
    /// Whoever sits somewhere.
    package struct Passenger {
        /// The one whose agent it is: several may have one.
        package var name: String
        /// Their seat.
        package var seat: Seat
        /// What they would take, the best first.
        package var ranks: [SeatSet] = []
        /// Whether anybody may ask them.
        package var isFree = true
        /// Whether they are of the own party.
        package var isOwn = false
        /// What has to be right for them.
        package var needs = MatchNeeds()

        /// Somebody who may be asked, and said nothing.
        package init(name: String, seat: Seat) {
            self.name = name
            self.seat = seat
        }
    }

    /// The cabin.
    package var rows: [MatchCabin.Row]
    /// Everybody, in the order in which they came.
    package var people: [Passenger] = []

    /// An empty cabin with rows like `ABC DEF`.
    package init(_ letters: String, rows count: Int) {
        rows = (1...count).map { MatchCabin.Row(number: $0, blocks: Self.blocks(letters)) }
    }

    /// Columns of `ABC DEF`.
    package static func blocks(_ letters: String) -> [[UInt8]] {
        letters.split(separator: " ").map { $0.utf8.map { $0 - 65 } }
    }

    /// Makes a row another one.
    package mutating func row(
        _ number: Int, class compartment: Int = 0, section: Int = 0, isExit: Bool = false
    ) {
        rows = rows.map { row in
            row.number != number
                ? row
                : MatchCabin.Row(
                    number: number, blocks: row.blocks, compartment: compartment,
                    section: section, exits: isExit ? Array(row.blocks.joined()) : [])
        }
    }

    /// Somebody sits down. `wants` are ranks: each is seats `1A`, letters of all rows `AF`, or rows
    /// `1-3`.
    package mutating func sit(
        _ seat: String, _ name: String, wants: [String] = [], free: Bool = true, own: Bool = false,
        needs: MatchNeeds = MatchNeeds()
    ) {
        guard let seat = Seat(seat) else { preconditionFailure("no seat \(seat)") }
        var passenger = Passenger(name: name, seat: seat)
        passenger.ranks = wants.map(Self.set)
        (passenger.isFree, passenger.isOwn, passenger.needs) = (free, own, needs)
        people.append(passenger)
    }

    /// Members of one party, each with an agent of their own.
    package mutating func party(_ seats: String) {
        for seat in seats.split(separator: " ").map(String.init) {
            sit(seat, "me\(seat)", own: true)
        }
    }

    /// The set of `1A 2B`, `AF` or `1-3`.
    package static func set(_ words: String) -> SeatSet {
        let blocks = words.split(separator: " ").map { word -> SeatSet.Block in
            if let seat = Seat(word) {
                return SeatSet.Block(
                    columns: 1 << Int(seat.column), first: Int(seat.row), last: Int(seat.row))
            }
            let ends = word.split(separator: "-").compactMap { Int($0) }
            if ends.count == 2 {
                return SeatSet.Block(columns: SeatSet.allColumns, first: ends[0], last: ends[1])
            }
            return SeatSet.Block(
                columns: word.utf8.reduce(0) { $0 | 1 << Int($1 - 65) }, first: 1, last: 255)
        }
        guard let set = SeatSet(blocks.sorted()) else { preconditionFailure("no set: \(words)") }
        return set
    }

    /// What the own party sees.
    package var own: MatchScene { scene(MatchCabin(rows)) }

    /// What everybody sees: those whose wishes are known, without a cabin.
    package var common: MatchScene {
        MatchScene(scene(nil).people.filter { !$0.ranks.isEmpty })
    }

    private func scene(_ cabin: MatchCabin?) -> MatchScene {
        let names = Set(people.map(\.name)).sorted()
        let units = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
        return MatchScene(
            people.map { person in
                let place = cabin?.place(of: person.seat)
                let token = Token(hash("seat \(person.seat.text)"))
                return MatchScene.Person(
                    slot: Slot(token: token, producer: Producer(claim: token)), seat: person.seat,
                    holder: Self.key(of: person.name),
                    unit: units[person.name] ?? 0, place: place,
                    ranks: person.ranks, isFree: person.isFree && (cabin == nil || place != nil),
                    isOwn: cabin != nil && person.isOwn,
                    needs: cabin == nil ? MatchNeeds() : person.needs)
            })
    }

    /// The key of somebody.
    package static func key(of name: String) -> PeerKey {
        PeerKey(FakePrimitives().sha256(Array("key \(name)".utf8)))
    }

    private func hash(_ text: String) -> Bytes32 { FakePrimitives().sha256(Array(text.utf8)) }
}

extension MatchProposal {
    /// `2B>1A together, 1A>2B alike`.
    package var text: String {
        moves.map { move in
            let why =
                switch move.reason {
                case .together: "together"
                case .wish(let number): "wish \(number)"
                case .alike: "alike"
                }
            return "\(move.from.text)>\(move.to.text) \(why)"
        }
        .joined(separator: ", ")
    }
}
