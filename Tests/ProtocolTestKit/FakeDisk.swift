// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A disk: what one transaction writes is there as a whole or not at all.
package struct FakeDisk {
    /// What a start finds.
    package var stored = Stored()
    /// Transactions so far.
    package private(set) var commits = 0
    /// Writes fail until then.
    package var fullUntil: Int64 = -1
    /// Length of the own log on disk.
    package private(set) var ownSeq = 0
    private var swapPlaces: [ThreadID: Int] = [:]
    private var messagePlaces: [ThreadID: Int] = [:]
    /// Of each of the stored statements.
    private var statementIDs: [Bytes32] = []

    /// What a transaction broke: a rule of what may be durable.
    package enum Breach: Error {
        /// A second yes on a slot that is locked.
        case secondLock(Slot)
        /// An own entry that does not follow on the last one.
        case placeTwice(Int)
    }

    /// An empty disk.
    package init() {}

    /// The next transaction, durable when it returns.
    package mutating func commit(_ writes: [Write], of me: PeerKey) throws(Breach) {
        commits += 1
        for write in writes { try apply(write, me) }
    }

    private mutating func apply(_ write: Write, _ me: PeerKey) throws(Breach) {
        switch write {
        case .entry(let entry, let seen):
            if entry.author == me {
                guard entry.seq == ownSeq + 1 else { throw .placeTwice(entry.seq) }
                ownSeq = entry.seq
            }
            stored.entries.append(SeenEntry(entry: entry, seen: seen))
        case .forkProof(let proof):
            stored.proofs.removeAll { $0.author == proof.author }
            stored.proofs.append(proof)
        case .lock(let lock):
            guard !stored.locks.contains(where: { $0.slot == lock.slot }) else {
                throw .secondLock(lock.slot)
            }
            stored.locks.append(lock)
        case .unlock(let lock): stored.locks.removeAll { $0 == lock }
        case .swap(let record):
            if let place = swapPlaces[record.thread] {
                stored.swaps[place] = record
            } else {
                swapPlaces[record.thread] = stored.swaps.count
                stored.swaps.append(record)
            }
        case .forgotten(let record):
            stored.swaps.removeAll { $0.thread == record.thread }
            swapPlaces = [:]
            for (place, swap) in stored.swaps.enumerated() { swapPlaces[swap.thread] = place }
        case .message(let message):
            // One's own message to another and its arrival there never share a disk.
            if let place = messagePlaces[message.id] {
                stored.messages[place] = message
            } else {
                messagePlaces[message.id] = stored.messages.count
                stored.messages.append(message)
                guard !message.outgoing else { return }
                stored.received[message.peer, default: 0] += DirectMessage.cost(message.text)
            }
        case .verified(let known):
            stored.verified.removeAll { $0.key == known.key }
            stored.verified.append(known)
        case .unverified(let peer): stored.verified.removeAll { $0.key == peer }
        case .block(let peer, let blocked):
            stored.blocked.removeAll { $0 == peer }
            if blocked { stored.blocked.append(peer) }
        case .layout(let suggestion): stored.layout = suggestion
        case .wish(let wish): stored.wish = wish
        case .party(let state): stored.party = state
        case .stay(let statement): stored.stay = statement
        case .statement(let id, let statement):
            statementIDs.append(id)
            stored.statements.append(statement)
        case .forgetStatement(let id):
            guard let place = statementIDs.firstIndex(of: id) else { return }
            statementIDs.remove(at: place)
            stored.statements.remove(at: place)
        case .form(let form):
            if let place = stored.forms.firstIndex(where: { $0.key == form.key }) {
                stored.forms[place] = form
            } else {
                stored.forms.append(form)
            }
        case .forgetForm(let key): stored.forms.removeAll { $0.key == key }
        }
    }

    /// Puts an entry of the owner's in behind their program's back.
    package mutating func smuggle(_ entry: Entry) {
        stored.entries.append(SeenEntry(entry: entry, seen: UTCTime(seconds: 0)))
        ownSeq = max(ownSeq, entry.seq)
    }

    /// A start reads what is there: the own log goes as far as it has no gap. A test may have
    /// damaged it.
    package mutating func reopen(by me: PeerKey) {
        let places = Set(stored.entries.map(\.entry).filter { $0.author == me }.map(\.seq))
        ownSeq = 0
        while places.contains(ownSeq + 1) { ownSeq += 1 }
    }
}
