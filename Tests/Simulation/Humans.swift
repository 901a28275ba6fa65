// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What people do: things they think of, and answers to what they are asked.
extension SimWorld {
    /// Somebody does something, again and again until the faults are over.
    func scheduleDeed() {
        let pause = Int.random(in: 0...2 * profile.pace, using: &human)
        agenda.note(
            .then { world in
                guard !world.isHealed, world.failure == nil else { return }
                world.deed()
                world.scheduleDeed()
            }, at: now + Int64(pause) * Self.millisecond)
    }

    func intend(_ host: SimHost, _ intent: Intent) {
        guard isAllowed(host, intent) else { return }
        tokens += 1
        mean(host, intent)
        feed(host, .intent(tokens, intent.knowing))
        meant(host, intent)
    }

    private func deed() {
        let total = HumanKind.allCases.reduce(0) { $0 + $1.weight }
        var lot = Int.random(in: 0..<total, using: &human)
        let index = Int.random(in: hosts.indices, using: &human)
        let pick = human.next()
        var kind = HumanKind.chat
        for candidate in HumanKind.allCases {
            lot -= candidate.weight
            if lot < 0 {
                kind = candidate
                break
            }
        }
        guard options.humans.contains(kind), deeds < options.deeds, hosts[index].isUp else {
            return
        }
        // Whoever swapped for their seat keeps it, so that nothing would be found.
        if plans != nil, kind == .swap || kind == .ring, pick % 4 > 0 { return }
        deeds += 1
        act(hosts[index], kind, SeededRandom(seed: pick))
    }

    private func act(_ host: SimHost, _ kind: HumanKind, _ chance: SeededRandom) {
        var random = chance
        let number = Int.random(in: 0..<1000, using: &random)
        switch kind {
        case .swap: ask(host, &random)
        case .ring: ring(host, &random)
        case .cancel:
            let open = host.node.swaps.records.filter { !$0.stage.isOver }
            guard let record = open.randomElement(using: &random) else { return }
            intend(host, number % 4 == 0 ? .replace(record.number) : .cancel(record.number))
        case .claim:
            guard plans == nil, let seat = Seat(row: 30 + number % 8, column: number % 6)
            else { return }
            intend(host, .claim(seat, dependant: number % 2 == 0))
        case .release:
            let mine = host.node.fold.held(by: host.key)
            guard plans == nil, mine.count > 1, let token = mine.last else { return }
            intend(host, .release(token.seat))
        case .rename: intend(host, .rename("n\(number)"))
        case .chat: intend(host, .say("line \(number)"))
        case .message:
            guard let other = hosts.randomElement(using: &random), other.person != host.person
            else { return }
            intend(host, .message(to: other.key, "psst \(number)"))
        case .wish: intend(host, wishDeed(number))
        case .layout:
            if people[host.person].isCheat { return equivocate(host, number) }
            intend(host, .suggestLayout(number % 5 == 0 ? [] : [UInt8(number % 3)]))
        case .leave:
            guard number % 4 == 0, !people[host.person].isCheat else { return }
            people[host.person].hasLeft = true
            intend(host, .leave(force: number % 8 == 0))
        case .party: intend(host, partyDeed(host, number))
        case .force, .accept, .decline, .counter, .plan: break
        }
    }

    private func ask(_ host: SimHost, _ random: inout SeededRandom) {
        let others = host.node.fold.tokens.filter { !$0.ended && $0.holder != host.key }
        guard let take = others.randomElement(using: &random)?.seat else { return }
        let give = host.node.fold.held(by: host.key).randomElement(using: &random)?.seat
        let expires = Int.random(in: profile.requests.one, using: &random)
        intend(
            host,
            .swap(
                take: take, give: give, note: "", expires: expires,
                override: random.next() % 4 == 0))
    }

    /// Three to five passengers in a ring, each seat to the next.
    private func ring(_ host: SimHost, _ random: inout SeededRandom) {
        let count = Int.random(in: 3...5, using: &random)
        let others = hosts.filter { $0.person != host.person }.shuffled(using: &random)
        let ring = [host] + others.prefix(count - 1)
        var moves: [SeatMove] = []
        for (index, giver) in ring.enumerated() {
            let held = host.node.fold.held(by: giver.key)
            guard let token = held.randomElement(using: &random) else { return }
            moves.append(SeatMove(seat: token.seat, to: ring[(index + 1) % ring.count].key))
        }
        let expires = profile.requests.ring
        intend(host, .propose(moves, note: "ring", expires: expires, override: false))
    }

    // MARK: Answers

    /// Somebody is asked, and answers in a while or never.
    func invite(_ host: SimHost, _ number: Int) {
        let delay = Int64.random(in: profile.answers, using: &human) * Self.millisecond
        let (lot, pick) = (human.next() % 100, human.next())
        let (index, process) = (host.number, host.process)
        agenda.note(
            .then { world in
                let host = world.hosts[index]
                guard host.isUp, host.process == process else { return }
                world.answer(host, number, lot, pick)
            }, at: now + delay)
    }

    private func answer(_ host: SimHost, _ number: Int, _ lot: UInt64, _ pick: UInt64) {
        let record = host.node.swaps.records.first { $0.number == number }
        guard let record, [.invited, .countered, .requested].contains(record.stage) else { return }
        guard wants(host, record, pick) else {
            if pick % 3 > 0 { intend(host, .decline(number, note: pick % 2 == 0 ? "no" : "")) }
            return
        }
        switch lot {
        case ..<(plans == nil ? 78 : 94) where options.humans.contains(.accept):
            let seen = record.stage == .countered ? record.counter?.id : record.contract.id
            intend(host, .accept(number, override: pick % 3 == 0, of: seen))
        case 78..<84 where options.humans.contains(.decline):
            intend(host, .decline(number, note: pick % 2 == 0 ? "no" : ""))
        case 84..<92 where options.humans.contains(.counter) && record.stage != .countered:
            let mine = host.node.fold.held(by: host.key)
            let give = mine.isEmpty ? nil : mine[Int(pick % UInt64(mine.count))].seat
            // Of several seats another than the one that is meant for them.
            let others = record.contract.legs.filter { $0.from != host.key }
            let isRing = record.contract.parties.count > 2
            let leg = isRing ? others[Int(pick / 64 % UInt64(others.count))] : nil
            let take = leg.flatMap { host.node.fold.token($0.token)?.seat }
            intend(host, .counter(number, give: isRing ? nil : give, take: take, note: ""))
        default: break
        }
    }

    /// A swap is final: soon they say that they sit, and every third not after all. Some of them
    /// say that they share a computer with another one of the swap.
    func sit(_ host: SimHost, _ contract: Contract) {
        guard options.humans.contains(.accept) else { return }
        let (index, process) = (host.number, host.process)
        agenda.note(
            .then { world in
                let host = world.hosts[index]
                guard host.isUp, host.process == process else { return }
                world.intend(host, .seated(contract.id, true))
                if index % 3 == 0 { world.intend(host, .seated(contract.id, false)) }
                guard index % 2 == 0 else { return }
                let other = contract.parties.first { $0 != host.key }
                let role: Hosting.Role = other.map { $0 < host.key } == true ? .guest : .host
                world.intend(host, .hosting(Hosting(role, other ?? host.key)))
            }, at: now + Self.second)
    }

    /// A swap is stranded: some people take a new claim for their seat.
    func despair(_ host: SimHost, _ number: Int) {
        guard options.humans.contains(.force), human.next() % 3 == 0 else { return }
        let (index, process) = (host.number, host.process)
        agenda.note(
            .then { world in
                let host = world.hosts[index]
                guard host.isUp, host.process == process else { return }
                world.intend(host, .force(number))
            }, at: now + Self.second)
    }

    /// The end of a flight: everybody says no to what they have not decided.
    func tidyUp(_ host: SimHost) {
        for record in host.node.swaps.records {
            switch record.stage {
            case .invited, .counterSent, .requested:
                intend(host, .decline(record.number, note: ""))
            case .offered, .countered, .ready, .asking, .agreed:
                intend(host, .cancel(record.number))
            case .preparing, .prepared, .stranded, .committed, .aborted, .declined, .withdrawn,
                .expired:
                break
            }
        }
    }
}
