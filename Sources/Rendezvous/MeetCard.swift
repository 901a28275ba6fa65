// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What a passenger leaves beside their log: who they are, how long the log is, and how much they
/// know of others' logs, so that cards witness for each other (docs/meet.md section 3).
package struct MeetCard: Hashable, Sendable {
    /// The flight.
    package var flight: FlightID
    /// Whose card.
    package var author: PeerKey
    /// Their key for letters and tunnels, X25519, 32 bytes.
    package var boxKey: Bytes32
    /// When it was made.
    package var made: UTCTime
    /// Until when it counts.
    package var until: UTCTime
    /// Entries of the author's log, 0...4096.
    package var length: Int
    /// The first 8 bytes of the id of the last one, as a number; 0 for none.
    package var head8: UInt64
    /// Parts of it that are left here, 0...4.
    package var parts: Int
    /// The digest of all that the author knows (docs/protocol.md section 11).
    package var logs: Bytes32
    /// The logs that the author saw change last, at most 64, sorted by author: only of passengers
    /// who left a card themselves.
    package var items: [FrontierItem]
    /// What makes the hash of group and author begin with 20 zero bits, 8 bytes.
    package var stamp: [UInt8]

    /// A card of these.
    package init(
        flight: FlightID, author: PeerKey, boxKey: Bytes32, made: UTCTime, until: UTCTime,
        length: Int, head8: UInt64, parts: Int, logs: Bytes32, items: [FrontierItem],
        stamp: [UInt8]
    ) {
        self.flight = flight
        self.author = author
        self.boxKey = boxKey
        self.made = made
        self.until = until
        self.length = length
        self.head8 = head8
        self.parts = parts
        self.logs = logs
        self.items = items
        self.stamp = stamp
    }

    /// Reads what is signed. Throws for what no agent writes.
    package init(decoding bytes: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        try reader.array(11)
        flight = try reader.value(FlightID.self)
        author = try reader.value(PeerKey.self)
        boxKey = try reader.bytes32()
        made = UTCTime(seconds: Int64(try reader.uint()))
        until = UTCTime(seconds: Int64(try reader.uint()))
        length = try reader.uint(max: Limits.entriesPerAuthor)
        head8 = try reader.number(ofBytes: 8)
        parts = try reader.uint(max: MeetLimits.parts)
        logs = try reader.bytes32()
        items = []
        for _ in 0..<(try reader.array(0...MeetLimits.cardItems)) {
            let start = reader.offset
            guard let item = FrontierItem(packed: try reader.bytes(44...44), .flight) else {
                throw DecodeError(.badValue, at: start)
            }
            if let last = items.last, last.author >= item.author {
                throw DecodeError(.notSorted, at: reader.offset)
            }
            items.append(item)
        }
        stamp = try reader.bytes(MeetStamp.bytes...MeetStamp.bytes)
        try reader.finish()
        guard length > 0 || head8 == 0 && parts == 0, until > made else {
            throw DecodeError(.badValue, at: reader.offset)
        }
    }

    /// What is signed, without the signature.
    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 256 + 48 * items.count)
        writer.array(11)
        writer.value(flight)
        writer.value(author)
        writer.bytes32(boxKey)
        writer.uint(Int(made.seconds))
        writer.uint(Int(until.seconds))
        writer.uint(length)
        writer.bytes(head8.bytes)
        writer.uint(parts)
        writer.bytes32(logs)
        writer.array(items.count)
        for item in items { writer.bytes(item.packed) }
        writer.bytes(stamp)
        return writer.bytes
    }

    /// What the signature covers: CBOR that begins as nothing else does that this key signs
    /// (docs/protocol.md section 1).
    package static func toBeSigned(_ body: [UInt8], flight: FlightID) -> [UInt8] {
        var writer = CBORWriter(capacity: body.count + 64)
        writer.array(3)
        writer.text("seatswap/1 card")
        writer.value(flight)
        writer.bytes(body)
        return writer.bytes
    }

    /// Whether this card replaces `other` of the same author: only one that was made later.
    package func replaces(_ other: MeetCard) -> Bool { made > other.made }
}

/// A card with its author's signature.
package struct SignedCard: Hashable, Sendable {
    /// What it says.
    package let card: MeetCard
    /// What was signed.
    package let body: [UInt8]
    /// 64 bytes.
    package let signature: [UInt8]

    /// Bytes of a card's body, at most: 64 items and less than 400 bytes beside them.
    static let bodyBytes = 1...3400

    /// Signs a card.
    package init(_ card: MeetCard, by signer: any Signer) {
        self.card = card
        body = card.encoded
        signature = signer.sign(MeetCard.toBeSigned(body, flight: card.flight))
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        body = try reader.bytes(Self.bodyBytes)
        card = try MeetCard(decoding: body)
        signature = try reader.bytes(64...64)
    }

    /// Whether a reader of a group takes it at a time: of this flight, signed by its author, with a
    /// stamp, not made more than 10 minutes ahead of the reader's clock, and not over. The cheap
    /// questions first.
    package func isGood(
        for flight: FlightID, in names: MeetNames, at now: UTCTime,
        stampBits: Int = MeetLimits.stampBits, primitives: any Primitives
    ) -> Bool {
        // Whatever anybody wrote there: no sum goes over the largest number.
        card.flight == flight && card.made.seconds - MeetLimits.cardAhead <= now.seconds
            && card.until > now
            && card.until.seconds - card.made.seconds <= MeetLimits.longestStay
            && MeetStamp.isGood(
                card.stamp, of: card.author, group: names.group, bits: stampBits,
                primitives: primitives)
            && SignatureShape.isCanonical(signature: signature, key: card.author)
            && primitives.verify(
                signature, MeetCard.toBeSigned(body, flight: flight), by: card.author)
    }
}

extension UInt64 {
    /// Its 8 bytes, the highest first.
    var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * $0)) }
    }
}
