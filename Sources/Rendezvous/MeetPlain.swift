// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What is in a sealed payload (docs/meet.md section 2). Everybody who knows the flight can seal,
/// so what is signed inside decides.
package enum MeetPlain: Hashable, Sendable {
    /// Who somebody is and how long their log is.
    case card(SignedCard)
    /// A part of the author's own log, 0...3: entries in order, each as it is replicated.
    case part(author: PeerKey, number: Int, entries: [[UInt8]])
    /// New entries, of any authors' own.
    case live([[UInt8]])
    /// Letters of one sender to one recipient.
    case letters(MeetLetters)

    /// The bytes that are sealed, padded; `nil` for what is too long.
    package var encoded: [UInt8]? {
        var writer = CBORWriter(capacity: 1024)
        switch self {
        case .card(let card):
            writer.array(4)
            writer.uint(1)
            writer.bytes(card.body)
            writer.bytes(card.signature)
        case .part(let author, let number, let entries):
            writer.array(5)
            writer.uint(2)
            writer.value(author)
            writer.uint(number)
            Self.write(entries, to: &writer)
        case .live(let entries):
            writer.array(3)
            writer.uint(3)
            Self.write(entries, to: &writer)
        case .letters(let letters):
            writer.array(6)
            writer.uint(4)
            letters.write(to: &writer)
        }
        return MeetPadding.close(writer)
    }

    /// Reads what was sealed. Throws for what no agent writes. Entries are not looked into: their
    /// reader judges each (docs/protocol.md section 9).
    package init(decoding bytes: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        let count = try reader.array(3...6)
        let kind = try reader.uint(in: 1...4)
        guard count == [4, 5, 3, 6][kind - 1] else { throw DecodeError(.badValue) }
        switch kind {
        case 1: self = .card(try SignedCard(&reader))
        case 2:
            let author = try reader.value(PeerKey.self)
            let number = try reader.uint(max: MeetLimits.parts - 1)
            let most = MeetLimits.payloadSizes[MeetLimits.payloadSizes.count - 1] / 64
            self = .part(
                author: author, number: number, entries: try Self.entries(&reader, most: most))
        case 3: self = .live(try Self.entries(&reader, most: MeetLimits.liveEntries))
        default: self = .letters(try MeetLetters(&reader))
        }
        try MeetPadding.read(&reader)
        try reader.finish()
    }

    private static func write(_ entries: [[UInt8]], to writer: inout CBORWriter) {
        writer.array(entries.count)
        for entry in entries { writer.bytes(entry) }
    }

    private static func entries(
        _ reader: inout CBORReader, most: Int
    ) throws(DecodeError) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        for _ in 0..<(try reader.array(1...most)) {
            entries.append(try reader.bytes(1...MeetLimits.mailedEntry))
        }
        return entries
    }
}

/// Letters of one sender to one recipient, which wait in a lane of the recipient's inbox until they
/// are read or over (docs/meet.md section 4).
package struct MeetLetters: Hashable, Sendable {
    /// Who wrote them.
    package var sender: PeerKey
    /// When.
    package var made: UTCTime
    /// Until when they count.
    package var until: UTCTime
    /// A nonce of 24 bytes and what `crypto_box` makes of a list of ``MeetLetter`` with it, from
    /// the sender's box key to the recipient's.
    package var sealed: [UInt8]

    /// Bytes of what is sealed: nonce, tag, and a list.
    static let sealedBytes = 24 + 16 + 2...16_000

    /// Letters sealed by their sender.
    package init(sender: PeerKey, made: UTCTime, until: UTCTime, sealed: [UInt8]) {
        self.sender = sender
        self.made = made
        self.until = until
        self.sealed = sealed
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        sender = try reader.value(PeerKey.self)
        made = UTCTime(seconds: Int64(try reader.uint()))
        until = UTCTime(seconds: Int64(try reader.uint()))
        sealed = try reader.bytes(Self.sealedBytes)
        guard until > made, until.seconds - made.seconds <= MeetLimits.longestStay else {
            throw DecodeError(.badValue, at: reader.offset)
        }
    }

    func write(to writer: inout CBORWriter) {
        writer.value(sender)
        writer.uint(Int(made.seconds))
        writer.uint(Int(until.seconds))
        writer.bytes(sealed)
    }
}

/// One letter: a message that two agents also say to each other in a session.
package struct MeetLetter: Hashable, Sendable {
    /// What kinds of messages go by letter, by their numbers in a frame (docs/protocol.md section
    /// 5), and a standing answer, which no frame has. No yes and no vote is among them.
    package enum Kind: Int, CaseIterable, Sendable {
        /// PROPOSE: a request of several, or a counter-offer.
        case propose = 24
        /// DECLINE.
        case decline = 28
        /// WITHDRAW.
        case withdraw = 30
        /// A direct message.
        case directMessage = 42
        /// ASK: a request of one other.
        case ask = 48
        /// "I would do exactly this, until then": binds nothing.
        case standing = 101
    }

    /// What it is.
    package var kind: Kind
    /// The payload of the message, 1...4096 bytes.
    package var payload: [UInt8]

    /// A letter with a payload of 1...4096 bytes.
    package init(_ kind: Kind, _ payload: [UInt8]) {
        self.kind = kind
        self.payload = payload
    }

    /// The list that is sealed, of 1...8 letters.
    package static func encode(_ letters: [MeetLetter]) -> [UInt8] {
        var writer = CBORWriter(capacity: 512)
        writer.array(letters.count)
        for letter in letters {
            writer.array(2)
            writer.uint(letter.kind.rawValue)
            writer.bytes(letter.payload)
        }
        return writer.bytes
    }

    /// Reads a list. Throws for what no agent writes.
    package static func decode(_ bytes: [UInt8]) throws(DecodeError) -> [MeetLetter] {
        var reader = CBORReader(bytes.span.bytes)
        var letters: [MeetLetter] = []
        for _ in 0..<(try reader.array(1...MeetLimits.letters)) {
            try reader.array(2)
            let start = reader.offset
            guard let kind = Kind(rawValue: try reader.uint()) else {
                throw DecodeError(.badValue, at: start)
            }
            letters.append(MeetLetter(kind, try reader.bytes(MeetLimits.letterBytes)))
        }
        try reader.finish()
        return letters
    }
}
