// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol
package import Text

/// A passenger, as the agent names them everywhere.
package struct Person: Codable, Hashable, Sendable {
    /// Public key, 64 hexadecimal digits: the identity.
    package var key: String
    /// `#` and the first four characters of the key in base32: decoration, no proof.
    package var tag: String
    /// The passenger's own words: may be empty, may be anything.
    package var name: String
    /// Seats held now.
    package var seats: [Seat]
    /// The evidence for where they sit; `nil` for a mere claim.
    package var evidence: Evidence?
    /// On whose computer their agent runs, as both say; `nil` for their own.
    package var host: HostPerson?
    /// Whether it is the user.
    @IfTrue package var me: Bool
    /// Whether they have not left, but their agent is out of reach.
    @IfTrue package var away: Bool
    /// Since when, if this agent has met theirs since it started.
    package var awaySince: Stamp?
    /// Whether nothing but the meeting point leads to them, where they are now.
    @IfTrue package var remote: Bool
    /// Whether another passenger has the same name.
    @IfTrue package var ambiguous: Bool
    /// Whether the name of another passenger looks the same.
    @IfTrue package var confusable: Bool
    /// Whether the name claims an office or frightens.
    @IfTrue package var alarming: Bool
    /// Whether the name reads as something else: a seat, a tag, `all`.
    @IfTrue package var reserved: Bool

    /// A passenger; flags are off unless they are given.
    package init(
        key: String, tag: String, name: String, seats: [Seat], evidence: Evidence? = nil,
        host: HostPerson? = nil, me: Bool = false, away: Bool = false, awaySince: Stamp? = nil,
        remote: Bool = false, ambiguous: Bool = false,
        confusable: Bool = false, alarming: Bool = false, reserved: Bool = false
    ) {
        self.key = key
        self.tag = tag
        self.name = name
        self.seats = seats
        self.evidence = evidence
        self.host = host
        self.me = me
        self.away = away
        self.awaySince = awaySince
        self.remote = remote
        self.ambiguous = ambiguous
        self.confusable = confusable
        self.alarming = alarming
        self.reserved = reserved
    }
}

/// On whose computer a passenger's agent runs.
package struct HostPerson: Codable, Hashable, Sendable {
    /// Public key, 64 hexadecimal digits.
    package var key: String
    /// The tag of the key.
    package var tag: String
    /// What that passenger says; may be empty, may be anything.
    package var name: String
    /// Whether it is the user.
    @IfTrue package var me: Bool
    /// Whether another passenger has the same name, or one that looks the same.
    @IfTrue package var ambiguous: Bool

    /// A host.
    package init(
        key: String, tag: String, name: String, me: Bool = false, ambiguous: Bool = false
    ) {
        self.key = key
        self.tag = tag
        self.name = name
        self.me = me
        self.ambiguous = ambiguous
    }
}

/// Who holds or claims a seat.
package struct Holder: Codable, Hashable, Sendable {
    /// Public key, 64 hexadecimal digits.
    package var key: String
    /// The tag of the key.
    package var tag: String
    /// What the passenger says.
    package var name: String
    /// Whether it is the user.
    @IfTrue package var me: Bool
    /// The evidence for the claim; `nil` for none.
    package var evidence: Evidence?

    /// A passenger by key and name, with what stands behind their claim.
    package init(
        key: String, tag: String, name: String, me: Bool = false, evidence: Evidence? = nil
    ) {
        self.key = key
        self.tag = tag
        self.name = name
        self.me = me
        self.evidence = evidence
    }

    /// The same as a passenger about whom nothing else is known.
    package var person: Person {
        Person(key: key, tag: tag, name: name, seats: [], evidence: evidence, me: me)
    }
}

/// A passenger of the list `peers`: what is known of them and how they are reached.
@dynamicMemberLookup
package struct Peer: Codable, Hashable, Sendable {
    /// Who.
    @Flat package var person: Person
    /// Whether their agent is linked with this one.
    package var linked: Bool
    /// Whether the user hides them.
    package var blocked: Bool
    /// Whether they signed two things at one position of their log.
    package var forked: Bool
    /// What their own records convict them of.
    @OrNull package var misdeed: Conviction?
    /// Whether they left.
    package var left: Bool
    /// Whether they have not left, but are out of reach, also through the meeting point.
    package var away: Bool
    /// What they offer.
    @OrNull package var offer: SeatOffer?
    /// What they may be asked for; missing from an agent of an earlier version.
    package var asks: Word<Asking>?
    /// Where their agent is, while linked directly.
    @OrNull package var address: String?
    /// How their agent was found, while linked.
    @OrNull package var found: Word<LinkStage>?
    /// Whether they reach this agent but are not reached.
    package var oneWay: Bool
    /// How they are reached.
    package var reach: Word<Reach>
    /// Passengers in between.
    package var through: [Person]
    /// When they last left records at the meeting point; missing where none are known of.
    package var meeting: MeetingPresence?

    /// A passenger with what the agent knows of their reach, offer and misdeeds.
    package init(
        person: Person, linked: Bool, blocked: Bool, forked: Bool, misdeed: Conviction?,
        left: Bool, away: Bool, offer: SeatOffer?, asks: Word<Asking>? = nil, address: String?,
        found: Word<LinkStage>?, oneWay: Bool, reach: Word<Reach>, through: [Person],
        meeting: MeetingPresence? = nil
    ) {
        self.person = person
        self.linked = linked
        self.blocked = blocked
        self.forked = forked
        self.misdeed = misdeed
        self.left = left
        self.away = away
        self.offer = offer
        self.asks = asks
        self.address = address
        self.found = found
        self.oneWay = oneWay
        self.reach = reach
        self.through = through
        self.meeting = meeting
    }

    /// The members of every passenger.
    package subscript<Value>(dynamicMember path: KeyPath<Person, Value>) -> Value {
        person[keyPath: path]
    }
}

/// Everything known about one passenger.
@dynamicMemberLookup
package struct PersonFacts: Codable, Hashable, Sendable {
    /// As in `peers`.
    @Flat package var peer: Peer
    /// Their seats that others claim too.
    package var contested: [SeatEntry]
    /// The tag in full, 13 characters.
    package var fingerprint: String
    /// The whole key in base32 with check digits.
    package var spelled: String
    /// Whether the user compared codes with them.
    package var verified: Bool
    /// The program that they say they run.
    package var agent: String
    /// When they were first heard of here.
    package var firstSeen: Stamp

    /// A peer, and what only `who` tells of them.
    package init(
        peer: Peer, contested: [SeatEntry], fingerprint: String, spelled: String, verified: Bool,
        agent: String, firstSeen: Stamp
    ) {
        self.peer = peer
        self.contested = contested
        self.fingerprint = fingerprint
        self.spelled = spelled
        self.verified = verified
        self.agent = agent
        self.firstSeen = firstSeen
    }

    /// The members of every peer.
    package subscript<Value>(dynamicMember path: KeyPath<Peer, Value>) -> Value {
        peer[keyPath: path]
    }
}

/// Two records that convict a passenger.
package struct Conviction: Codable, Hashable, Sendable {
    /// A record that was signed.
    package struct Record: Codable, Hashable, Sendable {
        /// Hash of the record.
        package var id: String
        /// Its position in the log.
        package var seq: Int
        /// What it says; words of passengers stand as they came.
        package var says: String

        /// A record.
        package init(id: String, seq: Int, says: String) {
            self.id = id
            self.seq = seq
            self.says = says
        }
    }

    /// What kind of misdeed.
    package var kind: Word<MisdeedKind>
    /// The same in words.
    package var what: String
    /// Both records.
    package var entries: [Record]

    /// A conviction of that kind by these two records.
    package init(kind: Word<MisdeedKind>, what: String, entries: [Record]) {
        self.kind = kind
        self.what = what
        self.entries = entries
    }
}

/// An offer of seats.
package struct SeatOffer: Codable, Hashable, Sendable {
    /// Which seats; none where the offer is taken back.
    package var seats: [Seat]
    /// What they want for them, the best first.
    package var wants: [SeatWish]
    /// Words with it.
    package var note: String

    /// An offer of `seats` for any of `wants`; no seats take an offer back.
    package init(seats: [Seat], wants: [SeatWish], note: String) {
        self.seats = seats
        self.wants = wants
        self.note = note
    }
}

/// An agent that was found or typed and does not answer.
package struct SilentPlace: Codable, Hashable, Sendable {
    /// Where.
    package var address: String
    /// How often it was tried.
    package var tries: Int

    /// An address that was tried so often in vain.
    package init(address: String, tries: Int) {
        self.address = address
        self.tries = tries
    }
}

/// The answer to `peers`.
package struct PeerList: Codable, Hashable, Sendable {
    /// Everybody known except the user.
    package var peers: [Peer]
    /// How many links.
    package var linked: Int
    /// Agents that do not answer.
    package var silent: [SilentPlace]

    /// The peers, how many of them are linked, and who does not answer.
    package init(peers: [Peer], linked: Int, silent: [SilentPlace]) {
        self.peers = peers
        self.linked = linked
        self.silent = silent
    }
}
