// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Protocol

/// The order in which the passengers of a swap move, in words.
package enum MovingText {
    /// A line of what to heed, and a line for each step; none if there is no plan. The steps of
    /// those who sit already are marked as done.
    package static func lines(_ plan: [MovingStep], seated: [Person] = []) -> [String] {
        guard !plan.isEmpty else { return [] }
        return [
            "How to move: ask the crew first, and stay seated while the belt sign is on.",
            "Then one after another, each with their bags:",
        ]
            + turns(plan).enumerated().map { place, turn in
                let isDone = seated.contains { $0.key == turn.first?.who.key }
                return "\(place + 1). \(words(turn))" + (isDone ? ": done" : "")
            }
    }

    /// What one passenger does for all of their seats is one line.
    private static func turns(_ plan: [MovingStep]) -> [[MovingStep]] {
        var turns: [[MovingStep]] = []
        for step in plan {
            if let last = turns.last?.last, last.who.key == step.who.key, last.step == step.step {
                turns[turns.count - 1].append(step)
            } else {
                turns.append([step])
            }
        }
        return turns
    }

    private static func words(_ turn: [MovingStep]) -> String {
        guard let step = turn.first else { return "" }
        let who = step.who.me ? "you" : WhoText.tagged(step.who)
        let s = step.who.me ? "" : "s"
        let from = turn.map(\.from.text).joined(separator: " and ")
        let to = turn.map { $0.to?.text ?? "their seat" }.joined(separator: " and ")
        return switch step.step {
        case .known(.waits): "\(who) stand\(s) up from \(from) and wait\(s) in the aisle"
        case .known(.moves): "\(who) move\(s) from \(from) to \(to)"
        case .known(.sits): "\(who) sit\(s) down in \(to)"
        case .other: "\(who) go\(step.who.me ? "" : "es") from \(from) to \(to)"
        }
    }
}
