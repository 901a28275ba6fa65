// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import SeatAgent
@testable import Transport
@testable import Keys

/// Logs of real keys, made without a network: what tests of receipts, audits
/// and the desk start from.
struct Voyage {
    let primitives: SodiumPrimitives
    let codec: EntryCodec
    let flight: FlightKey
    /// The flight's id, which has been another one under the rules of 0.1.
    let flightID: FlightID
    var logs = LogSet()
    let ada: Identity
    let bo: Identity
    let cy: Identity

    /// ada claims 14C, bo 12A, cy 20F; all have said who they are.
    ///
    /// The flight is one of its own unless `name`, and perhaps `code`, say which.
    init(name: FlightName? = nil, code: String? = nil, isOlder: Bool = false) throws {
        let primitives = try #require(SodiumPrimitives())
        self.primitives = primitives
        codec = EntryCodec(primitives)
        flight =
            try name.map { name in
                try #require(FlightKey(name, code: code, primitives: primitives))
            } ?? FlightKey(auth: primitives.sha256([7]), primitives: primitives)
        flightID = isOlder ? flight.olderIDs(primitives: primitives)[0] : flight.id
        func identity(_ number: UInt8) throws -> Identity {
            try #require(Identity(seed: Array(repeating: number, count: 32)))
        }
        ada = try identity(1)
        bo = try identity(2)
        cy = try identity(3)
        for (who, name, seat) in [(ada, "ada", "14C"), (bo, "bo", "12A"), (cy, "cy", "20F")] {
            try add(.genesis(name: name, agent: "test 1"), by: who)
            try add(.claim(seat: try #require(Seat(seat)), dependant: false), by: who)
        }
    }

    /// Appends to a log, checked as a peer's would be.
    @discardableResult
    mutating func add(_ body: EntryBody, by who: Identity) throws -> Entry {
        try logs.appendOwn(body, flight: flightID, signer: who, codec: codec)
    }

    /// The fold of all.
    var fold: SeatFold { Fold.fold(logs) }

    /// The one live token for a seat.
    func token(_ seat: String) throws -> TokenState {
        let wanted = try #require(Seat(seat))
        return try #require(fold.tokens.first { $0.seat == wanted && !$0.ended })
    }

    /// The contract that brings each seat to the passenger beside it.
    func contract(
        _ moves: [(String, Identity)], nonce: UInt8 = 1, by coordinator: Identity? = nil
    ) throws -> Contract {
        let legs = try moves.map { seat, to in
            let token = try token(seat)
            return Leg(
                token: token.token, producer: token.producer, from: token.holder, to: to.key)
        }
        let thread = try #require(ThreadID(Array(repeating: nonce, count: 16)))
        return try #require(
            Contract(
                flight: flightID, coordinator: (coordinator ?? ada).key, nonce: thread, legs: legs,
                primitives: primitives))
    }

    /// Votes of all parties and the commit of the coordinator, else `ada`: the swap is made. Gives
    /// the commit.
    @discardableResult
    mutating func swap(
        _ moves: [(String, Identity)], nonce: UInt8 = 1, by coordinator: Identity? = nil
    ) throws -> Entry {
        let contract = try contract(moves, nonce: nonce, by: coordinator)
        let people = [ada, bo, cy]
        var votes: [Entry] = []
        for party in contract.parties {
            let who = try #require(people.first { $0.key == party })
            let vote = Vote.yes(contract.id, slots: contract.slots(of: party))
            votes.append(try add(.vote(vote), by: who))
        }
        let claims = contract.legs.filter { $0.producer == Producer(claim: $0.token) }
            .compactMap { leg in
                logs.logs.flatMap(\.entries).first { $0.id.token == leg.token }
            }
        let commit = Commit(contract: contract, votes: votes, claims: claims)
        return try add(.commit(commit), by: coordinator ?? ada)
    }
}
