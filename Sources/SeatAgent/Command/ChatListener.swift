// SPDX-License-Identifier: Apache-2.0
import Aviation
import Text
import View
import Wording

/// Which events become lines of a plain chat, and how far its own lines have come. A pure value.
struct ChatListener: Hashable, Sendable {
    /// What was typed stands on the terminal already.
    let isEchoed: Bool
    /// Letters of ASCII only.
    let ascii: Bool
    /// Key of the one passenger who is listened to besides what concerns
    /// oneself; `nil` for everyone.
    var only: String?
    /// What kinds of seats there are.
    var cabin = CabinLayout.standard
    /// Lines that were sent from here, and their marks.
    private var sent: [String: DeliveryMark] = [:]
    private var order: [String] = []

    /// Lines whose marks are remembered: others have long been shown.
    private static let limit = 1000

    /// A listener to everyone, or to one passenger.
    init(only: String? = nil, isEchoed: Bool, ascii: Bool) {
        self.only = only
        self.isEchoed = isEchoed
        self.ascii = ascii
    }

    /// Remembers the answer to `say` or `msg`; gives the mark.
    mutating func sent(_ answer: JSON) -> DeliveryMark {
        let mark: DeliveryMark
        if let linked = answer["linked"]?.number {
            mark = linked > 0 ? .delivered(linked) : .failed
        } else {
            mark = answer["state"] == "acknowledged" ? .delivered(1) : .waiting
        }
        guard let id = answer["id"]?.text else { return mark }
        sent[id] = mark
        order.append(id)
        if order.count > Self.limit { sent[order.removeFirst()] = nil }
        return mark
    }

    /// The line of an event; `nil` for one that is not shown.
    func line(_ event: JSON) -> String? {
        guard concerns(event) else { return nil }
        let name = event["event"]?.text
        let mark = event["id"]?.text.flatMap { sent[$0] }
        // Said from here: it stands there as it was typed.
        if name == "chat", mark != nil, isEchoed { return nil }
        // What waits was told when it was sent.
        if name == "message", event["state"] == "waiting" { return nil }
        guard let line = EventText(event: event, slash: true, ascii: ascii, cabin: cabin).line
        else { return nil }
        guard name == "chat", let mark else { return line }
        return line + "  " + mark.text(ascii: ascii)
    }

    private func concerns(_ event: JSON) -> Bool {
        guard let only else { return true }
        return switch event["event"]?.text {
        case "request", "swap", "trouble", "message", "verify", "window", "layout", "awake",
            "woke":
            true
        default: event["who"]?["key"]?.text == only
        }
    }
}
