// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol
import Text

/// What is open when the computer wakes, as an event.
enum WakeJSON {
    /// `woke`: how long it slept, and requests that wait or bind.
    static func event(_ host: any ControlHost, slept: Int64) -> JSON {
        let node = host.node
        let facts = node.swapRecords.sorted { $0.number < $1.number }
            .map { RequestFacts($0, me: node.me) }
        let open = facts.filter { [.open, .agreed, .stranded].contains($0.state) }.map {
            facts -> JSON in
            [
                "number": .int(facts.record.number), "state": .string(facts.state.rawValue),
                "needs_answer": .bool(facts.needsAnswer),
            ]
        }
        return [
            "event": .string(EventName.woke.rawValue), "at": .string(RFC3339.text(host.now.utc)),
            "slept": .int(Int(slept)), "open": .array(open),
        ]
    }
}
