// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import SeatAgent
@testable import Transport
@testable import Keys

/// A passenger of the vectors: a real key from a fixed seed, and a log that
/// says whatever a scene wants.
///
/// A value: a copy that goes on by itself is a fork.
struct Scribe {
    let name: String
    let seed: [UInt8]
    let identity: Identity
    private(set) var log: [Entry] = []

    /// A passenger whose seed is 32 times `number`.
    init(_ name: String, _ number: UInt8) throws {
        // Locked memory needs the library readied.
        _ = VectorFlight.primitives
        self.name = name
        seed = Array(repeating: number, count: 32)
        guard let identity = Identity(seed: seed) else { throw DecodeError(.badValue) }
        self.identity = identity
    }

    var key: PeerKey { identity.key }

    /// Signs `body` as the next entry.
    @discardableResult
    mutating func write(_ body: EntryBody) throws -> Entry {
        let entry = try VectorFlight.codec.sign(
            body, flight: VectorFlight.key.id, seq: log.count + 1, previous: log.last?.id,
            by: identity)
        log.append(entry)
        return entry
    }

    /// Genesis and a claim, as every log of an agent begins. Gives the claim's first tenure.
    mutating func board(_ seat: String) throws -> Slot {
        try write(.genesis(name: name, agent: "vectors 1"))
        return try claim(seat)
    }

    /// One more claim.
    mutating func claim(_ seat: String) throws -> Slot {
        guard let seat = Seat(seat) else { throw DecodeError(.badValue) }
        let token = try write(.claim(seat: seat, dependant: false)).id.token
        return Slot(token: token, producer: Producer(claim: token))
    }

    @discardableResult
    mutating func yes(_ contract: Contract) throws -> Entry {
        try write(.vote(.yes(contract.id, slots: contract.slots(of: key))))
    }

    @discardableResult
    mutating func no(_ contract: Contract) throws -> Entry {
        try write(.vote(.no(contract.id)))
    }

    /// A suggestion of what the cabin looks like.
    func suggest(_ layout: [UInt8], revision: Int) -> LayoutSuggestion {
        LayoutSuggestion(layout, revision: revision, flight: VectorFlight.key.id, by: identity)
    }

    /// The same log up to `seq`: what is written from there on forks.
    func branch(at seq: Int) -> Scribe {
        var copy = self
        copy.log = Array(log.prefix(seq))
        return copy
    }
}

/// The flight of all vectors: the practice flight, its key derived for real.
enum VectorFlight {
    static let primitives: SodiumPrimitives = {
        guard let primitives = SodiumPrimitives() else { preconditionFailure("no libsodium") }
        return primitives
    }()
    static let codec = EntryCodec(primitives)
    static let key: FlightKey = {
        guard let key = FlightKey(.practice, primitives: primitives) else {
            preconditionFailure("no memory for Argon2id")
        }
        return key
    }()

    /// The contract of these legs, coordinated by the giver of the first.
    static func contract(
        _ legs: [(Slot, from: Scribe, to: Scribe)], nonce: UInt8 = 0
    ) throws -> Contract {
        guard let nonce = ThreadID(Array(repeating: nonce, count: 16)), let first = legs.first,
            let contract = Contract(
                flight: key.id, coordinator: first.from.key, nonce: nonce,
                legs: legs.map {
                    Leg(
                        token: $0.0.token, producer: $0.0.producer, from: $0.from.key,
                        to: $0.to.key)
                }, primitives: primitives)
        else { throw DecodeError(.badValue) }
        return contract
    }

    /// The certificate of these votes and the claims found in these logs.
    static func certificate(
        _ contract: Contract, _ votes: [Entry], _ logs: [Scribe]
    ) -> Commit {
        let needed = contract.legs.filter { $0.producer == Producer(claim: $0.token) }
            .map(\.token)
        return Commit(
            contract: contract, votes: votes.sorted { $0.author < $1.author },
            claims: logs.flatMap(\.log).filter { needed.contains($0.id.token) }
                .sorted { $0.id < $1.id })
    }
}

extension Contract {
    /// The tenure that this contract makes of `slot`.
    func next(_ slot: Slot) -> Slot {
        Slot(token: slot.token, producer: Producer(contract: id))
    }
}
