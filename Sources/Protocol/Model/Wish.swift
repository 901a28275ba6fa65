// SPDX-License-Identifier: Apache-2.0
/// What a passenger offers and would take for it; the last one of a log counts.
public struct Wish: Hashable, Sendable {
    /// What others may ask its author for.
    public enum Asks: Int, Hashable, Sendable {
        /// Nothing.
        case nothing = 0
        /// A window for a window, an aisle for an aisle: what holds without a wish.
        case alike = 1
        /// Anything.
        case anything = 2
    }

    /// The tokens offered, sorted; empty where none is.
    public let offered: [Token]
    /// What would be taken for any one of them, the best first; at most ``Limits/ranks``.
    public let ranks: [SeatSet]
    /// The same in a venue, where bookings are offered: at most as many ranks, each sorted, without
    /// a want twice, of 1 to 16.
    public let wants: [[BookingWant]]
    /// What others may ask for.
    public let asks: Asks
    /// Random to all who do not know its party.
    public let tag: ThreadID
    /// A few words, at most 200 bytes. Hostile text.
    public let note: String

    /// A wish of a flight, or with `wants` one of a venue; `offered` is sorted here.
    public init(
        offered: [Token], ranks: [SeatSet], wants: [[BookingWant]] = [], asks: Asks = .alike,
        tag: ThreadID, note: String = ""
    ) {
        self.offered = offered.sorted()
        self.ranks = ranks
        self.wants = wants
        self.asks = asks
        self.tag = tag
        self.note = note
    }
}

/// A line of a party, sealed with its secret: others count it, pass it on and cannot read it.
public struct SealedTalk: Hashable, Sendable {
    /// Bytes of a nonce.
    static let nonceBytes = 24

    /// 24 bytes.
    public let nonce: [UInt8]
    /// 17 to 2200 bytes.
    public let sealed: [UInt8]

    /// A sealed line.
    public init(nonce: [UInt8], sealed: [UInt8]) {
        self.nonce = nonce
        self.sealed = sealed
    }
}

extension EntryCodec {
    static func write(_ wish: Wish, to writer: inout CBORWriter) {
        writer.array(5)
        writer.array(wish.offered.count)
        for token in wish.offered { writer.value(token) }
        writer.array(wish.ranks.count + wish.wants.count)
        for rank in wish.ranks { write(rank, to: &writer) }
        for rank in wish.wants { write(rank, to: &writer) }
        writer.uint(wish.asks.rawValue)
        writer.bytes(wish.tag.bytes)
        writer.text(wish.note)
    }

    /// A wish, as flights have it or as venues do.
    func wish(_ reader: inout CBORReader) throws(DecodeError) -> Wish {
        try reader.array(5)
        var offered: [Token] = []
        for _ in 0..<(try reader.array(0...Limits.liveClaims)) {
            offered.append(try reader.value(Token.self))
        }
        guard zip(offered, offered.dropFirst()).allSatisfy(<) else {
            throw DecodeError(.notSorted, at: reader.offset)
        }
        var ranks: [SeatSet] = []
        var wants: [[BookingWant]] = []
        for _ in 0..<(try reader.array(0...Limits.ranks)) {
            if rules == .flight {
                ranks.append(try Self.seatSet(&reader))
            } else {
                wants.append(try Self.wants(&reader))
            }
        }
        guard let asks = Wish.Asks(rawValue: try reader.uint(max: 2)) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        let tag = try reader.words16()
        return Wish(
            offered: offered, ranks: ranks, wants: wants, asks: asks,
            tag: ThreadID(high: tag.high, low: tag.low), note: try reader.text(max: Limits.note))
    }

    static func write(_ set: SeatSet, to writer: inout CBORWriter) {
        writer.array(set.blocks.count)
        for block in set.blocks {
            writer.array(3)
            writer.uint(block.columns)
            writer.uint(block.first)
            writer.uint(block.last)
        }
    }

    static func seatSet(_ reader: inout CBORReader) throws(DecodeError) -> SeatSet {
        let start = reader.offset
        var blocks: [SeatSet.Block] = []
        for _ in 0..<(try reader.array(1...Limits.seatBlocks)) {
            try reader.array(3)
            blocks.append(
                SeatSet.Block(
                    columns: try reader.uint(in: 1...SeatSet.allColumns),
                    first: try reader.uint(in: 1...255), last: try reader.uint(in: 1...255)))
        }
        guard let set = SeatSet(blocks) else { throw DecodeError(.badValue, at: start) }
        return set
    }

    static func write(_ talk: SealedTalk, to writer: inout CBORWriter) {
        writer.array(2)
        writer.bytes(talk.nonce)
        writer.bytes(talk.sealed)
    }

    static func sealed(_ reader: inout CBORReader) throws(DecodeError) -> SealedTalk {
        try reader.array(2)
        return SealedTalk(
            nonce: try reader.bytes(SealedTalk.nonceBytes...SealedTalk.nonceBytes),
            sealed: try reader.bytes(Limits.sealedTalk))
    }
}
