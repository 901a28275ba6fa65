// SPDX-License-Identifier: Apache-2.0
/// What a ledger says to mint a booking (docs/protocol.md section 32).
public struct Grant: Hashable, Sendable {
    /// What is to be paid.
    public struct Due: Hashable, Sendable {
        /// Three capital letters, as ISO 4217 has them.
        public let currency: String
        /// In minor units, 0...4294967295.
        public let amount: Int

        /// `amount` in the minor units of `currency`.
        public init(currency: String, amount: Int) {
            self.currency = currency
            self.amount = amount
        }
    }

    /// How a grant is meant.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// 0...3.
        public let rawValue: Int
        /// Flags of that number.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// The desk set the quota aside.
        public static let override = Flags(rawValue: 1)
        /// It is the venue's own: blocked.
        public static let blocked = Flags(rawValue: 2)
    }

    /// Whose booking it is.
    public var holder: PeerKey
    /// The member that it counts for, 0 for a holder without a number.
    public var member: Int
    /// 1...4095.
    public var place: Int
    /// When.
    public var period: Period
    /// How many of the place, 1...1000.
    public var count: Int
    /// What is to be paid; `nil` for nothing.
    public var due: Due?
    /// How it is meant.
    public var flags: Flags
    /// The id of the statement that asked for it; `nil` where nobody did.
    public var ask: Bytes32?
    /// Bookings that end with it, sorted, at most 8.
    public var replaces: [Token]
    /// Those who know it find the booking by it; 16 bytes.
    public var tag: ThreadID?
    /// Words for people, at most 200 bytes.
    public var note: String

    /// A grant of one `place` for `period`.
    public init(
        holder: PeerKey, member: Int = 0, place: Int, period: Period, count: Int = 1,
        due: Due? = nil, flags: Flags = [], ask: Bytes32? = nil, replaces: [Token] = [],
        tag: ThreadID? = nil, note: String = ""
    ) {
        self.holder = holder
        self.member = member
        self.place = place
        self.period = period
        self.count = count
        self.due = due
        self.flags = flags
        self.ask = ask
        self.replaces = replaces.sorted()
        self.tag = tag
        self.note = note
    }

    func write(to writer: inout CBORWriter) {
        writer.array(11)
        writer.value(holder)
        writer.uint(member)
        writer.uint(place)
        period.write(to: &writer)
        writer.uint(count)
        if let due {
            writer.array(2)
            writer.text(due.currency)
            writer.uint(due.amount)
        } else {
            writer.null()
        }
        writer.uint(flags.rawValue)
        if let ask { writer.bytes32(ask) } else { writer.null() }
        writer.array(replaces.count)
        for token in replaces { writer.value(token) }
        if let tag { writer.words16(tag.high, tag.low) } else { writer.null() }
        writer.text(note)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(11)
        holder = try reader.value(PeerKey.self)
        member = try reader.uint(max: Limits.members.upperBound)
        place = try reader.uint(in: Limits.venuePlaces)
        period = try Period(&reader)
        count = try reader.uint(in: Limits.bookingCount)
        due = try reader.takeNull() ? nil : try Due(&reader)
        flags = Flags(rawValue: try reader.uint(max: 3))
        ask = try reader.takeNull() ? nil : try reader.bytes32()
        var replaces: [Token] = []
        for _ in 0..<(try reader.array(0...Limits.replaced)) {
            replaces.append(try reader.value(Token.self))
        }
        guard zip(replaces, replaces.dropFirst()).allSatisfy(<) else {
            throw DecodeError(.notSorted, at: reader.offset)
        }
        self.replaces = replaces
        tag = try ThreadID(orNull: &reader)
        note = try reader.text(max: Limits.note)
    }
}

extension Grant.Due {
    fileprivate init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(2)
        let start = reader.offset
        currency = try reader.text(max: 3)
        guard currency.utf8.count == 3, currency.utf8.allSatisfy({ 65...90 ~= $0 }) else {
            throw DecodeError(.badValue, at: start)
        }
        amount = try reader.uint(max: Limits.money)
    }
}

extension ThreadID {
    /// 16 bytes, or `nil` for null.
    init?(orNull reader: inout CBORReader) throws(DecodeError) {
        guard try !reader.takeNull() else { return nil }
        let words = try reader.words16()
        self.init(high: words.high, low: words.low)
    }
}
