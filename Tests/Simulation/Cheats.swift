// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// Byzantine authors: real cores whose owners forge beside them. They sign with their own keys
/// only; what others signed they can keep, hold back, show late and show again.
extension SimWorld {
    func mischief(_ host: SimHost) {
        let log = host.node.logs.log(of: host.key)?.entries ?? []
        guard log.count >= 2 else { return }
        // Nobody trades with a known cheat, so cheats act as long as they are trusted.
        let isTrusted = host.node.misdeed(of: host.key) == nil
        if cheat.next() % 4 < (isTrusted ? 3 : 1) { return plot(host) }
        switch cheat.next() % 13 {
        case 0, 1: branch(host, log, [alternative(host)])
        case 2: branch(host, log, [alternative(host), alternative(host)])
        case 3, 4: vote(host, log)
        case 5: certify(host, log)
        case 6: abandon(host, log)
        case 7: resell(host)
        case 8: reveal(host)
        case 9: turnCoat(host, log)
        case 10: replay(host)
        case 11: mislead(host)
        default: oversize(host, log)
        }
        host.victims = hosts.filter { $0.number != host.number }
            .filter { _ in cheat.next() % 3 == 0 }.map(\.number)
    }

    /// A swap with the cheat has become binding: they take what others signed and are silent for
    /// a while, or never again.
    func vanish(_ host: SimHost) {
        guard !isHealed, cheat.next() % 4 == 0 else { return }
        let (index, isForGood) = (host.number, cheat.next() % 3 == 0)
        let delay = Int64.random(in: 0...400, using: &cheat) * Self.millisecond
        agenda.note(
            .then { world in
                let host = world.hosts[index]
                guard host.isUp, !world.isHealed else { return }
                world.totals.faults[FaultKind.byzantine.rawValue] += 1
                world.kill(host, power: true)
                host.isGone = isForGood
                if !isForGood { world.revive(host, after: 3 * world.downTime()) }
            }, at: now + delay)
    }

    // MARK: Entries

    func sign(
        _ host: SimHost, _ body: EntryBody, after last: Entry?
    ) -> Entry? {
        try? codec.sign(
            body, flight: flightKey.id, seq: (last?.seq ?? 0) + 1, previous: last?.id,
            by: host.signer)
    }

    /// Something that they did not say there.
    private func alternative(_ host: SimHost) -> EntryBody {
        let fold = host.node.fold
        let mine = fold.tokens.filter { $0.holder == host.key }
        switch cheat.next() % 5 {
        case 0:
            let seat = Seat(row: 1 + Int(cheat.next() % 4), column: Int(cheat.next() % 6))
            if let seat { return .claim(seat: seat, dependant: false) }
        case 1: if let token = mine.randomElement(using: &cheat) { return .retract(token.slot) }
        case 2, 3:
            if let body = ballot(host, yes: cheat.next() % 2 == 0) { return body }
        default: return stranger()
        }
        return .chat(text: "otherwise \(cheat.next() % 1000)", replyTo: nil)
    }

    /// What agents of today know, in part: types 16 to 31.
    private func stranger() -> EntryBody {
        let bytes = (0..<24).map { _ in UInt8(truncatingIfNeeded: cheat.next()) }
        switch cheat.next() % 3 {
        case 0: return .sealed(SealedTalk(nonce: bytes, sealed: bytes))
        case 1:
            let tag = ThreadID(high: cheat.next(), low: 0)
            return .wish(Wish(offered: [], ranks: [.all], asks: .nothing, tag: tag))
        default:
            let type = 18 + Int(cheat.next() % 14)
            return .unknown(type: type, body: [0x82, 0x42] + bytes.prefix(2) + [0x80])
        }
    }

    /// A vote on any contract of theirs.
    private func ballot(_ host: SimHost, yes: Bool) -> EntryBody? {
        let known = host.node.fold.contracts.compactMap(\.contract)
        let asked = host.node.swaps.records.map(\.contract)
        let mine = (known + asked).filter { $0.parties.contains(host.key) }
        guard let contract = mine.randomElement(using: &cheat) else { return nil }
        return .vote(
            yes ? .yes(contract.id, slots: contract.slots(of: host.key)) : .no(contract.id))
    }

    /// Goes on from an earlier place of their log: shown to some, or kept for later.
    private func branch(_ host: SimHost, _ log: [Entry], _ bodies: [EntryBody]) {
        // The end of the log is no fork yet, but becomes one when their program writes there.
        let from = cheat.next() % 3 == 0 ? log.count : 1 + Int(cheat.next() % UInt64(log.count))
        var last = log[from - 1]
        var made: [Entry] = []
        for body in bodies {
            guard let entry = sign(host, body, after: last) else { break }
            made.append(entry)
            last = entry
        }
        show(host, made)
    }

    /// A second vote on something, on another branch or behind their log.
    private func vote(_ host: SimHost, _ log: [Entry]) {
        guard let yes = ballot(host, yes: cheat.next() % 3 > 0) else { return }
        branch(host, log, [yes])
    }

    /// A certificate that they complete by a yes of their own, on a branch.
    private func certify(_ host: SimHost, _ log: [Entry]) {
        let open =
            host.node.fold.contracts.compactMap(\.contract)
            + host.node.swaps.records.map(\.contract)
        let mine = open.filter { $0.parties.contains(host.key) }
        guard let contract = mine.randomElement(using: &cheat) else { return }
        let from = 1 + Int(cheat.next() % UInt64(log.count))
        let vote = EntryBody.vote(.yes(contract.id, slots: contract.slots(of: host.key)))
        guard let yes = sign(host, vote, after: log[from - 1]) else { return }
        let node = host.node
        guard let commit = contract.certificate(node.fold, node.logs, own: yes),
            let entry = sign(host, .commit(commit), after: yes)
        else { return show(host, [yes]) }
        show(host, [yes, entry])
    }

    /// Leaves a contract on a no that they or a friend made far from any log.
    private func abandon(_ host: SimHost, _ log: [Entry]) {
        let node = host.node
        let mine = node.fold.contracts.compactMap(\.contract)
            .filter { $0.parties.contains(host.key) }
        guard let contract = mine.randomElement(using: &cheat) else { return }
        let friends = hosts.filter { people[$0.person].isCheat }
        guard let friend = friends.randomElement(using: &cheat) else { return }
        let known = node.fold.contract(contract.id)?.votes.first { $0.vote?.yes == false }
        let stray = try? codec.sign(
            .vote(.no(contract.id)), flight: flightKey.id, seq: log.count + 3,
            previous: log.last?.id, by: friend.signer)
        guard let no = known ?? stray else { return }
        branch(host, log, [.abandon(contract.id, no: no)])
    }

    // MARK: Showing

    /// Sends entries to some neighbours, at once or later, or to all.
    private func show(_ host: SimHost, _ entries: [Entry]) {
        guard !entries.isEmpty else { return }
        if cheat.next() % 3 == 0 {
            host.secrets.append(entries)
        } else {
            send(host, entries, percent: cheat.next() % 2 == 0 ? 100 : 40)
        }
    }

    private func reveal(_ host: SimHost) {
        guard !host.secrets.isEmpty else { return }
        send(host, host.secrets.removeFirst(), percent: 70)
    }

    func send(_ host: SimHost, _ entries: [Entry], percent: UInt64) {
        let own = host.node.logs.log(of: host.key)?.entries ?? []
        let first = entries.first?.seq ?? 1
        // With what stands before them, so that nobody finds a gap.
        let all = Array(own.prefix(first - 1).suffix(20)) + entries
        let batch = EntryBatch(kind: .push, entries: all.map(\.bytes))
        tell(host, Message.entries(batch).encode(), percent: percent)
        leave(host, own.prefix(first - 1) + entries)
        if cheat.next() % 2 == 0, let last = entries.last, last.vote != nil {
            tell(
                host, Message.vote(VoteMessage(entries: [last.bytes])).encode(), percent: percent)
        }
    }

    /// A frame to some of those with whom a session is open.
    func tell(_ host: SimHost, _ frame: [UInt8], percent: UInt64) {
        for wire in host.wires {
            let end = wires[wire].ends[0].host == host.number ? 0 : 1
            guard wires[wire].ends[end].isProven, wires[wire].ends[end].isUp,
                cheat.next() % 100 < percent
            else { continue }
            push(wire, 1 - end, frame)
        }
        for (tunnel, _) in openTunnels(host) where cheat.next() % 100 < percent {
            write(host, frame, over: tunnel)
        }
    }

    // MARK: Others

    /// An old tenure is offered again.
    /// Another suggestion of a cabin to each neighbour, all of one revision.
    func equivocate(_ host: SimHost, _ number: Int) {
        for choice in 0..<3 as Range<UInt8> {
            let suggestion = LayoutSuggestion(
                [choice], revision: 1 + number % 9, flight: flightKey.id, by: host.signer)
            tell(host, Message.layout(.suggestion(suggestion)).encode(), percent: 50)
        }
    }

    private func resell(_ host: SimHost) {
        let node = host.node
        let mine = node.logs.logs.flatMap(\.entries).compactMap { entry -> Slot? in
            guard entry.author == host.key, case .claim = entry.body else { return nil }
            return Slot(token: entry.id.token, producer: Producer(claim: entry.id.token))
        }
        let others = node.fold.tokens.filter { $0.holder != host.key && !$0.ended }
        guard let old = mine.randomElement(using: &cheat),
            let wanted = others.randomElement(using: &cheat),
            let contract = Contract(
                flight: flightKey.id, coordinator: host.key, nonce: ThreadID(random: &cheat),
                legs: [
                    Leg(
                        token: old.token, producer: old.producer, from: host.key,
                        to: wanted.holder),
                    Leg(
                        token: wanted.token, producer: wanted.producer, from: wanted.holder,
                        to: host.key),
                ], primitives: primitives)
        else { return }
        let thread = ThreadID(random: &cheat)
        let proposal = Proposal(
            thread: thread, revision: 1, contract: contract.bytes, note: "", expires: 60)
        tell(host, Message.propose(proposal).encode(), percent: 100)
        let prepare = Prepare(thread: thread, contract: contract.bytes, heads: [])
        agenda.note(
            .then { world in
                guard host.isUp, !world.isHealed else { return }
                world.tell(host, Message.prepare(prepare).encode(), percent: 100)
            }, at: now + 7 * Self.second)
        host.secrets.append(
            sign(
                host, .vote(.yes(contract.id, slots: [old])),
                after: node.logs.log(of: host.key)?
                    .entries.last
            ).map { [$0] } ?? [])
    }

    /// Their program starts again with a log to which something was added that it never decided.
    private func turnCoat(_ host: SimHost, _ log: [Entry]) {
        guard let body = ballot(host, yes: cheat.next() % 3 > 0),
            let entry = sign(host, body, after: log.last), host.disk.ownSeq == log.count
        else { return }
        kill(host, power: false)
        host.disk.smuggle(entry)
        revive(host, after: Self.second)
    }

    /// Frames that were meant for them, to somebody else.
    private func replay(_ host: SimHost) {
        for _ in 0..<4 {
            guard let frame = host.captured.randomElement(using: &cheat) else { return }
            tell(host, frame, percent: 60)
        }
    }

    /// Tells of made-up agents on the machine of whoever listens, on another
    /// network, and on this one.
    private func mislead(_ host: SimHost) {
        let places = [
            "localhost", "127.0.0.1", "::ffff:127.0.0.1", "0.0.0.0", "::1", "10.9.9.9",
            "224.0.0.251",
            "10.0.255.255", "10.0.77.\(1 + cheat.next() % 200)", host.address.host,
        ]
        let hints = places.map { place in
            PeerHint(
                key: PeerKey(Mixer(cheat.next()).digest),
                address: PeerAddress(host: place, port: 4000), isLinked: cheat.next() % 2 == 0)
        }
        let message: Message =
            cheat.next() % 3 == 0 ? .peerChange(hints) : .peerExchange(hints)
        tell(host, message.encode(), percent: 60)
        // Digests of logs that nobody has.
        let word = cheat.next()
        let lie = SummaryMessage(
            logs: Mixer(word).digest, map: .zero,
            buckets: (0..<UInt64(Limits.buckets)).map { word &* $0 })
        tell(host, Message.summary(lie).encode(), percent: 30)
    }

    /// More than is allowed: closed, and a rest of ten minutes.
    private func oversize(_ host: SimHost, _ log: [Entry]) {
        switch cheat.next() % 4 {
        case 0: tell(host, [0, 2, 0, 0, 8, 0], percent: 30)
        case 1: tell(host, [0, 0, 0, 3, 8, 0xFF, 0xFF], percent: 30)
        case 2:
            let batch = EntryBatch(kind: .push, entries: [Array(repeating: 7, count: 20_000)])
            tell(host, Message.entries(batch).encode(), percent: 30)
        default:
            var last = log.last
            var made: [Entry] = []
            for row in 0..<10 {
                guard let seat = Seat(row: 50 + row, column: 0),
                    let entry = sign(host, .claim(seat: seat, dependant: false), after: last)
                else { break }
                made.append(entry)
                last = entry
            }
            send(host, made, percent: 50)
        }
    }

    // MARK: On the wire

    /// What leaves a cheat's machine: votes, certificates and entries are
    /// withheld from their victims.
    func censored(_ bytes: [UInt8], from host: SimHost, to other: Int) -> [UInt8] {
        guard host.victims.contains(other) else { return bytes }
        var kept: [UInt8] = []
        for range in frameRanges(bytes) {
            switch FrameType(rawValue: bytes[range.lowerBound + 4]) {
            case .vote, .certificate, .entries, .status, .have, .layout, .layouts:
                if cheat.next() % 2 == 0 { continue }
            case .some, nil: break
            }
            kept += bytes[range]
        }
        return kept
    }

    /// Frames that an honest agent may get twice and must understand the second time as the first.
    private static let repeatable: [FrameType] = [
        .entries, .forkProof, .have, .propose, .ask, .ready, .decline, .withdraw, .prepare, .vote,
        .certificate, .query, .status, .directMessage, .directAck, .layout, .layouts,
    ]

    /// What came for a cheat and can be shown to others.
    func capture(_ bytes: [UInt8], by host: SimHost) {
        for range in frameRanges(bytes) {
            guard let type = FrameType(rawValue: bytes[range.lowerBound + 4]),
                Self.repeatable.contains(type)
            else { continue }
            host.captured.append(Array(bytes[range]))
            if host.captured.count > 48 { host.captured.removeFirst() }
        }
    }

    /// One whole frame of these bytes that may come twice.
    func repeatable(_ bytes: [UInt8]) -> [UInt8]? {
        for range in frameRanges(bytes) {
            guard let type = FrameType(rawValue: bytes[range.lowerBound + 4]),
                Self.repeatable.contains(type)
            else { continue }
            return Array(bytes[range])
        }
        return nil
    }
}
