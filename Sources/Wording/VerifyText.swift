// SPDX-License-Identifier: Apache-2.0
package import Text

/// Verification by voice, in words.
package enum VerifyText {
    /// What stands behind somebody's claim, for `who`.
    package static func assurance(_ who: JSON) -> String {
        if WhoText.isMe(who) { return "you" }
        if who["evidence"]?["verified"] == true {
            return "verified: you compared codes with this passenger"
        }
        if who["evidence"]?["party"] == true { return "of your party" }
        if let count = who["evidence"]?["vouched"]?.number {
            return "vouched for by \(count) whom you verified"
        }
        return "claimed only: anyone can claim a seat; try: seatagent verify "
            + visible(who["fingerprint"]?.text ?? "12A", cells: 20)
    }

    /// One line of `chat`, `log` and `watch`.
    package static func event(_ event: JSON, slash: Bool) -> String? {
        let who = WhoText.full(event["who"])
        let command = slash ? "/verify" : "seatagent verify"
        switch event["state"]?.text {
        case "asked":
            let word = visible(event["who"]?["tag"]?.text ?? "", cells: 16)
            let name = slash ? word : quoted(word)
            return "* \(who) wants to compare codes with you; try: \(command) \(name)"
        case "compare": return "* \(who) and you compare: \(code(event))"
        case "verified": return "* you verified \(who)"
        case "void":
            return "* \(who) took another name or claims another seat and is not verified any more"
        case "alarm": return "! " + alarm(event["why"]?.text, who)
        case "ended": return "* comparing with \(who) ended: " + ended(event["why"]?.text)
        default: return nil
        }
    }

    /// A tag begins with a `#`, which a shell takes for a comment.
    private static func quoted(_ tag: String) -> String { tag.isEmpty ? "" : "'\(tag)'" }

    /// `4821 - 1093 - 7746`.
    package static func code(_ json: JSON) -> String {
        visible(json["code"]?.text ?? "?", cells: 24)
    }

    /// Why somebody may stand in between.
    package static func alarm(_ why: String?, _ who: String) -> String {
        let what =
            switch why {
            case "differs": "the numbers of \(who) and yours differ"
            case "differs-there": "\(who) says that the numbers differ"
            default: "the agent of \(who) sent a wrong proof"
            }
        return what + ": somebody may stand between you. Do not trust this link."
    }

    /// Why it ended without a result.
    package static func ended(_ why: String?) -> String {
        switch why {
        case "expired": "its time ran out"
        case "busy": "the other side is busy, or rests after failures"
        default: "it was cancelled, or the link ended"
        }
    }
}
