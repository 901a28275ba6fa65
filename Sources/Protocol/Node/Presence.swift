// SPDX-License-Identifier: Apache-2.0
/// Who is aboard, and who is away (docs/protocol.md section 23).
///
/// Whoever is linked with nobody around us is gone in a full mesh. In a partial one they may be two
/// links off: there they are dialled once in a while, and are away if nobody answers.
struct Presence: Sendable {
    /// Somebody whose link was given up counts as aboard for this long.
    static let trust = Limits.hintTime
    /// How long somebody is dialled to see whether they are still there.
    static let patience = TimeSpan.seconds(20)
    /// The shortest time between two who are dialled for that.
    static let pace = TimeSpan.seconds(10)

    /// What changed.
    struct Changes: Hashable, Sendable {
        /// Who was away and is linked with a peer of ours, sorted.
        var back: [PeerKey] = []
        /// Who is away now, sorted.
        var left: [PeerKey] = []
    }

    /// Passengers already announced as aboard, sorted.
    private var present: [PeerKey] = []
    /// Since when those are out of reach who were aboard in this process.
    private(set) var awaySince: [PeerKey: UTCTime] = [:]
    /// When those of ``present`` were seen last whose link was given up.
    private var seen: [PeerKey: Instant] = [:]
    /// Who is dialled to see whether they are there, and since when.
    private var doubt: (key: PeerKey, since: Instant)?
    /// Who was doubted last, and since when: whoever comes after them is next.
    private var last: (key: PeerKey, since: Instant)?
    /// Who was dialled for that and answered: their link has done its work.
    private(set) var answered: PeerKey?

    /// Who is dialled to see whether they are there.
    var doubted: [PeerKey] { doubt.map { [$0.key] } ?? [] }

    /// A link with `peer` opened; tells whether they were not aboard before.
    mutating func cameAboard(_ peer: PeerKey) -> Bool {
        if doubt?.key == peer {
            doubt = nil
            answered = peer
        }
        return isBack(peer)
    }

    /// The link with `peer` ended because it was not needed, maybe before it was open: they were
    /// there at `now`.
    mutating func saw(_ peer: PeerKey, at now: Instant) {
        if answered == peer { answered = nil }
        if doubt?.key == peer { doubt = nil }
        if present.contains(peer) { seen[peer] = now }
    }

    /// Judges everybody: `isNear` tells who is linked with us or with a peer of ours, `mayAnswer`
    /// of whom a place is known that did not fail.
    mutating func take(
        _ shape: Overlay.Shape, at now: Moment, isNear: (PeerKey) -> Bool,
        mayAnswer: (PeerKey) -> Bool
    ) -> Changes {
        var changes = Changes()
        changes.back = awaySince.keys.filter(isNear).sorted()
        for key in changes.back { _ = isBack(key) }
        for key in inTurn {
            if isNear(key) {
                if doubt?.key == key { doubt = nil }
            } else if shape == .full || !isBelieved(key, mayAnswer, at: now.instant) {
                changes.left.append(key)
            }
        }
        changes.left.sort()
        present.removeAll(where: changes.left.contains)
        for key in changes.left {
            seen[key] = nil
            if doubt?.key == key { doubt = nil }
            if awaySince.count < Limits.authors { awaySince[key] = now.utc }
        }
        return changes
    }

    /// Those aboard, round from the one after whom was doubted last: everybody's turn comes.
    private var inTurn: [PeerKey] {
        guard let last else { return present }
        let place = present.partitionPoint { $0 <= last.key }
        return Array(present[place...] + present[..<place])
    }

    /// Whether somebody out of sight in a partial mesh counts as aboard; may begin to doubt it.
    private mutating func isBelieved(
        _ key: PeerKey, _ mayAnswer: (PeerKey) -> Bool, at now: Instant
    ) -> Bool {
        if let last = seen[key], now < last + Self.trust { return true }
        guard mayAnswer(key) else { return false }
        if let doubt, doubt.key == key { return now < doubt.since + Self.patience }
        guard doubt == nil, last.map({ $0.since + Self.pace <= now }) ?? true else { return true }
        doubt = (key, now)
        last = doubt
        answered = nil
        return true
    }

    private mutating func isBack(_ peer: PeerKey) -> Bool {
        seen[peer] = nil
        guard !present.contains(peer) else { return false }
        present = (present + [peer]).sorted()
        awaySince[peer] = nil
        return true
    }
}
