// SPDX-License-Identifier: Apache-2.0
import Protocol

/// With whom a tunnel is wanted, and when it is tried again: one OPEN a second in all, and for one
/// passenger after 2 s, 4 s ... 60 s (docs/meet.md section 8).
struct TunnelNeeds: Hashable, Sendable {
    private struct Need: Hashable {
        let peer: PeerKey
        var due: Instant
        var wait = TimeSpan.seconds(2)
        var tries = 0
    }

    private var needs: [Need] = []
    private var next: Instant = .zero
    private static let longest = TimeSpan.seconds(60)
    private static let pause = TimeSpan.seconds(1)

    /// These are needed. One that was needed before keeps its wait.
    mutating func set(_ keys: [PeerKey], at now: Instant) {
        needs.removeAll { !keys.contains($0.peer) }
        for key in keys where !needs.contains(where: { $0.peer == key }) {
            needs.append(Need(peer: key, due: now))
        }
    }

    /// Who is tried now; that counts as a try.
    mutating func due(at now: Instant, except: (PeerKey) -> Bool) -> PeerKey? {
        guard next <= now,
            let place = needs.firstIndex(where: { $0.due <= now && !except($0.peer) })
        else { return nil }
        needs[place].due = now + needs[place].wait
        needs[place].wait = min(needs[place].wait + needs[place].wait, Self.longest)
        needs[place].tries += 1
        next = now + Self.pause
        return needs[place].peer
    }

    /// How often somebody was tried: each try may go another way.
    func tries(_ peer: PeerKey) -> Int { needs.first { $0.peer == peer }?.tries ?? 0 }

    /// A tunnel to them stands: the next one is tried soon if this one ends early.
    mutating func reached(_ peer: PeerKey) {
        guard let place = needs.firstIndex(where: { $0.peer == peer }) else { return }
        needs[place].wait = .seconds(2)
    }

    func nextDeadline(except: (PeerKey) -> Bool) -> Instant? {
        needs.filter { !except($0.peer) }.map { max($0.due, next) }.min()
    }
}

/// Which OPENs of others are looked at: not too many, none twice, and none of another time
/// (docs/meet.md section 8).
struct OpeningGate: Hashable, Sendable {
    private struct Seen: Hashable {
        let id: TunnelID
        let from: PeerKey
        let came: Instant
        let until: Int64
    }

    private var bucket: TokenBucket
    private var seen: [Seen] = []
    /// Those that were answered, the newest one last. They have one answer: a second one would be
    /// sealed with the same key and nonce.
    private var answered: [TunnelID] = []

    init(at now: Instant) { bucket = TokenBucket(perSecond: 20, burst: 40, at: now) }

    /// Whether one more is decrypted.
    mutating func looks(at now: Instant) -> Bool {
        guard bucket.left(at: now) > 0 else { return false }
        _ = bucket.take(1, at: now)
        return true
    }

    /// What becomes of one that its opener made.
    enum Answer: Hashable {
        case taken
        /// It came before, or too soon after another one.
        case dropped
        /// The opener's clock is this many seconds ahead of this one's, or behind it: too many.
        case clock(Int64)
    }

    /// Whether one that its opener made is taken; it is not taken again.
    mutating func answer(_ opening: TunnelOpening, at now: Moment) -> Answer {
        let made = opening.made.seconds
        let clock = now.utc.seconds
        // No sum of what somebody else wrote: it may be the largest number.
        guard !answered.contains(opening.id) else { return .dropped }
        guard made >= clock - TunnelLimits.slack, made <= clock + TunnelLimits.slack else {
            remember(opening.id)
            return .clock(made.subtractingReportingOverflow(clock).partialValue)
        }
        seen.removeAll { $0.until < clock }
        let isTooSoon = seen.contains {
            $0.from == opening.from && now.instant < $0.came + .seconds(1)
        }
        guard seen.count < TunnelLimits.remembered, !isTooSoon,
            !seen.contains(where: { $0.id == opening.id })
        else { return .dropped }
        seen.append(
            Seen(
                id: opening.id, from: opening.from, came: now.instant,
                until: made + TunnelLimits.slack))
        remember(opening.id)
        return .taken
    }

    private mutating func remember(_ id: TunnelID) {
        if answered.count >= TunnelLimits.remembered { answered.removeFirst() }
        answered.append(id)
    }
}
