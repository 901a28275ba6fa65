// SPDX-License-Identifier: Apache-2.0
/// The party of companions that this user is in, as the disk keeps it (docs/protocol.md section
/// 30).
public struct PartyState: Hashable, Sendable {
    /// Its secret, then those that it had before, the latest first.
    public var secrets: [PartySecret]
    /// The code was handed over before anybody was aboard: it works without an invitation.
    public var isFromHome: Bool
    /// Everybody who showed that they know the secret and whom the user was asked about, in the
    /// order in which they came.
    public var members: [PartyMember]

    /// A party with at least one secret.
    public init(secrets: [PartySecret], isFromHome: Bool, members: [PartyMember] = []) {
        self.secrets = secrets
        self.isFromHome = isFromHome
        self.members = members
    }
}

/// A passenger who knows, or knew, the secret of the party.
public struct PartyMember: Hashable, Sendable {
    /// What the user says of them.
    public enum Standing: Int, Sendable {
        /// Nothing yet: they have the code, and may have overheard it.
        case candidate = 0
        /// They travel together.
        case companion = 1
        /// They have the code and do not belong to the party.
        case refused = 2
        /// They belonged to it, and do not any more.
        case removed = 3
    }

    /// Who.
    public var key: PeerKey
    /// What the user says of them.
    public var standing: Standing

    /// A passenger and what the user says of them.
    public init(key: PeerKey, standing: Standing) {
        self.key = key
        self.standing = standing
    }
}

/// A line that a companion, or this user, said to the party.
public struct PartyLine: Hashable, Sendable {
    /// Local time of arrival.
    public var at: UTCTime
    /// Who says it.
    public var author: PeerKey
    /// The entry.
    public var id: EntryID
    /// What they say, and when by their clock.
    public var line: PartyText
}

/// What happens in a party, for people and scripts.
public enum PartyNotice: Hashable, Sendable {
    /// Somebody has the code: does the user travel with them?
    case candidate(PeerKey)
    /// Somebody said something.
    case line(PartyLine)
    /// Somebody belongs to it now, or does not any more; it has another code, or is over.
    case changed
    /// A companion took somebody out, and the party has another code.
    case removed(PeerKey, by: PeerKey)
}

/// What a person or a script wants of their party.
public enum PartyIntent: Hashable, Sendable {
    /// Make one; its secret comes from the operating system.
    case new(PartySecret)
    /// Be in the party of this secret; `fromHome` if the code came before anybody was aboard.
    case join(PartySecret, fromHome: Bool = false)
    /// Let the code work for a while.
    case invite
    /// They travel together.
    case yes(PeerKey)
    /// They do not.
    case no(PeerKey)
    /// They do not any more: all others get another secret.
    case remove(PeerKey, next: PartySecret)
    /// Be in no party.
    case leave
    /// A line for the companions.
    case say(String)
}

/// Why something about a party was refused.
public enum PartyRefusal: Error, Hashable, Sendable {
    /// The user is in no party.
    case none
    /// The user is in one already.
    case already
    /// They did not show the code, or not while it worked.
    case notCandidate(PeerKey)
    /// Nobody of the party, and nobody who has its code.
    case notMember(PeerKey)
    /// As many companions as there may be.
    case full
    /// So many were taken out within an hour that the others would not follow one more.
    case tooOften
    /// The program cannot seal a line.
    case noSeal
}

/// A party as people read it.
public struct PartyView: Hashable, Sendable {
    /// The code, and what the disk keeps.
    public var state: PartyState
    /// Companions who count: they show the secret, or the one before until they have the new one.
    public var companions: [PeerKey]
    /// Companions who show the secret of now, sorted.
    public var current: [PeerKey]
    /// Who shows the secret of now and waits for the user's answer, in the order of their coming.
    public var candidates: [PeerKey]
    /// Until when the code works; `nil` while it does not, or if it came from home.
    public var openUntil: Instant?
}
