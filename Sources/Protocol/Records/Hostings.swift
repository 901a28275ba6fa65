// SPDX-License-Identifier: Apache-2.0
/// What one log says of hosts and guests.
struct Hostings: Hashable, Sendable {
    /// Whose agents run on the author's computer.
    private(set) var guests: Set<PeerKey> = []
    /// On whose computer the author's agent runs.
    private(set) var host: PeerKey?

    /// Nothing is said.
    init() {}

    /// The author says this next.
    mutating func take(_ said: Hosting) {
        switch said.role {
        case .host where said.holds: guests.insert(said.other)
        case .host: guests.remove(said.other)
        case .guest where said.holds: host = said.other
        case .guest: if host == said.other { host = nil }
        }
    }

    /// Whether it would change anything if the author said this next.
    func isNews(_ said: Hosting) -> Bool {
        var after = self
        after.take(said)
        return after != self
    }
}

extension LogSet {
    /// On whose computer the agent of `peer` runs: `nil` unless both say so. No rule of the fold
    /// reads it.
    package func host(of peer: PeerKey) -> PeerKey? {
        guard let host = log(of: peer)?.hostings.host, host != peer,
            log(of: host)?.hostings.guests.contains(peer) == true
        else { return nil }
        return host
    }
}
