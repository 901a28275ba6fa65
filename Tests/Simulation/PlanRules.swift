// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What honest people say yes to, and what must hold of what they find and of what they did.
extension SimWorld {
    // MARK: Households

    /// Where the people of a host sit; `nil` where their user does not know it.
    func household(_ host: SimHost) -> [Seat]? {
        guard let life = plans else { return nil }
        let held = host.node.fold.held(by: host.key).map(\.seat)
        let seats = life.households[host.person]
        if seats.allSatisfy(held.contains) { return seats }
        return seats.count == 1 && held.count == 1 ? held : nil
    }

    /// Where everybody of a household goes by `legs`: the first seat that is given for the first
    /// that is got. `nil` where a seat is not known.
    private func places(
        _ seats: [Seat], after legs: [Leg], of key: PeerKey, _ fold: SeatFold
    ) -> [Seat]? {
        let give = legs.filter { $0.from == key }.compactMap { fold.token($0.token)?.seat }
        let take = legs.filter { $0.to == key }.compactMap { fold.token($0.token)?.seat }
        let own = legs.count { $0.from == key || $0.to == key }
        guard give.count == take.count, give.count + take.count == own else { return nil }
        let goes = Dictionary(zip(give.sorted(), take.sorted())) { first, _ in first }
        return seats.map { goes[$0] ?? $0 }
    }

    /// Whether a household may go there: no other class, no exit row without a word, and a child
    /// beside whoever looks after it.
    private func isRight(_ person: Int, _ before: [Seat], _ after: [Seat]) -> Bool {
        guard let life = plans else { return true }
        for (old, new) in zip(before, after) where old != new {
            guard let old = life.cabin.place(of: old), let new = life.cabin.place(of: new),
                old.compartment == new.compartment
            else { return false }
            if new.isExit, before.count > 1 || !life.mayExit[person] { return false }
        }
        guard after.count == 2, let grown = life.cabin.place(of: after[0]),
            let child = life.cabin.place(of: after[1])
        else { return after.count == 1 }
        return grown.reaches(child)
    }

    /// Whether the agent of `host` lets its user say yes to `legs`: whoever looks after a child to
    /// one thing at a time, since two that are right may be wrong together.
    func allows(_ host: SimHost, _ legs: [Leg]) -> Bool {
        guard plans != nil, people[host.person].isHonest else { return true }
        guard let seats = household(host),
            let after = places(seats, after: legs, of: host.key, host.node.fold)
        else { return false }
        let isFree = seats.count == 1 || !host.node.swaps.records.contains(where: \.isPromise)
        return isFree && isRight(host.person, seats, after)
    }

    /// Whether somebody would be worse off by their own order.
    private func isWorse(_ host: SimHost, _ legs: [Leg]) -> Bool {
        let node = host.node
        guard let life = plans, let seats = household(host),
            let after = places(seats, after: legs, of: host.key, node.fold)
        else { return true }
        let ranks = node.ownWish.ranks ?? []
        return zip(seats, after).contains { old, new in
            old != new && life.isWorse(ranks, old, new)
        }
    }

    /// Whether somebody says yes: not to what their agent stops, to less than they have seldom, and
    /// to what a companion asks more often.
    func wants(_ host: SimHost, _ record: SwapRecord, _ pick: UInt64) -> Bool {
        guard plans != nil, people[host.person].isHonest else { return true }
        let legs = (record.stage == .countered ? record.counter : nil)?.legs ?? record.contract.legs
        guard allows(host, legs) else { return false }
        let isFriend = host.companions.contains(record.asker(host.key))
        return !isWorse(host, legs) || pick / 16 % (isFriend ? 2 : 8) == 0
    }

    /// Whether the agent of `host` carries `intent` out, by what it knows of those in its seats.
    func isAllowed(_ host: SimHost, _ intent: Intent) -> Bool {
        guard plans != nil, people[host.person].isHonest else { return true }
        let (node, me) = (host.node, host.key)
        switch intent {
        case .swap(let take, let give, _, _, let override, let from, _):
            let legs = node.fold.exchange(
                take: take, give: give, me: me, from: from, override: override, node.trust
            )
            .flatMap { node.fold.legs($0, override: override, node.trust) }
            return (try? legs.get()).map { allows(host, $0) } ?? true
        case .propose(let moves, _, _, let override, _):
            let legs = node.fold.legs(moves, override: override, node.trust)
            return (try? legs.get()).map { allows(host, $0) } ?? true
        // Nobody looks for something else for two.
        case .counter: return plans?.households[host.person].count == 1
        default: return true
        }
    }

    // MARK: Where they sit

    /// A swap was made: nobody sits where they may not.
    func settle(_ host: SimHost, _ record: SwapRecord) {
        guard isClean(host),
            plans?.moved[host.person].insert(record.contract.id).inserted == true,
            let seats = plans?.households[host.person],
            let after = places(
                seats, after: record.contract.legs, of: host.key, host.node.fold)
        else { return }
        plans?.households[host.person] = after
        let isSure = plans?.unsure.contains(host.person) == false
        if !areHonest(record.contract.parties) { plans?.unsure.insert(host.person) }
        if record.note == "plan" { totals.seated += 1 }
        guard isSure, !host.isRestored, after != seats, !isRight(host.person, seats, after)
        else { return }
        fail("rules", "host \(host.number): \(seats.map(\.text)) to \(after.map(\.text))")
    }

    // MARK: What is found

    /// What holds of every proposal, by the logs and by docs/matching.md, not by the search.
    func judge(
        _ proposal: MatchProposal, _ matcher: Matcher, _ scene: MatchScene, _ host: SimHost
    ) {
        let node = host.node
        for fault in MatchFaults(scene).of(proposal) {
            fail("plan", "host \(host.number) finds \(proposal.text): \(fault)")
        }
        let (open, wishes) = (node.fold.openVotes, node.logs.wishes)
        for leg in proposal.legs {
            guard let token = node.fold.token(leg.token), !token.ended, token.slot == leg.slot,
                token.holder == leg.from
            else { return fail("plan", "host \(host.number) finds a seat that is stale") }
            let isBound =
                open.contains { $0.slot == leg.slot && $0.author == leg.from }
                || node.swaps.locks.contains { $0.slot == leg.slot }
                || node.swaps.records.contains { record in
                    record.stage.isPromised
                        && record.contract.legs.contains {
                            $0.from == host.key && $0.slot == leg.slot
                        }
                }
                || node.fold.contracts.contains { state in
                    state.certificate != nil && !state.applied && !state.dead && !state.beaten
                        && state.contract?.legs.contains { $0.slot == leg.slot } == true
                }
            if isBound {
                fail("plan", "host \(host.number) finds \(token.seat.text), which is bound")
            }
            if node.misdeed(of: leg.from) != nil {
                fail("plan", "host \(host.number) finds a seat of a known cheat")
            }
            let first = node.fold.foremost(on: token.seat, node.trust)
            if first.map(\.token) != [leg.token] {
                fail("plan", "host \(host.number) finds \(token.seat.text), which is disputed")
            }
        }
        for move in proposal.moves where move.isOwn {
            if move.holder != host.key, !host.companions.contains(move.holder) {
                fail("plan", "host \(host.number) takes \(move.from.text) for a companion's")
            }
        }
        for move in proposal.moves where !move.isOwn {
            let wish = wishes.first { $0.author == move.holder }?.wish
            let isBad = wish?.asks == .nothing || plans?.isWorse(wish, move, node.fold) ?? false
            if isBad { fail("plan", "host \(host.number): \(proposal.text) is not wished") }
            let held = node.fold.held(by: move.holder)
            guard let token = held.first(where: { $0.seat == move.from }),
                wish?.offered.contains(token.token) != true
            else { continue }
            if held.count > 1 {
                fail("plan", "host \(host.number) takes \(move.from.text) of whoever has more")
            }
            if token.producer != Producer(claim: token.token), wish?.asks != .anything {
                fail("plan", "host \(host.number) takes \(move.from.text), swapped for")
            }
        }
        guard let life = plans, !scene.people.contains(where: { $0.needs.isCaredFor }) else {
            return
        }
        let goes = Dictionary(proposal.moves.map { ($0.from, $0.to) }) { first, _ in first }
        let seats = scene.own.map { scene.people[$0].seat }
        let now = Sitting(seats.compactMap(life.cabin.place))
        let then = Sitting(seats.map { goes[$0] ?? $0 }.compactMap(life.cabin.place))
        if then < now { fail("plan", "host \(host.number): \(proposal.text) parts a party") }
    }

    /// Whoever has the same logs finds the same rings, whatever they know beside them.
    func compareRings() {
        guard let life = plans else { return }
        var seen: [(logs: Bytes32, common: MatchScene, host: Int)] = []
        for host in faithful where !host.node.isFoldStale {
            let logs = Frontier(host.node.logs, primitives: primitives).digest
            let known = KnownSeats(
                cabin: life.cabin, needs: household(host).map { life.needs(host.person, $0) } ?? [])
            let common = host.node.scenes(known).common
            guard let other = seen.first(where: { $0.logs == logs }) else {
                seen.append((logs, common, host.number))
                continue
            }
            let rings = [other.common, common].map { RingSearch($0).rings.map(\.legs) }
            if other.common != common || rings[0] != rings[1] {
                fail("rings", "hosts \(other.host), \(host.number): equal logs, other rings")
            }
        }
    }
}

extension SwapRecord {
    /// Whether the user said yes to something that is not decided yet.
    fileprivate var isPromise: Bool {
        switch stage {
        case .offered, .countered, .counterSent, .ready, .preparing, .prepared, .stranded,
            .asking, .agreed:
            true
        case .invited, .requested, .committed, .aborted, .declined, .withdrawn, .expired: false
        }
    }
}

extension PlanLife {
    /// Whether a seat is worse than another by these ranks, or is not like for like.
    func isWorse(_ ranks: [SeatSet], _ old: Seat, _ new: Seat) -> Bool {
        guard ranks.isEmpty else {
            let (from, to) = (
                ranks.firstIndex { $0.contains(old) } ?? ranks.count,
                ranks.firstIndex { $0.contains(new) } ?? ranks.count
            )
            return to == ranks.count || to > from
        }
        guard let old = cabin.place(of: old), let new = cabin.place(of: new) else { return true }
        return old.kind != .middle && old.kind != new.kind || new.section > old.section
    }

    /// The same for what a log says: ranks are for what is offered.
    func isWorse(_ wish: Wish?, _ move: MatchMove, _ fold: SeatFold) -> Bool {
        let token = fold.held(by: move.holder).first { $0.seat == move.from }?.token
        let isOffered = token.map { wish?.offered.contains($0) ?? false } ?? false
        return isWorse(isOffered ? wish?.ranks ?? [] : [], move.from, move.to)
    }
}

/// How a party without anybody in its care sits: docs/matching.md, "Together", written anew.
struct Sitting: Comparable {
    /// All where they hang together, else those with a companion at their side.
    let count: Int
    /// 4 for one block down to 0 for apart.
    let shape: Int

    init(_ places: [MatchCabin.Place]) {
        let rows = Set(places.map(\.row)).sorted()
        func hasSide(_ place: MatchCabin.Place) -> Bool { places.contains(where: place.touches) }
        var reached = Array(places.prefix(1))
        while true {
            let next = places.filter { place in
                !reached.contains(place) && reached.contains(where: place.isNear)
            }
            if next.isEmpty { break }
            reached += next
        }
        let isWhole = reached.count == places.count && places.count > 1
        switch rows.count {
        case 1 where isWhole: shape = Set(places.map(\.block)).count == 1 ? 4 : 3
        case 2 where isWhole && rows[1] - rows[0] == 1:
            shape = places.allSatisfy(hasSide) ? 2 : 1
        default: shape = 0
        }
        count = shape > 0 ? places.count : places.count(where: hasSide)
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.count, left.shape) < (right.count, right.shape)
    }
}
