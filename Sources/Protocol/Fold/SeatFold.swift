// SPDX-License-Identifier: Apache-2.0
/// A token after the fold: who holds the right to which seat, and by what (docs/protocol.md section
/// 13).
public struct TokenState: Hashable, Sendable {
    /// The claim's id.
    public let token: Token
    /// The seat claimed.
    public let seat: Seat
    /// Who claimed it.
    public let author: PeerKey
    /// Claimed for somebody in the author's care.
    public let dependant: Bool
    /// Who holds it now.
    public let holder: PeerKey
    /// What makes `holder` the holder: the claim, or the last applied contract.
    public let producer: Producer
    /// The holder retracted exactly this tenure.
    public let ended: Bool
    /// The claim came after a retract of the same seat by the same author (docs/protocol.md section
    /// 13).
    public let reminted: Bool
    /// Contracts applied to it, oldest first.
    public let lineage: [ContractID]

    /// A token's state.
    public init(
        token: Token, seat: Seat, author: PeerKey, dependant: Bool, holder: PeerKey,
        producer: Producer, ended: Bool, reminted: Bool, lineage: [ContractID]
    ) {
        self.token = token
        self.seat = seat
        self.author = author
        self.dependant = dependant
        self.holder = holder
        self.producer = producer
        self.ended = ended
        self.reminted = reminted
        self.lineage = lineage
    }

    /// The present tenure.
    public var slot: Slot { Slot(token: token, producer: producer) }
}

/// What became of a contract that somebody voted on or committed.
public struct ContractState: Hashable, Sendable {
    /// Its id.
    public let id: ContractID
    /// The contract; `nil` while only votes name it.
    public let contract: Contract?
    /// A counted certificate exists (docs/protocol.md section 13, step 4).
    public let complete: Bool
    /// An effective abandon exists (step 5).
    public let dead: Bool
    /// Another contract on one of its slots won, or an owner's fork voided both (step 6).
    public let beaten: Bool
    /// All its legs moved (step 7).
    public let applied: Bool
    /// Vote entries on it known from anywhere, sorted by author, then yes
    /// before no, then seq, then id.
    public let votes: [Entry]
    /// Certificate entries found in counted or uncounted commits, smallest
    /// seq first; `nil` when none.
    public let certificate: Commit?

    /// A contract's state.
    public init(
        id: ContractID, contract: Contract?, complete: Bool, dead: Bool, beaten: Bool,
        applied: Bool, votes: [Entry], certificate: Commit?
    ) {
        self.id = id
        self.contract = contract
        self.complete = complete
        self.dead = dead
        self.beaten = beaten
        self.applied = applied
        self.votes = votes
        self.certificate = certificate
    }
}

/// The fold of a set of logs: a pure function of the set, in any order, on any machine
/// (docs/protocol.md section 13).
public struct SeatFold: Hashable, Sendable {
    /// Every counted token, sorted by token.
    public let tokens: [TokenState]
    /// Every contract that a vote, a commit or an abandon names, sorted by id.
    public let contracts: [ContractState]
    /// Authors with a fork, sorted, and the smallest forked seq known (from proofs or evidence).
    public let forks: [Fork]
    /// Effective abandons: who left which contract on another party's no, sorted (docs/protocol.md
    /// section 13, step 5).
    public let departures: [Departure]
    /// The bookings that contracts move, in a venue; there are no ``tokens`` then. `nil` on a
    /// flight.
    package let venue: BookTenures?

    /// A forked author.
    public struct Fork: Hashable, Sendable {
        /// The key blamed.
        public let author: PeerKey
        /// k(author).
        public let seq: Int

        /// A fork of `author` at `seq`.
        public init(author: PeerKey, seq: Int) {
            self.author = author
            self.seq = seq
        }
    }

    /// An effective abandon. While no certificate shows the contract's parties, every abandon with
    /// another's clean no is taken for one.
    public struct Departure: Hashable, Comparable, Sendable {
        /// Who left.
        public let author: PeerKey
        /// Which contract.
        public let contract: ContractID
        /// Where in the author's log.
        public let seq: Int

        /// `author` left `contract` at `seq`.
        public init(author: PeerKey, contract: ContractID, seq: Int) {
            self.author = author
            self.contract = contract
            self.seq = seq
        }

        /// Orders by author, then contract, then position.
        public static func < (left: Departure, right: Departure) -> Bool {
            (left.author, left.contract, left.seq) < (right.author, right.contract, right.seq)
        }
    }

    /// The result of a fold; made by `Fold` only.
    init(
        tokens: [TokenState], contracts: [ContractState], forks: [Fork],
        departures: [Departure] = [], venue: BookTenures? = nil
    ) {
        self.tokens = tokens
        self.contracts = contracts
        self.forks = forks
        self.departures = departures
        self.venue = venue
    }

    /// The fold of nothing.
    public static let empty = SeatFold(tokens: [], contracts: [], forks: [])

    /// The state of `token`; `nil` if no counted claim minted it. O(log n).
    public func token(_ token: Token) -> TokenState? {
        Self.place(of: token, among: tokens.count) { tokens[$0].token }.map { tokens[$0] }
    }

    /// The state of a contract; `nil` if nothing names it. O(log n).
    public func contract(_ id: ContractID) -> ContractState? {
        Self.place(of: id, among: contracts.count) { contracts[$0].id }.map { contracts[$0] }
    }

    /// Whether `author` forked.
    public func isForked(_ author: PeerKey) -> Bool {
        Self.place(of: author, among: forks.count) { forks[$0].author } != nil
    }

    /// Live tokens that `holder` holds, sorted by seat, then token.
    public func held(by holder: PeerKey) -> [TokenState] {
        tokens.filter { $0.holder == holder && !$0.ended }
            .sorted { $0.seat != $1.seat ? $0.seat < $1.seat : $0.token < $1.token }
    }

    /// The index of `key` among `count` sorted keys. Compares them in place: copying a contract
    /// costs more than the search.
    @inline(__always)
    private static func place<Key: Comparable>(
        of key: Key, among count: Int, by keyAt: (Int) -> Key
    ) -> Int? {
        let place = (0..<count).partitionPoint { keyAt($0) < key }
        return place < count && keyAt(place) == key ? place : nil
    }
}
