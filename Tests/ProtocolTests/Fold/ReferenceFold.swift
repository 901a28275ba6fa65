// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

/// The rules a second time, written from the text of docs/protocol.md section 13 line by line:
/// lists, loops within loops and recursion, no sorting for speed. Slow, and nothing of it is shared
/// with the real one.
struct ReferenceFold {
    struct Logged {
        let author: PeerKey
        let seq: Int
        let commit: Commit
    }

    let logs: [AuthorLog]
    var everything: [Entry] = []
    /// What steps 3 to 8 read: logs before the fork, and what anchors before a fork embed.
    var readable: [Entry] = []
    var commits: [Logged] = []
    var contracts: [Contract] = []
    /// k of all authors, and completing certificates: found once, since everything asks for them.
    var forks: [(author: PeerKey, seq: Int)] = []
    var completing: [Commit] = []

    static func fold(_ set: Known) -> SeatFold { ReferenceFold(set.logs).result() }

    init(_ logs: [AuthorLog]) {
        self.logs = logs
        everything = logs.flatMap(\.entries) + logs.flatMap(\.entries).flatMap(Self.inside)
        for author in everything.map(\.author) + logs.map(\.author) {
            if forks.contains(where: { $0.author == author }) { continue }
            forks.append((author, smallestFork(author)))
        }
        for log in logs {
            for entry in log.entries {
                if entry.seq < k(entry.author) { readable += [entry] + Self.inside(entry) }
                guard case .commit(let commit) = entry.body else { continue }
                commits.append(Logged(author: entry.author, seq: entry.seq, commit: commit))
                contracts.append(commit.contract)
            }
        }
        completing = commits.filter { logged in
            counts(logged) && logged.commit.votes.allSatisfy { settled($0, logged.commit) }
        }.map(\.commit)
    }

    static func inside(_ entry: Entry) -> [Entry] {
        if case .commit(let commit) = entry.body { return commit.votes + commit.claims }
        if case .abandon(_, let no) = entry.body, no.flight == entry.flight { return [no] }
        return []
    }

    // 1

    func k(_ author: PeerKey) -> Int { forks.first { $0.author == author }?.seq ?? Int.max }

    private func smallestFork(_ author: PeerKey) -> Int {
        var smallest = logs.first { $0.author == author }?.proof?.seq ?? Int.max
        let his = everything.filter { $0.author == author }
        for one in his where one.seq < smallest {
            if his.contains(where: { $0.seq == one.seq && $0.id != one.id }) { smallest = one.seq }
        }
        return smallest
    }

    // 2

    func counts(_ logged: Logged) -> Bool {
        logged.seq < k(logged.author) && logged.commit.contract.parties.contains(logged.author)
    }

    func claim(_ token: Token) -> Entry? {
        let own = logs.flatMap(\.entries).first {
            $0.id.token == token && $0.body.type == 2 && $0.seq < k($0.author)
        }
        return own
            ?? commits.filter(counts).flatMap(\.commit.claims).first { $0.id.token == token }
    }

    // 3

    func settled(_ vote: Entry, _ commit: Commit) -> Bool {
        if k(vote.author) <= vote.seq { return true }
        guard let log = logs.first(where: { $0.author == vote.author }) else { return false }
        let known = log.entries + commit.votes + commit.claims
        var next: Entry? = vote
        while let entry = next {
            if log.entries.contains(where: { $0.id == entry.id }) { return true }
            next = known.first {
                $0.id == entry.previous && $0.author == entry.author && $0.seq == entry.seq - 1
            }
        }
        return false
    }

    // 4

    func certificates(_ id: ContractID) -> [Commit] {
        completing.filter { $0.contract.id == id }
    }

    func complete(_ id: ContractID) -> Bool { !certificates(id).isEmpty }

    func y(_ id: ContractID, _ party: PeerKey) -> Int {
        certificates(id).flatMap(\.votes).filter { $0.author == party }.map(\.seq).min() ?? Int.max
    }

    // 5

    func effective(_ abandon: Entry, _ known: Contract?) -> ContractID? {
        guard case .abandon(let id, let no) = abandon.body, abandon.seq < k(abandon.author),
            no.flight == abandon.flight, no.author != abandon.author
        else { return nil }
        if let known {
            guard known.parties.contains(abandon.author), known.parties.contains(no.author)
            else { return nil }
        }
        var next: Entry? = no
        while let entry = next {
            if entry.vote?.contract == id, entry.vote?.yes == true { return nil }
            next = readable.first {
                $0.id == entry.previous && $0.author == no.author && $0.seq == entry.seq - 1
            }
        }
        return id
    }

    func contract(_ id: ContractID) -> Contract? { contracts.first { $0.id == id } }

    func abandons(of author: PeerKey?, _ id: ContractID) -> [Entry] {
        logs.filter { author == nil || $0.author == author }.flatMap(\.entries).filter {
            if case .abandon(id, _) = $0.body { effective($0, contract(id)) != nil } else { false }
        }
    }

    func dead(_ id: ContractID) -> Bool { contract(id) != nil && !abandons(of: nil, id).isEmpty }

    // 6

    func owner(_ slot: Slot) -> PeerKey? {
        if slot.producer.raw == slot.token.raw { return claim(slot.token)?.author }
        return contract(ContractID(slot.producer.raw))?.legs
            .first { $0.token == slot.token }?.to
    }

    func beats(_ a: Contract, _ b: Contract, _ slot: Slot, _ owner: PeerKey) -> Bool {
        let (ya, yb) = (y(a.id, owner), y(b.id, owner))
        if min(ya, yb) >= k(owner) { return true }
        guard (ya, a.id) < (yb, b.id) else { return false }
        return !abandons(of: owner, a.id).contains { ya < $0.seq && $0.seq < yb }
    }

    func beaten(_ id: ContractID) -> Bool {
        guard complete(id), let mine = contract(id) else { return false }
        for leg in mine.legs where owner(leg.slot) == leg.from {
            for other in contracts where other.id != id && complete(other.id) {
                let rival = other.legs.contains { $0.slot == leg.slot && $0.from == leg.from }
                if rival, beats(other, mine, leg.slot, leg.from) { return true }
            }
        }
        return false
    }

    // 7

    func applied(_ id: ContractID) -> Bool {
        guard complete(id), !dead(id), !beaten(id), let contract = contract(id) else {
            return false
        }
        return contract.legs.allSatisfy { leg in
            owner(leg.slot) == leg.from
                && (leg.producer.raw == leg.token.raw
                    || applied(ContractID(leg.producer.raw)))
        }
    }
}
