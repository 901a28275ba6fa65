// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// Claims to a seat that several claim, in words.
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

    /// Lines for one seat of the answer to `seats`: whoever has the most evidence, then
    /// the remarks. `peers` says more of people than the map does. Nothing for a seat that
    /// is only claimed, by one.
    package static func lines(_ item: JSON, _ peers: [String: JSON]) -> [String] {
        let seat = visible(item["seat"]?.text ?? "?", cells: 4)
        guard let claims = item["claims"]?.list else {
            return (item["holders"]?.list ?? []).filter { $0["evidence"] != nil }.map {
                padded(seat, to: 5) + name($0, peers)
            }
        }
        let isDisputed = item["state"] == "disputed"
        return claims.enumerated().map { index, claim in
            let isRemark = claim["remark"] == true
            return padded(index == 0 || isDisputed && !isRemark ? seat : "", to: 5)
                + (isRemark ? remark(claim, peers) : words(claim, peers))
        }
    }

    /// `also claimed by #7f3a, who claims 9 seats, since 11:40`.
    package static func remark(_ claim: JSON, _ peers: [String: JSON] = [:]) -> String {
        "also claimed by " + name(claim, peers) + details(claim)
    }

    /// `bo #c2d9, claimed only, since 11:38`.
    private static func words(_ claim: JSON, _ peers: [String: JSON]) -> String {
        let isPlain = claim["evidence"] == nil && claim["blocked"] != true
        return name(claim, peers) + (isPlain ? ", claimed only" : "") + details(claim)
    }

    private static func details(_ claim: JSON) -> String {
        var words = ""
        if let author = claim["by"] {
            words += ", by the claim of " + (WhoText.isMe(author) ? "you" : WhoText.tagged(author))
        }
        if let count = claim["claimed"]?.number, count > 1 {
            words += claim["by"] == nil ? ", who claims \(count) seats" : ""
        }
        if claim["blocked"] == true { words += ", blocked by you" }
        if let since = claim["since"]?.text { words += ", since \(EventText.clock(since))" }
        return words
    }

    /// The name as `peers` has it, with the evidence of this claim and not that of the person.
    private static func name(_ claim: JSON, _ peers: [String: JSON]) -> String {
        if WhoText.isMe(claim) { return "you" }
        let known = peers[claim["key"]?.text ?? ""] ?? claim
        return WhoText.tagged(known.adding(["evidence": claim["evidence"] ?? .null]))
    }
}
