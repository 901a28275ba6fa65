// SPDX-License-Identifier: Apache-2.0
/// What somebody asks of the desk, by a statement (docs/protocol.md section 32).
public struct BookingAsk: Hashable, Sendable {
    /// What is asked for.
    public enum Wish: Hashable, Sendable {
        /// A place for a period. Who `waits` takes a place in the queue where it is full.
        case book(
            place: Int, period: Period, count: Int, waits: Bool, tag: ThreadID?, note: String)
        /// That the booking of this tenure ends, or goes to somebody else.
        case giveBack(Slot, to: PeerKey?)
        /// Another place and period in the stead of this one, or all stays as it is.
        case move(Slot, place: Int, period: Period)
        /// That the ask of this id is nothing any more.
        case withdraw(Bytes32)
    }

    /// 8 bytes that make two equal asks two statements.
    public let nonce: UInt64
    /// When it ends by itself, by its author's clock.
    public let until: UTCTime
    /// What is asked for.
    public let wish: Wish

    /// An ask.
    public init(nonce: UInt64, until: UTCTime, wish: Wish) {
        self.nonce = nonce
        self.until = until
        self.wish = wish
    }

    /// The first number of a body that is an ask.
    static let kind = 0

    /// The body of the statement that says it.
    var body: [UInt8] {
        var writer = CBORWriter(capacity: 320)
        writer.array(4)
        writer.uint(Self.kind)
        writer.bytes(stride(from: 56, through: 0, by: -8).map { UInt8(nonce >> $0 & 0xFF) })
        writer.uint(Int(until.seconds))
        switch wish {
        case .book(let place, let period, let count, let waits, let tag, let note):
            writer.array(7)
            writer.uint(0)
            writer.uint(place)
            period.write(to: &writer)
            writer.uint(count)
            writer.bool(waits)
            if let tag { writer.words16(tag.high, tag.low) } else { writer.null() }
            writer.text(note)
        case .giveBack(let slot, let key):
            writer.array(3)
            writer.uint(1)
            EntryCodec.write(slot, to: &writer)
            if let key { writer.value(key) } else { writer.null() }
        case .move(let slot, let place, let period):
            writer.array(4)
            writer.uint(2)
            EntryCodec.write(slot, to: &writer)
            writer.uint(place)
            period.write(to: &writer)
        case .withdraw(let ask):
            writer.array(2)
            writer.uint(3)
            writer.bytes32(ask)
        }
        return writer.bytes
    }

    /// Reads the body of a statement. Throws for all that is no ask.
    init(body: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(body.span.bytes)
        try reader.array(4)
        _ = try reader.uint(in: Self.kind...Self.kind)
        nonce = try reader.bytes(8...8).reduce(0) { $0 << 8 | UInt64($1) }
        until = UTCTime(seconds: Int64(try reader.uint()))
        let count = try reader.array(2...7)
        let kind = try reader.uint(max: 3)
        guard count == [7, 3, 4, 2][kind] else {
            throw DecodeError(count < [7, 3, 4, 2][kind] ? .tooSmall : .tooLarge)
        }
        wish = try Self.wish(kind, &reader)
        try reader.finish()
    }

    private static func wish(
        _ kind: Int, _ reader: inout CBORReader
    ) throws(DecodeError) -> Wish {
        switch kind {
        case 0:
            let place = try reader.uint(in: Limits.venuePlaces)
            let period = try Period(&reader)
            let count = try reader.uint(in: Limits.bookingCount)
            let waits = try reader.bool()
            let tag = try ThreadID(orNull: &reader)
            return .book(
                place: place, period: period, count: count, waits: waits, tag: tag,
                note: try reader.text(max: Limits.note))
        case 1:
            let slot = try EntryCodec.slot(&reader)
            return .giveBack(
                slot, to: try reader.takeNull() ? nil : try reader.value(PeerKey.self))
        case 2:
            let slot = try EntryCodec.slot(&reader)
            let place = try reader.uint(in: Limits.venuePlaces)
            return .move(slot, place: place, period: try Period(&reader))
        default: return .withdraw(try reader.bytes32())
        }
    }
}

extension VenueStatement {
    /// An ask of the signer's own; `nil` for one that nobody would read.
    public init?(_ ask: BookingAsk, gathering: FlightID, by signer: any Signer) {
        guard ask.until.seconds >= 0, (try? BookingAsk(body: ask.body)) == ask else { return nil }
        self.init(body: ask.body, gathering: gathering, by: signer)
    }

    /// What it asks of the desk. `nil` for all else, and for a body of kind 0 that is no ask:
    /// agents that do not know asks pass it on, and it says nothing.
    public var ask: BookingAsk? { if case .ask(let ask) = content { ask } else { nil } }
}
