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

    static func write(_ wish: Wish, to writer: inout CBORWriter) {
        writer.array(3)
        writer.array(wish.offered.count)
        for token in wish.offered { writer.value(token) }
        writer.array(wish.wants.count)
        for want in wish.wants {
            switch want {
            case .any: writer.uint(0)
            case .window: writer.uint(1)
            case .aisle: writer.uint(2)
            case .front: writer.uint(3)
            // A seat is one number: 256 + row * 26 + column.
            case .seat(let seat): writer.uint(256 + Int(seat.row) * 26 + Int(seat.column))
            }
        }
        writer.text(wish.note)
    }

    static func wish(_ reader: inout CBORReader) throws(DecodeError) -> Wish {
        try reader.array(3)
        var offered: [Token] = []
        for _ in 0..<(try reader.array(0...Limits.liveClaims)) {
            offered.append(try reader.value(Token.self))
        }
        guard zip(offered, offered.dropFirst()).allSatisfy(<) else {
            throw DecodeError(.notSorted, at: reader.offset)
        }
        var wants: [Wish.Want] = []
        for _ in 0..<(try reader.array(0...Limits.wishes)) { wants.append(try want(&reader)) }
        return Wish(offered: offered, wants: wants, note: try reader.text(max: Limits.note))
    }

    private static func want(_ reader: inout CBORReader) throws(DecodeError) -> Wish.Want {
        let code = try reader.uint(max: 256 + 256 * 26)
        switch code {
        case 0: return .any
        case 1: return .window
        case 2: return .aisle
        case 3: return .front
        default:
            guard code >= 256,
                let seat = Seat(row: (code - 256) / 26, column: (code - 256) % 26)
            else { throw DecodeError(.badValue, at: reader.offset) }
            return .seat(seat)
        }
    }
}

extension Commit {
    /// Exactly one yes of every party in the order of the parties, each naming its own slots of the
    /// contract, and exactly the claims of all legs whose producer is the claim, sorted (protocol.md 6.3, 4).
    package var isWellFormed: Bool {
        guard votes.count == contract.parties.count else { return false }
        for (party, entry) in zip(contract.parties, votes) {
            guard case .vote(let vote) = entry.body, vote.yes, entry.author == party,
                entry.flight == contract.flight, vote.contract == contract.id,
                vote.slots == contract.slots(of: party)
            else { return false }
        }
        let needed = contract.legs.filter { $0.producer == Producer(claim: $0.token) }
        guard claims.map(\.id.token) == needed.map(\.token) else { return false }
        return zip(claims, needed).allSatisfy { entry, leg in
            guard case .claim = entry.body else { return false }
            return entry.author == leg.from && entry.flight == contract.flight
        }
    }
}
