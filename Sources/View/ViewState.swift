// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import ControlAPI
package import Grammar
package import Notify
package import Protocol
package import Terminal
package import Text
package import Wording

/// Everything that the full-screen view knows: a value. Keys, answers and events change it, and a
/// picture is drawn from it; it never communicates itself
/// (docs/decisions/0003-the-view-is-a-value.md).
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
        /// Pages of swaps that were found.
        case plans
    }

    /// A text to read, over the chat.
    package struct Page: Hashable, Sendable {
        package var title: String
        package var lines: [String]
        /// The first line that is shown.
        package var top = 0
        /// Whether its text is still being made.
        package var isWaiting = false
    }

    // MARK: The window

    /// Columns and lines of the window.
    package var size = Grid.Point(x: 80, y: 24)
    /// Whether to use only ASCII letters.
    package var ascii = false
    /// Whether the mouse may be used on the map.
    package var mouse = true
    /// Whether the terminal reports the mouse; selecting text then needs Shift.
    var wantsMouse: Bool { mouse && focus == .cabin }
    /// Whether the terminal has the focus, as far as it says.
    var terminalFocus = Looking.Focus.unknown
    /// Whether somebody may be looking.
    var isFocused: Bool { terminalFocus != .away }
    /// What the user sees now.
    package var looking: Looking {
        Looking(focus: terminalFocus, conversation: isShowing ? conversation.key : "none")
    }
    /// Whether the newest lines of the conversation are on a screen that somebody may be looking
    /// at.
    var isShowing: Bool {
        isFocused && conversation.bottom == nil && (focus == .input || focus == .cabin)
    }
    /// The time now, by the clock that never jumps.
    package var now = Instant(nanoseconds: 0)

    // MARK: The flight, as the agent told it

    /// The layout with which the cabin is drawn.
    package var cabin = CabinLayout.standard
    /// The agent's status; `nil` before it came.
    package var status: AgentStatus?
    /// Seats that somebody holds.
    package var map: [SeatEntry] = []
    package var peers: [Peer] = []
    /// Passengers by key.
    package var passengers: [String: Peer] = [:]
    package var requests: [SwapRequest] = []
    /// What every seat means to the user.
    package var marks: [Seat: SeatMark] = [:]
    /// When requests and status came; their countdowns run from then.
    var requestsAt = Instant(nanoseconds: 0)
    var statusAt = Instant(nanoseconds: 0)
    /// What has to be asked again.
    package var stale = Stale.ofFlight

    /// Parts of the picture that events have made outdated.
    package struct Stale: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        /// The parts with these bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let status = Stale(rawValue: 1)
        package static let peers = Stale(rawValue: 2)
        package static let seats = Stale(rawValue: 4)
        package static let requests = Stale(rawValue: 8)
        package static let venue = Stale(rawValue: 16)

        /// All that the view shows of a flight, and of a venue.
        static let ofFlight: Stale = [.status, .peers, .seats, .requests]
        static let ofVenue: Stale = [.status, .peers, .venue]
    }

    /// The venue that the agent is in, and what is known of it; `nil` on a flight.
    package var venue: VenueScene?

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
    /// Questions that came by themselves while another was open, or while something was being
    /// typed.
    var following: [Question] = []
    package var page: Page?
    /// The page of people, while it is open.
    package var people: People?
    /// What was found, while its pages are open.
    package var plans: Plans?
    /// The number of the request in the box.
    var boxed: Int?
    /// Since when `/to` has been looking up its passenger: a line typed meanwhile is meant for
    /// them.
    var lookingUp: Instant?
    /// Whether the passenger may still be found.
    var isLookingUp: Bool { lookingUp.map { now - $0 < .seconds(3) } ?? false }
    /// A line for the user, until the next key.
    package var notice: String?
    /// Whether to show the hint for the first run; until it is dismissed.
    package var showsHint = false
    /// The words that Tab goes through.
    package var completion: Completion?
    /// Whether Ctrl-X was typed, so that the next key is the second half of a pair.
    var prefixed = false
    /// When Ctrl-C was typed on an empty line.
    var interruptedAt: Instant?
    /// Delivery of lines whose event has not come yet.
    var deliveries: [(id: String, mark: DeliveryMark)] = []
    /// What others could ask for before the user let nobody ask.
    var asksBefore = Asking.similar
    /// Whether the user's seats are offered.
    var isOffering = false
    /// The layout that the user was asked about and has not answered.
    var askedLayout: String?
    /// Passengers who are out of reach.
    package var away: [Away] = []
    /// Whether the agent no longer answers.
    var isLost = false
    /// Whether another agent was found, whose history contains everything that was said.
    var wasLost = false
    /// Whether the history has come; before that, live lines wait for it.
    var hasHistory = false

    /// A view that knows nothing yet.
    package init(
        ascii: Bool = false, mouse: Bool = true, showsHint: Bool = false,
        venue: VenueScene? = nil
    ) {
        self.ascii = ascii
        self.mouse = mouse
        self.showsHint = showsHint
        self.venue = venue
        if venue != nil { stale = .ofVenue }
    }

    // MARK: Looking things up

    /// The user, whose agent this is.
    package var me: Person? { status?.me }
    /// The user's seats, in order.
    package var mySeats: [Seat] { me?.seats ?? [] }

    /// Who holds a seat, and what they offer.
    package func holders(_ seat: Seat) -> [(who: Person, offer: SeatOffer?)] {
        let item = map.first { $0.seat == seat }
        return (item?.holders ?? []).map { holder in
            passengers[holder.key].map { ($0.person, $0.offer) } ?? (holder.person, nil)
        }
    }

    /// Claims to a seat that have less evidence than its holder's.
    package func remarks(_ seat: Seat) -> [SeatClaim] {
        (map.first { $0.seat == seat }?.claims ?? []).filter(\.remark)
    }

    /// Requests that the user has to answer, oldest first.
    package var waiting: [RequestText] {
        requests.map { RequestText($0, cabin: cabin) }.filter(\.needsAnswer)
    }

    /// How many of these seconds are left, if they were counted at `since`.
    package func left(_ seconds: Int?, since: Instant) -> Int64? {
        let passed = max((now - since).nanoseconds / 1_000_000_000, 0)
        return seconds.map { max(max(Int64($0), 0) - passed, 0) }
    }

    /// The number of unread lines in all conversations.
    package var unread: Int { conversations.reduce(0) { $0 + $1.unread } }

    /// The conversation on the screen.
    package var conversation: Conversation { conversations[current] }

    /// The index of a passenger's conversation; begins one if there is none.
    package mutating func place(of key: String, name: String) -> Int {
        if let index = conversations.firstIndex(where: { $0.key == key }) { return index }
        conversations.append(Conversation(key: key, name: name))
        return conversations.count - 1
    }

    /// Opens a conversation; a line being typed stays with the other one.
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

    /// Adds a line from the view itself.
    package mutating func note(_ text: String) {
        conversations[current].append(ChatLine(clock: "", content: .note(text)), seen: true)
        conversations[current].bottom = nil
    }

    /// Says what to know before the question that follows, except what was said a moment ago.
    package mutating func warn(_ warnings: [String]) {
        let recent = conversation.lines.suffix(12).map(\.text)
        for warning in warnings.map(SlashTable.typed) where !recent.contains(warning) {
            note(warning)
        }
    }

    /// Adds what happened, why, and what to do, as lines of the chat.
    package mutating func tell(_ error: UserError) {
        var text = error.what
        if let why = error.why { text += ": " + why }
        if let advice = error.advice { text += ".  Try: " + SlashTable.asTyped(advice) }
        note(text)
    }
}

/// Something that the view wants done. Its loop does it and returns the result.
package enum ViewIntent: Hashable, Sendable {
    /// A request to the agent; the purpose comes back with the answer.
    case call(ControlCall, Purpose)
    /// A command of this program, run beside the view; its output becomes a page.
    case run([String])
    /// Commands of this program, one after the other, until one fails.
    case errands([Errand])
    /// Leaves the view; the agent stays, or leaves some time later.
    case quit
    /// Leaves the view and stops the agent.
    case leave
    case suspend
    /// Opens the text in the user's editor.
    case edit(String)
    /// Paints everything again.
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

/// Why the agent was asked, which says what its answer means.
package enum Purpose: Hashable, Sendable {
    case status, peers, seats, requests, history, party, venue
    /// To see what is booked on the days from one on.
    case days(String)
    /// To see where a friend is, by their tag.
    case friend(String)
    /// To find swaps.
    case plans(Verb)
    /// A line to everyone, and one to the passenger with a key; a failure gives the words back.
    case say(String)
    case message(String, key: String)
    /// A line to the user's party, alike.
    case sayToParty(String)
    /// To find the passenger to talk to.
    case talk
    /// To find the passenger for a message, by the word that was typed: the agent refuses a word
    /// that means somebody else than the verified passenger.
    case talkAndSend(String, to: String)
    /// To prepare a request: what would be asked, and the line that was typed.
    case draft(Drafted, line: String? = nil)
    /// To do what the user said yes to.
    case asked, answered, declined, cancelled, forced
    case verify, compared
    /// To claim a new seat; the old one is then released.
    case claimed(release: String)
    /// To do something whose success is one line.
    case told(String)
}
