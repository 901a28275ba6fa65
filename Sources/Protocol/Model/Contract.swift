// SPDX-License-Identifier: Apache-2.0
/// One move of a token within a contract.
public struct Leg: Hashable, Comparable, Sendable {
    /// The token that moves.
    public let token: Token
    /// What makes `from` its holder now.
    public let producer: Producer
    /// The holder who gives it.
    public let from: PeerKey
    /// The party that gets it.
    public let to: PeerKey

    /// A move of `token`.
    public init(token: Token, producer: Producer, from: PeerKey, to: PeerKey) {
        self.token = token
        self.producer = producer
        self.from = from
        self.to = to
    }

    /// The tenure that this leg ends.
    public var slot: Slot { Slot(token: token, producer: producer) }

    /// Orders by token.
    public static func < (left: Leg, right: Leg) -> Bool { left.token < right.token }
}

/// A permutation of tokens among 2...8 parties, all legs or none (docs/protocol.md section 8).
public struct Contract: Hashable, Sendable {
    /// In which flight.
    public let flight: FlightID
    /// The party that votes last.
    public let coordinator: PeerKey
    /// 16 bytes that make two equal offers two contracts.
    public let nonce: ThreadID
    /// Sorted, unique, 2...8.
    public let parties: [PeerKey]
    /// Sorted by token, unique tokens, 2...16.
    public let legs: [Leg]
    /// The deterministic CBOR; never encoded a second time.
    public let bytes: [UInt8]
    /// Hash of the bytes.
    public let id: ContractID

    /// A contract of these legs; `nil` when they break a static rule of docs/protocol.md section 8.
    public init?(
        flight: FlightID, coordinator: PeerKey, nonce: ThreadID, legs: [Leg],
        primitives: any Primitives
    ) {
        let sorted = legs.sorted()
        let parties = Self.sortedUnique(sorted.map(\.from))
        var writer = CBORWriter(capacity: 64 + 36 * parties.count + 140 * legs.count)
        writer.array(6)
        writer.uint(1)
        writer.value(flight)
        writer.value(coordinator)
        writer.bytes(nonce.bytes)
        writer.array(parties.count)
        for party in parties { writer.value(party) }
        writer.array(sorted.count)
        for leg in sorted {
            writer.array(4)
            writer.value(leg.token)
            writer.value(leg.producer)
            writer.value(leg.from)
            writer.value(leg.to)
        }
        self.init(
            flight: flight, coordinator: coordinator, nonce: nonce, parties: parties,
            legs: sorted, bytes: writer.bytes, primitives: primitives)
    }

    /// Reads a contract's bytes. Throws ``DecodeError``, `badValue` for a broken static rule.
    public init(_ bytes: [UInt8], primitives: any Primitives) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        try reader.array(6)
        _ = try reader.uint(in: 1...1)
        let flight = try reader.value(FlightID.self)
        let coordinator = try reader.value(PeerKey.self)
        let nonce = try reader.words16()
        var parties: [PeerKey] = []
        for _ in 0..<(try reader.array(Limits.parties)) {
            parties.append(try reader.value(PeerKey.self))
        }
        var legs: [Leg] = []
        for _ in 0..<(try reader.array(Limits.legs)) {
            try reader.array(4)
            legs.append(
                Leg(
                    token: try reader.value(Token.self),
                    producer: try reader.value(Producer.self),
                    from: try reader.value(PeerKey.self), to: try reader.value(PeerKey.self)))
        }
        try reader.finish()
        let made = Contract(
            flight: flight, coordinator: coordinator,
            nonce: ThreadID(high: nonce.high, low: nonce.low), parties: parties, legs: legs,
            bytes: bytes, primitives: primitives)
        guard let made else { throw DecodeError(.badValue, at: 0) }
        self = made
    }

    /// How many parties a contract's bytes name, without a look at the
    /// rest; `nil` if it is none.
    public static func countOfParties(_ bytes: [UInt8]) -> Int? {
        var reader = CBORReader(bytes.span.bytes)
        do {
            try reader.array(6)
            _ = try reader.uint(in: 1...1)
            _ = try reader.value(FlightID.self)
            _ = try reader.value(PeerKey.self)
            _ = try reader.words16()
            return try reader.array(Limits.parties)
        } catch {
            return nil
        }
    }

    private init?(
        flight: FlightID, coordinator: PeerKey, nonce: ThreadID, parties: [PeerKey],
        legs: [Leg], bytes: [UInt8], primitives: any Primitives
    ) {
        guard Self.keepsStaticRules(coordinator: coordinator, parties: parties, legs: legs)
        else { return nil }
        self.flight = flight
        self.coordinator = coordinator
        self.nonce = nonce
        self.parties = parties
        self.legs = legs
        self.bytes = bytes
        id = ContractID(primitives.sha256("seatswap/1 contract", bytes.span.bytes))
    }

    /// Tokens unique; from != to; set(from) = set(to) = parties; each gives as many as it gets;
    /// the coordinator is a party.
    private static func keepsStaticRules(
        coordinator: PeerKey, parties: [PeerKey], legs: [Leg]
    ) -> Bool {
        guard Limits.parties ~= parties.count, Limits.legs ~= legs.count,
            parties.contains(coordinator),
            zip(parties, parties.dropFirst()).allSatisfy(<),
            zip(legs, legs.dropFirst()).allSatisfy(<),
            legs.allSatisfy({ $0.from != $0.to })
        else { return false }
        for party in parties {
            let gives = legs.count { $0.from == party }
            guard gives > 0, gives == legs.count(where: { $0.to == party }) else { return false }
        }
        return legs.allSatisfy { parties.contains($0.from) && parties.contains($0.to) }
    }

    private static func sortedUnique(_ keys: [PeerKey]) -> [PeerKey] {
        var out: [PeerKey] = []
        for key in keys.sorted() where out.last != key { out.append(key) }
        return out
    }

    /// The tenures that `party` gives up, sorted.
    public func slots(of party: PeerKey) -> [Slot] {
        legs.filter { $0.from == party }.map(\.slot)
    }
}
