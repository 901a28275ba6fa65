// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Protocol

/// The order in which the passengers of a swap move, in words.
package enum MovingText {
    /// A line of what to heed, and a line for each step; none if there is no plan.
    package static func lines(_ plan: [MovingStep]) -> [String] {
        guard !plan.isEmpty else { return [] }
        return [
            "How to move: ask the crew first, and stay seated while the belt sign is on. Then one",
            "after another, each with their bags:",
        ]
            + plan.enumerated().map { place, step in "\(place + 1). \(words(step))" }
    }

    private static func words(_ step: MovingStep) -> String {
        let who = step.who.me ? "you" : WhoText.tagged(step.who)
        let s = step.who.me ? "" : "s"
        let to = step.to?.text ?? "their seat"
        return switch step.step {
        case .known(.waits): "\(who) stand\(s) up from \(step.from.text) and wait\(s) in the aisle"
        case .known(.moves): "\(who) move\(s) from \(step.from.text) to \(to)"
        case .known(.sits): "\(who) sit\(s) down in \(to)"
        case .other: "\(who) go\(step.who.me ? "" : "es") from \(step.from.text) to \(to)"
        }
    }
}
