// SPDX-License-Identifier: Apache-2.0
/// Two connections to one peer: which one stays (docs/protocol.md section 7).
///
/// Both sides decide alike, from what both know, so they never close both.
package struct ConnectionClaim: Hashable, Sendable {
    /// Who dialled.
    package var initiator: PeerKey
    /// Number of the connection at the peer's process, from their HELLO.
    package var connection: Int
    /// The peer's process.
    package var boot: UInt64

    /// A connection as the rule sees it.
    package init(initiator: PeerKey, connection: Int, boot: UInt64) {
        self.initiator = initiator
        self.connection = connection
        self.boot = boot
    }

    /// What to do about two connections.
    package enum Verdict: Hashable, Sendable {
        /// The older one stays.
        case keepOld
        /// The newer one stays.
        case keepNew
        /// Another process answers with the peer's key: the older link must show that it lives.
        case otherBoot
    }

    /// Judges a `newer` connection beside this one. Keep the one whose initiator has the smaller
    /// key; of one direction, the one that its initiator numbered higher.
    ///
    /// `own` and `ownNewer` are this side's numbers of the two connections: in connections that
    /// this side dialled, its own numbers count.
    package func verdict(
        newer: ConnectionClaim, me: PeerKey, own: Int, ownNewer: Int
    ) -> Verdict {
        guard boot == newer.boot else { return .otherBoot }
        if initiator != newer.initiator {
            return newer.initiator < initiator ? .keepNew : .keepOld
        }
        let old = initiator == me ? own : connection
        let new = initiator == me ? ownNewer : newer.connection
        return new > old ? .keepNew : .keepOld
    }
}
