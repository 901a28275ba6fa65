// SPDX-License-Identifier: Apache-2.0
/// What stands behind a claim to a seat (docs/protocol.md section 15).
public enum Assurance: Hashable, Sendable {
    /// Nothing but the claim: anybody can make one.
    case claimed
    /// This number of passengers whom the user verified vouch for it.
    case vouched(Int)
    /// Whoever claims it is of this user's party.
    case party
    /// This user verified the claimant, who has neither taken another name nor claimed again since.
    case verified

    /// The place in the order, 0 for what is only claimed. How many vouch makes no difference: one
    /// liar can talk several people into it as easily as one.
    public var rank: Int {
        switch self {
        case .claimed: 0
        case .vouched: 1
        case .party: 2
        case .verified: 3
        }
    }

    /// Whether it is greater evidence than `other`.
    public func outweighs(_ other: Assurance) -> Bool { rank > other.rank }
}

/// What this user knows about people, by which claims are weighed. The fold does not use it.
public struct Trust: Hashable, Sendable {
    /// Passengers whom the user verified say that `key` sits in `seat`.
    public struct Vouch: Hashable, Comparable, Sendable {
        /// Who is vouched for.
        public let key: PeerKey
        /// The seat vouched for.
        public let seat: Seat
        /// How many say it.
        public let count: Int

        /// So many vouch for `key` in `seat`.
        public init(key: PeerKey, seat: Seat, count: Int) {
            self.key = key
            self.seat = seat
            self.count = count
        }

        /// Orders by key, then seat.
        public static func < (left: Vouch, right: Vouch) -> Bool {
            (left.key, left.seat) < (right.key, right.seat)
        }
    }

    /// The user whose trust it is; `nil` for nobody, as when somebody reads an exported file.
    public let me: PeerKey?
    /// Keys whose verification holds, sorted.
    public let verified: [PeerKey]
    /// Keys of the user's party, sorted.
    public let party: [PeerKey]
    /// Blocked keys, sorted.
    public let blocked: [PeerKey]
    /// Vouches of those who are verified, sorted.
    public let vouches: [Vouch]

    /// All of it, in any order.
    public init(
        me: PeerKey? = nil, verified: [PeerKey] = [], party: [PeerKey] = [],
        blocked: [PeerKey] = [], vouches: [Vouch] = []
    ) {
        self.me = me
        self.verified = verified.sorted()
        self.party = party.sorted()
        self.blocked = blocked.sorted()
        self.vouches = vouches.sorted()
    }

    /// Nobody knows anybody.
    public static let none = Trust()

    /// What stands behind the claim of `author` to `seat`.
    public func assurance(of author: PeerKey, in seat: Seat) -> Assurance {
        if verified.position(of: author, by: { $0 }) != nil { return .verified }
        if party.position(of: author, by: { $0 }) != nil { return .party }
        let wanted = Vouch(key: author, seat: seat, count: 0)
        let index = vouches.lowerBound(of: wanted) { $0 }
        guard index < vouches.count, vouches[index].key == author, vouches[index].seat == seat
        else { return .claimed }
        return .vouched(vouches[index].count)
    }

    /// What stands behind somebody who claims `seats`, at best.
    public func assurance(of author: PeerKey, in seats: [Seat]) -> Assurance {
        seats.reduce(assurance(of: author)) { best, seat in
            let other = assurance(of: author, in: seat)
            return other.outweighs(best) ? other : best
        }
    }

    /// What stands behind somebody whatever they claim.
    public func assurance(of author: PeerKey) -> Assurance {
        if verified.position(of: author, by: { $0 }) != nil { return .verified }
        return party.position(of: author, by: { $0 }) != nil ? .party : .claimed
    }

    /// What stands behind a token: the evidence for its first claimant and the seat claimed,
    /// wherever it went since. Otherwise a liar's claim would gain by being swapped to
    /// somebody whom the user knows.
    public func assurance(of token: TokenState) -> Assurance {
        assurance(of: token.author, in: token.seat)
    }

    /// The weight of a token among those for its seat: negative if its author is blocked, and the
    /// highest if the user claimed the seat, who knows where they sit.
    public func weight(of token: TokenState) -> Int {
        if token.author == me { return Assurance.verified.rank + 1 }
        if blocked.position(of: token.author, by: { $0 }) != nil { return -1 }
        return assurance(of: token).rank
    }
}

extension SeatFold {
    /// Live tokens for `seat` of holders who did not fork, those that weigh most first. O(n).
    public func claims(on seat: Seat, _ trust: Trust) -> [TokenState] {
        tokens.filter { $0.seat == seat && !$0.ended && !isForked($0.holder) }
            .sorted { left, right in
                let (one, other) = (trust.weight(of: left), trust.weight(of: right))
                guard one == other else { return one > other }
                return (left.holder, left.token) < (right.holder, right.token)
            }
    }

    /// Those among them that weigh most: of one holder, or the seat is disputed. O(n).
    public func foremost(on seat: Seat, _ trust: Trust) -> [TokenState] {
        let claims = claims(on: seat, trust)
        return Array(claims.prefix { trust.weight(of: $0) == trust.weight(of: claims[0]) })
    }
}
