// SPDX-License-Identifier: Apache-2.0
/// Entries to bytes and back, in the COSE_Sign1 layout (RFC 9052 section 4.2; docs/protocol.md
/// section 8).
///
/// Decoding checks form only. Signatures, sequence and caps are `EntryCheck`'s.
public struct EntryCodec: Sendable {
    let primitives: any Primitives
    /// Which entries there are.
    public let rules: EntryRules

    /// A codec that hashes with `primitives`, for the entries of a flight unless others are named.
    public init(_ primitives: any Primitives, rules: EntryRules = .flight) {
        self.primitives = primitives
        self.rules = rules
    }

    /// The protected header: alg -8, EdDSA.
    public static let protected: [UInt8] = [0xA1, 0x01, 0x27]
    private static let additional = Array("seatswap/1 entry".utf8)

    /// The bytes that a signature of `payload` covers: the Sig_structure (RFC 9052 section 4.4).
    public static func toBeSigned(_ payload: some Collection<UInt8>) -> [UInt8] {
        var writer = CBORWriter(capacity: payload.count + 48)
        writer.array(4)
        writer.text("Signature1")
        writer.bytes(protected)
        writer.bytes(additional)
        writer.bytes(payload)
        return writer.bytes
    }

    /// Signs `body` as the entry at `seq` after `previous`.
    ///
    /// Throws a ``DecodeError`` when the body is not one that others would accept (too long, say).
    public func sign(
        _ body: EntryBody, flight: FlightID, seq: Int, previous: EntryID?, by signer: any Signer
    ) throws(DecodeError) -> Entry {
        let payload = Self.payload(
            body, flight: flight, author: signer.key, seq: seq, previous: previous)
        return try decode(
            Self.bytes(payload, signature: signer.sign(Self.toBeSigned(payload))))
    }

    /// The id and the size that `body` would have as that entry of `author`, without a signature:
    /// neither depends on it.
    func draft(
        _ body: EntryBody, flight: FlightID, author: PeerKey, seq: Int, previous: EntryID?
    ) -> (id: EntryID, size: Int) {
        let payload = Self.payload(
            body, flight: flight, author: author, seq: seq, previous: previous)
        let id = EntryID(primitives.sha256("seatswap/1 id", payload.span.bytes))
        return (id, Self.bytes(payload, signature: Array(repeating: 0, count: 64)).count)
    }

    private static func payload(
        _ body: EntryBody, flight: FlightID, author: PeerKey, seq: Int, previous: EntryID?
    ) -> [UInt8] {
        var payload = CBORWriter(capacity: 256)
        payload.array(7)
        payload.uint(1)
        payload.value(flight)
        payload.value(author)
        payload.uint(seq)
        if let previous { payload.value(previous) } else { payload.null() }
        payload.uint(body.type)
        write(body, to: &payload)
        return payload.bytes
    }

    private static func bytes(_ payload: [UInt8], signature: [UInt8]) -> [UInt8] {
        var entry = CBORWriter(capacity: payload.count + 80)
        entry.array(4)
        entry.bytes(protected)
        entry.map(0)
        entry.bytes(payload)
        entry.bytes(signature)
        return entry.bytes
    }

    /// Whether the signature in `entry` is its author's. Costs one Ed25519 verification.
    public func isSigned(_ entry: Entry) -> Bool {
        let signature = Array(entry.bytes[entry.signature])
        return SignatureShape.isCanonical(signature: signature, key: entry.author)
            && primitives.verify(
                signature, Self.toBeSigned(entry.bytes[entry.payload]), by: entry.author)
    }

    /// A checksum that finds damage on the disk: the first eight bytes of SHA-256.
    public func sum(of bytes: [UInt8]) -> UInt64 { primitives.sha256(bytes).prefix8 }

    /// Reads one entry, strictly. Throws ``DecodeError``.
    public func decode(_ bytes: [UInt8]) throws(DecodeError) -> Entry {
        try decode(bytes, nested: false)
    }

    private func decode(_ bytes: [UInt8], nested: Bool) throws(DecodeError) -> Entry {
        guard bytes.count <= Limits.entry else { throw DecodeError(.tooLarge) }
        var outer = CBORReader(bytes.span.bytes)
        // All entries begin alike. Where one does not, its parts say why it is refused.
        if !outer.take(0x84_43_A10127_A0, bytes: 6, items: 3) {
            try outer.array(4)
            guard try outer.number(ofBytes: 3) == 0xA1_01_27 else { throw DecodeError(.badValue) }
            _ = try outer.map(0...0)
        }
        let payload = try outer.byteRange(1...Limits.entry)
        let signature = try outer.byteRange(exactly: 64)
        try outer.finish()

        let signed = bytes.span.bytes.extracting(payload)
        var reader = CBORReader(signed)
        if !reader.take(0x87_01, bytes: 2, items: 2) {
            try reader.array(7)
            _ = try reader.uint(in: 1...1)
        }
        let flight = try reader.value(FlightID.self)
        let author = try reader.value(PeerKey.self)
        let seq = try reader.uint(in: 1...rules.entries)
        let previous = try reader.takeNull() ? nil : try reader.value(EntryID.self)
        guard (previous == nil) == (seq == 1) else { throw DecodeError(.badValue, at: 0) }
        let type = try reader.uint(max: Limits.entryTypes.upperBound)
        let body: EntryBody
        if Limits.laterTypes ~= type {
            // The payload is the first array, so the body is the second.
            let range = try reader.anyArray(depth: Limits.cborDepth - 1)
            let start = payload.lowerBound
            body =
                Self.seated(type, signed.extracting(range))
                ?? Self.hosting(type, signed.extracting(range))
                ?? .unknown(
                    type: type,
                    body: bytes[start + range.lowerBound..<start + range.upperBound])
        } else {
            body = try read(type, from: &reader, nested: nested)
        }
        try reader.finish()
        // The log opens with its genesis and nothing else is one.
        guard (type == 0) == (seq == 1) else { throw DecodeError(.badValue, at: 0) }
        if case .commit(let commit) = body, commit.contract.flight != flight {
            throw DecodeError(.badValue, at: 0)
        }
        return Entry(
            bytes: bytes, payload: payload, signature: signature,
            id: EntryID(primitives.sha256("seatswap/1 id", signed)), flight: flight,
            author: author, seq: seq, previous: previous, body: body)
    }

    // MARK: Bodies

    private static func write(_ body: EntryBody, to writer: inout CBORWriter) {
        switch body {
        case .genesis(let name, let agent):
            writer.array(2)
            writer.text(name)
            writer.text(agent)
        case .profile(let name):
            writer.array(1)
            writer.text(name)
        case .claim(let seat, let dependant):
            writer.array(2)
            write(seat, to: &writer)
            writer.uint(dependant ? 1 : 0)
        case .retract(let slot): write(slot, to: &writer)
        case .vote(let vote):
            writer.array(3)
            writer.value(vote.contract)
            writer.bool(vote.yes)
            writer.array(vote.slots.count)
            for slot in vote.slots { write(slot, to: &writer) }
        case .commit(let commit):
            writer.array(3)
            writer.bytes(commit.contract.bytes)
            for entries in [commit.votes, commit.claims] {
                writer.array(entries.count)
                for entry in entries { writer.bytes(entry.bytes) }
            }
        case .abandon(let contract, let no):
            writer.array(2)
            writer.value(contract)
            writer.bytes(no.bytes)
        case .chat(let line): write(line, to: &writer)
        case .vouch(let key, let seat):
            writer.array(2)
            writer.value(key)
            write(seat, to: &writer)
        case .ledger(let said): said.write(to: &writer)
        case .end: writer.array(0)
        case .wish(let wish): write(wish, to: &writer)
        case .sealed(let talk): write(talk, to: &writer)
        case .seated(let contract, let sits):
            writer.array(2)
            writer.value(contract)
            writer.bool(sits)
        case .hosting(let said):
            writer.array(3)
            writer.uint(said.role.rawValue)
            writer.value(said.other)
            writer.bool(said.holds)
        case .unknown(_, let body): writer.raw(body)
        }
    }

    private func read(
        _ type: Int, from reader: inout CBORReader, nested: Bool
    ) throws(DecodeError) -> EntryBody {
        guard rules.has(type) else { throw DecodeError(.badValue, at: reader.offset) }
        if let said = try ledgerEntry(type, from: &reader) { return .ledger(said) }
        switch type {
        case 0:
            try reader.array(2)
            return .genesis(
                name: try Self.name(&reader), agent: try reader.text(max: Limits.name))
        case 1:
            try reader.array(1)
            return .profile(name: try Self.name(&reader))
        case 2:
            try reader.array(2)
            let seat = try Self.seat(&reader)
            return .claim(seat: seat, dependant: try reader.uint(max: 1) == 1)
        case 3: return .retract(try Self.slot(&reader))
        case 4: return .vote(try Self.vote(&reader))
        case 5 where !nested: return .commit(try commit(&reader))
        case 6 where !nested: return try abandon(&reader)
        case 7: return .chat(try Self.chat(&reader))
        case 9:
            try reader.array(2)
            return .vouch(try reader.value(PeerKey.self), try Self.seat(&reader))
        case 15:
            try reader.array(0)
            return .end
        case 16: return .wish(try wish(&reader))
        case 17: return .sealed(try Self.sealed(&reader))
        default: throw DecodeError(.badValue, at: reader.offset)
        }
    }

    /// A mark of a swap's party. `nil` for another type, and for another array of this type: agents
    /// that do not know marks keep it, so it is kept here too, and says nothing.
    private static func seated(_ type: Int, _ body: RawSpan) -> EntryBody? {
        guard type == 18 else { return nil }
        var reader = CBORReader(body)
        do throws(DecodeError) {
            try reader.array(2)
            let contract = try reader.value(ContractID.self)
            let sits = try reader.bool()
            try reader.finish()
            return .seated(contract, sits)
        } catch {
            return nil
        }
    }

    /// A word of a host or a guest; another array of this type is kept too, and says nothing.
    private static func hosting(_ type: Int, _ body: RawSpan) -> EntryBody? {
        guard type == 19 else { return nil }
        var reader = CBORReader(body)
        do throws(DecodeError) {
            try reader.array(3)
            let role = Hosting.Role(rawValue: try reader.uint(max: 1))
            let other = try reader.value(PeerKey.self)
            let holds = try reader.bool()
            try reader.finish()
            return role.map { .hosting(Hosting($0, other, holds: holds)) }
        } catch {
            return nil
        }
    }

    private func commit(_ reader: inout CBORReader) throws(DecodeError) -> Commit {
        try reader.array(3)
        let contract = try Contract(
            try reader.bytes(1...Limits.entry), primitives: primitives)
        var lists: [[Entry]] = []
        for limit in [contract.parties.count...contract.parties.count, 0...contract.legs.count] {
            var entries: [Entry] = []
            for _ in 0..<(try reader.array(limit)) {
                entries.append(try decode(try reader.bytes(1...Limits.entry), nested: true))
            }
            lists.append(entries)
        }
        let commit = Commit(contract: contract, votes: lists[0], claims: lists[1])
        guard commit.isWellFormed(under: rules) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        return commit
    }

    private func abandon(_ reader: inout CBORReader) throws(DecodeError) -> EntryBody {
        try reader.array(2)
        let contract = try reader.value(ContractID.self)
        let no = try decode(try reader.bytes(1...Limits.entry), nested: true)
        guard case .vote(let vote) = no.body, !vote.yes, vote.contract == contract else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        return .abandon(contract, no: no)
    }
}
