// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import CivilTime
package import ControlAPI
import Glibc
import Protocol
package import Text
import Trips

/// The words for events, one line each: for `chat`, `log` and the lines above a prompt.
package struct EventText {
    /// The event.
    package let event: ControlEvent
    /// Whether commands are written as `/accept 1` instead of `seatagent accept 1`.
    package var slash = false
    /// Whether to use only ASCII letters.
    package var ascii = false
    /// The cabin, for the kinds of seats.
    package var cabin = CabinLayout.standard

    /// The words of `event`; commands as a shell takes them unless `slash`.
    package init(
        event: ControlEvent, slash: Bool = false, ascii: Bool = false,
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
            var mark = ""
            if case .chat(let news) = event.what { mark = Self.talkMark(news) }
            return Self.time(of: event) + (mark.isEmpty ? "" : " " + mark) + "  " + words
        }
    }

    /// A remark on the time of a line, in a place that nobody's words reach; usually empty.
    package static func talkMark(_ news: ChatNews) -> String {
        if news.clockAhead { return "clock ahead" }
        return news.late ? "late" : ""
    }

    /// `10:02`: when a line was said, by its author's clock, or else when it came.
    package static func time(of event: ControlEvent) -> String {
        if case .chat(let news) = event.what, let saidAt = news.saidAt { return clock(saidAt) }
        if case .party(let news) = event.what, let saidAt = news.saidAt { return clock(saidAt) }
        return clock(event.at)
    }

    /// The line without its time.
    package var words: String? {
        switch event.what {
        case .chat(let news): "\(WhoText.seated(news.who))  \(visible(news.text))"
        case .message(let message): self.message(message)
        case .peer(let news): "* " + peer(news)
        case .offer(let news): "* " + offer(news)
        case .seat(let news): "* " + seat(news)
        case .claim(let news): "* " + claim(news)
        case .request(let request):
            "* request " + RequestText(request, cabin: cabin).line(slash: slash)
                + (PressingText(request.pressing).map { "  " + $0.line(slash: slash) } ?? "")
        case .swap(let request): "* " + swap(RequestText(request))
        case .record(let news): "* " + record(news)
        case .cabin(let news): "* the cabin is drawn as " + visible(news.name)
        case .layout(.asked(let question)):
            CabinAskText(question).map { "* " + $0.line(slash: slash) }
        case .awake(let news):
            news.held
                ? "* this computer is kept awake until the swap is decided"
                : "* this computer may sleep again"
        case .woke(let news): "* " + WakeText(news).sentence
        case .attendance, .booking: nil
        case .seated(let news): "* " + SeatedText.event(news)
        case .verify(let news): VerifyText.event(news, slash: slash)
        case .party(let news): PartyWords.event(news, slash: slash)
        case .window(let window): self.window(window)
        case .trouble(let news): "! " + visible(news.what)
        case .layout(.gone), .ready, .other: nil
        }
    }

    private func message(_ message: PrivateMessage) -> String {
        let (who, text) = (WhoText.seated(message.who), visible(message.text))
        guard message.outgoing else { return "\(who) to you: \(text)" }
        return "to \(who): \(text)  " + Self.mark(message.state, ascii: ascii)
    }

    /// `…` waiting, `✓` acknowledged, `!` gave up.
    package static func mark(_ state: Word<MessageState>, ascii: Bool) -> String {
        switch state {
        case .known(.waiting): ascii ? "..." : "…"
        case .known(.acknowledged): ascii ? "ok" : "✓"
        case .known(.gaveUp): "!"
        case .known(.received), .other: ""
        }
    }

    private func peer(_ news: PeerNews) -> String {
        let who = WhoText.seated(news.who)
        return switch news.change {
        case .known(.aboard): "\(who) is aboard"
        case .known(.away): "\(who) is out of reach"
        case .known(.left): "\(who) has left"
        case .known(.joined): "\(who) joined"
        case .known(.renamed): renamed(news)
        case .other: who
        }
    }

    private func renamed(_ news: PeerNews) -> String {
        if let was = news.was {
            return "\(visible(was, cells: 24)) is now called \(WhoText.seated(news.who))"
        }
        return "\(WhoText.tagged(news.who)) took the name \(visible(news.name ?? "", cells: 24))"
    }

    private func window(_ window: WindowFacts) -> String {
        let closes = visible(window.local?.closes ?? window.closes.text, cells: 40)
        return window.state == .open
            ? "* seats can be swapped from now on, until \(closes)"
            : "* seats cannot be swapped any more: it was possible until \(closes)"
    }

    private func offer(_ news: OfferNews) -> String {
        let who = WhoText.short(news.who)
        guard !news.offer.seats.isEmpty else {
            return news.asks == .known(.nothing)
                ? "\(who) does not want to be asked for a swap" : "\(who) takes the offer back"
        }
        let note = visible(news.offer.note, cells: 60)
        let list = news.offer.seats.map { cabin.described($0.text) }.joined(separator: ", ")
        return "\(who) offers \(list) for \(Self.wants(news.offer.wants))"
            + (note.isEmpty ? "" : "  \"\(note)\"")
    }

    /// `a window seat, 12A`.
    package static func wants(_ wants: [SeatWish]) -> String {
        let words = wants.map { want in
            switch want {
            case .any: "any seat"
            case .window: "a window seat"
            case .aisle: "an aisle seat"
            case .front: "a seat further forward"
            case .seats(let text): visible(text, cells: 24)
            }
        }
        // They said no more, or keep it to themselves.
        return words.isEmpty ? "a seat that is not named" : words.joined(separator: ", ")
    }

    private func claim(_ news: ClaimNews) -> String {
        let who = WhoText.tagged(news.who)
        return switch news.change {
        case .known(.claimed): "\(who) claims \(news.seat.text)"
        case .known(.released): "\(who) gives \(news.seat.text) up"
        case .other: "\(news.seat.text) is open"
        }
    }

    private func seat(_ news: SeatNews) -> String {
        let holders = news.holders.map { WhoText.tagged($0) }
        return switch holders.count {
        case 0: "\(news.seat.text) is open"
        case 1: "\(holders[0]) is in \(news.seat.text)"
        default: "\(news.seat.text) is claimed by \(holders.joined(separator: " and "))"
        }
    }

    private func swap(_ request: RequestText) -> String {
        let place = request.place.isEmpty ? "" : "; " + request.place
        if let failure = request.failure {
            return visible(failure.what) + (failure.why.map { ": " + visible($0) } ?? "")
                + place
        }
        return switch request.state {
        case .known(.agreed):
            "request \(request.number): \(request.agreement)"
                + request.recanting(slash: slash) + place
        case .known(.final): request.closing(slash: slash)
        case .known(.open), .known(.stranded), .known(.declined), .known(.withdrawn),
            .known(.expired), .known(.failed), .other:
            "request " + request.line(slash: slash)
        }
    }

    /// A swap between others, as in the log.
    private func record(_ news: SwapNews) -> String {
        switch news.state {
        case .known(.abandoned):
            return "\(WhoText.tagged(news.who)) left a swap that was refused"
        case .known(.recorded), .other:
            let moves = news.moves.map { "\(WhoText.tagged($0.to)) gets \($0.seat.text)" }
            return "a swap is signed: " + moves.joined(separator: ", ")
        }
    }

    /// `10:02` in local time; `--:--` without a date.
    package static func clock(_ date: Stamp?) -> String {
        guard let time = date?.time else { return "--:--" }
        var seconds = time_t(time.seconds)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "--:--" }
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(two(parts.tm_hour)):\(two(parts.tm_min))"
    }
}
