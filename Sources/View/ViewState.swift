// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import ControlAPI
package import Notify
package import Protocol
package import Terminal
package import Text
package import Wording

/// Everything the full-screen view knows: a value. Keys, answers and events change it, a picture is
/// drawn from it; it never talks to anybody itself (docs/decisions/0003-the-view-is-a-value.md).
package struct ViewState: Sendable {
    /// Where keys go.
    package enum Focus: Hashable, Sendable {
        case input
        case cabin
        /// The box of requests.
        case request
        /// Pages of text over the chat.
        case page
        /// The page of people.
        case people
    }

    /// A text to read, over the chat.
    package struct Page: Hashable, Sendable {
        package var title: String
        package var lines: [String]
        /// The first line shown.
        package var top = 0
        /// A page that is still being made.
        package var isWaiting = false
    }

    // MARK: The window

    /// Columns and lines.
    package var size = Grid.Point(x: 80, y: 24)
    /// Letters of ASCII only.
    package var ascii = false
    /// Whether the mouse may be used on the map.
    package var mouse = true
    /// Whether the mouse is reported: then the terminal's own selection of text wants Shift.
    var wantsMouse: Bool { mouse && focus == .cabin }
    /// Whether the terminal has the focus, as far as it says.
    var terminalFocus = Looking.Focus.unknown
    /// Whether somebody may be looking.
    var isFocused: Bool { terminalFocus != .away }
    /// What the passenger sees now.
    package var looking: Looking {
        Looking(focus: terminalFocus, conversation: isShowing ? conversation.key : "none")
    }
    /// Whether the newest lines of the conversation are on the screen of somebody who may look.
    var isShowing: Bool {
        isFocused && conversation.bottom == nil && (focus == .input || focus == .cabin)
    }
    /// Now, by the clock that never jumps.
    package var now = Instant(nanoseconds: 0)

    // MARK: The flight, as the agent told it

    /// How the cabin is drawn.
    package var cabin = CabinLayout.standard
    /// `nil` before it came.
    package var status: AgentStatus?
    /// Seats that somebody holds.
    package var map: [SeatEntry] = []
    package var peers: [Peer] = []
    /// The same by key.
    package var passengers: [String: Peer] = [:]
    package var requests: [SwapRequest] = []
    /// What every seat is to me.
    package var marks: [Seat: SeatMark] = [:]
    /// When the requests and the status were told: their countdowns run from there.
    var requestsAt = Instant(nanoseconds: 0)
    var statusAt = Instant(nanoseconds: 0)
    /// What has to be asked again.
    package var stale: Stale = [.status, .peers, .seats, .requests]

    /// Parts of the picture that events have overtaken.
    package struct Stale: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        /// The parts whose bits are set.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let status = Stale(rawValue: 1)
        package static let peers = Stale(rawValue: 2)
        package static let seats = Stale(rawValue: 4)
        package static let requests = Stale(rawValue: 8)
    }

    // MARK: What is on the screen

    package var focus = Focus.input
    /// The seat under the cursor of the cabin.
    package var cursor: Seat?
    /// Digits of a seat that is being typed on the map.
    var typedRow = ""
    var conversations = [Conversation(key: nil, name: "all")]
    package var current = 0
    package var editor = LineEditor()
    package var question: Question?
    /// One that came by itself while another stood, or while something was being typed.
    var following: [Question] = []
    package var page: Page?
    /// The page of people, while it is open.
    package var people: People?
    /// Which of the waiting requests the box shows.
    var boxed: Int?
    /// `/to` waits for the passenger: a line that is typed meanwhile is meant for them.
    var lookingUp: Instant?
    /// Whether that may still come.
    var isLookingUp: Bool { lookingUp.map { now - $0 < .seconds(3) } ?? false }
    /// One line for the person, until the next key.
    package var notice: String?
    /// The line of the first run, until it is dismissed.
    package var showsHint = false
    /// Words that Tab goes through.
    package var completion: Completion?
    /// Ctrl-X was typed: the next key is the second half of a pair.
    var prefixed = false
    /// Ctrl-C was typed on an empty line at this time.
    var interruptedAt: Instant?
    /// Delivery of lines whose event has not come yet.
    var deliveries: [(id: String, mark: DeliveryMark)] = []
    /// Whether the own seats are offered.
    var isOffering = false
    /// The layout that the passenger is asked about, or was and has not answered.
    var askedLayout: String?
    /// Passengers who are out of reach.
    package var away: [Away] = []
    /// The agent does not answer any more.
    var isLost = false
    /// Another agent was found: its history has all that was said.
    var wasLost = false
    /// The history came; before, live lines wait for it.
    var hasHistory = false

    /// A view that knows nothing yet, at rest.
    package init(ascii: Bool = false, mouse: Bool = true, showsHint: Bool = false) {
        self.ascii = ascii
        self.mouse = mouse
        self.showsHint = showsHint
    }

    // MARK: Looking things up

    /// The passenger whose agent this is.
    package var me: Person? { status?.me }
    /// Seats of mine, in order.
    package var mySeats: [Seat] { me?.seats ?? [] }

    /// Who holds a seat, and what they offer.
    package func holders(_ seat: Seat) -> [(who: Person, offer: SeatOffer?)] {
        let item = map.first { $0.seat == seat }
        return (item?.holders ?? []).map { holder in
            passengers[holder.key].map { ($0.person, $0.offer) } ?? (holder.person, nil)
        }
    }

    /// Claims to a seat of less evidence than its holder's.
    package func remarks(_ seat: Seat) -> [SeatClaim] {
        (map.first { $0.seat == seat }?.claims ?? []).filter(\.remark)
    }

    /// Requests that wait for an answer from here, oldest first.
    package var waiting: [RequestText] {
        requests.map { RequestText($0, cabin: cabin) }.filter(\.needsAnswer)
    }

    /// Seconds that a number of seconds, told at `since`, has come down to.
    package func left(_ seconds: Int?, since: Instant) -> Int64? {
        let passed = max((now - since).nanoseconds / 1_000_000_000, 0)
        return seconds.map { max(max(Int64($0), 0) - passed, 0) }
    }

    /// Unread lines of all conversations.
    package var unread: Int { conversations.reduce(0) { $0 + $1.unread } }

    /// The conversation on the screen.
    package var conversation: Conversation { conversations[current] }

    /// The place of a passenger's conversation; begins one where there is none.
    package mutating func place(of key: String, name: String) -> Int {
        if let index = conversations.firstIndex(where: { $0.key == key }) { return index }
        conversations.append(Conversation(key: key, name: name))
        return conversations.count - 1
    }

    /// Opens a conversation: what was typed stays with the other one.
    package mutating func open(_ index: Int) {
        completion = nil
        guard conversations.indices.contains(index), index != current else {
            focus = .input
            return
        }
        conversations[current].draft = editor.text
        conversations[current].leave()
        conversations[current].bottom = nil
        current = index
        conversations[current].look()
        editor.replace(with: conversation.draft)
        focus = .input
    }

    /// A line from the view itself.
    package mutating func note(_ text: String) {
        conversations[current].append(ChatLine(clock: "", content: .note(text)), seen: true)
        conversations[current].bottom = nil
    }

    /// What to know before the question that follows; what was said a moment ago is not said again.
    package mutating func warn(_ warnings: [String]) {
        let recent = conversation.lines.suffix(12).map(\.text)
        for warning in warnings where !recent.contains(warning) { note(warning) }
    }

    /// What happened, why, and what to do, as lines of the chat.
    package mutating func tell(_ error: UserError) {
        var text = error.what
        if let why = error.why { text += ": " + why }
        if let advice = error.advice { text += ".  Try: " + SlashTable.asTyped(advice) }
        note(text)
    }
}

/// What the view wants done. Its loop does it and hands the outcome back.
package enum ViewIntent: Hashable, Sendable {
    /// A request of the control socket; the purpose comes back with the answer.
    case call(ControlCall, Purpose)
    /// A command of this program, run beside the view; its lines make a page.
    case run([String])
    /// Leaves the view; the agent stays or lingers.
    case quit
    /// Leaves and stops the agent too.
    case leave
    case suspend
    /// The text in the person's editor.
    case edit(String)
    /// Paints all anew.
    case redraw
    /// Notifications: on, off or mentions.
    case notify(NotifySettings.Level)
    /// A trap, in a debug build that was asked for it.
    case trap

    /// A question to the agent.
    package static func ask(_ operation: some ControlOperation, _ purpose: Purpose) -> ViewIntent {
        .call(ControlCall(operation), purpose)
    }
}

/// Why something was asked, and what its answer means.
package enum Purpose: Hashable, Sendable {
    case status, peers, seats, requests, history
    /// A line to everyone, and one to the passenger with a key; a failure gives the words back.
    case say(String)
    case message(String, key: String)
    /// Whom to talk to.
    case talk
    /// Whom to send a message to, under the word that was typed for them: the agent refuses a word
    /// that means somebody else than the one who was verified.
    case talkAndSend(String, to: String)
    /// A swap that is thought of: the seat and the words with it, and the line that was typed.
    case draft(Op.Swap, line: String? = nil)
    /// What was asked for with yes.
    case asked, answered, declined, cancelled, forced
    case verify, compared
    /// A new seat was claimed; the old one is released then.
    case claimed(release: String)
    /// Anything whose success is one line.
    case told(String)
}
