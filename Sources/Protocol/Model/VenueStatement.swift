// SPDX-License-Identifier: Apache-2.0
/// What somebody in a venue says for a while: signed, in no log, gone when its time is up
/// (docs/protocol.md section 31). No rule of the fold looks at it.
public struct VenueStatement: Hashable, Sendable {
    /// What a statement says.
    public enum Content: Hashable, Sendable {
        /// Where its author is or was. Of two the higher revision counts.
        case stay(Stay, revision: Int)
        /// What its author asks of the desk.
        case ask(BookingAsk)
        /// What the desk answers.
        case answer(AskAnswer)
        /// Something of a later agent, which says nothing here.
        case later
    }

    /// Who says it.
    public let author: PeerKey
    /// What they signed, 1...512 bytes.
    public let body: [UInt8]
    /// What it says.
    public let content: Content
    /// The author's signature, 64 bytes (``toBeSigned(gathering:body:)``).
    public let signature: [UInt8]

    /// A stay of the signer's own; `nil` for a revision outside of 1...4294967295.
    public init?(
        _ stay: Stay, revision: Int, gathering: FlightID, by signer: any Signer
    ) {
        guard Limits.stayRevisions.contains(revision) else { return nil }
        var writer = CBORWriter(capacity: 96)
        writer.array(3)
        writer.uint(Self.stayKind)
        writer.uint(revision)
        stay.write(to: &writer)
        author = signer.key
        body = writer.bytes
        content = .stay(stay, revision: revision)
        signature = signer.sign(Self.toBeSigned(gathering: gathering, body: writer.bytes))
    }

    /// A statement of the signer's own with a body that was checked.
    init(body: [UInt8], gathering: FlightID, by signer: any Signer) {
        author = signer.key
        self.body = body
        content = (try? Self.content(of: body)) ?? .later
        signature = signer.sign(Self.toBeSigned(gathering: gathering, body: body))
    }

    /// Reads a whole statement. Throws for what no agent writes; the signature is not looked at.
    public init(decoding bytes: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        self = try VenueStatement(&reader)
        try reader.finish()
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(3)
        author = try reader.value(PeerKey.self)
        body = try reader.bytes(Limits.statementBody)
        content = try Self.content(of: body)
        signature = try reader.bytes(64...64)
    }

    /// The whole statement as it travels.
    public var encoded: [UInt8] {
        var writer = CBORWriter(capacity: body.count + 112)
        write(to: &writer)
        return writer.bytes
    }

    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.value(author)
        writer.bytes(body)
        writer.bytes(signature)
    }

    // MARK: What is signed

    /// What the signature covers: CBOR that begins as nothing else does that this key signs.
    public static func toBeSigned(gathering: FlightID, body: [UInt8]) -> [UInt8] {
        var writer = CBORWriter(capacity: body.count + 64)
        writer.array(3)
        writer.text("seatswap/1 statement")
        writer.value(gathering)
        writer.bytes(body)
        return writer.bytes
    }

    /// Whether the signature is its author's, for that gathering. Costs one Ed25519 verification.
    public func isSigned(gathering: FlightID, primitives: any Primitives) -> Bool {
        SignatureShape.isCanonical(signature: signature, key: author)
            && primitives.verify(
                signature, Self.toBeSigned(gathering: gathering, body: body), by: author)
    }

    /// What tells it from every other statement: a hash of author and body, without the signature.
    public func id(_ primitives: any Primitives) -> Bytes32 {
        primitives.sha256(Array("seatswap/1 statement id".utf8) + author.bytes + body)
    }

    // MARK: Bodies

    /// The first number of a body that is a stay.
    private static let stayKind = 1

    private static func content(of body: [UInt8]) throws(DecodeError) -> Content {
        let span = body.span.bytes
        var reader = CBORReader(span)
        let count = try reader.array(1...Limits.cborItems)
        guard try reader.uint() == stayKind else {
            // Of another kind: whatever may stand in CBOR here. What does not fit the rule of its
            // kind is passed on by agents that do not know it, and says nothing.
            var whole = CBORReader(span)
            _ = try whole.anyArray(depth: Limits.cborDepth)
            try whole.finish()
            if let ask = try? BookingAsk(body: body) { return .ask(ask) }
            if let answer = try? AskAnswer(body: body) { return .answer(answer) }
            return .later
        }
        guard count == 3 else { throw DecodeError(count < 3 ? .tooSmall : .tooLarge) }
        let revision = try reader.uint(in: Limits.stayRevisions)
        let stay = try Stay(&reader)
        try reader.finish()
        return .stay(stay, revision: revision)
    }
}

/// Identifies one stay of an author. Agents compare marks before they send statements.
public struct StayMark: Hashable, Sendable {
    /// Whose stay.
    public var author: PeerKey
    /// 1...4294967295.
    public var revision: Int
    /// The id of the statement.
    public var id: Bytes32

    /// Revision `revision` of the stay of `author`.
    public init(author: PeerKey, revision: Int, id: Bytes32) {
        self.author = author
        self.revision = revision
        self.id = id
    }

    /// Whether this one replaces `other` of the same author: the higher revision, and of two with
    /// one number, which only a key that runs twice signs, the one with the smaller id.
    public func replaces(_ other: StayMark) -> Bool {
        revision != other.revision ? revision > other.revision : id < other.id
    }

    /// The bucket that it is in: the first six bits of the author.
    package var bucket: Int { StatementBuckets.bucket(of: author) }

    /// Author (32 bytes), revision (4, big-endian), id (32).
    package var bytes: [UInt8] {
        let number = stride(from: 24, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: revision >> $0)
        }
        return author.bytes + number + id.bytes
    }

    /// Reads the 68 bytes; `nil` for another count or a revision that no stay has.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 68, let author = PeerKey(bytes[0..<32]),
            let id = Bytes32(bytes[36..<68])
        else { return nil }
        let revision = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
        guard Limits.stayRevisions.contains(revision) else { return nil }
        self.init(author: author, revision: revision, id: id)
    }
}

/// The parts into which stays are cut, so that two who differ by a few list few.
package enum StatementBuckets {
    /// The bucket of an author: the first six bits of their key.
    package static func bucket(of author: PeerKey) -> Int { Int(author.raw.prefix8 >> 58) }
}
