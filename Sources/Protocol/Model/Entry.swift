// SPDX-License-Identifier: Apache-2.0
/// A signed entry of one author's log in one flight (docs/protocol.md section 8).
///
/// Holds the bytes as received: they are verified, hashed, stored and passed on, never
/// encoded again. A value that never changes; a class because logs, folds and anchors hold
/// the same one many times.
public final class Entry: Hashable, Sendable {
    /// The whole COSE_Sign1 array, at most 16 KiB.
    public let bytes: [UInt8]
    /// Where the signed payload stands in ``bytes``.
    public let payload: Range<Int>
    /// Where the 64 bytes of the signature stand in ``bytes``.
    public let signature: Range<Int>
    /// Hash of the payload, not of the signature.
    public let id: EntryID
    /// In which flight.
    public let flight: FlightID
    /// Whose log.
    public let author: PeerKey
    /// Place in the log, 1...4096; in a venue up to 32768.
    public let seq: Int
    /// The entry before, `nil` at seq 1 only.
    public let previous: EntryID?
    /// What it says.
    public let body: EntryBody

    /// An entry of parts that were read from `bytes`.
    init(
        bytes: [UInt8], payload: Range<Int>, signature: Range<Int>, id: EntryID,
        flight: FlightID, author: PeerKey, seq: Int, previous: EntryID?, body: EntryBody
    ) {
        self.bytes = bytes
        self.payload = payload
        self.signature = signature
        self.id = id
        self.flight = flight
        self.author = author
        self.seq = seq
        self.previous = previous
        self.body = body
    }

    /// Entries of equal bytes are equal.
    public static func == (left: Entry, right: Entry) -> Bool {
        left === right || left.bytes == right.bytes
    }

    /// Hashes what `==` compares, or a part of it.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What an entry says (the table of docs/protocol.md section 8).
public enum EntryBody: Hashable, Sendable {
    /// 0: opens the log, seq 1 only.
    case genesis(name: String, agent: String)
    /// 1: a new name; the last one counts.
    case profile(name: String)
    /// 2: mints a token for a seat.
    case claim(seat: Seat, dependant: Bool)
    /// 3: ends a token that the author holds.
    case retract(Slot)
    /// 4: yes or no to a contract; a yes names the author's slots, sorted.
    case vote(Vote)
    /// 5: a contract with all its yes votes.
    case commit(Commit)
    /// 6: leaves a contract because a party signed a no.
    indirect case abandon(ContractID, no: Entry)
    /// 7: a line to everyone.
    case chat(ChatLine)
    /// 9: vouches that a key sits where it says.
    case vouch(PeerKey, Seat)
    /// 10 to 13: what a ledger of a venue says.
    indirect case ledger(LedgerEntry)
    /// 15: closes the log.
    case end
    /// 16: an offer and what would be taken for it.
    case wish(Wish)
    /// 17: talk of a party, sealed.
    case sealed(SealedTalk)
    /// 18: the author sits, or does not sit, where that contract put them.
    case seated(ContractID, Bool)
    /// 19: whose computer an agent runs on, as the author says.
    case hosting(Hosting)
    /// 18 to 31: what a later agent says and this one does not know: kept, passed on, counted.
    case unknown(type: Int, body: ArraySlice<UInt8>)

    /// The number of the type on the wire.
    public var type: Int {
        switch self {
        case .genesis: 0
        case .profile: 1
        case .claim: 2
        case .retract: 3
        case .vote: 4
        case .commit: 5
        case .abandon: 6
        case .chat: 7
        case .vouch: 9
        case .ledger(let said): said.type
        case .end: 15
        case .wish: 16
        case .sealed: 17
        case .seated: 18
        case .hosting: 19
        case .unknown(let type, _): type
        }
    }

    /// Whether the fold of seats looks at it (all others are for the view, or for the book).
    public var matters: Bool {
        switch self {
        case .claim, .retract, .vote, .commit, .abandon: true
        case .genesis, .profile, .chat, .vouch, .ledger, .end, .wish, .sealed, .seated, .hosting,
            .unknown:
            false
        }
    }
}

/// A yes or a no to a contract.
public struct Vote: Hashable, Sendable {
    /// On which contract.
    public let contract: ContractID
    /// Yes or no.
    public let yes: Bool
    /// The voter's own slots, sorted; empty in a no.
    public let slots: [Slot]

    /// A yes on `contract` that gives up `slots`.
    public static func yes(_ contract: ContractID, slots: [Slot]) -> Vote {
        Vote(contract: contract, yes: true, slots: slots.sorted())
    }

    /// A no on `contract`.
    public static func no(_ contract: ContractID) -> Vote {
        Vote(contract: contract, yes: false, slots: [])
    }

    init(contract: ContractID, yes: Bool, slots: [Slot]) {
        self.contract = contract
        self.yes = yes
        self.slots = slots
    }
}

/// A certificate as an entry carries it: the contract, one yes of every party,
/// and the claims it rests on.
///
/// Never changes; a class as ``Entry`` is, and for the same reason.
public final class Commit: Hashable, Sendable {
    /// The contract.
    public let contract: Contract
    /// One yes vote of every party, in the order of the parties.
    public let votes: [Entry]
    /// The claims of all legs whose producer is a claim, sorted by id.
    public let claims: [Entry]

    /// A certificate; whether it is well formed is checked by ``EntryCodec`` on decoding.
    public init(contract: Contract, votes: [Entry], claims: [Entry]) {
        self.contract = contract
        self.votes = votes
        self.claims = claims
    }

    /// Certificates of equal parts are equal.
    public static func == (left: Commit, right: Commit) -> Bool {
        left === right
            || left.contract == right.contract && left.votes == right.votes
                && left.claims == right.claims
    }

    /// Hashes what `==` compares, or a part of it.
    public func hash(into hasher: inout Hasher) { hasher.combine(contract.id) }
}
