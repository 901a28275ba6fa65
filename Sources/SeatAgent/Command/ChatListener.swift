// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Text
import View
import Wording

/// Which events become lines of a plain chat, and the marks of its own lines. A pure value.
struct ChatListener: Hashable, Sendable {
    /// Whether typed lines are on the terminal already.
    let isEchoed: Bool
    /// Whether to use only ASCII letters.
    let ascii: Bool
    /// The key of the one passenger to listen to, besides what concerns the user; `nil` for
    /// everyone.
    var only: String?
    /// The cabin, for the kinds of seats.
    var cabin = CabinLayout.standard
    /// Lines that were sent from here, and their marks.
    private var sent: [String: DeliveryMark] = [:]
    private var order: [String] = []

    /// The most lines whose marks are remembered: others have long been shown.
    private static let limit = 1000

    /// A listener to everyone, or to one passenger.
    init(only: String? = nil, isEchoed: Bool, ascii: Bool) {
        self.only = only
        self.isEchoed = isEchoed
        self.ascii = ascii
    }

    /// Remembers the answer to `say`; returns the mark.
    mutating func sent(_ said: Op.Say.Reply) -> DeliveryMark {
        let mark = said.linked > 0 ? DeliveryMark.delivered(said.linked) : .failed
        if let id = said.id { keep(id, mark) }
        return mark
    }

    /// Remembers the answer to `msg`; returns the mark.
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

    /// The line for an event; `nil` for one that is not shown.
    func line(_ event: ControlEvent) -> String? {
        guard concerns(event) else { return nil }
        // A waiting message was reported when it was sent.
        if case .message(let message) = event.what, message.state == .waiting { return nil }
        let line = EventText(event: event, slash: true, ascii: ascii, cabin: cabin).line
        guard let line, let id = Self.said(event), let mark = sent[id] else { return line }
        // It was typed here, so it is on the screen already.
        return isEchoed ? nil : line + "  " + mark.text(ascii: ascii)
    }

    /// The record of a line to everyone, or to the party.
    private static func said(_ event: ControlEvent) -> String? {
        switch event.what {
        case .chat(let news): news.id
        case .party(let news): news.id
        case .peer, .message, .offer, .seat, .claim, .request, .swap, .record, .seated, .verify,
            .cabin, .layout, .awake, .woke, .attendance, .booking, .trouble, .window, .ready,
            .other:
            nil
        }
    }

    private func concerns(_ event: ControlEvent) -> Bool {
        guard let only else { return true }
        return switch event.what {
        case .request, .swap, .record, .seated, .trouble, .message, .verify, .party, .window,
            .layout, .awake, .woke:
            true
        case .peer(let news): news.who.key == only
        case .chat(let news): news.who.key == only
        case .offer(let news): news.who.key == only
        case .claim(let news): news.who.key == only
        case .seat, .cabin, .attendance, .booking, .ready, .other: false
        }
    }
}
