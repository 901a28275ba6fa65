// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
package import Text

/// The same in words.
package struct WakeText {
    private let event: JSON

    package init(_ event: JSON) { self.event = event }

    private var open: [JSON] { event["open"]?.list ?? [] }

    /// Whether there is anything to do or to wait for.
    package var isAnythingOpen: Bool { !open.isEmpty }

    /// `This computer slept for 1 h 2 min. Request 3 waits for your answer, request 5 binds you.`
    package var sentence: String {
        let slept = SpanText.words(Int64(event["slept"]?.number ?? 0))
        let parts = open.map { one in
            let number = one["number"]?.number ?? 0
            return switch (one["state"]?.text, one["needs_answer"]) {
            case ("open", .some(true)): "request \(number) waits for your answer"
            case ("open", _): "request \(number) waits for an answer"
            case ("agreed", _): "request \(number) is agreed and not confirmed yet"
            default: "request \(number) has no outcome yet, and your seat is locked"
            }
        }
        return "this computer slept for \(slept). "
            + (parts.isEmpty
                ? "No request is open." : "Open: " + parts.joined(separator: "; ") + ".")
    }
}
