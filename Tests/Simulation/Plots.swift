// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// Swaps that a cheat begins by frames of their own, beside their program, to betray whoever
/// agrees: the rows A1 to A7 of docs/protocol.md section 26.
extension SimWorld {
    /// One swap of a plot: what the cheat gives, and who is to lose.
    private struct Deal {
        let contract: Contract
        let victim: PeerKey
        let friend: SimHost?
    }

    /// One or two honest passengers are offered the same seat of theirs.
    func plot(_ host: SimHost) {
        let fold = host.node.fold
        let mine = fold.held(by: host.key)
        let others = honestSeats(fold, host)
        guard let given = mine.randomElement(using: &cheat) else { return }
        if cheat.next() % 3 == 0 { return pester(host, given, others) }
        let friends = hosts.filter { friend in
            friend.person != host.person && people[friend.person].isCheat && friend.isUp
        }
        let friend = cheat.next() % 3 > 0 ? friends.first : nil
        let manner = Int(cheat.next() % 8)
        for taken in others.shuffled(using: &cheat).prefix(manner < 4 ? 2 : 1) {
            guard let deal = deal(host, given, taken, friend) else { continue }
            guard deal.friend != nil else {
                grief(host, deal)
                continue
            }
            play(host, deal, manner)
        }
    }

    /// Of two whoever is asked coordinates: they let the other say yes, and
    /// are never heard of again.
    private func grief(_ host: SimHost, _ deal: Deal) {
        guard
            let contract = Contract(
                flight: flightKey.id, coordinator: deal.victim, nonce: ThreadID(random: &cheat),
                legs: deal.contract.legs, primitives: primitives)
        else { return }
        totals.plots += 1
        note { "\(host.number) asks \(deal.victim.shortTag) and will not vote" }
        let ask = Ask(
            thread: ThreadID(random: &cheat), contract: contract.bytes, note: "", expires: 60,
            head: host.node.logs.head(of: host.key))
        whisper(host, .ask(ask), to: deal.victim)
    }

    /// Somebody watches, and claims a seat between a consent and the vote.
    func snatch(_ host: SimHost, _ contract: Contract) {
        let liars = hosts.filter { people[$0.person].isCheat && $0.isUp }
        guard !isHealed, let liar = liars.randomElement(using: &cheat), cheat.next() % 3 == 0,
            let leg = contract.legs.randomElement(using: &cheat), leg.from != liar.key,
            let seat = host.node.fold.token(leg.token)?.seat
        else { return }
        let delay = Int64.random(in: 0...200, using: &cheat) * Self.millisecond
        agenda.note(
            .then { world in
                guard liar.isUp, !world.isHealed else { return }
                world.totals.plots += 1
                world.note { "\(liar.number) claims \(seat.text) before others vote" }
                world.intend(liar, .claim(seat, dependant: false))
            }, at: now + delay)
    }

    /// Request after request, of seats that do not exist and of real ones: nobody
    /// shall miss anything for it.
    func pester(_ host: SimHost) {
        let fold = host.node.fold
        guard let given = fold.held(by: host.key).first else { return }
        pester(host, given, honestSeats(fold, host))
    }

    private func honestSeats(_ fold: SeatFold, _ host: SimHost) -> [TokenState] {
        fold.tokens.filter { token in
            !token.ended && token.holder != host.key
                && person(token.holder).map { !people[$0].isCheat } ?? false
        }
    }

    private func pester(_ host: SimHost, _ given: TokenState, _ others: [TokenState]) {
        totals.plots += 1
        note { "\(host.number) asks everybody for everything" }
        for count in 0..<24 {
            let two = others.shuffled(using: &cheat).prefix(2)
            guard let taken = two.first, let third = two.last else { return }
            let isRing = third.holder != taken.holder
            let isMadeUp = cheat.next() % 2 == 0
            let token =
                isMadeUp ? Token(primitives.sha256(ThreadID(random: &cheat).bytes)) : given.token
            let producer = isMadeUp ? Producer(claim: token) : given.producer
            var legs = [Leg(token: token, producer: producer, from: host.key, to: taken.holder)]
            let next = isRing ? third.holder : host.key
            legs.append(
                Leg(token: taken.token, producer: taken.producer, from: taken.holder, to: next))
            if isRing {
                legs.append(
                    Leg(
                        token: third.token, producer: third.producer, from: third.holder,
                        to: host.key))
            }
            let contract = Contract(
                flight: flightKey.id, coordinator: isRing ? host.key : taken.holder,
                nonce: ThreadID(random: &cheat), legs: legs, primitives: primitives)
            guard let contract else { continue }
            let thread = ThreadID(random: &cheat)
            let message: Message =
                isRing
                ? .propose(
                    Proposal(
                        thread: thread, revision: 1, contract: contract.bytes, note: "",
                        expires: 60 + count))
                : .ask(
                    Ask(
                        thread: thread, contract: contract.bytes, note: "", expires: 60 + count,
                        head: host.node.logs.head(of: host.key)))
            whisper(host, message, to: taken.holder)
        }
    }

    private func deal(
        _ host: SimHost, _ given: TokenState, _ taken: TokenState, _ friend: SimHost?
    ) -> Deal? {
        var legs: [Leg] = []
        func leg(_ token: TokenState, to key: PeerKey) {
            legs.append(
                Leg(token: token.token, producer: token.producer, from: token.holder, to: key))
        }
        let third = friend.flatMap { host.node.fold.held(by: $0.key).first }
        leg(given, to: taken.holder)
        leg(taken, to: third?.holder ?? host.key)
        if let third { leg(third, to: host.key) }
        guard
            let contract = Contract(
                flight: flightKey.id, coordinator: host.key, nonce: ThreadID(random: &cheat),
                legs: legs, primitives: primitives)
        else { return nil }
        return Deal(
            contract: contract, victim: taken.holder, friend: third == nil ? nil : friend)
    }

    /// PROPOSE, then PREPARE, then what they came for.
    private func play(_ host: SimHost, _ deal: Deal, _ manner: Int) {
        let thread = ThreadID(random: &cheat)
        let proposal = Proposal(
            thread: thread, revision: 1, contract: deal.contract.bytes, note: "", expires: 60)
        whisper(host, .propose(proposal), to: deal.victim)
        let (index, process) = (host.number, host.process)
        func later(_ milliseconds: Int64, _ action: @escaping (SimWorld, SimHost) -> Void) {
            agenda.note(
                .then { world in
                    let host = world.hosts[index]
                    guard host.isUp, host.process == process, world.failure == nil else { return }
                    action(world, host)
                }, at: now + milliseconds * Self.millisecond)
        }
        later(6500) { world, host in
            let heads = deal.contract.parties.map { key in
                key == host.key
                    ? host.node.logs.head(of: key)
                    : LogHead(author: key, seq: 0, id: EntryID(.zero))
            }
            let prepare = Prepare(thread: thread, contract: deal.contract.bytes, heads: heads)
            world.whisper(host, .prepare(prepare), to: deal.victim)
        }
        later(8000) { world, host in world.conclude(host, deal, manner) }
    }

    private func conclude(_ host: SimHost, _ deal: Deal, _ manner: Int) {
        let state = host.node.fold.contract(deal.contract.id)
        let theirs = state?.votes.first { $0.author == deal.victim && $0.vote?.yes == true }
        guard let theirs else { return }
        totals.plots += 1
        note { "plot of \(host.number) against \(deal.victim.shortTag), manner \(manner)" }
        let pause = Int64.random(in: 2...25, using: &cheat) * Self.second
        switch manner {
        case 0, 1, 2, 3:
            // Twice on two branches, or twice in one log with a way out that is none.
            if manner > 1 { excuse(host) }
            let chain = manner > 1 ? host.hidden : []
            guard let commit = certificate(host, deal, theirs, behind: chain.last) else { return }
            if manner > 1, let yes = commit.votes.first(where: { $0.author == host.key }) {
                host.promise = deal.contract.id
                host.hidden.append(yes)
                send(host, host.hidden, percent: 100)
            }
            let message = Certificate(
                contract: commit.contract.bytes, votes: commit.votes.map(\.bytes),
                claims: commit.claims.map(\.bytes))
            whisper(host, .certificate(message), to: deal.victim)
        case 4, 5:
            // They are let go by a no on one branch; a friend completes by a yes on another.
            let no = EntryBody.vote(.no(deal.contract.id))
            guard let entry = sign(host, no, after: host.node.logs.log(of: host.key)?.entries.last)
            else { return }
            whisper(host, .vote(VoteMessage(entries: [entry.bytes])), to: deal.victim)
            agenda.note(.then { $0.complete(host, deal, theirs) }, at: now + pause)
        case 6: agenda.note(.then { $0.complete(host, deal, theirs) }, at: now + pause)
        default: break
        }
    }

    /// Leaves what they promised before on a no of their own, which frees nobody.
    private func excuse(_ host: SimHost) {
        guard let last = host.hidden.last, let promise = host.promise,
            let no = try? codec.sign(
                .vote(.no(promise)), flight: flightKey.id, seq: last.seq + 40,
                previous: last.id, by: host.signer),
            let entry = sign(host, .abandon(promise, no: no), after: last)
        else { return }
        host.hidden.append(entry)
    }

    /// The certificate, with a yes of their own and of a friend behind what their logs hold.
    private func certificate(
        _ host: SimHost, _ deal: Deal, _ theirs: Entry, behind hidden: Entry? = nil
    ) -> Commit? {
        let contract = deal.contract
        var votes = [theirs]
        for party in [host, deal.friend].compactMap(\.self) {
            let log = host.node.logs.log(of: party.key)?.entries ?? []
            let yes = EntryBody.vote(.yes(contract.id, slots: contract.slots(of: party.key)))
            let last = party.person == host.person ? hidden ?? log.last : log.last
            guard let entry = sign(party, yes, after: last) else { return nil }
            votes.append(entry)
        }
        let commit = Commit(
            contract: contract, votes: votes.sorted { $0.author < $1.author },
            claims: contract.claims(host.node.logs))
        return commit.isWellFormed ? commit : nil
    }

    /// The certificate comes into the log of one of the cheats, whose program starts again with it.
    private func complete(_ host: SimHost, _ deal: Deal, _ theirs: Entry) {
        guard !isHealed, failure == nil, let commit = certificate(host, deal, theirs) else {
            return
        }
        let author = deal.friend ?? host
        guard author.isUp, let yes = commit.votes.first(where: { $0.author == author.key }),
            author.disk.ownSeq == yes.seq - 1,
            let entry = sign(author, .commit(commit), after: yes)
        else { return }
        note { "\(author.number) completes \(deal.contract.id.hex.prefix(6)) late" }
        kill(author, power: false)
        author.disk.smuggle(yes)
        author.disk.smuggle(entry)
        revive(author, after: Self.second)
    }

    /// A frame to one passenger, if a session with them is open.
    private func whisper(_ host: SimHost, _ message: Message, to key: PeerKey) {
        for wire in host.wires.reversed() {
            let end = wires[wire].ends[0].host == host.number ? 0 : 1
            guard wires[wire].ends[end].isProven, wires[wire].ends[end].isUp,
                hosts[wires[wire].ends[1 - end].host].key == key
            else { continue }
            return push(wire, 1 - end, message.encode())
        }
        guard let (tunnel, _) = openTunnels(host).first(where: { $0.peer == key }) else { return }
        write(host, message.encode(), over: tunnel)
    }
}
