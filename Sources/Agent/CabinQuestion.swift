// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import Protocol

/// A layout on which passengers agree, before this passenger said whether to draw it here
/// (docs/protocol.md section 27).
struct CabinQuestion: Hashable, Sendable {
    /// The layout and who suggests it.
    let vote: CabinVote
    /// How many passengers suggest a readable layout.
    let voices: Int

    /// The question after `votes`, in a cabin drawn as `drawn`. `nil` if nobody agrees, if it was
    /// answered, or if the layout lacks one of the seats that `claimed` returns.
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

/// The passenger's answers about layouts that others agree on. Stored with the flight.
package struct CabinAnswers: Hashable, Sendable {
    /// A layout and the hash of its bytes.
    package struct Taken: Hashable, Sendable {
        var hash: Bytes32
        package var layout: CabinLayout
    }

    /// The layout that the passenger last said yes to.
    package var taken: Taken?
    /// Layouts that the passenger said no to.
    package var refused: [Bytes32] = []

    /// A passenger who said no this often is asked no more: two who agree could go on for ever.
    static let mostRefused = 3

    /// Whether there is nothing left to ask about the layout with that hash.
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
    /// The layout that at least two passengers suggest, and more than half of all who suggest one
    /// of `votes`.
    static func agreed(among votes: [CabinVote]) -> CabinVote? {
        let agreed = LayoutTally.agreed(among: votes.map(\.tally))
        return agreed.flatMap { agreed in votes.first { $0.hash == agreed.hash } }
    }
}

extension CabinLayout {
    /// The seats among `seats` that it lacks.
    func missing(_ seats: [Seat]) -> [Seat] { seats.filter { !contains($0) } }
}

extension NodeReading {
    /// Seats that a layout which others agree on must have, sorted: those that unblocked passengers
    /// claim, and the own ones.
    var claimedSeats: [Seat] {
        let claimed = seatView.places.filter { place in place.claims.contains { $0.weight >= 0 } }
        return Set(claimed.map(\.seat) + fold.held(by: me).map(\.seat)).sorted()
    }
}
