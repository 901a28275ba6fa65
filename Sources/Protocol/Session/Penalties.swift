// SPDX-License-Identifier: Apache-2.0
/// Keys and addresses that sent what no honest agent sends, and are refused for a while
/// (docs/protocol.md section 7).
///
/// Only the neighbour who sent it is refused, since signatures tell a relayer from an author. Many
/// agents can share an address, such as forty guests of one laptop: theirs is refused only if
/// nobody else had a session from there, or after faults of three keys. On loopback, where all
/// agents share the address, only the key is refused.
package struct Penalties: Hashable, Sendable {
    /// One fault.
    private struct Fault: Hashable, Sendable {
        var peer: PeerKey
        var host: String
        /// Whether the whole address rests for it.
        var withHost: Bool
        var until: Instant
    }

    /// Oldest first.
    private var faults: [Fault] = []

    /// Nobody rests.
    package init() {}

    /// `peer` at `host` broke the rules; `isAlone` unless another key has an open session from
    /// there.
    package mutating func add(_ peer: PeerKey, host: String, isAlone: Bool, at now: Instant) {
        faults.removeAll { $0.until <= now }
        let others = Set(faults.filter { $0.host == host && $0.peer != peer }.map(\.peer)).count
        let withHost = isAlone || others + 1 >= Limits.faultyKeysOfAnAddress
        // What makes the whole address rest does so to its end.
        faults.removeAll { $0.peer == peer && $0.host == host && (withHost || !$0.withHost) }
        if faults.count >= Limits.penalties { faults.removeFirst() }
        faults.append(
            Fault(peer: peer, host: host, withHost: withHost, until: now + Limits.penalty))
    }

    /// Whether a connection with `peer` at `host` is refused at `now`.
    package func bars(_ peer: PeerKey, host: String, at now: Instant) -> Bool {
        let isShared = host.hasPrefix("127.") || host == "::1" || host.isEmpty
        return faults.contains {
            $0.until > now && ($0.peer == peer || !isShared && $0.withHost && $0.host == host)
        }
    }
}
