// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
package import Protocol
import Text

/// The words for several claims to one seat.
package enum ClaimText {
    /// What stands behind a claim: `verified`, `vouched by 2`, `claimed only`.
    package static func evidence(_ claim: SeatView.Right, me: PeerKey) -> String {
        if claim.token.author == me { return "your own claim" }
        if claim.weight < 0 { return "blocked by you" }
        return switch claim.assurance {
        case .claimed: "claimed only"
        case .vouched(let count): "vouched by \(count)"
        case .party: "of your party"
        case .verified: "verified"
        }
    }

    /// Lines for one seat of the answer to `seats`: the claim with the most evidence first, then
    /// the others. `peers` says more about people than the map does. No lines for a single claim
    /// without evidence.
    package static func lines(_ item: SeatEntry, _ peers: [String: Person]) -> [String] {
        let seat = item.seat.text
        guard let claims = item.claims else {
            return item.holders.filter { $0.evidence != nil }.map {
                padded(seat, to: 5) + name($0, peers)
            }
        }
        let isDisputed = item.state == .disputed
        return claims.enumerated().map { index, claim in
            padded(index == 0 || isDisputed && !claim.remark ? seat : "", to: 5)
                + (claim.remark ? remark(claim, peers) : words(claim, peers))
        }
    }

    /// `also claimed by #7f3a, who claims 9 seats, since 11:40`.
    package static func remark(_ claim: SeatClaim, _ peers: [String: Person] = [:]) -> String {
        "also claimed by " + name(claim.holder, peers) + details(claim)
    }

    /// `bo #c2d9, claimed only, since 11:38`.
    private static func words(_ claim: SeatClaim, _ peers: [String: Person]) -> String {
        let isPlain = claim.holder.evidence == nil && !claim.blocked
        return name(claim.holder, peers) + (isPlain ? ", claimed only" : "") + details(claim)
    }

    private static func details(_ claim: SeatClaim) -> String {
        var words = ""
        if let author = claim.by {
            words += ", by the claim of " + (author.me ? "you" : WhoText.tagged(author.person))
        }
        if claim.claimed > 1, claim.by == nil { words += ", who claims \(claim.claimed) seats" }
        if claim.blocked { words += ", blocked by you" }
        if let since = claim.since { words += ", since \(EventText.clock(since))" }
        return words
    }

    /// The name as in `peers`, with the evidence for this claim instead of that for the person.
    private static func name(_ holder: Holder, _ peers: [String: Person]) -> String {
        if holder.me { return "you" }
        var known = peers[holder.key] ?? holder.person
        known.evidence = holder.evidence
        return WhoText.tagged(known)
    }
}
