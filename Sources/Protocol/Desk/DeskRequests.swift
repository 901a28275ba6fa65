// SPDX-License-Identifier: Apache-2.0
/// An ask as the people at the desk see it (docs/protocol.md section 33).
public struct DeskRequest: Hashable, Sendable {
    /// Where it stands.
    public enum Standing: Hashable, Sendable {
        /// It came while the desk does not grant.
        case pending
        /// It waits in the queue for what is taken.
        case waiting
        /// It was refused, and may still be granted.
        case refused(DeskReason)
    }

    /// The ask.
    public let ask: DeskAsk
    /// Where it stands.
    public let standing: Standing
}

extension VenueDesk {
    /// Asks that the people at the desk may grant or refuse: those that came while the desk does
    /// not grant, then the queue in its order, then the last ones that were refused. O(n log n).
    package var requests: [DeskRequest] {
        let refused = asks.refused.filter { !ledger.records.settled.contains($0.ask.id) }
        return asks.pending.map { DeskRequest(ask: $0, standing: .pending) }
            + queue.all.compactMap(\.ask).map { DeskRequest(ask: $0, standing: .waiting) }
            + refused.suffix(Limits.asksRefused).map {
                DeskRequest(ask: $0.ask, standing: .refused($0.reason))
            }
    }
}
