// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// An author of a log who signs whatever a test wants, right or wrong.
///
/// A value: a copy that goes on by itself is a fork.
struct Traveller {
    static let primitives = FakePrimitives()
    static let flight = FlightID(primitives.sha256(Array("a flight".utf8)))

    let signer: FakeSigner
    private(set) var log: [Entry] = []

    /// Opens a log; `number` makes the key, and keys have the order of numbers.
    init(_ number: UInt8) {
        var bytes = Array(repeating: UInt8(0x40), count: 32)
        bytes[0] = number
        signer = FakeSigner(key: Bytes32(bytes).map(PeerKey.init) ?? PeerKey(.zero))
        _ = append(.genesis(name: "T\(number)", agent: "test"))
    }

    var key: PeerKey { signer.key }
    var seq: Int { log.count }

    /// Signs `body` as the next entry.
    @discardableResult
    mutating func append(_ body: EntryBody) -> Entry {
        let entry = sign(body, seq: log.count + 1, previous: log.last?.id)
        log.append(entry)
        return entry
    }

    /// Signs `body` at a place of the log without putting it there.
    func sign(_ body: EntryBody, seq: Int, previous: EntryID?) -> Entry {
        do {
            return try EntryCodec(Self.primitives).sign(
                body, flight: Self.flight, seq: seq, previous: previous, by: signer)
        } catch {
            preconditionFailure("a test wants an entry that cannot be: \(body) \(error)")
        }
    }

    /// A claim; the slot is the new token's first tenure.
    mutating func claim(_ seat: String, dependant: Bool = false) -> Slot {
        guard let seat = Seat(seat) else { preconditionFailure("no seat \(seat)") }
        let token = append(.claim(seat: seat, dependant: dependant)).id.token
        return Slot(token: token, producer: Producer(claim: token))
    }

    mutating func retract(_ slot: Slot) { append(.retract(slot)) }

    @discardableResult
    mutating func yes(_ contract: Contract) -> Entry {
        append(.vote(.yes(contract.id, slots: contract.slots(of: key))))
    }

    @discardableResult
    mutating func no(_ contract: Contract) -> Entry { append(.vote(.no(contract.id))) }

    @discardableResult
    mutating func commit(_ certificate: Commit) -> Entry { append(.commit(certificate)) }

    @discardableResult
    mutating func abandon(_ contract: Contract, _ no: Entry) -> Entry {
        append(.abandon(contract.id, no: no))
    }

    mutating func chat(_ text: String) { append(.chat(text: text, replyTo: nil)) }

    /// The same log up to `seq`: what is appended from there on forks.
    func branch(at seq: Int) -> Traveller {
        var copy = self
        copy.log = Array(log.prefix(seq))
        return copy
    }
}

extension Contract {
    /// The contract of these legs among travellers, made by the giver of the first leg.
    static func of(_ legs: [(Slot, from: Traveller, to: Traveller)], nonce: UInt8 = 0) -> Contract {
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
    func next(_ slot: Slot) -> Slot {
        Slot(token: slot.token, producer: Producer(contract: id))
    }

    /// The certificate of these votes and the claims found among `entries`.
    func certificate(_ votes: [Entry], claims entries: [Entry]) -> Commit {
        let needed = legs.filter { $0.producer == Producer(claim: $0.token) }.map(\.token)
        return Commit(
            contract: self, votes: votes.sorted { $0.author < $1.author },
            claims: entries.filter { needed.contains($0.id.token) }.sorted { $0.id < $1.id })
    }
}
