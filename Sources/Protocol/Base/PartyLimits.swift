// SPDX-License-Identifier: Apache-2.0
/// Limits of parties of companions (docs/protocol.md section 30).
extension Limits {
    /// Bytes of a link: that of a new secret has about 130.
    package static let link = 256
    /// Companions of one user: a family, or a team in two rows.
    package static let partyCompanions = 16
    /// Passengers with the code whom the user is asked about after one invitation, so that somebody
    /// who overheard it cannot ask with keys without end.
    package static let candidates = 16
    /// Keys whose place in the party is remembered: those refused longest ago go first.
    package static let partyMembers = 64
    /// How long a code works aboard after an invitation.
    package static let invitation = TimeSpan.seconds(10 * 60)
    /// Secrets that are taken from companions in ``partyChangeTime``, and made at most.
    package static let partyChanges = 8
    /// Of these as many are taken from one companion: whoever changes the code again and again
    /// leaves the others a way to take them out.
    package static let partyChangesOfOne = 4
    /// How long one of them counts.
    package static let partyChangeTime = TimeSpan.seconds(60 * 60)
    /// Secrets that a party had, by which its earlier lines are read.
    package static let partySecrets = 16
    /// How long after a yes that an agent said for its user it says none to the same key: whoever
    /// tries what gets one learns little.
    package static let automaticPause = TimeSpan.seconds(60 * 60)
    /// Such yeses that are remembered; none is said while all of them count.
    package static let automaticYeses = 64
}
