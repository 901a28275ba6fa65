// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import Protocol

/// A layout on which passengers agree, before this one said whether it shall be drawn here
/// (docs/protocol.md section 27).
struct CabinQuestion: Hashable, Sendable {
    /// The layout and who suggests it.
    let vote: CabinVote
    /// How many passengers suggest a layout that can be read.
    let voices: Int

    /// What there is to ask after `votes`, in a cabin that is drawn as `drawn`; `nil`
    /// where nobody agrees, where it was answered, and where the layout lacks one of the
    /// seats that `claimed` gives.
    init?(
        _ votes: [CabinVote], _ answers: CabinAnswers, drawn: CabinLayout, claimed: () -> [Seat]
    ) {
        guard let vote = CabinVote.agreed(among: votes), vote.layout.bytes != drawn.bytes,
            !answers.settles(vote.hash), vote.layout.missing(claimed()).isEmpty
        else { return nil }
        self.vote = vote
        voices = votes.reduce(0) { $0 + $1.authors.count }
    }
}

/// What the passenger said of layouts that others agree on. It is kept with the flight.
package struct CabinAnswers: Hashable, Sendable {
    /// A layout and the hash of its bytes.
    package struct Taken: Hashable, Sendable {
        var hash: Bytes32
        package var layout: CabinLayout
    }

    /// The layout that the last yes was for.
    package var taken: Taken?
    /// Layouts that a no was for.
    package var refused: [Bytes32] = []

    /// Whoever said no so often is asked no more: two who agree could go on for ever.
    static let mostRefused = 3

    /// Whether there is nothing left to ask about the layout of that hash.
    func settles(_ hash: Bytes32) -> Bool {
        taken?.hash == hash || refused.contains(hash) || refused.count >= Self.mostRefused
    }

    /// Notes the answer to `vote`.
    mutating func settle(_ vote: CabinVote, takes: Bool) {
        if takes {
            taken = Taken(hash: vote.hash, layout: vote.layout)
        } else if !settles(vote.hash) {
            refused.append(vote.hash)
        }
    }
}

extension CabinVote {
    /// The one that at least two suggest, and more than half of all who suggest one of `votes`.
    static func agreed(among votes: [CabinVote]) -> CabinVote? {
        let agreed = LayoutTally.agreed(among: votes.map(\.tally))
        return agreed.flatMap { agreed in votes.first { $0.hash == agreed.hash } }
    }
}

extension CabinLayout {
    /// Those of `seats` that it does not have.
    func missing(_ seats: [Seat]) -> [Seat] { seats.filter { !contains($0) } }
}

extension NodeReading {
    /// Seats that a layout which others agree on must have: what somebody claims who is not blocked
    /// here, and the own ones. By seat.
    var claimedSeats: [Seat] {
        let claimed = seatView.places.filter { place in place.claims.contains { $0.weight >= 0 } }
        return Set(claimed.map(\.seat) + fold.held(by: me).map(\.seat)).sorted()
    }
}
