// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Text

/// The words for somebody who asks too often (docs/control.md: `status`).
package struct PressingText {
    /// `pressing` of the status or of a request's event.
    package let pressing: Pressing

    /// The words; `nil` if nobody asks too often.
    package init?(_ pressing: Pressing?) {
        guard let pressing else { return nil }
        self.pressing = pressing
    }

    /// The key of the passenger who does; `nil` if strangers do it together.
    package var key: String? { pressing.who?.key }

    /// Whether it is about the passenger who made this request's offer, or about strangers
    /// together.
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

    /// The fact, and what to type.
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
