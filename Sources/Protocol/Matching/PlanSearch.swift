// SPDX-License-Identifier: Apache-2.0
/// Looks for exchanges that serve the own party: seats for all of them, who of them sits where, and
/// where those go who sit there now. Branch and bound over the seats; what is best so far counts
/// when the steps are used up.
struct PlanSearch {
    /// How many are kept: more than the best, because people may say no.
    static let most = 4

    let scene: MatchScene
    let party: MatchParty
    var steps: MatchSteps
    /// Whether some shapes were left out so that steps were left for others.
    var isCut = false
    /// The best so far, best first.
    private(set) var found: [MatchProposal] = []
    private var scores: [Int] = []
    private var chains: ChainSearch
    private var seatings: SeatingSearch
    /// How the party sits now.
    let now: (safe: Int, together: Together)
    /// What the wishes of the party can be worth at most.
    private let mostByWishes: Int
    /// Who takes part in whatever is kept; `nil` for anybody.
    private let proposer: PeerKey?

    init(
        _ scene: MatchScene, steps: MatchSteps = MatchSteps(limit: MatchSteps.plan),
        proposer: PeerKey? = nil
    ) {
        self.scene = scene
        self.proposer = proposer
        self.steps = steps
        party = MatchParty(scene)
        chains = ChainSearch(scene, MatchOrders(scene), party)
        seatings = SeatingSearch(scene, party)
        mostByWishes = seatings.mostByWishes()
        let places = party.members.compactMap { scene.people[$0.person].place }
        now = (
            party.safe.count,
            Together(
                places, charges: party.charges.map { places[$0] },
                isSafe: party.safe.count == party.charges.count)
        )
    }

    /// Whether `person` is of the party, or gives their seat if theirs is served by another.
    func isObtainable(_ person: Int) -> Bool {
        if party.number[person] >= 0 { return true }
        return scene.people[person].isFree
            && chains.reach(person, everyone) > MatchWeight.none
    }

    /// All members.
    private var everyone: UInt32 {
        1...MatchParty.most ~= party.members.count ? 1 << UInt32(party.members.count) - 1 : 0
    }

    /// Tries `seats`, sorted indexes among people, one for each of the party.
    mutating func consider(_ seats: [Int]) {
        guard !steps.isOver else { return }
        steps.take()
        let entered = seats.filter { party.number[$0] < 0 }
        var vacated = everyone
        for seat in seats where party.number[seat] >= 0 {
            vacated &= ~(1 << UInt32(party.number[seat]))
        }
        guard entered.count < Limits.parties.upperBound, !breaks(entered, vacated) else { return }
        let most = mostScore(seats)
        let reach = entered.map { chains.reach($0, vacated) }
        guard reach.allSatisfy({ $0 > MatchWeight.none }),
            most + reach.reduce(0, +) >= bar, chains.fits(entered, vacated),
            chains.least(entered, vacated) + min(entered.count, 1) <= Limits.parties.upperBound
        else { return }
        for seating in seatings.all(in: seats, most: most, &steps) {
            let cap = min(
                Limits.parties.upperBound - seating.units,
                Limits.legs.upperBound - seating.legs)
            // Ties are kept, for the tokens to decide.
            let floor = bar - seating.score - 1
            guard
                let others = chains.best(
                    entered: entered, vacated: vacated, cap: cap, over: floor, &steps)
            else { continue }
            keep(seating, others)
        }
    }

    /// Whether `seats`, perhaps with more, may be those of the party: whoever sits there could go
    /// to seats that the party leaves.
    func mayHold(_ seats: [Int]) -> Bool {
        let own = seats.filter { party.number[$0] >= 0 }
        let left = own.reduce(everyone) { $0 & ~(1 << UInt32(party.number[$1])) }
        let entered = seats.filter { party.number[$0] < 0 }
        return entered.count < Limits.parties.upperBound && chains.fits(entered, left)
    }

    /// People of the party in seats that one of it has to keep: nobody would come there.
    var kept: [Int] {
        let wanted = chains.wanted
        return party.members.indices
            .filter { party.members[$0].isFixed || wanted & 1 << UInt32($0) == 0 }
            .map { party.members[$0].person }
    }

    /// Whether a plan in which so many sit together like that may be one of the best.
    func mayPass(_ count: Int, _ degree: Together.Degree) -> Bool {
        // All wishes come to less than half a shape.
        MatchScore.of(safe: party.charges.count, count, degree) + MatchScore.shape / 2 >= bar
    }

    /// Whether somebody would leave who stays, or a holder would give two seats.
    private func breaks(_ entered: [Int], _ vacated: UInt32) -> Bool {
        for (number, member) in party.members.enumerated()
        where vacated & 1 << UInt32(number) != 0 && member.isFixed { return true }
        for (index, person) in entered.enumerated() {
            let unit = scene.people[person].unit
            guard scene.people[person].isFree,
                !entered[..<index].contains(where: { scene.people[$0].unit == unit })
            else { return true }
        }
        return false
    }

    /// The score that no seating there can pass.
    private func mostScore(_ seats: [Int]) -> Int {
        let places = seats.compactMap { scene.people[$0].place }
        var together = Together(places)
        if !party.charges.isEmpty {
            // Whoever is a charge may sit in any of them.
            for place in places {
                together = max(together, Together(places, charges: [place], isSafe: true))
            }
        }
        return MatchScore.of(safe: party.charges.count, together) + mostByWishes
    }

    /// What a new one has to pass.
    private var bar: Int {
        found.count == Self.most
            ? scores[Self.most - 1] : MatchScore.of(safe: now.safe, now.together)
    }

    private mutating func keep(_ seating: SeatingSearch.Seating, _ others: ChainSearch.Found) {
        let own = zip(party.members, seating.seats).map { (from: $0.person, to: $1) }
        let proposal = MatchProposal(
            own + others.moves, scene, safe: seating.safe, seating.together)
        let standing = proposal.standing
        guard proposal.legs.count >= Limits.legs.lowerBound, isModest(seating),
            proposer.map(proposal.gives) ?? true,
            standing.isBetter(than: now, ownHelped: proposal.ownHelped),
            !found.contains(where: { $0.legs == proposal.legs })
        else { return }
        let index = found.partitionPoint { $0.standing > standing }
        found.insert(proposal, at: index)
        scores.insert(seating.score + others.weight, at: index)
        if found.count > Self.most {
            found.removeLast()
            scores.removeLast()
        }
    }

    /// Where not all sit together: of those who take a seat of somebody else's each has one of the
    /// party beside them, or it is one seat only. Nobody moves for nothing.
    private func isModest(_ seating: SeatingSearch.Seating) -> Bool {
        let entered = seating.seats.filter { party.number[$0] < 0 }
        guard seating.together.degree == .apart, entered.count > 1 else { return true }
        let isUnsafe = now.safe < party.charges.count
        let places = seating.seats.compactMap { scene.people[$0].place }
        return entered.compactMap { scene.people[$0].place }.allSatisfy { place in
            places.contains { $0.touches(place) || isUnsafe && $0.reaches(place) }
        }
    }
}
