// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What liars do about wishes and plans: they wish for everything, propose less than they found,
/// copy tags, use codes that they overheard, change what was said yes to, and ask for yeses and
/// signatures that they have no use for.
extension SimWorld {
    /// Something of that.
    func lie(_ host: SimHost) {
        guard let number = plans?.random.below(1000) else { return }
        totals.lies += 1
        switch number % 12 {
        case 0, 1: wishForEverything(host, number)
        case 2, 3, 4: proposeWorse(host, number)
        case 5: copyTag(host, number)
        case 6: joinByEar(host)
        case 7, 8: probe(host, number)
        default: reviseWorse(host, number)
        }
    }

    /// In one set, or in sets made to be slow; sometimes while somebody waits for them.
    private func wishForEverything(_ host: SimHost, _ number: Int) {
        let blocks = (0..<16).map { SeatSet.Block(columns: 1 << $0, first: 1, last: 255) }
        let slow = SeatSet(blocks).map { Array(repeating: $0, count: 4) } ?? []
        let ranks = number % 20 < 10 ? [SeatSet.all] : slow
        note { "\(host.number) wishes for everything" }
        intend(
            host,
            .wish(
                WishChange(
                    offer: .all, ranks: ranks, asks: .anything, note: "", isPrivate: number % 3 == 0
                )))
    }

    /// What they found, turned the other way round: somebody gets what was meant for another.
    private func worse(_ legs: [Leg]) -> [Leg] {
        legs.map { leg in
            let giver = legs.first { $0.to == leg.from }?.from
            return Leg(
                token: leg.token, producer: leg.producer, from: leg.from,
                to: giver == leg.from ? leg.to : giver ?? leg.to)
        }
    }

    /// A ring of theirs through seats of others, whoever sits there and wherever that is: it leaves
    /// children alone, crosses classes, and asks those who want nothing.
    private func anyRing(_ host: SimHost) -> [Leg] {
        guard var life = plans else { return [] }
        let holders = hosts.map(\.key).filter { $0 != host.key }.shuffled(using: &life.random)
        let givers = [host.key] + holders.prefix(1 + life.random.below(3))
        let seats = givers.compactMap { key in
            host.node.fold.held(by: key).randomElement(using: &life.random)
        }
        plans = life
        return seats.indices.map { index in
            let (token, next) = (seats[index], seats[(index + 1) % seats.count])
            return Leg(
                token: token.token, producer: token.producer, from: token.holder, to: next.holder)
        }
    }

    private func proposeWorse(_ host: SimHost, _ number: Int) {
        var legs = anyRing(host)
        if number % 24 < 12, let (_, matcher) = search(host, .all),
            let proposal = matcher.proposals.last(where: { $0.gives(to: host.key) }),
            proposal.legs.count > 2
        {
            legs = worse(proposal.legs)
        }
        note { "\(host.number) proposes \(legs.count) moves that serve nobody" }
        let expires = profile.requests.ring
        intend(
            host,
            .propose(
                moves(legs, host.node.fold), note: "plan", expires: expires,
                override: number % 2 == 0))
    }

    /// Who would say yes? Whatever they asked for they take back, whoever said yes, and ask for
    /// something else; or they ask for a signature on what nobody has looked at yet.
    private func probe(_ host: SimHost, _ number: Int) {
        let open = host.node.swaps.records.filter { !$0.role.isIncoming && !$0.stage.isOver }
        for record in open { intend(host, .cancel(record.number)) }
        guard number % 24 < 12 else { return proposeWorse(host, number) }
        let legs = anyRing(host)
        guard var life = plans, legs.count > 2 else { return }
        let thread = ThreadID(random: &life.random)
        let contract = Contract(
            flight: flightKey.id, coordinator: host.key, nonce: ThreadID(random: &life.random),
            legs: legs, primitives: primitives)
        plans = life
        guard let contract else { return }
        note { "\(host.number) asks for signatures at once" }
        let proposal = Proposal(
            thread: thread, revision: 1, contract: contract.bytes, note: "plan", expires: 60)
        tell(host, Message.propose(proposal).encode(), percent: 100)
        demand(host, contract, in: thread, after: number % 5 * 1000)
    }

    /// PREPARE, whatever was said yes to.
    private func demand(
        _ host: SimHost, _ contract: Contract, in thread: ThreadID, after milliseconds: Int
    ) {
        plan(host, after: milliseconds) { world, host in
            let heads = contract.parties.map { host.node.logs.head(of: $0) }
            let prepare = Prepare(thread: thread, contract: contract.bytes, heads: heads)
            world.totals.plots += 1
            world.tell(host, Message.prepare(prepare).encode(), percent: 100)
        }
    }

    /// The tag of somebody else's wish stands in a wish of theirs.
    private func copyTag(_ host: SimHost, _ number: Int) {
        let wishes = host.node.logs.wishes.filter { $0.author != host.key }
        let log = host.node.logs.log(of: host.key)?.entries ?? []
        guard !wishes.isEmpty, host.disk.ownSeq == log.count else { return }
        let tag = wishes[number / 10 % wishes.count].wish.tag
        let wish = EntryBody.wish(Wish(offered: [], ranks: [], tag: tag))
        guard let entry = sign(host, wish, after: log.last) else { return }
        note { "\(host.number) copies a tag" }
        kill(host, power: false)
        host.disk.smuggle(entry)
        revive(host, after: Self.second)
    }

    /// Somebody said the code aloud.
    private func joinByEar(_ host: SimHost) {
        let code = PartySecret(Array(repeating: 7, count: PartySecret.count))
        guard let code else { return }
        let isIn = host.node.party(at: moment(host)) != nil
        intend(host, .party(isIn ? .leave : .join(code, fromHome: true)))
    }

    /// Behind what others said yes to comes another contract, and then they are told to sign it.
    private func reviseWorse(_ host: SimHost, _ number: Int) {
        let record = host.node.swaps.records.last { record in
            record.role == .coordinator && record.stage == .offered
        }
        guard let record, var life = plans else { return wishForEverything(host, number) }
        let contract = Contract(
            flight: flightKey.id, coordinator: host.key, nonce: ThreadID(random: &life.random),
            legs: worse(record.contract.legs), primitives: primitives)
        plans = life
        guard let contract else { return }
        note { "\(host.number) puts another contract behind \(record.number)" }
        let proposal = Proposal(
            thread: record.thread, revision: record.revision + 1, contract: contract.bytes,
            note: "plan", expires: 60)
        tell(host, Message.propose(proposal).encode(), percent: 100)
        demand(host, contract, in: record.thread, after: number % 2 == 0 ? 300 : 5000)
    }
}
