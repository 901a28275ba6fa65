// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
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

    /// Remembers the answer to `say`; gives the mark.
    mutating func sent(_ said: Op.Say.Reply) -> DeliveryMark {
        let mark = said.linked > 0 ? DeliveryMark.delivered(said.linked) : .failed
        if let id = said.id { keep(id, mark) }
        return mark
    }

    /// The same of `msg`.
    mutating func sent(_ message: PrivateMessage) -> DeliveryMark {
        let mark = message.state == .acknowledged ? DeliveryMark.delivered(1) : .waiting
        keep(message.id, mark)
        return mark
    }

    private mutating func keep(_ id: String, _ mark: DeliveryMark) {
        sent[id] = mark
        order.append(id)
        if order.count > Self.limit { sent[order.removeFirst()] = nil }
    }

    /// The line of an event; `nil` for one that is not shown.
    func line(_ event: ControlEvent) -> String? {
        guard concerns(event) else { return nil }
        // What waits was told when it was sent.
        if case .message(let message) = event.what, message.state == .waiting { return nil }
        let line = EventText(event: event, slash: true, ascii: ascii, cabin: cabin).line
        guard let line, case .chat(let news) = event.what, let mark = sent[news.id] else {
            return line
        }
        // Said from here: it stands there as it was typed.
        return isEchoed ? nil : line + "  " + mark.text(ascii: ascii)
    }

    private func concerns(_ event: ControlEvent) -> Bool {
        guard let only else { return true }
        return switch event.what {
        case .request, .swap, .record, .trouble, .message, .verify, .window, .layout, .awake,
            .woke:
            true
        case .peer(let news): news.who.key == only
        case .chat(let news): news.who.key == only
        case .offer(let news): news.who.key == only
        case .claim(let news): news.who.key == only
        case .seat, .cabin, .ready, .other: false
        }
    }
}
