// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
package import Text

/// The words for verification by voice.
package enum VerifyText {
    /// The evidence for a passenger's claim, for `who`.
    package static func assurance(_ who: PersonFacts) -> String {
        if who.peer.me { return "you" }
        let evidence: Evidence? = who.peer.evidence
        switch evidence {
        case .verified: return "verified: you compared codes with this passenger"
        case .party: return "of your party"
        case .vouched(let count): return "vouched for by \(count) whom you verified"
        case .own, .other, nil:
            let fingerprint = who.fingerprint.isEmpty ? "12A" : who.fingerprint
            return "claimed only: anyone can claim a seat; try: seatagent verify "
                + visible(fingerprint, cells: 20)
        }
    }

    /// One line of `chat`, `log` and `watch`.
    package static func event(_ news: ComparingNews, slash: Bool) -> String? {
        let who = WhoText.full(news.who)
        let command = slash ? "/verify" : "seatagent verify"
        switch news.state {
        case .known(.asked):
            let word = visible(news.who.tag, cells: 16)
            let name = slash ? word : quoted(word)
            return "* \(who) wants to compare codes with you; try: \(command) \(name)"
        case .known(.compare): return "* \(who) and you compare: \(code(news.code))"
        case .known(.verified): return "* you verified \(who)"
        case .known(.void):
            return "* \(who) took another name or claims another seat and is not verified any more"
        case .known(.alarm): return "! " + alarm(news.why, who)
        case .known(.ended): return "* comparing with \(who) ended: " + ended(news.why)
        case .other: return nil
        }
    }

    /// A tag begins with `#`, which a shell takes for the start of a comment.
    private static func quoted(_ tag: String) -> String { tag.isEmpty ? "" : "'\(tag)'" }

    /// `4821 - 1093 - 7746`.
    package static func code(_ code: String?) -> String { visible(code ?? "?", cells: 24) }

    /// Why somebody may be intercepting the connection.
    package static func alarm(_ why: Word<ComparingEnd>?, _ who: String) -> String {
        let what =
            switch why {
            case .known(.differs): "the numbers of \(who) and yours differ"
            case .known(.differsThere): "\(who) says that the numbers differ"
            case .known(.wrongProof), .known(.cancelled), .known(.mismatch), .known(.expired),
                .known(.busy), .other, nil:
                "the agent of \(who) sent a wrong proof"
            }
        return what + ": somebody may stand between you. Do not trust this link."
    }

    /// Why it ended without a result.
    package static func ended(_ why: Word<ComparingEnd>?) -> String {
        switch why {
        case .known(.expired): "its time ran out"
        case .known(.busy): "the other side is busy, or rests after failures"
        case .known(.differs), .known(.differsThere), .known(.wrongProof), .known(.cancelled),
            .known(.mismatch), .other, nil:
            "it was cancelled, or the link ended"
        }
    }
}
