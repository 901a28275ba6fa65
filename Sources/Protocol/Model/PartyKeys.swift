// SPDX-License-Identifier: Apache-2.0
/// What a secret comes to on one flight (docs/protocol.md section 30): how its members recognise
/// each other, and how they talk.
public struct PartyKeys: Sendable {
    private let flight: FlightID
    private let primitives: any Primitives
    /// K of the protocol.
    private let key: [UInt8]
    private let seal: Bytes32
    private let nonces: [UInt8]

    /// What `secret` comes to on `flight`.
    public init(_ secret: PartySecret, flight: FlightID, primitives: any Primitives) {
        self.flight = flight
        self.primitives = primitives
        let key = primitives.hkdfSHA256(
            salt: [], material: secret.bytes,
            info: Array("seatswap/party/v1".utf8) + flight.bytes, count: Bytes32.count)
        self.key = key
        seal = primitives.hmacSHA256(key: key, Array("seatswap/party/seal/v1".utf8))
        nonces = primitives.hmacSHA256(key: key, Array("seatswap/party/nonce/v1".utf8)).bytes
    }

    /// What a member with `author` as key writes into each wish.
    public func tag(of author: PeerKey) -> ThreadID {
        let bytes = primitives.hmacSHA256(key: key, author.bytes).bytes.prefix(16)
        return ThreadID(bytes) ?? ThreadID(high: 0, low: 0)
    }

    /// That whoever says `secret` is next, and who is not of the party any more, knows this one.
    public func proof(of secret: PartySecret, without removed: PeerKey) -> [UInt8] {
        let said = Array("seatswap/party/next/v1".utf8) + secret.bytes + removed.bytes
        return Array(primitives.hmacSHA256(key: key, said).bytes.prefix(NextParty.proofBytes))
    }

    /// The secret that follows when two that follow this one were said at once; the same whichever
    /// came first.
    public func joined(_ one: PartySecret, _ other: PartySecret) -> PartySecret? {
        let isFirst = one.bytes.lexicographicallyPrecedes(other.bytes)
        let both = isFirst ? one.bytes + other.bytes : other.bytes + one.bytes
        let made = primitives.hmacSHA256(key: key, Array("seatswap/party/join/v1".utf8) + both)
        return PartySecret(Array(made.bytes.prefix(PartySecret.count)))
    }

    /// Seals a line of `author` for the entry at `seq`; `nil` if the program cannot seal.
    ///
    /// The nonce is made from all that is sealed and where: a disk that is put back to an older
    /// state, and then writes other words at the same place, uses none twice.
    public func sealed(_ line: PartyText, by author: PeerKey, at seq: Int) -> SealedTalk? {
        let plain = line.encoded
        let place = place(author, seq)
        let made = primitives.hmacSHA256(key: nonces, place + plain).bytes
        let nonce = Array(made.prefix(SealedTalk.nonceBytes))
        return primitives.seal(plain, with: place, key: seal, nonce: nonce)
            .map { SealedTalk(nonce: nonce, sealed: $0) }
    }

    /// Opens what `author` wrote at `seq`; `nil` for what was sealed with another secret, for
    /// another place or by somebody else, and for what this version does not know.
    public func opened(_ talk: SealedTalk, by author: PeerKey, at seq: Int) -> PartyText? {
        primitives.open(talk.sealed, with: place(author, seq), key: seal, nonce: talk.nonce)
            .flatMap { try? PartyText(decoding: $0) }
    }

    /// What a line is bound to beside its words: flight, author, seq in 8 bytes, big-endian.
    private func place(_ author: PeerKey, _ seq: Int) -> [UInt8] {
        let number = UInt64(clamping: seq)
        let digits = stride(from: UInt64(56), through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: number >> $0)
        }
        return flight.bytes + author.bytes + digits
    }
}

/// A line that companions say to each other.
public struct PartyText: Hashable, Sendable {
    /// Hostile text: at most 2048 bytes.
    public let text: String
    /// When it was said, by its author's clock.
    public let time: UTCTime

    /// A line.
    public init(text: String, time: UTCTime) {
        self.text = text
        self.time = time
    }

    /// What is sealed: `[0, text, time]`; other first numbers are for later agents.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.uint(0)
        writer.text(text)
        writer.uint(Int(max(0, time.seconds)))
        return writer.bytes
    }

    init(decoding bytes: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        try reader.array(3)
        _ = try reader.uint(in: 0...0)
        text = try reader.text(max: Limits.chatText)
        time = UTCTime(seconds: Int64(try reader.uint()))
        try reader.finish()
    }
}
