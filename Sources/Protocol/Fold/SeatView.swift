// SPDX-License-Identifier: Apache-2.0
/// The cabin as people see it: for each seat who holds it, and what to know before trading
/// (docs/protocol.md section 15).
///
/// A view of the fold, weighed by what this user knows of people: not a rule,
/// and no fold depends on it.
public struct SeatView: Hashable, Sendable {
    /// Who has a right to a seat.
    public enum Holding: Hashable, Sendable {
        /// Nobody who counts.
        case open
        /// One passenger.
        case held(PeerKey)
        /// Two or more who never agreed and have equal evidence, sorted.
        case disputed([PeerKey])
    }

    /// A live token and what hangs on it.
    public struct Right: Hashable, Sendable {
        /// The token, with its holder, lineage and whether it is re-minted.
        public let token: TokenState
        /// The holder signed a yes for this tenure and has not left it.
        /// Another yes would lose to it.
        public let encumbered: Bool
        /// A certificate on this tenure is known and not decided yet.
        public let pending: Bool
        /// A party of a contract that this tenure rests on, however far back, forked.
        public let cheats: Bool
        /// The holder forked: the token does not count as a rival.
        public let muted: Bool
        /// What stands behind whoever claimed it.
        public let assurance: Assurance
        /// What it weighs beside others: see ``Trust/weight(of:)``.
        public let weight: Int
    }

    /// A seat that somebody claimed.
    public struct Place: Hashable, Sendable {
        /// The seat.
        public let seat: Seat
        /// Who holds it.
        public let holding: Holding
        /// All live tokens for it, muted ones too, sorted by holder, then token.
        public let rights: [Right]

        /// Tokens that count, those with most weight first. If there is more than
        /// one, people should know.
        public var claims: [Right] {
            // Most seats have one, and a search looks at every seat.
            if rights.count == 1, !rights[0].muted { return rights }
            return rights.filter { !$0.muted }.enumerated().sorted { left, right in
                let (one, other) = (left.element.weight, right.element.weight)
                return one != other ? one > other : left.offset < right.offset
            }
            .map(\.element)
        }

        /// Claims that are a remark: of somebody blocked, or of less evidence than another.
        public var remarks: [Right] {
            let most = claims.first?.weight
            return claims.filter { $0.weight != most }
        }
    }

    /// Every seat with a live token, sorted by seat.
    public let places: [Place]

    /// The view of `fold` for the user with that `trust`. O(n log n).
    public init(_ fold: SeatFold, _ trust: Trust = .none) {
        let open = fold.openVotes
        let pending = Self.pending(in: fold)
        let tainted = Self.tainted(in: fold)
        let live = fold.tokens.filter { !$0.ended }
            .sorted { ($0.seat, $0.holder, $0.token) < ($1.seat, $1.holder, $1.token) }
        var places: [Place] = []
        var start = 0
        while start < live.count {
            var end = start + 1
            while end < live.count, live[end].seat == live[start].seat { end += 1 }
            let rights = live[start..<end].map { token in
                Right(
                    token: token,
                    encumbered: open.contains(token.slot, by: token.holder),
                    pending: pending.position(of: token.slot, by: { $0 }) != nil,
                    cheats: tainted.position(of: token.producer, by: { $0 }) != nil,
                    muted: fold.isForked(token.holder),
                    assurance: trust.assurance(of: token), weight: trust.weight(of: token))
            }
            places.append(
                Place(seat: live[start].seat, holding: Self.holding(rights), rights: rights))
            start = end
        }
        self.places = places
    }

    /// What is known of a seat; `nil` if nobody claims it. O(log n).
    public func place(_ seat: Seat) -> Place? {
        places.position(of: seat, by: \.seat).map { places[$0] }
    }

    private static func holding(_ rights: [Right]) -> Holding {
        if rights.count == 1, !rights[0].muted { return .held(rights[0].token.holder) }
        let counted = rights.filter { !$0.muted }
        let most = counted.map(\.weight).max()
        let holders = counted.filter { $0.weight == most }.map(\.token.holder)
            .sortedOnce(by: <)
        return switch holders.count {
        case 0: .open
        case 1: .held(holders[0])
        default: .disputed(holders)
        }
    }

    /// Slots that an undecided certificate spends, sorted.
    private static func pending(in fold: SeatFold) -> [Slot] {
        fold.contracts.filter { $0.certificate != nil && !$0.isDecided }
            .flatMap { $0.contract?.legs.map(\.slot) ?? [] }
            .sortedOnce(by: <)
    }

    /// Applied contracts that a party with a fork signed, and all that rest on them, sorted.
    private static func tainted(in fold: SeatFold) -> [Producer] {
        guard !fold.forks.isEmpty else { return [] }
        let applied = fold.contracts.filter(\.applied)
        var heirs: [(producer: Producer, heir: Int)] = []
        var found = Array(repeating: false, count: applied.count)
        var queue: [Int] = []
        for (index, state) in applied.enumerated() {
            for leg in state.contract?.legs ?? [] { heirs.append((leg.producer, index)) }
            if state.contract?.parties.contains(where: fold.isForked) == true {
                found[index] = true
                queue.append(index)
            }
        }
        heirs.sort { ($0.producer, $0.heir) < ($1.producer, $1.heir) }
        while let index = queue.popLast() {
            let producer = Producer(contract: applied[index].id)
            var next = heirs.lowerBound(of: producer, by: \.producer)
            while next < heirs.count, heirs[next].producer == producer {
                if !found[heirs[next].heir] {
                    found[heirs[next].heir] = true
                    queue.append(heirs[next].heir)
                }
                next += 1
            }
        }
        return applied.indices.filter { found[$0] }.map { Producer(contract: applied[$0].id) }
    }
}
