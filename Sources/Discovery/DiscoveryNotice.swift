// SPDX-License-Identifier: Apache-2.0
/// One peer as seen on the network.
package struct Sighting: Equatable, Sendable {
    /// The instance name of the peer.
    package let label: String
    /// All its addresses in the order in which to dial, at least one and at most
    /// `DiscoveryLimits.addressesPerLabel`.
    package let addresses: [ServiceAddress]

    /// A sighting with addresses in the order given.
    package init(label: String, addresses: [ServiceAddress]) {
        self.label = label
        self.addresses = addresses
    }
}

/// What discovery tells its owner.
package enum DiscoveryNotice: Equatable, Sendable {
    /// We are published under this label; again after every change of it.
    case registered(label: String)
    /// A peer was announced, announced again, or its addresses changed.
    case found(Sighting)
    /// A peer reported before is gone from all interfaces.
    case lost(label: String)
    /// Discovery does not work. Reported once; it is retried quietly.
    case trouble(DiscoveryTrouble)
    /// The trouble is over.
    case recovered
    /// Our own browse shows our own label, on the interface of this index. Told to probes only.
    case ownSeen(interface: UInt32)
    /// The host name with which we are announced, as others read it. Told to probes only.
    case ownHost(String)
}

/// Notices not yet taken. Of one label only the latest is kept, so that a stormy network cannot
/// make the queue longer than two notices per label.
struct NoticeQueue {
    private var notices: [DiscoveryNotice] = []

    mutating func append(_ notice: DiscoveryNotice) {
        switch notice {
        case .found(let sighting): removeFound(sighting.label)
        case .lost(let label):
            removeFound(label)
            notices.removeAll { $0 == notice }
        case .registered, .trouble, .recovered, .ownSeen, .ownHost: break
        }
        notices.append(notice)
    }

    mutating func takeAll() -> [DiscoveryNotice] {
        defer { notices.removeAll(keepingCapacity: true) }
        return notices
    }

    private mutating func removeFound(_ label: String) {
        notices.removeAll {
            if case .found(let sighting) = $0 { sighting.label == label } else { false }
        }
    }
}
