// SPDX-License-Identifier: Apache-2.0
/// What the logs know of links: which are open, which have something to do.
extension Records {
    /// All links, in their order.
    var links: [LinkID] { lines.indices.map { lines[$0].id } }

    /// Open links but for `id`, in their order.
    func openLinks(beside id: LinkID) -> [LinkID] {
        var others: [LinkID] = []
        for place in lines.indices where lines[place].isOpen && lines[place].id != id {
            others.append(lines[place].id)
        }
        return others
    }

    /// Whether a peer has more than we and is asked for it, or will be.
    var isCatchingUp: Bool {
        lines.indices.contains { place in
            lines[place].isOpen
                && (lines[place].replication.isAsking
                    || lines[place].replication.lacks(moreThan: 0, logs))
        }
    }

    /// Whether a peer has so much more than we that logs and certificates have gaps.
    var isFarBehind: Bool {
        lines.indices.contains {
            lines[$0].isOpen && lines[$0].replication.lacks(moreThan: Limits.behind, logs)
        }
    }

    /// Whether a link is about to tell our map.
    func isRoundDue(at now: Instant) -> Bool {
        lines.indices.contains {
            lines[$0].isOpen && lines[$0].replication.isRoundDue(at: now)
        }
    }

    /// Open links with something to do by themselves, in their order.
    func due(at now: Instant) -> [LinkID] {
        var due: [LinkID] = []
        for place in lines.indices
        where lines[place].isOpen && lines[place].replication.isDue(at: now) {
            due.append(lines[place].id)
        }
        return due
    }
}
