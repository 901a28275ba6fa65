// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Text

/// When a passenger last was at the meeting point, as their card says.
package struct MeetingPresence: Codable, Hashable, Sendable {
    /// When it was made.
    package var at: Stamp
    /// Seconds since then.
    package var ago: Int
    /// Whether that is less than a quarter of an hour.
    package var online: Bool

    /// What a card says.
    package init(at: Stamp, ago: Int, online: Bool) {
        self.at = at
        self.ago = ago
        self.online = online
    }
}

/// The meeting point of the flight, as `status` tells of it.
package struct MeetingFacts: Codable, Hashable, Sendable {
    /// One of the brokers on which the flight lives.
    package struct Home: Codable, Hashable, Sendable {
        /// Its name.
        package var broker: String
        /// Its port.
        package var port: Int
        /// Whether a connection is there. The second one has a connection only while it is visited.
        package var up: Bool
        /// When it last said that it has the whole own log; `nil` while it lacks some of it.
        @OrNull package var stored: Stamp?

        /// A broker, and what it has.
        package init(broker: String, port: Int, up: Bool, stored: Stamp?) {
            self.broker = broker
            self.port = port
            self.up = up
            self.stored = stored
        }
    }

    /// Somebody whose clock is so far from this one that no tunnel leads to them.
    package struct Clock: Codable, Hashable, Sendable {
        /// Who.
        package var who: Person
        /// Seconds that theirs is ahead, less than none where it is behind; `nil` where nobody
        /// knows.
        @OrNull package var ahead: Int?

        /// Somebody, and how far their clock is ahead.
        package init(who: Person, ahead: Int?) {
            self.who = who
            self.ahead = ahead
        }
    }

    /// The configured name.
    package var name: String
    /// The brokers, the first home first; none while nobody knows them.
    package var homes: [Home]
    /// Entries of the own log that are left there.
    package var entries: Int
    /// Other passengers who have left their records.
    package var passengers: Int
    /// Those of them who were there within the last quarter of an hour.
    package var online: Int
    /// Passengers who are away, and for whom letters of the user lie there.
    package var letters: Int
    /// Passengers whose records are not taken, because so many others' are.
    package var turnedAway: Int
    /// Passengers of whom cards have shown more than comes, for over ten minutes: a broker may be
    /// holding something back.
    package var behind: Int
    /// Whether everybody's records have been read since the connection came about.
    package var read: Bool
    /// Whether the own records are left there; otherwise a card alone.
    package var mailbox: Bool
    /// When this agent goes there; `nil` once it did.
    @OrNull package var begins: Stamp?
    /// Whose clocks are too far from this one for a tunnel.
    package var clocks: [Clock]
    /// Since when no home is in reach; `nil` while one is.
    @OrNull package var unreachable: Stamp?
    /// Why.
    @OrNull package var trouble: String?

    /// A meeting point and who is there.
    package init(
        name: String, homes: [Home], entries: Int, passengers: Int, online: Int, letters: Int = 0,
        turnedAway: Int = 0, behind: Int = 0, read: Bool, mailbox: Bool = true,
        begins: Stamp? = nil,
        clocks: [Clock] = [], unreachable: Stamp?, trouble: String?
    ) {
        self.name = name
        self.homes = homes
        self.entries = entries
        self.passengers = passengers
        self.online = online
        self.letters = letters
        self.turnedAway = turnedAway
        self.behind = behind
        self.read = read
        self.mailbox = mailbox
        self.begins = begins
        self.clocks = clocks
        self.unreachable = unreachable
        self.trouble = trouble
    }
}
