// SPDX-License-Identifier: Apache-2.0
/// What is said of stays on one link (``Stays``).
struct StayLink: Hashable, Sendable {
    let id: LinkID
    let peer: PeerKey
    /// Its session is open.
    var isOpen = false
    /// What the peer keeps, as they last told; empty before.
    var theirs: [Bytes32] = []
    /// Buckets in which they may have something newer, in the order in which they are asked.
    private var open: [Int] = []
    /// When they are told the digests.
    var tellAt: Instant?
    /// When they are asked for what is newer.
    var askAt: Instant?
    /// When they were asked last.
    var asked: Instant?
    /// When all answers to their lists are paid off: each costs one ``Limits/listPace``.
    private var paid: Instant?

    init(id: LinkID, peer: PeerKey) {
        self.id = id
        self.peer = peer
    }

    /// Whether another list may be answered; it is then paid for.
    mutating func answers(at now: Instant) -> Bool {
        let paid = max(paid ?? now, now)
        let most = Limits.listPace.nanoseconds * Int64(Limits.listBurst - 1)
        guard (paid - now).nanoseconds <= most else { return false }
        self.paid = paid + Limits.listPace
        return true
    }

    /// They may have something newer in these buckets.
    mutating func wonder(about buckets: some Sequence<Int>) {
        for bucket in buckets where !open.contains(bucket) { open.append(bucket) }
    }

    /// The buckets to ask about now: some of those in which `ours` are not what they keep. Where
    /// more are left, the next turn is due later.
    mutating func next(_ ours: [Bytes32], at now: Instant) -> [Int] {
        askAt = nil
        asked = now
        open.removeAll { !theirs.indices.contains($0) || theirs[$0] == ours[$0] }
        let next = Array(open.prefix(Limits.stayLists))
        open.removeFirst(next.count)
        if !open.isEmpty { ask(at: now + Limits.stayAgain) }
        return next
    }

    /// Asks at `time`, or before if that is due anyway.
    mutating func ask(at time: Instant) { askAt = min(askAt ?? time, time) }

    var nextDeadline: Instant? {
        switch (askAt, tellAt) {
        case (let one?, let other?): min(one, other)
        case (let one, let other): one ?? other
        }
    }
}
