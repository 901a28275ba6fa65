// SPDX-License-Identifier: Apache-2.0
/// Keys and hosts that sent what no honest agent sends, and are refused for a while
/// (docs/protocol.md section 7).
///
/// Only the neighbour who sent it is refused, since signatures tell a relayer from an author. On
/// loopback all agents share the address, so only the key is refused there.
package struct Penalties: Hashable, Sendable {
    /// One rest.
    private struct Rest: Hashable, Sendable {
        var peer: PeerKey
        var host: String
        var until: Instant
    }

    /// Oldest first.
    private var rests: [Rest] = []

    /// Nobody rests.
    package init() {}

    /// `peer` at `host` broke the rules.
    package mutating func add(_ peer: PeerKey, host: String, at now: Instant) {
        rests.removeAll { $0.until <= now || ($0.peer == peer && $0.host == host) }
        if rests.count >= Limits.penalties { rests.removeFirst() }
        rests.append(Rest(peer: peer, host: host, until: now + Limits.penalty))
    }

    /// Whether a connection with `peer` at `host` is refused at `now`.
    package func bars(_ peer: PeerKey, host: String, at now: Instant) -> Bool {
        let isShared = host.hasPrefix("127.") || host == "::1" || host.isEmpty
        return rests.contains {
            $0.until > now && ($0.peer == peer || !isShared && $0.host == host)
        }
    }
}
