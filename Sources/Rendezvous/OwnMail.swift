// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What an agent has for passengers who are away: one lane each (docs/meet.md section 4).
struct OwnMail: Hashable, Sendable {
    /// All that is open for one of them.
    struct Lane: Hashable, Sendable {
        /// None: what was left before is cleared.
        var letters: [Letter]
        /// When this was put together.
        var made: UTCTime
        /// Goes up with each change.
        var version: Int
        /// When it is left: a tunnel may reach them first.
        var due: Instant
        /// Whether that time has come.
        var isRipe: Bool

        /// When the last of it is over.
        var until: UTCTime { letters.map(\.until).max() ?? made }
    }

    private(set) var lanes: [PeerKey: Lane] = [:]
    private var lastVersion = 0

    /// These are open now, and nothing else is.
    mutating func set(_ mail: [Mail], at now: Moment) {
        var open: [PeerKey: [Letter]] = [:]
        for one in mail where open.count < 2 * Limits.correspondents {
            open[one.peer] = one.letters
        }
        for (peer, letters) in open { set(letters, for: peer, at: now) }
        for peer in lanes.keys where open[peer] == nil { set([], for: peer, at: now) }
    }

    private mutating func set(_ letters: [Letter], for peer: PeerKey, at now: Moment) {
        let before = lanes[peer]
        guard before?.letters != letters else { return }
        // A younger one counts, also where the clock was set back; a clock that was far ahead, and
        // whose letters nobody takes, does not make the next ones as bad.
        var last = before?.made.seconds ?? 0
        if last > now.utc.seconds + MeetLimits.cardAhead { last = 0 }
        lastVersion += 1
        let settle = letters.isEmpty ? TimeSpan.zero : MeetLimits.letterSettle
        lanes[peer] = Lane(
            letters: letters, made: UTCTime(seconds: max(now.utc.seconds, last + 1)),
            version: lastVersion, due: now.instant + settle, isRipe: letters.isEmpty)
    }

    /// Notes what has waited long enough.
    mutating func ripen(at now: Instant) {
        for (peer, lane) in lanes where !lane.isRipe && lane.due <= now {
            lanes[peer]?.isRipe = true
        }
    }

    var nextDeadline: Instant? { lanes.values.filter { !$0.isRipe }.map(\.due).min() }

    /// Whether a home has all that waited long enough, for those whom letters reach.
    func isLaid(_ laid: LaidMail, _ isReached: (PeerKey) -> Bool) -> Bool {
        lanes.allSatisfy { peer, lane in
            !lane.isRipe || laid.stored[peer] == lane.version || !isReached(peer)
        }
    }

    /// The recipients, sorted.
    var recipients: [PeerKey] { lanes.keys.sorted() }
}

extension OwnMail.Lane {
    /// The list that is sealed, of what is not over: at most eight, as many as there is space for;
    /// `nil` for none.
    func list(at now: UTCTime) -> [MeetLetter]? {
        var list: [MeetLetter] = []
        var size = 1
        // A yes that waits for somebody first: it is why they come back.
        let sorted =
            letters.filter { $0.kind == Letter.standingKind }
            + letters.filter { $0.kind != Letter.standingKind }
        for letter in sorted where letter.until > max(now, made) {
            guard let kind = MeetLetter.Kind(rawValue: letter.kind) else { continue }
            let payload = letter.payload(made: made)
            size += payload.count + 6
            guard MeetLimits.letterBytes.contains(payload.count),
                size <= MeetLimits.lettersBytes, list.count < MeetLimits.letters
            else { break }
            list.append(MeetLetter(kind, payload))
        }
        return list.isEmpty ? nil : list
    }
}

/// What one home has of the own letters.
struct LaidMail: Hashable, Sendable {
    /// What was left in a lane on this connection.
    struct Lane: Hashable, Sendable {
        var version: Int
        var epoch: MeetEpoch
        /// When it was left.
        var at: Instant
    }

    /// Letters of one recipient that are under way.
    private struct Sent: Hashable {
        let peer: PeerKey
        let version: Int
    }

    private(set) var lanes: [PeerKey: Lane] = [:]
    private var waiting: [Int: Sent] = [:]
    /// The version that the broker said that it has, also on an earlier connection.
    private(set) var stored: [PeerKey: Int] = [:]

    /// Whether something that was left is not acknowledged.
    var isWaiting: Bool { !waiting.isEmpty }

    /// The connection is gone: what was left may not be there on the next one.
    mutating func forgetLink() {
        lanes = [:]
        waiting = [:]
    }

    mutating func lays(
        _ lane: OwnMail.Lane, for peer: PeerKey, in epoch: MeetEpoch, at now: Instant
    ) {
        lanes[peer] = Lane(version: lane.version, epoch: epoch, at: now)
    }

    mutating func sends(_ version: Int, to peer: PeerKey, as token: Int) {
        waiting[token] = Sent(peer: peer, version: version)
    }

    mutating func stored(_ token: Int) -> Bool {
        guard let sent = waiting.removeValue(forKey: token) else { return false }
        stored[sent.peer] = sent.version
        return true
    }

    /// It was refused: it is left again with the next renewal.
    mutating func refused(_ token: Int) { waiting[token] = nil }
}
