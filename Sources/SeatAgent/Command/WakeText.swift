import CivilTime
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

/// The same in words.
struct WakeText {
    private let event: JSON

    init(_ event: JSON) { self.event = event }

    private var open: [JSON] { event["open"]?.list ?? [] }

    /// Whether there is anything to do or to wait for.
    var isAnythingOpen: Bool { !open.isEmpty }

    /// `This computer slept for 1 h 2 min. Request 3 waits for your answer, request 5 binds you.`
    var sentence: String {
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
