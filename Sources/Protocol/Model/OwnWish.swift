// SPDX-License-Identifier: Apache-2.0
/// The user's wish as this device keeps it: more than others are told (docs/protocol.md section 8).
public struct OwnWish: Hashable, Sendable {
    /// How the user said it. Only the program around the core reads it.
    public internal(set) var words = ""
    /// The tokens offered, sorted.
    public internal(set) var offered: [Token] = []
    /// What would be taken for any one of them, the best first; `nil` if the user never said what,
    /// empty if nothing there is to be had at present.
    public internal(set) var ranks: [SeatSet]?
    /// What others may ask for.
    public internal(set) var asks = Wish.Asks.alike
    /// A few words for others.
    public internal(set) var note = ""
    /// Whether ``ranks`` and ``note`` stay on this device.
    public internal(set) var isPrivate = false

    /// Nothing is wished.
    package init() {}

    /// What `wish` tells, which is all that is known of a wish of which the device has no row.
    init(_ wish: Wish) {
        offered = wish.offered
        ranks = wish.ranks.isEmpty ? nil : wish.ranks
        asks = wish.asks
        note = wish.note
        isPrivate = !wish.offered.isEmpty && wish.ranks.isEmpty && wish.wants.isEmpty
    }

    /// What others are told of it while these tokens can be offered. Ranks are for what is offered:
    /// without an offer there are none.
    func told(offering free: [Token], tag: ThreadID) -> Wish {
        // Whether a private wish comes to any seat is nobody's business.
        let seats = !isPrivate && ranks == [] ? [] : offered.filter(free.contains)
        let isShown = !seats.isEmpty && !isPrivate
        return Wish(
            offered: seats, ranks: isShown ? ranks ?? [.all] : [], asks: asks, tag: tag,
            note: isShown ? note : "")
    }

    /// Deterministic CBOR for the store.
    package func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(6)
        writer.text(words)
        writer.array(offered.count)
        for token in offered { writer.value(token) }
        if let ranks {
            writer.array(ranks.count)
            for rank in ranks { EntryCodec.write(rank, to: &writer) }
        } else {
            writer.null()
        }
        writer.uint(asks.rawValue)
        writer.text(note)
        writer.bool(isPrivate)
        return writer.bytes
    }

    /// Reads what ``encode()`` wrote.
    package init(_ bytes: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        try reader.array(6)
        words = try reader.text(max: Limits.wishWords)
        for _ in 0..<(try reader.array(0...Limits.liveClaims)) {
            offered.append(try reader.value(Token.self))
        }
        if try !reader.takeNull() {
            var sets: [SeatSet] = []
            for _ in 0..<(try reader.array(0...Limits.ranks)) {
                sets.append(try EntryCodec.seatSet(&reader))
            }
            ranks = sets
        }
        guard let asks = Wish.Asks(rawValue: try reader.uint(max: 2)) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        self.asks = asks
        note = try reader.text(max: Limits.note)
        isPrivate = try reader.bool()
        try reader.finish()
    }
}

/// What the user changes about their wish; what is `nil` stays.
public struct WishChange: Hashable, Sendable {
    /// Own seats that others may have.
    public enum Offer: Hashable, Sendable {
        /// Every own seat that is not promised.
        case all
        /// None.
        case none
        /// These.
        case seats([Seat])
    }

    /// How the user says it, at most ``Limits/wishWords`` bytes.
    public var words: String?
    /// What is offered.
    public var offer: Offer?
    /// What would be taken, the best first.
    public var ranks: [SeatSet]?
    /// What others may ask for.
    public var asks: Wish.Asks?
    /// A few words for others.
    public var note: String?
    /// Whether ranks and note stay on this device.
    public var isPrivate: Bool?
    /// The user said nothing new: the same words come to other seats now.
    public var isRenewal = false

    /// A change of nothing but what is given.
    public init(
        words: String? = nil, offer: Offer? = nil, ranks: [SeatSet]? = nil,
        asks: Wish.Asks? = nil, note: String? = nil, isPrivate: Bool? = nil,
        isRenewal: Bool = false
    ) {
        self.words = words
        self.offer = offer
        self.ranks = ranks
        self.asks = asks
        self.note = note
        self.isPrivate = isPrivate
        self.isRenewal = isRenewal
    }
}

extension Wish {
    /// Whether both say the same; the tag says nothing.
    func says(the other: Wish) -> Bool {
        offered == other.offered && ranks == other.ranks && wants == other.wants
            && asks == other.asks && note == other.note
    }
}
