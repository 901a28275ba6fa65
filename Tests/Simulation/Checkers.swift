// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What all honest agents together have seen: a swap among honest passengers that was final for one
/// of them stays, everywhere.
struct Oracle {
    /// Contracts that somebody was told to move by, and by whom.
    var final: [ContractID: Contract] = [:]
    /// Which contract took a slot, as honest agents saw it first.
    var spent: [Slot: ContractID] = [:]
}

/// The checks after events and at intervals: rules of docs/protocol.md section 13.
extension SimWorld {
    /// Whether rules of honest keys are to hold for this host.
    func isClean(_ host: SimHost) -> Bool { people[host.person].isHonest }

    func person(_ key: PeerKey) -> Int? { people.firstIndex { $0.key == key } }

    /// Whether all of them are honest, as far as known.
    func areHonest(_ keys: [PeerKey]) -> Bool {
        keys.allSatisfy { key in person(key).map { people[$0].isHonest } ?? false }
    }

    /// After every event and its effects: what costs little.
    func check(_ host: SimHost) {
        guard failure == nil, host.isUp, host.gathered == nil, isClean(host) else { return }
        // Durable before anything else: the log in memory is the log on disk.
        if host.node.logs.seq(of: host.key) != host.disk.ownSeq {
            let seq = host.node.logs.seq(of: host.key)
            fail("durable", "host \(host.number): log \(seq), on disk \(host.disk.ownSeq)")
        }
        if host.node.swaps.locks.count != host.disk.stored.locks.count {
            fail("durable", "host \(host.number): locks in memory and on disk differ")
        }
        if totals.events % 16 == 0 { checkBounds(host) }
        if totals.events % 32 == 0, host.node.fold != host.seen { checkFold(host) }
    }

    /// I8: everything that grows has an end.
    private func checkBounds(_ host: SimHost) {
        let node = host.node
        if node.swaps.records.count > Limits.swaps + 1 { fail("I8", "negotiations") }
        if node.swaps.early > Limits.earlyRequests { fail("I8", "requests that wait") }
        if node.logs.logs.count > Limits.authors { fail("I8", "authors") }
        checkShares(host)
        for log in node.logs.logs
        where log.size > Limits.bytesPerAuthor || log.seq > Limits.entriesPerAuthor {
            fail("I8", "a log of \(log.seq) entries, \(log.size) bytes")
        }
    }

    /// I2 to I5 and I7 of the map here, and what became of applied swaps since the last look.
    private func checkFold(_ host: SimHost) {
        let fold = host.node.fold
        let before = host.seen
        host.seen = fold
        for violation in Invariants.violations(of: fold) {
            fail(violation.rule.rawValue, "host \(host.number)")
        }
        let blamed = host.node.misdeeds.map(\.author)
        for violation in Invariants.violations(from: before, to: fold, blamed: blamed) {
            fail(violation.rule.rawValue, "host \(host.number), between two folds")
        }
        for state in before.contracts where state.applied {
            guard fold.contract(state.id)?.applied != true else { continue }
            totals.rollbacks += 1
        }
        checkSlots(fold, host)
    }

    /// S1: of one slot at most one contract applies; among honest passengers it does so everywhere.
    private func checkSlots(_ fold: SeatFold, _ host: SimHost) {
        for state in fold.contracts where state.applied {
            guard let contract = state.contract else {
                fail("I3", "host \(host.number): applied and unknown")
                continue
            }
            let isHonest = areHonest(cone(contract, fold))
            for leg in contract.legs {
                let vote = state.votes.contains { entry in
                    entry.author == leg.from && entry.vote?.yes == true
                        && entry.vote?.slots.contains(leg.slot) == true
                }
                if !vote { fail("I4", "host \(host.number): a leg without its giver's yes") }
                guard isHonest else { continue }
                if let other = oracle.spent[leg.slot], other != state.id,
                    oracle.final[other].map({ areHonest($0.parties) }) != false
                {
                    fail("S1", "one slot to \(other.hex.prefix(6)) and \(state.id.hex.prefix(6))")
                }
                oracle.spent[leg.slot] = state.id
            }
        }
    }

    /// The parties of a contract and of all before it.
    func cone(_ contract: Contract, _ fold: SeatFold) -> [PeerKey] {
        contract.parties + fold.ancestors(of: contract).flatMap { $0.contract?.parties ?? [] }
    }

    /// What people are told: an honest key blamed, a broken rule, a swap that got further.
    func heed(_ host: SimHost, _ notices: [Notice]) {
        for notice in notices {
            switch notice {
            case .trouble(let trouble): heed(host, trouble)
            case .swap(let swap): heed(host, swap)
            case .party(let party): heed(host, party)
            case .aboard, .left, .renamed, .chat, .message, .offer, .map, .verification,
                .unverified, .caughtUp, .layouts, .attendance, .venue, .book, .desk, .ask,
                .asks, .form, .counter:
                break
            }
        }
    }

    private func heed(_ host: SimHost, _ trouble: Trouble) {
        switch trouble {
        case .fork(let proof): blame(proof.author, "fork at \(proof.seq)", host)
        case .misdeed(let misdeed): blame(misdeed.author, "\(misdeed.kind)", host)
        case .violation(let violation):
            guard isClean(host) else { return }
            fail(violation.rule.rawValue, "host \(host.number) says so itself")
        case .divergence(let peer):
            guard isClean(host), areHonest([peer]) else { return }
            fail("I1", "host \(host.number) and \(peer.shortTag): equal logs, other maps")
        case .keyRunsTwice, .ownFork:
            guard isClean(host) else { return }
            if host.isRestored { return taint(host.person) }
            fail("I6", "host \(host.number) says that its own key runs twice or forked")
        case .runsTwice(let key):
            guard areHonest([key]) else { return }
            fail("I6", "host \(host.number) says that \(key.shortTag) runs twice")
        case .otherVersion, .otherFlight, .aliasOnly, .operatorTwice, .wordsWait,
            .ledger:
            fail("session", "host \(host.number): \(trouble)")
        }
    }

    private func blame(_ key: PeerKey, _ what: String, _ host: SimHost) {
        guard let person = person(key) else { return }
        let owner = hosts.first { $0.person == person }
        if people[person].isHonest, owner?.isRestored == true { taint(person) }
        if people[person].isHonest {
            fail("I6", "host \(host.number) blames \(person): \(what)")
        } else if isClean(host) {
            totals.convicted += 1
        }
    }

    /// An old copy of a log goes on at a place that was written before. Nobody could
    /// know where nobody who knows is reached; but a peer on a calm connection, open
    /// for ten seconds, has told.
    func forkedByCopy(_ host: SimHost, _ seq: Int) {
        if host.isUnaware { return forkedUnaware(host, seq) }
        guard let heard = host.heardAt, heard <= now - 4900 * Self.millisecond else {
            return fail("copy", "host \(host.number) forks at \(seq) before it asked anybody")
        }
        let since = now - 10 * Self.second
        for number in host.wires {
            let wire = wires[number]
            let mine = wire.ends[0].host == host.number ? 0 : 1
            let other = hosts[wire.ends[1 - mine].host]
            guard isClean(other), other.isUp, wire.ends[0].isUp, wire.ends[1].isUp,
                wire.ends[mine].isProven, wire.ends[mine].provenAt < since,
                wire.blockedAt < since, wire.extra == 0, !wire.ways[mine].isSlow,
                other.node.logs.seq(of: host.key) >= seq
            else { continue }
            return fail("copy", "host \(host.number) forks at \(seq), \(other.number) knew more")
        }
        taint(host.person)
    }

    /// An old copy of a log went on where nobody knew better: its owner may be blamed from now on.
    func taint(_ person: Int) {
        people[person].isTainted = true
        totals.unlucky += 1
    }

    private func heed(_ host: SimHost, _ notice: SwapNotice) {
        let record = notice.record
        let isFirst = record.role.coordinates
        switch notice.what {
        case .requested:
            totals.asked += 1
            invite(host, record.number)
        case .countered: invite(host, record.number)
        case .committed:
            settle(host, record)
            totals.committed += isFirst ? 1 : 0
            if day != nil, isFirst { countOfDay(host) }
            if let said = host.yeses[record.number], said + 120 * Self.second < now {
                totals.stood += 1
            }
        case .aborted:
            totals.aborted += isFirst ? 1 : 0
        case .declined, .withdrawn: totals.declined += isFirst ? 1 : 0
        case .expired, .lapsed: totals.expired += isFirst ? 1 : 0
        case .stranded:
            totals.stranded += 1
            despair(host, record.number)
        case .final:
            sit(host, record.contract)
            guard isClean(host) else { return }
            // What comes behind it in the same event may show a cheat and undo
            // it: they are blamed for that.
            guard areHonest(cone(record.contract, host.node.fold)) else { return }
            oracle.final[record.contract.id] = record.contract
            if host.node.fold.contract(record.contract.id)?.applied != true {
                fail("final", "host \(host.number): final and not applied")
            }
        case .binding: people[host.person].isCheat ? vanish(host) : snatch(host, record.contract)
        case .ready:
            if record.stage == .ready { host.yeses[record.number] = now }
            snatch(host, record.contract)
        }
    }

    /// What somebody consented to is ended by a claim of more evidence only, or by a second one
    /// of whoever gives the seat. Looked at where it is decided: what is told waits for the disk.
    func expectOutweighed(_ host: SimHost, _ effects: Effects) {
        for case .swap(let notice) in effects.notices {
            guard case .aborted(.check(.disputed(let token))) = notice.what,
                let given = host.node.fold.token(token),
                // What outweighed it may have gone behind it in the same event.
                !takeWeight(effects.writes, on: given.seat, host.node.fold)
            else { continue }
            let claims = host.node.fold.claims(on: given.seat, host.node.trust)
            let isTwice = claims.contains { $0.token != token && $0.holder == given.holder }
            let foremost = host.node.fold.foremost(on: given.seat, host.node.trust)
            guard foremost.contains(where: { $0.token == token }), !isTwice else { continue }
            fail("consent", "host \(host.number): ended by a claim that weighs no more")
        }
    }

    /// Whether a claim on the seat may end by one of the writes, or weigh less. A proof of a fork
    /// also takes what its author wrote behind it out of the fold.
    private func takeWeight(_ writes: [Write], on seat: Seat, _ fold: SeatFold) -> Bool {
        writes.contains { write in
            switch write {
            case .forkProof: return true
            case .entry(let entry, _):
                guard case .retract(let slot) = entry.body else { return false }
                return fold.token(slot.token)?.seat == seat
            default: return false
            }
        }
    }
}
