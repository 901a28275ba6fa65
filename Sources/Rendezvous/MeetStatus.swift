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
            behind: witnesses.behind(at: now.instant),
            isReached: homes.contains(where: \.isUp),
            hasRead: homes.contains { $0.isUp && $0.reading.isOver },
            clocks: (tunnels?.clocks ?? []).compactMap { clock($0, at: now.utc) })
    }

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
