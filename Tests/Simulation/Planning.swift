// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What a seed with plans has beside all others: a cabin with classes and exit rows, families,
/// parties that were made at home, and people who look for swaps.
struct PlanLife {
    /// Where seats are.
    let cabin: MatchCabin
    /// Whether each person may sit in an exit row, and wants to.
    let mayExit: [Bool]
    /// People of each party.
    let parties: [[Int]]
    /// Where the people of each person sit now: of two the second is a child.
    var households: [[Seat]]
    /// Swaps after which a household was moved, by person.
    var moved: [Set<ContractID>]
    /// Who had a swap with a cheat, who may have sold a seat twice: where they sit is not sure.
    var unsure: Set<Int> = []
    /// What is not drawn from the generators of other seeds.
    var random: SeededRandom

    /// The one of a seed.
    init(seed: UInt64, _ profile: Profile) {
        var random = Self.generator(seed)
        var aboard = SeatedCabin(["ABC DEF", "AB CD EF", "ABCD EF"][random.below(3)], rows: 5)
        if random.below(2) == 0 { aboard.row(2, isExit: true) }
        if random.below(3) == 0 { aboard.row(3, section: 1) }
        if random.below(2) == 0 { aboard.row(1, class: 1) }
        cabin = MatchCabin(aboard.rows)
        let count = profile.agents
        // Full from the nose on, but for a seat or two.
        var free = Array(cabin.places.prefix(count + count / 4 + 1))
        free.shuffle(using: &random)
        var households: [[Seat]] = []
        for person in 0..<count {
            guard let place = free.popLast() else { break }
            var seats = [place.seat]
            let isRoom = free.count >= count - person
            if isRoom, person + profile.cheats < count, random.below(4) == 0,
                let beside = free.firstIndex(where: place.reaches)
            {
                seats.append(free.remove(at: beside).seat)
            }
            households.append(seats)
        }
        self.households = households
        moved = Array(repeating: [], count: count)
        mayExit = (0..<count).map { _ in random.below(3) == 0 }
        let honest = count - profile.cheats
        let first = honest > 3 ? 2 + random.below(2) : 2
        parties = [Array(0..<min(first, honest))] + (honest > 6 ? [[first, first + 1]] : [])
        self.random = random
    }

    /// Chance that no seed without plans sees.
    static func generator(_ seed: UInt64) -> SeededRandom {
        SeededRandom(seed: seed &* 31 &+ 6)
    }

    /// What is right for whoever sits in `seats`, the household of `person`.
    func needs(_ person: Int, _ seats: [Seat]) -> [MatchFacts.Needs] {
        let isAlone = seats.count == 1
        var needs = [
            MatchFacts.Needs(
                seat: seats[0], needs: MatchNeeds(mayExit: isAlone && mayExit[person]))
        ]
        if !isAlone {
            let child = MatchNeeds(isChild: true, with: seats[0])
            needs.append(MatchFacts.Needs(seat: seats[1], needs: child))
        }
        return needs
    }
}

extension SeededRandom {
    /// 0 to `count` - 1.
    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}

/// People who look for swaps that bring them together, or serve their wishes.
extension SimWorld {
    /// Parties meet, wishes are said, and somebody looks, again and again.
    func beginPlans() {
        guard var life = plans else { return }
        for (number, party) in life.parties.enumerated() {
            let code = PartySecret(Array(repeating: UInt8(7 + number), count: PartySecret.count))
            guard let code else { continue }
            for person in party {
                plan(hosts[person], after: 2500 + life.random.below(4000)) { world, host in
                    world.intend(host, .party(.join(code, fromHome: true)))
                }
            }
        }
        for host in hosts where life.random.below(6) > 0 {
            let number = life.random.below(1000)
            plan(host, after: 2500 + life.random.below(3000)) { $0.wishWell($1, number) }
        }
        plans = life
        schedulePlan()
    }

    /// Does something with a host after so many milliseconds, if it is up then.
    func plan(
        _ host: SimHost, after milliseconds: Int,
        _ action: @escaping (SimWorld, SimHost) -> Void
    ) {
        let index = host.number
        agenda.note(
            .then { world in
                let host = world.hosts[index]
                guard host.isUp, !world.isHealed, world.failure == nil else { return }
                action(world, host)
            }, at: now + Int64(milliseconds) * Self.millisecond)
    }

    private func schedulePlan() {
        guard let pause = plans?.random.below(2 * profile.pace + 1) else { return }
        agenda.note(
            .then { world in
                guard !world.isHealed, world.failure == nil else { return }
                world.planSomething()
                world.schedulePlan()
            }, at: now + Int64(pause + 500) * Self.millisecond)
    }

    private func planSomething() {
        guard var life = plans, let host = hosts.randomElement(using: &life.random) else { return }
        let number = life.random.below(1000)
        plans = life
        guard host.isUp else { return }
        if people[host.person].isCheat { return lie(host) }
        if number % 10 == 0 { return wishWell(host, number / 10) }
        look(host, [Matcher.Aim.together, .wishes, .all][number % 3])
    }

    /// A wish that can come true. Whoever keeps it to themselves names columns that no cabin has
    /// with it: bytes that are found wherever they go.
    private func wishWell(_ host: SimHost, _ number: Int) {
        let columns = [0b100001, 0b001100, 0b111111, 0b000011][number % 4]
        let rows = [(1, 5), (1, 2), (2, 3), (1, 1)][number / 4 % 4]
        let isPrivate = number / 16 % 3 == 0
        let mark = isPrivate ? (host.person + 1) << 18 : 0
        let block = SeatSet.Block(columns: columns | mark, first: rows.0, last: rows.1)
        guard let set = SeatSet([block]) else { return }
        if isPrivate { people[host.person].hasSecret = true }
        let more = number % 2 == 0 ? [SeatSet.all] : []
        intend(
            host,
            .wish(
                WishChange(
                    offer: .all, ranks: [set] + (isPrivate ? [] : more),
                    asks: number % 3 == 0 ? .anything : nil,
                    note: isPrivate ? Self.hush : "", isPrivate: isPrivate)))
    }

    /// Words that go with a private wish, and with nothing else.
    private static let hush = "hush!"

    /// What leaves a host holds nothing of a wish that its user keeps to themselves: neither its
    /// words, nor its columns in the form that wishes have on the wire.
    func overhear(_ host: SimHost, _ bytes: [UInt8]) {
        guard plans != nil, people[host.person].hasSecret else { return }
        let (mark, words) = (UInt32(host.person + 1), Array(Self.hush.utf8))
        for start in bytes.indices.dropLast(4) {
            let rest = bytes[(start + 1)..<(start + 5)]
            // CBOR of a number of four bytes.
            let columns =
                bytes[start] == 0x1A ? rest.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } : 0
            let isColumns = columns >> 18 == mark && columns & 0x3FFC0 == 0 && columns & 0x3F != 0
            if isColumns || bytes[start] == words[0] && rest.elementsEqual(words.dropFirst()) {
                return fail("private", "host \(host.number) sends a wish that is private")
            }
        }
    }

    // MARK: Searches

    /// The scenes and what is found in them for `host`; `nil` where they do not know who sits in
    /// their seats.
    func search(_ host: SimHost, _ aim: Matcher.Aim) -> (scenes: MatchScenes, found: Matcher)? {
        guard let life = plans, let seats = household(host) else { return nil }
        let known = KnownSeats(cabin: life.cabin, needs: life.needs(host.person, seats))
        let scenes = host.node.scenes(known)
        let matcher = Matcher(
            common: scenes.common, own: scenes.own, aim: aim, proposer: host.key, steps: 20_000)
        return (scenes, matcher)
    }

    /// Somebody looks: the answer comes later, as that of a search beside the agent's loop does.
    private func look(_ host: SimHost, _ aim: Matcher.Aim) {
        guard let (scenes, matcher) = search(host, aim) else { return }
        totals.searches += 1
        note { "\(host.number) looks, \(aim): \(matcher.proposals.map(\.text))" }
        if isClean(host) {
            for proposal in matcher.proposals { judge(proposal, matcher, scenes.own, host) }
        }
        guard var life = plans else { return }
        let (delay, pick) = (life.random.below(6000), life.random.below(1000))
        plans = life
        let process = host.process
        plan(host, after: delay) { world, host in
            guard host.process == process else { return }
            world.found(host, matcher, pick)
        }
    }

    /// Proposes one of what was found, if it is still to be had.
    private func found(_ host: SimHost, _ matcher: Matcher, _ pick: Int) {
        let node = host.node
        let good = matcher.proposals.filter { proposal in
            let isRefused = node.swaps.records.contains { record in
                !record.role.isIncoming && record.stage == .declined
                    && record.contract.legs == proposal.legs
            }
            return proposal.gives(to: host.key) && !isRefused && allows(host, proposal.legs)
        }
        note { "\(host.number) may propose \(good.count) of \(matcher.proposals.count)" }
        guard !good.isEmpty else { return }
        let proposal = good[pick % 4 == 0 ? pick / 4 % good.count : 0]
        totals.planned += 1
        let expires = profile.requests.ring
        intend(
            host,
            .propose(
                moves(proposal.legs, node.fold), note: "plan", expires: expires, override: false))
    }

    /// The same in seats.
    func moves(_ legs: [Leg], _ fold: SeatFold) -> [SeatMove] {
        legs.compactMap { leg in
            fold.token(leg.token).map { SeatMove(seat: $0.seat, to: leg.to, from: leg.from) }
        }
    }
}
