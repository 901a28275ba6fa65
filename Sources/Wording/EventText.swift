// SPDX-License-Identifier: Apache-2.0
package import Aviation
import CivilTime
import Glibc
import Protocol
package import Text

/// Events in words, one line each: for `chat`, `log` and the lines above a prompt.
package struct EventText {
    /// The event.
    package let event: JSON
    /// Commands are written as `/accept 1` and not as `seatagent accept 1`.
    package var slash = false
    /// Letters of ASCII only.
    package var ascii = false
    /// What kinds of seats there are.
    package var cabin = CabinLayout.standard

    /// All of it.
    package init(
        event: JSON, slash: Bool = false, ascii: Bool = false,
        cabin: CabinLayout = CabinLayout.standard
    ) {
        self.event = event
        self.slash = slash
        self.ascii = ascii
        self.cabin = cabin
    }

    /// The line; `nil` for an event that people need not read.
    package var line: String? {
        words.map { words in
            let mark = Self.talkMark(event)
            return Self.time(of: event) + (mark.isEmpty ? "" : " " + mark) + "  " + words
        }
    }

    /// What to know of the time that a line states, where nobody's words reach; mostly empty.
    package static func talkMark(_ event: JSON) -> String {
        if event["clock_ahead"] == true { return "clock ahead" }
        return event["late"] == true ? "late" : ""
    }

    /// `10:02`: when a line was said, by the clock of whoever said it; else when it came.
    package static func time(of event: JSON) -> String {
        clock((event["event"] == "chat" ? event["said_at"]?.text : nil) ?? event["at"]?.text)
    }

    /// The line without its time.
    package var words: String? {
        switch event["event"]?.text {
        case "chat": return "\(WhoText.seated(event["who"]))  \(text)"
        case "message": return message
        case "peer": return "* " + peer
        case "offer": return "* " + offer
        case "seat": return "* " + seat
        case "request":
            return "* request " + RequestText(request: event, cabin: cabin).line(slash: slash)
                + (PressingText(event["pressing"]).map { "  " + $0.line(slash: slash) } ?? "")
        case "swap": return "* " + swap
        case "cabin": return "* the cabin is drawn as " + visible(event["name"]?.text ?? "?")
        case "layout": return CabinAskText(event).map { "* " + $0.line(slash: slash) }
        case "awake":
            return event["held"] == true
                ? "* this computer is kept awake until the swap is decided"
                : "* this computer may sleep again"
        case "woke": return "* " + WakeText(event).sentence
        case "verify": return VerifyText.event(event, slash: slash)
        case "window": return window
        case "trouble": return "! " + visible(event["what"]?.text ?? "")
        default: return nil
        }
    }

    private var text: String { visible(event["text"]?.text ?? "") }

    private var message: String {
        guard event["outgoing"] == true else {
            return "\(WhoText.seated(event["who"])) to you: \(text)"
        }
        return "to \(WhoText.seated(event["who"])): \(text)  "
            + Self.mark(event["state"]?.text ?? "", ascii: ascii)
    }

    /// `…` waiting, `✓` acknowledged, `!` gave up.
    package static func mark(_ state: String, ascii: Bool) -> String {
        switch state {
        case "waiting": ascii ? "..." : "…"
        case "acknowledged": ascii ? "ok" : "✓"
        case "gave-up": "!"
        default: ""
        }
    }

    private var peer: String {
        let who = WhoText.seated(event["who"])
        return switch event["change"]?.text {
        case "aboard": "\(who) is aboard"
        case "away": "\(who) is out of reach"
        case "left": "\(who) has left"
        case "joined": "\(who) joined"
        case "renamed": renamed
        default: who
        }
    }

    private var renamed: String {
        if let was = event["was"]?.text {
            return "\(visible(was, cells: 24)) is now called \(WhoText.seated(event["who"]))"
        }
        let name = visible(event["name"]?.text ?? "", cells: 24)
        return "\(WhoText.tagged(event["who"])) took the name \(name)"
    }

    private var window: String {
        let local = event["local"]?["closes"] ?? event["closes"]
        let closes = visible(local?.text ?? "?", cells: 40)
        return event["state"] == "open"
            ? "* seats can be swapped from now on, until \(closes)"
            : "* seats cannot be swapped any more: it was possible until \(closes)"
    }

    private var offer: String {
        let who = WhoText.short(event["who"])
        let seats = (event["seats"]?.list ?? []).compactMap(\.text)
        guard !seats.isEmpty else { return "\(who) takes the offer back" }
        let note = visible(event["note"]?.text ?? "", cells: 60)
        let list = seats.map { cabin.described(visible($0, cells: 4)) }.joined(separator: ", ")
        return "\(who) offers \(list) for \(Self.wants(event["wants"]))"
            + (note.isEmpty ? "" : "  \"\(note)\"")
    }

    /// `a window seat, 12A`.
    package static func wants(_ wants: JSON?) -> String {
        let words = (wants?.list ?? []).compactMap(\.text).map { want in
            switch want {
            case "any": "any seat"
            case "window": "a window seat"
            case "aisle": "an aisle seat"
            case "front": "a seat further forward"
            default: visible(want, cells: 24)
            }
        }
        return words.isEmpty ? "any seat" : words.joined(separator: ", ")
    }

    private var seat: String {
        let seat = visible(event["seat"]?.text ?? "?", cells: 4)
        switch event["change"]?.text {
        case "claimed": return "\(WhoText.tagged(event["who"])) claims \(seat)"
        case "released": return "\(WhoText.tagged(event["who"])) gives \(seat) up"
        default: break
        }
        let holders = (event["holders"]?.list ?? []).map(WhoText.tagged)
        return switch holders.count {
        case 0: "\(seat) is open"
        case 1: "\(holders[0]) is in \(seat)"
        default: "\(seat) is claimed by \(holders.joined(separator: " and "))"
        }
    }

    private var swap: String {
        let request = RequestText(request: event)
        if let failure = request.failure {
            return visible(failure.what) + (failure.why.map { ": " + visible($0) } ?? "")
        }
        return switch request.state {
        case "agreed": "request \(request.number): \(request.agreement)"
        case "final": request.closing
        case "recorded": recorded
        case "abandoned": "\(WhoText.tagged(event["who"])) left a swap that was refused"
        default: "request " + request.line(slash: slash)
        }
    }

    /// A swap of others, as the log has it.
    private var recorded: String {
        let moves = (event["moves"]?.list ?? []).map { move in
            "\(WhoText.tagged(move["to"])) gets \(visible(move["seat"]?.text ?? "?", cells: 4))"
        }
        return "a swap is signed: " + moves.joined(separator: ", ")
    }

    /// `10:02` in local time; `--:--` where the event has no date.
    package static func clock(_ date: String?) -> String {
        guard let date, let time = RFC3339.parse(date) else { return "--:--" }
        var seconds = time_t(time.seconds)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "--:--" }
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(two(parts.tm_hour)):\(two(parts.tm_min))"
    }
}
