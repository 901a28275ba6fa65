// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// An author of a log who signs whatever a test wants, right or wrong.
///
/// A value: a copy that goes on by itself is a fork.
package struct Traveller: Sendable {
    /// What all of them hash with.
    package static let primitives = FakePrimitives()
    /// The flight that all of them are on.
    package static let flight = FlightID(primitives.sha256(Array("a flight".utf8)))

    /// Signs for them.
    package let signer: FakeSigner
    /// What they signed so far.
    package private(set) var log: [Entry] = []

    /// Opens a log; `number` makes the key, and keys have the order of numbers.
    package init(_ number: UInt8) {
        var bytes = Array(repeating: UInt8(0x40), count: 32)
        bytes[0] = number
        signer = FakeSigner(key: Bytes32(bytes).map(PeerKey.init) ?? PeerKey(.zero))
        _ = append(.genesis(name: "T\(number)", agent: "test"))
    }

    /// Their key.
    package var key: PeerKey { signer.key }
    /// How long their log is.
    package var seq: Int { log.count }

    /// Signs `body` as the next entry.
    @discardableResult
    package mutating func append(_ body: EntryBody) -> Entry {
        let entry = sign(body, seq: log.count + 1, previous: log.last?.id)
        log.append(entry)
        return entry
    }

    /// Signs `body` at a place of the log without putting it there.
    package func sign(_ body: EntryBody, seq: Int, previous: EntryID?) -> Entry {
        do {
            return try EntryCodec(Self.primitives).sign(
                body, flight: Self.flight, seq: seq, previous: previous, by: signer)
        } catch {
            preconditionFailure("a test wants an entry that cannot be: \(body) \(error)")
        }
    }

    /// A claim; the slot is the new token's first tenure.
    package mutating func claim(_ seat: String, dependant: Bool = false) -> Slot {
        guard let seat = Seat(seat) else { preconditionFailure("no seat \(seat)") }
        let token = append(.claim(seat: seat, dependant: dependant)).id.token
        return Slot(token: token, producer: Producer(claim: token))
    }

    /// Gives a seat up.
    package mutating func retract(_ slot: Slot) { append(.retract(slot)) }

    /// Votes yes.
    @discardableResult
    package mutating func yes(_ contract: Contract) -> Entry {
        append(.vote(.yes(contract.id, slots: contract.slots(of: key))))
    }

    /// Votes no.
    @discardableResult
    package mutating func no(_ contract: Contract) -> Entry { append(.vote(.no(contract.id))) }

    /// Logs a certificate.
    @discardableResult
    package mutating func commit(_ certificate: Commit) -> Entry { append(.commit(certificate)) }

    /// Leaves a yes, by the no of another.
    @discardableResult
    package mutating func abandon(_ contract: Contract, _ no: Entry) -> Entry {
        append(.abandon(contract.id, no: no))
    }

    /// Says something.
    package mutating func chat(_ text: String) { append(.chat(text: text, replyTo: nil)) }

    /// The same log up to `seq`: what is appended from there on forks.
    package func branch(at seq: Int) -> Traveller {
        var copy = self
        copy.log = Array(log.prefix(seq))
        return copy
    }
}

extension Contract {
    /// The contract of these legs among travellers, made by the giver of the first leg.
    package static func of(_ legs: [(Slot, from: Traveller, to: Traveller)], nonce: UInt8 = 0)
        -> Contract
    {
        let nonce = ThreadID(Array(repeating: nonce, count: 16))
        guard let nonce, let first = legs.first,
            let contract = Contract(
                flight: Traveller.flight, coordinator: first.from.key, nonce: nonce,
                legs: legs.map {
                    Leg(
                        token: $0.0.token, producer: $0.0.producer, from: $0.from.key,
                        to: $0.to.key)
                }, primitives: Traveller.primitives)
        else { preconditionFailure("a test wants a contract that breaks a static rule") }
        return contract
    }

    /// The tenure that this contract makes of `slot`.
    package func next(_ slot: Slot) -> Slot {
        Slot(token: slot.token, producer: Producer(contract: id))
    }

    /// The certificate of these votes and the claims found among `entries`.
    package func certificate(_ votes: [Entry], claims entries: [Entry]) -> Commit {
        let needed = legs.filter { $0.producer == Producer(claim: $0.token) }.map(\.token)
        return Commit(
            contract: self, votes: votes.sorted { $0.author < $1.author },
            claims: entries.filter { needed.contains($0.id.token) }.sorted { $0.id < $1.id })
    }
}
