// SPDX-License-Identifier: Apache-2.0
/// What the operator's people at the desk want (docs/protocol.md section 33).
public enum DeskIntent: Hashable, Sendable {
    /// Grant again. A desk whose disk was put back from a copy opens only if `restored` says that
    /// the operator knows it; one that met another desk of its epoch opens if its ledger counts.
    /// The 16 random bytes are for the lot.
    case open(restored: Bool, random: ThreadID)
    /// Grant nothing until ``open(restored:random:)``; asks wait.
    case away
    /// Grant what an ask that waits or was refused wants, hours and quotas set aside.
    case grant(ask: Bytes32)
    /// Refuse an ask that waits.
    case refuse(ask: Bytes32)
    /// Book for somebody, hours set aside.
    case book(DeskBooking)
    /// Keep a place for the venue itself.
    case block(place: Int, period: Period, count: Int, note: String)
    /// End a booking. Not for ``LedgerClose/Reason/asked``.
    case close(Token, LedgerClose.Reason, spent: Bool)
    /// So much of minor units was paid for a booking, in one of the ways 0...7.
    case paid(Token, amount: Int, means: Int)
    /// Somebody came, had it handed out, or returned it.
    case visit(Token, DeskNote.Visit)
    /// What is booked comes back so many minutes late: keep it from others for so long.
    case late(Token, minutes: Int)
    /// A member of that number and class, and a key of theirs.
    case member(number: Int, class: Int, key: PeerKey?)
    /// A member has a new key: their bookings go to it.
    case move(number: Int, to: PeerKey)
    /// A swap got stranded: each booking goes to whom both sides say, in a new grant.
    case settle([DeskTransfer])
    /// A charter that the operator signed for this ledger: the first one, or revised rules.
    case charter(Charter)
}

/// A booking that the desk makes for somebody (docs/protocol.md section 33).
public struct DeskBooking: Hashable, Sendable {
    /// For whom.
    public enum Guest: Hashable, Sendable {
        /// Whose key this is.
        case key(PeerKey)
        /// A member by number; the desk holds it where no key of theirs is known.
        case member(Int)
        /// Somebody without key and number: the desk holds it, and no quota counts.
        case caller
    }

    /// For whom.
    public var guest: Guest
    /// 1...4095.
    public var place: Int
    /// When.
    public var period: Period
    /// How many of the place, 1...1000.
    public var count = 1
    /// Whether the quota is set aside.
    public var overrides = false
    /// Those who know it find the booking by it.
    public var tag: ThreadID?
    /// Words for people, at most 200 bytes.
    public var note = ""

    /// One `place` for `guest`.
    public init(_ guest: Guest, place: Int, period: Period) {
        self.guest = guest
        self.place = place
        self.period = period
    }
}

/// A booking that goes to somebody else.
public struct DeskTransfer: Hashable, Sendable {
    /// Which booking.
    public let token: Token
    /// Who gets it.
    public let to: PeerKey

    /// `token` goes to `to`.
    public init(_ token: Token, to: PeerKey) {
        self.token = token
        self.to = to
    }
}

/// What came of an intent.
public enum DeskReply: Hashable, Sendable {
    /// It is done.
    case done
    /// These bookings were made.
    case booked([Token])
    /// That much is kept from others; nothing if `nil`. These bookings are in the way, sorted, and
    /// stay.
    case blocked(Period?, inTheWay: [Token])
    /// Bookings went to a member's new key; others, sorted, are bound by an open yes and stay.
    /// `retired` are the member's other keys, sorted: whoever has them can still ask.
    case moved([Token], bound: [Token], retired: [PeerKey])
}

/// Why an intent is not carried out.
public enum DeskRefusal: Error, Hashable, Sendable {
    /// The desk does not write now.
    case closed(DeskState)
    /// There is no such ask, or it is answered.
    case noSuchAsk
    /// There is no such booking, or it has ended.
    case noSuchBooking
    /// There is no such member.
    case noSuchMember
    /// The key has another number already, or the member another class.
    case isMember
    /// The grant would be void: for that reason.
    case void(DeskReason)
    /// The period is outside of the volume, or what is said cannot be written.
    case badValue
    /// The charter is not the operator's for this ledger, or no later one of its epoch.
    case badCharter
    /// An open yes to a swap binds the booking.
    case bound
    /// The ledger is full.
    case noRoom
}
