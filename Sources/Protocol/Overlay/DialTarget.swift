// SPDX-License-Identifier: Apache-2.0
/// A connection to make.
public struct Dial: Hashable, Sendable {
    /// Number by which the outcome is told.
    public var number: Int
    /// Where to.
    public var address: PeerAddress
    /// The longest time until TLS is established; `nil` for the shell's default.
    public var patience: TimeSpan?
}

/// How many of the known agents are dialled (docs/protocol.md section 23).
package enum DialPlan: Hashable, Sendable {
    /// All of them: the full mesh.
    case everyone
    /// This many by chance, and in any case those who are needed now.
    case some(Int, needed: [PeerKey])
}

/// A place that the ``Dialer`` knows.
struct DialTarget: Sendable {
    /// The instance that mDNS saw; `nil` for other places.
    var label: String?
    /// The key that is said to be there, by a peer; `nil` for other places.
    var key: PeerKey?
    /// Who told of it; `nil` for what mDNS or the user told.
    var source: PeerKey?
    /// All that was told.
    var told: [PeerAddress]
    /// Those of them that may be dialled.
    var addresses: [PeerAddress]
    var nextAddress = 0
    var due: Instant?
    var wait: TimeSpan = Limits.backoff.lowerBound
    /// Number of the dial under way.
    var dial: Int?
    /// Who answered there last.
    var peer: PeerKey?
    /// A dial reached that peer, and it was not lost since: its session opens or is open.
    var isReached = false
    /// Tries without an answer since the last answer.
    var failures = 0
    /// It was dialled since its session was open last.
    var isTried = false
    /// The dial under way is not the first one.
    var isRetry = false

    /// A place as it was told; ``addresses`` are still to be judged.
    init(
        label: String? = nil, key: PeerKey? = nil, source: PeerKey? = nil, told: [PeerAddress],
        due: Instant, peer: PeerKey? = nil
    ) {
        self.label = label
        self.key = key
        self.source = source
        self.told = told
        addresses = []
        self.due = due
        self.peer = peer
    }

    /// The user typed it.
    var isTyped: Bool { label == nil && key == nil }

    /// Who is or should be there.
    var someone: PeerKey? { peer ?? key }

    /// Whether a peer told of it and each address failed twice: it is dialled no more.
    var isGivenUp: Bool { key != nil && failures >= Limits.hintFailures * addresses.count }

    /// Keeps the told addresses that may be dialled on `networks`. An address that the user
    /// typed may always be dialled.
    mutating func judge(on networks: OwnNetworks) {
        let isTyped = isTyped
        let isHint = key != nil
        let may = told.filter { address in
            isTyped || (isHint ? networks.admitsTold(address) : networks.admitsSighted(address))
        }
        guard may != addresses else { return }
        addresses = may
        nextAddress = 0
    }
}
