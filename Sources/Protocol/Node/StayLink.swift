// SPDX-License-Identifier: Apache-2.0
/// What is said of stays on one link (``Stays``).
struct StayLink: Hashable, Sendable {
    let id: LinkID
    let peer: PeerKey
    /// Its session is open.
    var isOpen = false
    /// What the peer keeps, as they last told; empty before.
    var theirs: [Bytes32] = []
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

    /// Asks at `time`, or before if that is due anyway.
    mutating func ask(at time: Instant) { askAt = min(askAt ?? time, time) }

    var nextDeadline: Instant? {
        switch (askAt, tellAt) {
        case (let one?, let other?): min(one, other)
        case (let one, let other): one ?? other
        }
    }
}
