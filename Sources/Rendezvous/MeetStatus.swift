// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What people are told about the meeting point.
package struct MeetStatus: Hashable, Sendable {
    /// One broker of the two.
    package struct Home: Hashable, Sendable {
        /// Which.
        package var broker: MeetBroker
        /// Whether a connection is there.
        package var isUp: Bool
        /// When it last said that it has all of the own log; `nil` while it lacks some.
        package var storedAt: UTCTime?
    }

    /// Somebody whose clock is too far from this one for a tunnel (docs/meet.md section 8).
    package struct Clock: Hashable, Sendable {
        /// Who.
        package var peer: PeerKey
        /// Seconds that theirs is ahead, less than none where it is behind; `nil` where nobody
        /// knows.
        package var ahead: Int64?
    }

    /// The homes, the first one first; not those of before the pool changed.
    package var homes: [Home]
    /// Entries of the own log that can be left.
    package var entries: Int
    /// Passengers who left a card, without the own one.
    package var passengers: Int
    /// Those of them whose card is younger than 15 minutes.
    package var online: Int
    /// Passengers who are away, and for whom letters of this agent lie at a home.
    package var letters: Int
    /// Passengers whose records are not taken, because so many others' are: a flight has a limit,
    /// and keys cost little.
    package var turnedAway: Int
    /// Passengers of whom cards have shown more than comes, for over ten minutes.
    package var behind: Int
    /// Whether any broker is connected, an old home too.
    package var isReached: Bool
    /// Whether the boxes of all days were read at a home.
    package var hasRead: Bool
    /// Whose clocks are too far from this one for a tunnel.
    package var clocks: [Clock]
}

extension Meeting {
    /// What people are told now.
    package func status(at now: Moment) -> MeetStatus {
        MeetStatus(
            homes: homes.filter { !$0.isOld }.map {
                MeetStatus.Home(
                    broker: $0.broker, isUp: $0.isUp,
                    storedAt: $0.isStored(own) ? $0.storedAt : nil)
            },
            entries: own.parts.reduce(0) { $0 + $1.count },
            passengers: passengers.cards.count, online: passengers.online(at: now.utc),
            letters: mail.recipients.count(where: hasLeft),
            turnedAway: turnedAway,
            behind: witnesses.behind(at: now.instant, isFull: isFull),
            isReached: isReached,
            hasRead: homes.contains { $0.isUp && $0.reading.isOver },
            clocks: clocks(at: now.utc))
    }

    /// Whether the core lets nobody in any more whom only their records show (docs/protocol.md
    /// section 9).
    private var isFull: Bool { frontier.items.count >= Limits.authors - Limits.authorsKept }

    private var turnedAway: Int {
        guard isFull else { return 0 }
        return passengers.cards.count { $0.length > 0 && frontier.item(of: $0.author) == nil }
    }

    /// Of those who asked for a tunnel or were asked for one, and of those whose cards are from a
    /// time that has not come.
    private func clocks(at now: UTCTime) -> [MeetStatus.Clock] {
        let told = (tunnels?.clocks ?? []).compactMap { clock($0, at: now) }
        let early = passengers.early.sorted { $0.key < $1.key }.filter { peer, made in
            made.seconds - MeetLimits.cardAhead > now.seconds
                && !told.contains { $0.peer == peer }
        }
        return told
            + early.map { MeetStatus.Clock(peer: $0.key, ahead: $0.value.seconds - now.seconds) }
    }

    /// Whether any broker is connected, an old home too.
    package var isReached: Bool { homes.contains(where: \.isUp) }

    /// With what is known of it. A card cannot be from a time that its author's clock has not
    /// reached: it tells of one that is ahead, and of an OPEN that somebody says again.
    private func clock(_ told: MeetStatus.Clock, at now: UTCTime) -> MeetStatus.Clock? {
        guard let made = passengers.made(by: told.peer) else { return told }
        let ahead = made.seconds - now.seconds
        guard let said = told.ahead else {
            let isAhead = ahead > TunnelLimits.slack
            return MeetStatus.Clock(peer: told.peer, ahead: isAhead ? ahead : nil)
        }
        return ahead > said + TunnelLimits.slack ? nil : told
    }
}
