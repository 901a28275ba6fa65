// SPDX-License-Identifier: Apache-2.0
import Protocol

/// With whom tunnels are wanted, and who is welcome to ask for one (docs/meet.md section 8).
struct TunnelWants: Hashable {
    /// Passengers with whom a session is needed, and whom nothing else reaches.
    let needed: [PeerKey]
    /// Who gets none.
    let blocked: Set<PeerKey>
    /// Whom the user verified, and their party: some places are kept for them.
    let favoured: Set<PeerKey>
    /// With whom there is a session.
    let linked: Set<PeerKey>

    /// Those of a core.
    init(_ node: Node, at now: Moment) {
        needed = node.wantsTunnels(at: now)
        blocked = Set(node.blocked)
        linked = Set(node.links.map(\.peer))
        favoured = Set(node.verified.map(\.key) + (node.party(at: now)?.companions ?? []))
    }
}
