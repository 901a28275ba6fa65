// SPDX-License-Identifier: Apache-2.0
import Protocol
package import Text

/// That somebody asks too often, in words (docs/control.md: `status`).
package struct PressingText {
    /// `pressing` of the status or of a request's event.
    package let pressing: JSON

    /// Nobody does where it is `null`.
    package init?(_ pressing: JSON?) {
        guard let pressing, pressing["times"] != nil else { return nil }
        self.pressing = pressing
    }

    /// The key of the one who does; `nil` where strangers do it together.
    package var key: String? { pressing["who"]?["key"]?.text }

    /// Whether it is about whoever made the offer of this request, or about strangers together.
    package func concerns(_ request: RequestText?) -> Bool {
        key == nil || key == request?.request["by"]?["key"]?.text
    }

    /// `bo #c2d9 has asked 4 times in 30 minutes`.
    package var fact: String {
        let often =
            "\(pressing["times"]?.number ?? 0) times in \(pressing["minutes"]?.number ?? 0) "
            + "minutes"
        guard key == nil else { return "\(WhoText.tagged(pressing["who"])) has asked \(often)" }
        return "\(pressing["strangers"]?.number ?? 0) passengers whom nobody verified have asked "
            + "\(often)"
    }

    /// What to type.
    package func line(slash: Bool) -> String {
        let start = slash ? "/" : "seatagent "
        guard key != nil else { return "\(fact): \(start)silence lets them ask in vain" }
        let tag = visible(pressing["who"]?["tag"]?.text ?? "", cells: 16)
        let word = slash ? tag : "'\(tag)'"
        return "\(fact): \(start)block \(word) hides and refuses them"
    }
}
