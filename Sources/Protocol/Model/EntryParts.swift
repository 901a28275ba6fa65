// SPDX-License-Identifier: Apache-2.0
/// The small pieces that entry bodies are made of.
extension EntryCodec {
    static func name(_ reader: inout CBORReader) throws(DecodeError) -> String {
        let start = reader.offset
        let name = try reader.text(max: Limits.name)
        guard !name.isEmpty else { throw DecodeError(.tooSmall, at: start) }
        return name
    }

    static func write(_ seat: Seat, to writer: inout CBORWriter) {
        writer.array(2)
        writer.uint(Int(seat.row))
        writer.uint(Int(seat.column))
    }

    static func seat(_ reader: inout CBORReader) throws(DecodeError) -> Seat {
        try reader.array(2)
        let row = try reader.uint(in: 1...255)
        let column = try reader.uint(max: 25)
        guard let seat = Seat(row: row, column: column) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        return seat
    }

    static func write(_ slot: Slot, to writer: inout CBORWriter) {
        writer.array(2)
        writer.value(slot.token)
        writer.value(slot.producer)
    }

    static func slot(_ reader: inout CBORReader) throws(DecodeError) -> Slot {
        try reader.array(2)
        return Slot(
            token: try reader.value(Token.self), producer: try reader.value(Producer.self))
    }

    static func vote(_ reader: inout CBORReader) throws(DecodeError) -> Vote {
        try reader.array(3)
        let contract = try reader.value(ContractID.self)
        let yes = try reader.bool()
        var slots: [Slot] = []
        let count = try reader.array(yes ? 1...Limits.legs.upperBound : 0...0)
        for _ in 0..<count { slots.append(try slot(&reader)) }
        guard zip(slots, slots.dropFirst()).allSatisfy(<) else {
            throw DecodeError(.notSorted, at: reader.offset)
        }
        return Vote(contract: contract, yes: yes, slots: slots)
    }
}

extension Commit {
    /// Exactly one yes of every party in the order of the parties, each naming its own slots of the
    /// contract, and exactly the claims of all legs whose producer is the claim, sorted
    /// (docs/protocol.md section 8).
    package var isWellFormed: Bool { isWellFormed(under: .flight) }

    /// The same under the rules of a gathering. In a venue there are no claims: the grants stand in
    /// ledgers, which everybody has.
    func isWellFormed(under rules: EntryRules) -> Bool { isWellFormed(claims: rules == .flight) }

    /// The same, with claims or without.
    func isWellFormed(claims hasClaims: Bool) -> Bool {
        guard votes.count == contract.parties.count else { return false }
        for (party, entry) in zip(contract.parties, votes) {
            guard case .vote(let vote) = entry.body, vote.yes, entry.author == party,
                entry.flight == contract.flight, vote.contract == contract.id,
                vote.slots == contract.slots(of: party)
            else { return false }
        }
        guard hasClaims else { return claims.isEmpty }
        let needed = contract.legs.filter { $0.producer == Producer(claim: $0.token) }
        guard claims.map(\.id.token) == needed.map(\.token) else { return false }
        return zip(claims, needed).allSatisfy { entry, leg in
            guard case .claim = entry.body else { return false }
            return entry.author == leg.from && entry.flight == contract.flight
        }
    }
}
