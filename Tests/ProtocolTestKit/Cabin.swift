// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// The passengers of a flight and what they write: chat, names, wishes, and real swaps in pairs.
package struct Cabin {
    /// One passenger with an agent somewhere behind the neighbours.
    package struct Author {
        /// Signs for them.
        package let signer: any Signer
        /// The address of their agent.
        package let host: String
        /// What they hold now, and the tenure of it.
        var token: Token
        var producer: Producer

        /// Their key.
        package var key: PeerKey { signer.key }
    }

    /// What hashes and checks.
    package let primitives: any Primitives
    let codec: EntryCodec
    /// The flight that all are on.
    package let flight: FlightKey
    /// The passengers.
    package private(set) var authors: [Author] = []
    /// Everything written so far, as somebody who missed nothing holds it.
    package private(set) var logs = LogSet()
    /// How many entries that are.
    package private(set) var written = 0
    private var claims: [Token: Entry] = [:]
    private var random = SeededRandom(seed: 3)

    /// Few enough for everyone to be linked with everyone, the agent under test among them.
    package var isSmall: Bool { authors.count <= Limits.fullMesh }

    /// Passengers on a flight of their own, or on the one whose key is `auth`; `signer` makes a key
    /// of 32 bytes. `nil` where it makes none, or there are fewer seats.
    package init?(
        passengers: Int, auth: Bytes32? = nil, primitives: any Primitives,
        signer: ([UInt8]) -> (any Signer)?
    ) {
        self.primitives = primitives
        codec = EntryCodec(primitives)
        flight = FlightKey(
            auth: auth ?? primitives.sha256(Array("crowd".utf8)), primitives: primitives)
        for number in 0..<passengers {
            let seed = primitives.sha256(Array("passenger \(number)".utf8)).bytes
            guard let signer = signer(seed),
                let seat = Seat(row: number / 6 + 1, column: number % 6)
            else { return nil }
            let zero = Token(.zero)
            authors.append(
                Author(
                    signer: signer, host: "10.64.\(number / 250).\(number % 250 + 1)",
                    token: zero, producer: Producer(claim: zero)))
            _ = write(.genesis(name: "passenger \(number)", agent: "crowd 1"), by: number)
            guard let claim = write(.claim(seat: seat, dependant: false), by: number) else {
                return nil
            }
            authors[number].token = claim.id.token
            authors[number].producer = Producer(claim: claim.id.token)
            claims[claim.id.token] = claim
        }
    }

    /// Signs the next entry of a passenger's log.
    package mutating func write(_ body: EntryBody, by author: Int) -> Entry? {
        let entry = try? logs.appendOwn(
            body, flight: flight.id, signer: authors[author].signer, codec: codec)
        if entry != nil { written += 1 }
        return entry
    }

    /// A window, then an aisle.
    private static let ranks = [1 << 5 | 1, 1 << 3 | 1 << 2].compactMap {
        SeatSet([SeatSet.Block(columns: $0, first: 1, last: 32)])
    }

    /// One of the ten entries of an hour that are no swap: eight lines of chat, a name, a wish.
    package mutating func talk(_ kind: Int, by author: Int) -> Entry? {
        switch kind % 10 {
        case 0: return write(.profile(name: "passenger \(author), \(written)"), by: author)
        case 1:
            let wish = Wish(
                offered: [authors[author].token], ranks: Self.ranks,
                tag: ThreadID(high: UInt64(written), low: 0),
                note: "together with my family, please")
            return write(.wish(wish), by: author)
        default:
            let text = "line \(written): is anybody near the front who would rather sit behind?"
            return write(.chat(text: text, replyTo: nil), by: author)
        }
    }

    /// Two passengers exchange what they hold: two votes, two certificates.
    package mutating func swap(_ one: Int, _ other: Int) -> [(author: Int, entry: Entry)] {
        let both = [authors[one], authors[other]]
        let contract = Contract(
            flight: flight.id, coordinator: both[0].key,
            nonce: ThreadID(random: &random),
            legs: [
                leg(from: both[0], to: both[1].key),
                leg(from: both[1], to: both[0].key),
            ], primitives: primitives)
        guard let contract else { return [] }
        var out: [(author: Int, entry: Entry)] = []
        for author in [one, other] {
            let slots = contract.slots(of: authors[author].key)
            if let vote = write(.vote(.yes(contract.id, slots: slots)), by: author) {
                out.append((author, vote))
            }
        }
        let needed = contract.legs.filter { $0.producer == Producer(claim: $0.token) }
        let commit = Commit(
            contract: contract, votes: out.map(\.entry).sorted { $0.author < $1.author },
            claims: needed.compactMap { claims[$0.token] })
        for author in [one, other] {
            if let entry = write(.commit(commit), by: author) { out.append((author, entry)) }
        }
        for (author, from) in [(one, both[1]), (other, both[0])] {
            authors[author].token = from.token
            authors[author].producer = Producer(contract: contract.id)
        }
        return out
    }

    private func leg(from: Author, to: PeerKey) -> Leg {
        Leg(token: from.token, producer: from.producer, from: from.key, to: to)
    }

    /// What was written before, `entries` in each log: an hour is a swap and ten other entries.
    package mutating func fill(_ entries: Int) {
        for entry in 2..<entries {
            switch (entry - 2) % 12 {
            case 5:
                let order = Array(authors.indices).shuffled(using: &random)
                for place in stride(from: 0, to: order.count - 1, by: 2) {
                    _ = swap(order[place], order[place + 1])
                }
            // Its second entry was written with the first.
            case 6: break
            case let kind: for author in authors.indices { _ = talk(kind, by: author) }
            }
        }
    }

    /// What happens next: 2 of 12 entries of everybody are of a swap, so 1 of 21 events is one.
    package mutating func happen() -> [(author: Int, entry: Entry)] {
        let one = Int.random(in: authors.indices, using: &random)
        let other = Int.random(in: authors.indices, using: &random)
        if one != other, Int.random(in: 0..<21, using: &random) == 0 { return swap(one, other) }
        return talk(Int.random(in: 0..<10, using: &random), by: one).map { [(one, $0)] } ?? []
    }
}
