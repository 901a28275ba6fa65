// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Text

/// That somebody asks too often, in words (docs/control.md: `status`).
package struct PressingText {
    /// `pressing` of the status or of a request's event.
    package let pressing: Pressing

    /// Nobody does where it is `nil`.
    package init?(_ pressing: Pressing?) {
        guard let pressing else { return nil }
        self.pressing = pressing
    }

    /// The key of the one who does; `nil` where strangers do it together.
    package var key: String? { pressing.who?.key }

    /// Whether it is about whoever made the offer of this request, or about strangers together.
    package func concerns(_ request: RequestText?) -> Bool {
        key == nil || key == request?.request.by.key
    }

    /// `bo #c2d9 has asked 4 times in 30 minutes`.
    package var fact: String {
        let often = "\(pressing.times) times in \(pressing.minutes) minutes"
        guard let who = pressing.who else {
            return "\(pressing.strangers ?? 0) passengers whom nobody verified have asked \(often)"
        }
        return "\(WhoText.tagged(who)) has asked \(often)"
    }

    /// What to type.
    package func line(slash: Bool) -> String {
        let start = slash ? "/" : "seatagent "
        guard let who = pressing.who else {
            return "\(fact): \(start)silence lets them ask in vain"
        }
        let tag = visible(who.tag, cells: 16)
        let word = slash ? tag : "'\(tag)'"
        return "\(fact): \(start)block \(word) hides and refuses them"
    }
}
