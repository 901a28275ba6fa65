// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What an honest key has signed for good, written down beside the core: the
/// rules that a vote binds.
///
/// It knows nothing of folds. It survives crashes, as signatures do.
struct Ledger {
    /// Open yeses: which slot went to which contract.
    private var promised: [Slot: ContractID] = [:]
    /// Contracts with a yes, and with a no.
    private var yes: Set<ContractID> = []
    private var no: Set<ContractID> = []
    private var committed: Set<ContractID> = []
    private var ids: [EntryID] = []

    /// Whether this very entry was signed before.
    func holds(_ entry: Entry) -> Bool {
        entry.seq <= ids.count && ids[entry.seq - 1] == entry.id
    }

    /// Takes the next entry that is about to be durable; the rule it breaks, if any.
    mutating func take(_ entry: Entry, _ locks: [SlotLock], _ writes: [Write]) -> String? {
        if entry.seq <= ids.count {
            // Of an older copy of the disk: the same again, or a fork.
            return ids[entry.seq - 1] == entry.id ? nil : "I6 two entries at one place"
        }
        guard entry.seq == ids.count + 1 else { return "durable: a gap in the own log" }
        ids.append(entry.id)
        switch entry.body {
        case .vote(let vote): return take(vote, locks, writes)
        case .commit(let commit):
            committed.insert(commit.contract.id)
            guard yes.contains(commit.contract.id) else { return "S: a commit without a yes" }
        case .abandon(let contract, let no):
            guard no.author != entry.author else { return "S: left on a no of one's own" }
            promised = promised.filter { $0.value != contract }
        case .genesis, .profile, .claim, .retract, .chat, .wish, .sealed, .seated, .hosting,
            .unknown, .vouch,
            .ledger,
            .end:
            break
        }
        return nil
    }

    private mutating func take(
        _ vote: Vote, _ locks: [SlotLock], _ writes: [Write]
    ) -> String? {
        guard vote.yes else {
            no.insert(vote.contract)
            return yes.contains(vote.contract) ? "I6 a no after a yes" : nil
        }
        if no.contains(vote.contract) { return "I6 a yes after a no" }
        if yes.contains(vote.contract) { return "S: a second yes to one contract" }
        yes.insert(vote.contract)
        for slot in vote.slots {
            if promised[slot] != nil { return "S1 a second yes on a slot" }
            promised[slot] = vote.contract
            let isLocked = (locks + writes.newLocks).contains {
                $0.slot == slot && $0.contract == vote.contract
            }
            // A yes and its lock are one transaction; a last yes and its commit are, too.
            guard isLocked || writes.commits(vote.contract) else {
                return "durable: a yes without its lock"
            }
        }
        return nil
    }
}

extension [Write] {
    fileprivate var newLocks: [SlotLock] {
        compactMap { write in
            if case .lock(let lock) = write { lock } else { nil }
        }
    }

    fileprivate func commits(_ contract: ContractID) -> Bool {
        contains { write in
            if case .entry(let entry, _) = write, case .commit(let commit) = entry.body {
                commit.contract.id == contract
            } else {
                false
            }
        }
    }
}
