// SPDX-License-Identifier: Apache-2.0
/// What this user knows and others do not: what makes the own search another one than the common.
package struct MatchFacts: Sendable {
    /// What would be taken for one of the own seats.
    package struct Ranks: Hashable, Sendable {
        /// The seat as it is now.
        package let seat: Seat
        /// The best first.
        package let ranks: [SeatSet]

        /// These ranks for that seat.
        package init(seat: Seat, ranks: [SeatSet]) {
            self.seat = seat
            self.ranks = ranks
        }
    }

    /// What is known of whoever sits in one of the own seats.
    package struct Needs: Hashable, Sendable {
        /// The seat as it is now.
        package let seat: Seat
        /// What has to be right there.
        package let needs: MatchNeeds

        /// These needs in that seat.
        package init(seat: Seat, needs: MatchNeeds) {
            self.seat = seat
            self.needs = needs
        }
    }

    /// The user's key and those of their companions, sorted.
    package let party: [PeerKey]
    /// Private and public wishes of the party.
    package let ranks: [Ranks]
    /// Needs of the party.
    package let needs: [Needs]
    /// Whom nobody is to ask: blocked, or they said no already. Sorted.
    package let never: [PeerKey]
    /// Companions who cannot answer now, sorted: they stay where they sit.
    package let absent: [PeerKey]
    /// Tokens that are not to change hands, sorted: promised, doubtful, or moved since.
    package let stale: [Token]

    /// All of it, in any order.
    package init(
        party: [PeerKey], ranks: [Ranks] = [], needs: [Needs] = [], never: [PeerKey] = [],
        absent: [PeerKey] = [], stale: [Token] = []
    ) {
        self.party = party.sortedOnce(by: <)
        self.ranks = ranks
        self.needs = needs
        self.never = never.sorted()
        self.absent = absent.sorted()
        self.stale = stale.sorted()
    }

    /// Nobody's: what all see.
    package static let none = MatchFacts(party: [])
}

/// The last wish of a log.
package struct StatedWish: Hashable, Sendable {
    /// Whose log.
    package let author: PeerKey
    /// What it says.
    package let wish: Wish

    /// The wish of `author`.
    package init(author: PeerKey, wish: Wish) {
        self.author = author
        self.wish = wish
    }
}

extension LogSet {
    /// The last wish of each author who stated one, sorted by author.
    package var wishes: [StatedWish] {
        logs.compactMap { log in log.wish.map { StatedWish(author: log.author, wish: $0) } }
    }

    /// The last wish of `author`; `nil` if they stated none.
    package func wish(of author: PeerKey) -> Wish? { log(of: author)?.wish }
}

extension AuthorLog {
    /// The last wish in it.
    fileprivate var wish: Wish? {
        for entry in entries.reversed() {
            if case .wish(let wish) = entry.body { return wish }
        }
        return nil
    }
}

extension MatchScene {
    /// The scene of public facts only: of those with a wish that all can read. Equal logs give
    /// equal scenes on all machines, whatever layout somebody chose there.
    package static func common(_ fold: SeatFold, _ wishes: [StatedWish]) -> MatchScene {
        let builder = SceneBuilder(fold, .none, wishes, .none, nil)
        return MatchScene(builder.people().filter { !$0.ranks.isEmpty })
    }

    /// The scene that this user sees, weighed by their `trust`, in `cabin`.
    package static func own(
        _ fold: SeatFold, _ wishes: [StatedWish], _ facts: MatchFacts, trust: Trust = .none,
        cabin: MatchCabin
    ) -> MatchScene {
        MatchScene(SceneBuilder(fold, trust, wishes, facts, cabin).people())
    }
}

/// Puts a scene together.
private struct SceneBuilder {
    let view: SeatView
    let wishes: [StatedWish]
    let facts: MatchFacts
    let cabin: MatchCabin?
    /// All holders, sorted: the index of one is their unit.
    let holders: [PeerKey]
    /// Holders who look after somebody, or may: they hold more than one seat, or claimed one for
    /// somebody in their care. Sorted.
    let carers: [PeerKey]

    init(
        _ fold: SeatFold, _ trust: Trust, _ wishes: [StatedWish], _ facts: MatchFacts,
        _ cabin: MatchCabin?
    ) {
        view = SeatView(fold, trust)
        self.wishes = wishes.sortedOnce { $0.author < $1.author }
        self.facts = facts
        self.cabin = cabin
        let live = fold.tokens.filter { !$0.ended }
        let all = live.map(\.holder).sorted()
        holders = all.sortedOnce(by: <)
        let several = zip(all, all.dropFirst()).filter { $0 == $1 }.map(\.0)
        carers = (several + live.filter(\.dependant).map(\.author)).sortedOnce(by: <)
    }

    /// Everybody who alone holds a seat, sorted by seat.
    func people() -> [MatchScene.Person] {
        let outsideCarers = facts.needs.compactMap(\.needs.with)
        return view.places.compactMap { place in
            guard case .held(let holder) = place.holding,
                case let claims = place.claims,
                let right = claims.first(where: { $0.token.holder == holder })
            else { return nil }
            let isOwn = facts.party.has(holder)
            let wish = wishes.position(of: holder, by: \.author).map { wishes[$0].wish }
            let isOffered = wish?.offered.has(right.token.token) ?? false
            let spot = cabin?.place(of: place.seat)
            let isFree =
                isSound(right, among: claims) && (cabin == nil || spot != nil)
                && (isOwn
                    ? !facts.absent.has(holder)
                    : mayAsk(right.token, wish, isOffered: isOffered)
                        && !outsideCarers.contains(place.seat))
            let ranks = isOffered ? wish?.ranks ?? [] : []
            return MatchScene.Person(
                slot: right.token.slot, seat: place.seat, holder: holder,
                unit: holders.lowerBound(of: holder) { $0 }, place: spot,
                ranks: isOwn ? ownRanks(of: place.seat) ?? ranks : ranks, isFree: isFree,
                isOwn: isOwn, needs: isOwn ? needs(in: place.seat) : MatchNeeds())
        }
    }

    /// Not bound, not stale, not made by somebody who signed two things at once, and the only
    /// claim.
    private func isSound(_ right: SeatView.Right, among claims: [SeatView.Right]) -> Bool {
        !right.encumbered && !right.pending && !right.cheats && !right.muted
            && right.token.token == claims.first?.token.token
            && !claims.dropFirst().contains { $0.token.holder == right.token.holder }
            && !facts.stale.has(right.token.token)
    }

    /// Whether somebody else may be asked for a seat. The seats of whoever has somebody in their
    /// care stay, except for those that they offer; so does a seat that somebody swapped for,
    /// unless they may be asked anything: they sit there for a reason.
    private func mayAsk(_ seat: TokenState, _ wish: Wish?, isOffered: Bool) -> Bool {
        let isNew = seat.producer != Producer(claim: seat.token) && wish?.asks != .anything
        return wish?.asks != .nothing && !facts.never.has(seat.holder)
            && (isOffered || !carers.has(seat.holder) && !isNew)
    }

    private func ownRanks(of seat: Seat) -> [SeatSet]? {
        facts.ranks.last { $0.seat == seat }?.ranks
    }

    private func needs(in seat: Seat) -> MatchNeeds {
        facts.needs.last { $0.seat == seat }?.needs ?? MatchNeeds()
    }
}

extension [PeerKey] {
    /// Whether a sorted array has `key`.
    fileprivate func has(_ key: PeerKey) -> Bool { position(of: key) { $0 } != nil }
}

extension [Token] {
    /// Whether a sorted array has `token`.
    fileprivate func has(_ token: Token) -> Bool { position(of: token) { $0 } != nil }
}
