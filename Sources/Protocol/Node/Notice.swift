// SPDX-License-Identifier: Apache-2.0
/// What happened, for people and scripts.
public enum Notice: Hashable, Sendable {
    /// A passenger's agent is linked.
    case aboard(PeerKey)
    /// The last link to a passenger ended.
    case left(PeerKey)
    /// A passenger took another name; the old one first.
    case renamed(PeerKey, from: String, to: String)
    /// A line to everyone.
    case chat(TimelineItem)
    /// A direct message came, or one of ours got further.
    case message(DirectMessage)
    /// A passenger offers seats, or takes the offer back (no tokens).
    case offer(PeerKey, Wish)
    /// Who holds what has changed.
    case map
    /// A negotiation moved.
    case swap(SwapNotice)
    /// A verification by voice with somebody moved.
    case verification(PeerKey, Verification.Notice)
    /// Somebody whom the user verified has another name or seat now: not verified any more.
    case unverified(VerifiedPeer)
    /// Something is wrong that people should know.
    case trouble(Trouble)
    /// The own log may be written to: catch-up is over (docs/protocol.md section 10).
    case caughtUp
    /// Somebody suggests another layout of the cabin, or counts from now on, or does not any more.
    case layouts
    /// Something happened in the user's own party.
    case party(PartyNotice)
    /// Somebody came to a place of the venue or left one, or a place closed.
    case attendance
    /// The venue's operator signed newer words, or somebody knew them first.
    case venue(VenuePage)
    /// What the ledgers of the venue come to has changed.
    case book
    /// Another desk than before, or it is about now, or not any more (``Node/desk``).
    case desk
    /// Something became of an own ask.
    case ask(AskNotice)
    /// Other asks than before wait for the desk.
    case asks
    /// A form came, or an own one got further.
    case form(FormRecord)
    /// News for the people at the desk that this agent is.
    case counter(DeskNotice)
}

/// What can be wrong with more than one message.
public enum Trouble: Hashable, Sendable {
    /// This key runs in another process: nothing is written any more.
    case keyRunsTwice
    /// A peer's key runs in two processes: they may sign two things at one position of the log.
    case runsTwice(PeerKey)
    /// Our own log forked: nothing is written any more.
    case ownFork(ForkProof)
    /// Somebody signed two things at one place of the log.
    case fork(ForkProof)
    /// Somebody signed two things that exclude each other, in one unforked log.
    case misdeed(Misdeed)
    /// The map here breaks a rule that every map keeps: an error of this program.
    case violation(Invariants.Violation)
    /// Equal logs gave another map at a peer: one of the two programs is wrong.
    case divergence(PeerKey)
    /// An agent on this flight follows other rules.
    case otherVersion(PeerKey)
    /// Agents here are on other flights.
    case otherFlight(PeerAddress)
    /// The peer's agent is on this flight by another number (code share), and its records are
    /// apart: that number, where it is an alias of ours.
    case aliasOnly(PeerKey, FlightName?)
    /// The venue's operator signed two texts under one revision.
    case operatorTwice
    /// Something is wrong with the ledgers of the venue.
    case ledger(LedgerTrouble)
    /// Newer words of the venue's operator make another volume of today, or cannot be read: they do
    /// not count before the program is started with them. The program says so, not the core.
    case wordsWait
}

/// The name and seats that a passenger had, by their own log, when they wrote something.
public struct Standing: Hashable, Sendable {
    /// Hostile text; empty for none.
    public var name: String
    /// Sorted; `nil` if it is not known.
    public var seats: [Seat]?

    /// A name, and the seats, if they are known.
    public init(name: String, seats: [Seat]?) {
        self.name = name
        self.seats = seats
    }
}

/// A line of the flight's history as this agent saw it.
public struct TimelineItem: Hashable, Sendable {
    /// What happened.
    public enum What: Hashable, Sendable {
        /// Opened a log.
        case joined(name: String)
        /// A line to everyone.
        case chat(ChatLine)
        /// Claimed a seat.
        case claimed(Seat)
        /// Gave a claim back.
        case retracted(Seat?)
        /// A new name.
        case renamed(String)
        /// Offers a seat (or withdraws: no seats).
        case offered(Wish)
        /// Logged the certificate of a contract.
        case committed(ContractID)
        /// Left a contract.
        case abandoned(ContractID)
        /// Closed the log.
        case ended
    }

    /// Local time of arrival.
    public var at: UTCTime
    /// Whose entry.
    public var author: PeerKey
    /// The entry.
    public var id: EntryID
    /// What it says.
    public var what: What
    /// Its time in the history: when it came, or when it was said if nothing
    /// had been reported before.
    public var place: UTCTime
    /// The author's name and seats at that time; `nil` if not known.
    public var standing: Standing?
    /// The line came after lines that were said later had been reported.
    public var isLate = false
    /// Whether the line states a time later than its arrival by more than clocks differ.
    public var isClockAhead: Bool {
        guard case .chat(let line) = what else { return false }
        return line.time.seconds > at.seconds && line.time.seconds - Limits.clockAhead > at.seconds
    }

    /// An item that stands where it came.
    public init(at: UTCTime, author: PeerKey, id: EntryID, what: What) {
        self.at = at
        self.author = author
        self.id = id
        self.what = what
        place = at
    }
}
