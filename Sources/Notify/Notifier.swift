// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
package import Protocol
import Text
import Wording

/// One way to alert a passenger.
package enum Notification: Hashable, Sendable {
    /// The bell of the terminal.
    case bell
    /// A notice of the desktop: one line each, safe for a terminal, at most 200 cells. The title is
    /// this program's own words.
    case desktop(title: String, body: String)
    /// The title of the terminal's window: this program's own words.
    case title(String)
}

/// What the passenger sees now.
package struct Looking: Hashable, Sendable {
    /// Whether the terminal has the focus.
    package enum Focus: Hashable, Sendable {
        case here, away
        /// The terminal does not say.
        case unknown
    }

    /// Whether the terminal has the focus.
    package var focus: Focus
    /// The key of the passenger whose conversation is on the screen; `nil` for everyone's.
    package var conversation: String?

    /// What has the focus, and which conversation is open.
    package init(focus: Focus, conversation: String? = nil) {
        self.focus = focus
        self.conversation = conversation
    }
}

/// Decides which events deserve a bell, a notice and a count (docs/guide/view.md). A pure value.
///
/// The bell rings at most every ten seconds, and notices that come faster are combined.
package struct Notifier: Hashable, Sendable {
    /// The time between two bells, and between two notices.
    package static let rest = TimeSpan.seconds(10)

    /// Swaps of bookings whose states are remembered: a little more than can be open.
    private static let remembered = 256

    /// How the passenger wants to be alerted.
    package var settings: NotifySettings
    /// The passenger, as on the control socket: name and seats.
    package var me: Person?
    /// Requests that the passenger has to answer, each with the contract on the table.
    private var waiting: [Int: String] = [:]
    /// How swaps of bookings stood when they were last said.
    private var swaps: [Int: String] = [:]
    /// Whether something was decided that they have not seen.
    private var hasOutcome = false
    /// Lines that they have not seen, by conversation; the empty key means everyone's.
    private var unread: [String: Int] = [:]
    private var lastTitle = "seatagent"
    private var quietUntil: Instant?
    private var notices: Notices

    /// A notifier for the passenger `me`; `requests` are open already.
    package init(_ settings: NotifySettings, me: Person?, requests: [SwapRequest] = []) {
        self.settings = settings
        self.me = me
        notices = Notices(rest: Self.rest)
        for request in requests where request.needsAnswer {
            waiting[request.number] = request.contract
        }
    }

    /// When ``due(at:)`` has something to say; `nil` if never.
    package var nextDeadline: Instant? { notices.nextDeadline }

    /// The title as it should be now. A view sets it when it begins, and then follows
    /// ``Notification/title(_:)``.
    package var title: String {
        guard settings.level != .off else { return "seatagent" }
        if !waiting.isEmpty || hasOutcome { return "(!) seatagent" }
        let count = unread.values.reduce(0, +)
        return count == 0 ? "seatagent" : "(\(count)) seatagent"
    }

    /// Takes one event of the control socket in.
    package mutating func handle(
        _ event: ControlEvent, looking: Looking, at now: Instant
    ) -> [Notification] {
        var out: [Notification] = []
        see(looking)
        guard let call = call(event) else { return retitled() }
        let isOnScreen = isOnScreen(call, looking)
        count(call, isOnScreen)
        guard settings.level != .off, !isOnScreen else { return out + retitled() }
        if settings.level == .on || call.kind.isPersonal {
            if settings.bell, quietUntil.map({ $0 <= now }) ?? true {
                quietUntil = now + Self.rest
                out.append(.bell)
            }
            if call.kind.isPersonal, settings.hasDesktop { out += notices.add(call, at: now) }
        }
        return out + retitled()
    }

    /// The passenger now looks elsewhere; what they see is no longer news.
    package mutating func look(_ looking: Looking) -> [Notification] {
        see(looking)
        return retitled()
    }

    /// Returns what was held back, once its time has come.
    package mutating func due(at now: Instant) -> [Notification] {
        let calls = notices.due(at: now)
        return settings.level == .off ? [] : calls
    }

    // MARK: What they see

    private mutating func see(_ looking: Looking) {
        guard looking.focus != .away else { return }
        unread[looking.conversation ?? ""] = nil
        guard looking.focus == .here else { return }
        hasOutcome = false
        notices.drop { $0.kind.isSwap || $0.conversation == looking.conversation }
    }

    /// Requests and outcomes are in the bar above every conversation. A terminal that does not
    /// report its focus may be out of sight; there, only lines to everyone count as seen.
    private func isOnScreen(_ call: Call, _ looking: Looking) -> Bool {
        let isThere = call.kind.isSwap || call.conversation == looking.conversation
        return switch looking.focus {
        case .here: isThere
        case .away: false
        case .unknown: isThere && !call.kind.isPersonal
        }
    }

    private mutating func count(_ call: Call, _ isOnScreen: Bool) {
        switch call.kind {
        case .request, .opening: break
        case .outcome: hasOutcome = hasOutcome || !isOnScreen
        case .message, .mention: unread[call.conversation ?? "", default: 0] += isOnScreen ? 0 : 1
        case .chat where settings.level == .on:
            unread[call.conversation ?? "", default: 0] += isOnScreen ? 0 : 1
        case .chat: break
        }
    }

    private mutating func retitled() -> [Notification] {
        let title = title
        guard title != lastTitle else { return [] }
        lastTitle = title
        return [.title(title)]
    }

    // MARK: What an event means

    /// The reason to alert the passenger; `nil` if there is none, as for their own lines.
    private mutating func call(_ event: ControlEvent) -> Call? {
        switch event.what {
        case .chat(let news):
            guard !news.who.me else { return nil }
            let isCalled = Mention(me).isIn(news.text)
            return said(news.text, by: news.who, isCalled ? .mention : .chat, nil)
        case .message(let message):
            guard message.state == .received, !message.outgoing else { return nil }
            return said(message.text, by: message.who, .message, message.who.key)
        case .party(let news): return party(news)
        case .request(let request): return self.request(RequestText(request))
        case .swap(let request): return outcome(RequestText(request))
        case .window(let window) where window.state == .open: return opening(event)
        case .woke(let news): return wake(news)
        case .booking(let news):
            var call = booking(news)
            call?.isOfBooking = true
            return call
        case .peer, .offer, .seat, .claim, .record, .seated, .verify, .cabin, .layout, .awake,
            .attendance, .trouble, .window, .ready, .other:
            return nil
        }
    }

    private func said(
        _ text: String, by person: Person, _ kind: Call.Kind, _ conversation: String?
    ) -> Call {
        let who = WhoText.seated(person)
        let text = visible(text, cells: 120)
        let what = kind == .mention ? "\(who) speaks of you" : "\(who) writes to you"
        return Call(
            kind: kind, conversation: conversation,
            body: settings.preview && !text.isEmpty ? "\(who): \(text)" : what)
    }

    /// Words of a companion, or somebody who has the code and waits for an answer.
    private func party(_ news: PartyNews) -> Call? {
        guard let who = news.who, !who.me else { return nil }
        switch news.change {
        case .known(.said): return said(news.text ?? "", by: who, .message, "party")
        case .known(.asked):
            return Call(kind: .message, body: PartyWords.question(who))
        case .known(.changed), .known(.removed), .other: return nil
        }
    }

    private mutating func request(_ request: RequestText) -> Call? {
        // A counter-offer to a waiting request is another question.
        guard waiting.updateValue(request.contract, forKey: request.number) != request.contract
        else { return nil }
        let note = settings.preview ? request.quotedNote : ""
        return Call(kind: .request(request.number), body: request.ask + note)
    }

    /// The computer slept, and something is open.
    private func wake(_ news: WokeNews) -> Call? {
        let text = WakeText(news)
        return text.isAnythingOpen ? Call(kind: .outcome, body: text.sentence) : nil
    }

    private func opening(_ event: ControlEvent) -> Call? {
        EventText(event: event).words.map { Call(kind: .opening, body: String($0.dropFirst(2))) }
    }

    /// What the desk of a venue made of an ask, or what became of a swap of bookings.
    private mutating func booking(_ news: BookingNews) -> Call? {
        if let swap = news.swap { return self.swap(swap) }
        switch news.asked?.state {
        case .known(.done): return Call(kind: .outcome, body: "The desk did what you asked for.")
        case .known(.refused):
            return Call(kind: .outcome, body: "The desk refuses what you asked for.")
        case .known(.asked), .known(.waiting), .known(.over), .other, nil: return nil
        }
    }

    private mutating func swap(_ swap: BookingSwap) -> Call? {
        let who = WhoText.tagged(swap.by)
        if swap.needsAnswer {
            guard waiting.updateValue(swap.contract, forKey: swap.number) != swap.contract else {
                return nil
            }
            let note = visible(swap.note, cells: 100)
            return Call(
                kind: .request(swap.number),
                body: "\(who) asks you to swap bookings"
                    + (settings.preview && !note.isEmpty ? ": \"\(note)\"" : ""))
        }
        waiting[swap.number] = nil
        notices.drop { $0.kind == .request(swap.number) }
        // The same state comes again when the desk has seen it too. Old ones do not move any more.
        swaps = swaps.filter { $0.key > swap.number - Self.remembered }
        guard swaps.updateValue(swap.state.text, forKey: swap.number) != swap.state.text else {
            return nil
        }
        switch swap.state {
        case .known(.final): return Call(kind: .outcome, body: "Your bookings are swapped.")
        case .known(.declined), .known(.expired), .known(.failed):
            guard swap.by.me else { return nil }
            return Call(
                kind: .outcome, body: "Your swap of bookings is off: it \(Self.end(swap.state)).")
        case .known(.stranded):
            return Call(kind: .outcome, body: "A swap of bookings is stuck: the desk can end it.")
        case .known(.open), .known(.agreed), .known(.withdrawn), .other: return nil
        }
    }

    private static func end(_ state: Word<RequestState>) -> String {
        switch state {
        case .known(.declined): "was declined"
        case .known(.expired): "was not answered in time"
        default: "came to nothing"
        }
    }

    private mutating func outcome(_ request: RequestText) -> Call? {
        waiting[request.number] = nil
        notices.drop { $0.kind == .request(request.number) }
        guard let words = request.news else { return nil }
        return Call(kind: .outcome, body: words)
    }
}
