// SPDX-License-Identifier: Apache-2.0
/// Links of this agent that ended lately, so that peers who were told of them are told of that
/// (docs/protocol.md section 23).
package struct Partings: Sendable {
    /// The longest ago first; each passenger once.
    private var list: [(key: PeerKey, at: Instant)] = []
    /// Up to here some may be forgotten.
    private var forgotten: Instant?

    /// No link ended.
    package init() {}

    /// A link with `peer` ended.
    package mutating func note(_ peer: PeerKey, at now: Instant) {
        list.removeAll { $0.key == peer }
        while let first = list.first,
            list.count >= Limits.partings || first.at + Limits.hintTime <= now
        {
            forgotten = first.at
            list.removeFirst()
        }
        list.append((peer, now))
    }

    /// With whom links ended at `time` or later; `nil` if some of them may be forgotten.
    package func since(_ time: Instant) -> [PeerKey]? {
        if let forgotten, time <= forgotten { return nil }
        return list.filter { $0.at >= time }.map(\.key)
    }
}
