// SPDX-License-Identifier: Apache-2.0
/// What this user knows of people: whom they verified by voice (docs/protocol.md section 25), and
/// whom they blocked.
struct People: Sendable {
    private let me: PeerKey
    private var verification: Verification
    /// Passengers whom the user verified, sorted by key.
    private(set) var verified: [VerifiedPeer]
    /// Sorted.
    private(set) var blocked: [PeerKey]

    /// Goes on with what was stored; `secret` is for ``Verification`` alone.
    init(_ stored: Stored, me: PeerKey, flight: FlightID, secret: Bytes32, _ tools: any Primitives)
    {
        self.me = me
        verification = Verification(me: me, flight: flight, secret: secret, primitives: tools)
        verified = stored.verified.sorted { $0.key < $1.key }
        blocked = stored.blocked.sorted()
    }

    // MARK: Verification by voice

    /// Where the verification by voice stands.
    var state: Verification.State { verification.state }

    /// When the attempt runs out.
    var nextDeadline: Instant? { verification.nextDeadline }

    /// Passengers with whom a session is needed for a verification.
    var needs: [PeerKey] {
        verification.isWanted ? verification.peer.map { [$0] } ?? [] : []
    }

    /// Takes one event of a verification in.
    mutating func handle(_ event: Verification.Event, at now: Instant) -> Verification.Output {
        verification.handle(event, at: now)
    }

    /// The user wants to verify `peer`: why not, or how it begins.
    func begin(with peer: PeerKey, at now: Instant) -> Result<Beginning, Refusal> {
        guard !blocked.contains(peer) else { return .failure(.swap(.blocked(peer))) }
        guard !verification.rests(peer, at: now) else { return .failure(.verifyRests) }
        if let other = verification.peer, other != peer { return .failure(.verifyBusy(other)) }
        if case .asked = verification.state { return .success(.agreement) }
        return .success(.wish)
    }

    /// How a verification begins here.
    enum Beginning {
        /// The peer asked before: the user agrees.
        case agreement
        /// The user is the first to want it.
        case wish
    }

    /// Why the user's word on the codes, or their wish to stop, means nothing now.
    func refusal(to event: Verification.Event) -> Refusal? {
        if case .compared = event {
            guard case .comparing(_, _, false, _) = verification.state else {
                return .nothingToCompare
            }
        } else if verification.peer == nil {
            return .nothingToCompare
        }
        return nil
    }

    // MARK: Who is known

    /// Whether the user verified `peer`.
    func isVerified(_ peer: PeerKey) -> Bool { verified.contains { $0.key == peer } }

    /// The user verified somebody, perhaps anew.
    mutating func verify(_ known: VerifiedPeer) -> PartEffects {
        verified.removeAll { $0.key == known.key }
        verified.append(known)
        verified.sort { $0.key < $1.key }
        return PartEffects(writes: [.verified(known)], notices: [.map])
    }

    /// Forgets what was verified of passengers who are somebody else now.
    mutating func forget(where isOther: (VerifiedPeer) -> Bool) -> PartEffects {
        var effects = PartEffects()
        for known in verified where isOther(known) {
            verified.removeAll { $0.key == known.key }
            effects.writes.append(.unverified(known.key))
            effects.notices += [.unverified(known), .map]
        }
        return effects
    }

    /// Blocks a key, or no longer; `nil` where that is already so.
    mutating func block(_ peer: PeerKey, _ isBlocked: Bool) -> Refusal? {
        guard peer != me else { return .unknownPassenger }
        guard blocked.contains(peer) != isBlocked else { return .alreadySo }
        if isBlocked {
            blocked = (blocked + [peer]).sorted()
        } else {
            blocked.removeAll { $0 == peer }
        }
        return nil
    }

    /// What stands behind passengers for this user, whose party is `party`. A verified passenger's
    /// vouches count until they fork or are blocked, and never for themselves.
    func trust(_ party: [PeerKey], _ history: Timeline, isForked: (PeerKey) -> Bool) -> Trust {
        var named: [(key: PeerKey, seat: Seat, by: PeerKey)] = []
        for known in verified where !isForked(known.key) && !blocked.contains(known.key) {
            for (key, seats) in history.vouches(of: known.key) where key != known.key {
                named += seats.sortedOnce(by: <).map { (key, $0, known.key) }
            }
        }
        named.sort { ($0.key, $0.seat, $0.by) < ($1.key, $1.seat, $1.by) }
        var vouches: [Trust.Vouch] = []
        for one in named {
            let isSame = vouches.last.map { $0.key == one.key && $0.seat == one.seat } ?? false
            let count = isSame ? (vouches.popLast()?.count ?? 0) + 1 : 1
            vouches.append(Trust.Vouch(key: one.key, seat: one.seat, count: count))
        }
        return Trust(
            me: me, verified: verified.map(\.key), party: party, blocked: blocked,
            vouches: vouches)
    }
}

/// A passenger whom the user verified, as they were then: another name or
/// another claim makes it void.
public struct VerifiedPeer: Hashable, Sendable {
    /// Who.
    public var key: PeerKey
    /// The name at that time. Hostile text.
    public var name: String
    /// The seats of all claims made until then, sorted, as often as they were claimed. Rows of
    /// earlier programs have the seats held: for whoever had not swapped these are the same, and
    /// for others the verification is void and has to be made again.
    public var seats: [Seat]
    /// When.
    public var at: UTCTime

    /// A passenger who had this name and these seats when the user verified them.
    public init(key: PeerKey, name: String, seats: [Seat], at: UTCTime) {
        self.key = key
        self.name = name
        self.seats = seats
        self.at = at
    }
}

extension People {
    /// Whether a notice is the words of somebody who is blocked.
    func hides(_ notice: Notice) -> Bool {
        switch notice {
        case .chat(let item): blocked.contains(item.author)
        case .offer(let author, _), .renamed(let author, _, _): blocked.contains(author)
        case .aboard, .left, .message, .map, .swap, .trouble, .caughtUp, .verification,
            .unverified, .layouts, .party, .attendance, .venue, .book, .desk, .ask, .asks, .form,
            .counter:
            false
        }
    }

    /// The same for a line of the history.
    func hides(_ item: TimelineItem) -> Bool {
        switch item.what {
        case .chat, .offered, .renamed: blocked.contains(item.author)
        case .joined, .claimed, .retracted, .committed, .abandoned, .ended: false
        }
    }
}
