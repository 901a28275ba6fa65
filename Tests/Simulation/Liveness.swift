// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// Comparisons of whole maps, and what must come true once all faults are over.
extension SimWorld {
    /// Hosts that are to agree in the end: honest, there, able to speak.
    var faithful: [SimHost] { hosts.filter { $0.isUp && isClean($0) } }

    /// I1 at intervals: of two agents with equal logs and a fold that is up to date the maps are
    /// equal, and a fold made anew of the same entries in another order is the same.
    func compare() {
        guard !isHealed, failure == nil else { return }
        compareMaps()
        compareRings()
        if let host = faithful.randomElement(using: &chance) { refold(host) }
        // A life that begins at home is long, and little happens in a second of it.
        let pause = max(5, Int64(meets?.profile.seconds ?? 0) / 20)
        agenda.note(.then { $0.compare() }, at: now + pause * Self.second)
    }

    private func compareMaps() {
        var seen: [(logs: Bytes32, map: Bytes32, host: Int)] = []
        for host in faithful where !host.node.isFoldStale {
            let logs = Frontier(host.node.logs, primitives: primitives).digest
            totals.comparisons += 1
            if let other = seen.first(where: { $0.logs == logs }) {
                if other.map != host.node.mapDigest {
                    fail("I1", "hosts \(other.host), \(host.number): equal logs, other maps")
                }
            } else {
                seen.append((logs, host.node.mapDigest, host.number))
            }
        }
    }

    /// A fold of the same entries and proofs, brought in by another order.
    func refold(_ host: SimHost) {
        guard !host.node.isFoldStale else { return }
        totals.folds += 1
        var other = LogSet()
        var rest = host.node.logs.logs.shuffled(using: &chance).map { $0.entries[...] }
        for proof in host.node.logs.proofs.shuffled(using: &chance) {
            _ = other.insert(proof: proof)
        }
        while !rest.isEmpty {
            let index = Int.random(in: rest.indices, using: &chance)
            let part = Int.random(in: 0...rest[index].count, using: &chance)
            for entry in rest[index].prefix(part) {
                let result = other.insert(entry.bytes, flight: flightKey.id, codec: codec)
                guard case .added = result else {
                    return fail(
                        "I1", "host \(host.number) holds what a newcomer refuses: \(result)")
                }
            }
            rest[index] = rest[index].dropFirst(part)
            if rest[index].isEmpty { rest.remove(at: index) }
        }
        let again = Fold.judge(host.node.logs)
        if again.fold != host.node.fold || again.misdeeds != host.node.misdeeds {
            note { difference(host.node.fold, again.fold) }
            fail("I1", "host \(host.number): the fold that went on is not that of all its logs")
        }
        let (fold, misdeeds) = Fold.judge(other)
        if fold.digest(primitives) != host.node.mapDigest || fold.tokens != host.node.fold.tokens {
            note { difference(host.node.fold, fold) }
            note {
                "same logs \(host.node.logs.logs == other.logs) "
                    + "proofs \(host.node.logs.proofs == other.proofs)"
            }
            fail("I1", "host \(host.number): another order gives another map")
        }
        if misdeeds.map(\.author) != host.node.misdeeds.map(\.author) {
            fail("I1", "host \(host.number): another order convicts others")
        }
        for violation in Invariants.violations(of: fold) {
            fail(violation.rule.rawValue, "host \(host.number), folded anew")
        }
    }

    /// What two folds say differently, for a trace.
    private func difference(_ one: SeatFold, _ other: SeatFold) -> String {
        var parts: [String] = []
        for token in one.tokens where other.token(token.token) != token {
            parts.append(
                "\(token.seat.text) of \(token.author.shortTag): \(token.holder.shortTag)"
                    + "\(token.ended ? " ended" : "") after \(token.lineage.count), or "
                    + (other.token(token.token).map {
                        "\($0.holder.shortTag)\($0.ended ? " ended" : "") after \($0.lineage.count)"
                    } ?? "none"))
        }
        for token in other.tokens where one.token(token.token) == nil {
            parts.append("\(token.seat.text) of \(token.author.shortTag) only anew")
        }
        for fork in one.forks + other.forks where !(one.forks + other.forks).isEmpty {
            parts.append("fork \(fork.author.shortTag)@\(fork.seq)")
        }
        return parts.joined(separator: "; ")
    }

    // MARK: The end

    /// Looks every second whether all is well; after too long it is not.
    func watch() {
        guard failure == nil else { return }
        let trouble = unrest()
        let waited = Int((now - healedAt) / Self.second)
        guard let trouble else {
            totals.slowestHeal = waited
            isDone = true
            return
        }
        if waited > patience { return fail("liveness", trouble) }
        let pause = meets != nil && waited > 60 ? 10 * Self.second : Self.second
        agenda.note(.then { $0.watch() }, at: now + pause)
    }

    /// Seconds in which everything is to settle: dials wait up to a minute, a yes
    /// without an outcome is called stranded after two, and asking for it doubles its
    /// pauses up to half a minute.
    /// What was damaged at a meeting point is written again within ten minutes, the second home is
    /// visited four times an hour, and the boxes of a new day are begun within its first hour.
    private var patience: Int { meets != nil ? 5400 : hosts.count > 60 ? 900 : 300 }

    /// The first thing that is not well yet.
    private func unrest() -> String? {
        let faithful = faithful
        guard let first = faithful.first else { return nil }
        for host in hosts where !host.isUp && !host.isGone && isClean(host) {
            return "host \(host.number) is down"
        }
        for host in faithful
        where !host.node.canAppend && !isWaitingForNews(host) && !isBehindLostEntries(host) {
            return "host \(host.number) may not write"
        }
        // Of whoever wrote more than is kept two agents may have more or
        // less, and so may their maps.
        let left = spendthrifts
        for host in faithful {
            if host.node.isFoldStale { return "host \(host.number) has not folded" }
            if left.isEmpty, host.node.mapDigest != first.node.mapDigest {
                return "maps of \(first.number) and \(host.number) differ"
            }
        }
        let logs = items(first, without: left)
        for host in faithful.dropFirst() where items(host, without: left) != logs {
            return "logs of \(first.number) and \(host.number) differ"
        }
        for host in faithful {
            if let open = open(host) { return open }
            if isAboard, host.node.layoutBook.marks != first.node.layoutBook.marks {
                return "layouts of \(first.number) and \(host.number) differ"
            }
        }
        return meetingUnrest() ?? partedParty()
    }

    /// A copy that was put back writes nothing until another agent told what it knows.
    private func isWaitingForNews(_ host: SimHost) -> Bool {
        if case .restored = host.node.appendGate.state { return faithful.count < 2 }
        return false
    }

    /// Entries of an old copy's owner went with the last disk that held them, but not a vote of
    /// theirs behind them, which others embedded: whatever they wrote would be a fork, so they
    /// write nothing (docs/protocol.md section 10). As soon as anybody who follows the rules has
    /// their next entry, they have to fetch it and to write.
    private func isBehindLostEntries(_ host: SimHost) -> Bool {
        guard host.isRestored, case .behind = host.node.appendGate.state else { return false }
        let seq = host.node.logs.seq(of: host.key)
        let isSigned = host.node.logs.logs.contains { log in
            log.entries.contains { entry in
                entry.embedded.contains { $0.author == host.key && $0.seq > seq }
            }
        }
        return isSigned
            && !hosts.contains {
                $0.isUp && !people[$0.person].isCheat && $0.node.logs.seq(of: host.key) > seq
            }
    }

    /// What is open at an honest host and should not be.
    private func open(_ host: SimHost) -> String? {
        for record in host.node.swaps.records where !record.stage.isOver {
            let isNamed = record.stage == .stranded || record.stage == .prepared && record.isStuck
            if isNamed, !isBound(record) { continue }
            return "host \(host.number), swap \(record.number) with "
                + "\(record.contract.parties.map(\.shortTag)) is \(record.stage)"
        }
        for message in host.node.messages
        where haveSessions && message.outgoing && message.state == .waiting {
            guard let person = person(message.peer), people[person].isHonest,
                hosts.contains(where: { $0.person == person && $0.isUp })
            else { continue }
            return "host \(host.number): a message to \(person) waits"
        }
        return nil
    }

    /// Whether all who can decide a swap are honest and there, so that it must be decided.
    private func isBound(_ record: SwapRecord) -> Bool {
        record.contract.parties.allSatisfy { key in
            hosts.contains { $0.key == key && $0.isUp && isClean($0) && !$0.isRestored }
        }
    }

    /// Everything that must hold at the end of a run that came to rest.
    func judge() {
        compareMaps()
        compareRings()
        for host in faithful {
            refold(host)
            judgeSwaps(host)
            judgeLocks(host)
            judgeMessages(host)
            if isAboard { judgeLayout(host, like: faithful[0]) }
        }
        // What two disks held can be lost with both; final promises that two agents know it.
        let lost = hosts.count { $0.isRestored || $0.isGone }
        for (id, contract) in oracle.final where areHonest(contract.parties) && lost < 2 {
            for host in faithful where host.node.fold.contract(id)?.applied != true {
                let people = cone(contract, host.node.fold)
                guard areHonest(people) else { continue }
                fail("I5", "host \(host.number): \(id.hex.prefix(6)) was final for somebody")
            }
        }
    }

    /// S2: what the fold says of a contract is what its parties were told.
    private func judgeSwaps(_ host: SimHost) {
        for record in host.node.swaps.records {
            let state = host.node.fold.contract(record.contract.id)
            let isComplete = state?.complete ?? false
            guard areHonest(record.contract.parties),
                !hosts.contains(where: { $0.isRestored && record.contract.parties.contains($0.key) }
                )
            else { continue }
            let text = "host \(host.number), swap \(record.number): \(record.stage)"
            switch record.stage {
            case .committed:
                if !isComplete { fail("S2", "\(text), and not complete") }
                if state?.applied != true, areHonest(cone(record.contract, host.node.fold)) {
                    fail("S2", "\(text), and not applied")
                }
            case .aborted, .declined, .withdrawn, .expired:
                if isComplete { fail("S2", "\(text), and complete") }
            case .offered, .countered, .invited, .counterSent, .ready, .preparing, .prepared,
                .stranded, .asking, .requested, .agreed:
                break
            }
        }
    }

    /// A message that its writer was told has arrived is on its reader's disk, once.
    private func judgeMessages(_ host: SimHost) {
        guard !host.isRestored else { return }
        for message in host.disk.stored.messages
        where message.outgoing && message.state == .acknowledged {
            let readers = hosts.filter { $0.key == message.peer && isClean($0) && !$0.isRestored }
            for reader in readers {
                let count = reader.disk.stored.messages.count {
                    $0.id == message.id && !$0.outgoing && $0.text == message.text
                }
                if count != 1 {
                    fail("message", "host \(host.number) to \(reader.number): \(count) times")
                }
            }
        }
    }

    /// What an honest agent's user suggests is on disk, and in the books of all who keep their
    /// place.
    private func judgeLayout(_ host: SimHost, like first: SimHost) {
        if host.node.layouts != first.node.layouts {
            fail("layout", "hosts \(first.number) and \(host.number) count otherwise")
        }
        if host.node.ownLayout != host.disk.stored.layout {
            fail("layout", "host \(host.number): another suggestion is on disk")
        }
        guard people[host.person].isHonest, let own = host.node.ownLayout else { return }
        for other in faithful where !other.node.layoutBook.suggestions.contains(own) {
            let isFull = other.node.layoutBook.suggestions.count == Limits.layoutAuthors
            if !isFull { fail("layout", "host \(other.number) lacks that of \(host.number)") }
        }
        totals.suggested += 1
    }

    /// A lock on disk stands for a yes that is open still.
    private func judgeLocks(_ host: SimHost) {
        guard !host.isRestored else { return }
        for lock in host.disk.stored.locks {
            let isOpen = host.node.swaps.records.contains {
                $0.contract.id == lock.contract && !$0.stage.isOver
            }
            if !isOpen { fail("lock", "host \(host.number): a seat is held for nothing") }
        }
    }
}
