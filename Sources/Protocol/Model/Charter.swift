// SPDX-License-Identifier: Apache-2.0
/// That a log is a ledger: the operator of a venue says which key writes it, from which epoch on
/// and by which rules (docs/protocol.md section 32).
public struct Charter: Hashable, Sendable {
    /// An earlier ledger, and how far it counts.
    public struct Before: Hashable, Sendable {
        /// Who wrote it.
        public let ledger: PeerKey
        /// Its last entry that counts, 1...32768.
        public let seq: Int

        /// `ledger` counts up to `seq`.
        public init(ledger: PeerKey, seq: Int) {
            self.ledger = ledger
            self.seq = seq
        }
    }

    /// Which desk of the venue it is, 1...255: a desk that was lost is followed by the next epoch.
    public let epoch: Int
    /// 1...65535; grows within a ledger.
    public let revision: Int
    /// The rules in force from here on.
    public let rules: BookRules
    /// The rules as they were signed, 1...6144 bytes.
    public let ruleBytes: [UInt8]
    /// SHA-256 of the venue's words that these rules were made from.
    public let words: Bytes32
    /// Earlier ledgers that still count, sorted by key, at most 8.
    public let before: [Before]
    /// The operator's signature, 64 bytes (``toBeSigned(gathering:ledger:)``).
    public let signature: [UInt8]

    /// A charter for the log of `ledger`, signed by the venue's operator; `nil` for one that nobody
    /// would read.
    public init?(
        epoch: Int, revision: Int, rules: BookRules, words: Bytes32, before: [Before] = [],
        ledger: PeerKey, gathering: FlightID, by signer: any Signer
    ) {
        let sorted = before.sorted { $0.ledger < $1.ledger }
        guard Limits.epochs.contains(epoch), Limits.venueRevisions.contains(revision),
            before.count <= Limits.ledgersBefore,
            before.allSatisfy({ 1...Limits.entriesPerLedger ~= $0.seq }),
            zip(sorted, sorted.dropFirst()).allSatisfy({ $0.ledger < $1.ledger })
        else { return nil }
        let plain = Charter(
            epoch: epoch, revision: revision, rules: rules, words: words, before: sorted,
            signature: [])
        self = Charter(
            epoch: epoch, revision: revision, rules: rules, words: words, before: sorted,
            signature: signer.sign(plain.toBeSigned(gathering: gathering, ledger: ledger)))
    }

    private init(
        epoch: Int, revision: Int, rules: BookRules, words: Bytes32, before: [Before],
        signature: [UInt8]
    ) {
        self.epoch = epoch
        self.revision = revision
        self.rules = rules
        ruleBytes = rules.encoded
        self.words = words
        self.before = before
        self.signature = signature
    }

    /// What the operator signs: CBOR that begins as nothing else does that this key signs.
    public func toBeSigned(gathering: FlightID, ledger: PeerKey) -> [UInt8] {
        var writer = CBORWriter(capacity: ruleBytes.count + 40 * before.count + 160)
        writer.array(8)
        writer.text("seatswap/1 charter")
        writer.value(gathering)
        writer.value(ledger)
        writeTerms(to: &writer)
        return writer.bytes
    }

    /// Whether the signature is the operator's, for that ledger. Costs one Ed25519 verification.
    public func isSigned(
        runBy: OperatorKey, gathering: FlightID, ledger: PeerKey, primitives: any Primitives
    ) -> Bool {
        SignatureShape.isCanonical(signature: signature, key: runBy.peerKey)
            && primitives.verify(
                signature, toBeSigned(gathering: gathering, ledger: ledger), by: runBy.peerKey)
    }

    private func writeTerms(to writer: inout CBORWriter) {
        writer.uint(epoch)
        writer.uint(revision)
        writer.bytes(ruleBytes)
        writer.bytes32(words)
        writer.array(before.count)
        for one in before {
            writer.array(2)
            writer.value(one.ledger)
            writer.uint(one.seq)
        }
    }

    func write(to writer: inout CBORWriter) {
        writer.array(6)
        writeTerms(to: &writer)
        writer.bytes(signature)
    }

    /// Its bytes, as an operator hands it to a desk.
    public var encoded: [UInt8] {
        var writer = CBORWriter(capacity: ruleBytes.count + 40 * before.count + 160)
        write(to: &writer)
        return writer.bytes
    }

    /// Reads what ``encoded`` gives. Throws ``DecodeError`` for all else; the signature is not
    /// looked at.
    public init(decoding bytes: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        try self.init(&reader)
        try reader.finish()
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(6)
        epoch = try reader.uint(in: Limits.epochs)
        revision = try reader.uint(in: Limits.venueRevisions)
        ruleBytes = try reader.bytes(Limits.bookRules)
        rules = try BookRules(decoding: ruleBytes)
        words = try reader.bytes32()
        var before: [Before] = []
        for _ in 0..<(try reader.array(0...Limits.ledgersBefore)) {
            try reader.array(2)
            let ledger = try reader.value(PeerKey.self)
            before.append(
                Before(ledger: ledger, seq: try reader.uint(in: 1...Limits.entriesPerLedger)))
        }
        guard zip(before, before.dropFirst()).allSatisfy({ $0.ledger < $1.ledger }) else {
            throw DecodeError(.notSorted, at: reader.offset)
        }
        self.before = before
        signature = try reader.bytes(64...64)
    }
}
