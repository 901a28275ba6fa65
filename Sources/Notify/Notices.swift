// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text

/// A reason to alert a passenger.
package struct Call: Hashable, Sendable {
    /// The kind of reason.
    package enum Kind: Hashable, Sendable {
        /// Somebody asks for a seat, under this number.
        case request(Int)
        /// A negotiation ended, or is stuck.
        case outcome
        /// Seats can now be swapped.
        case opening
        /// A message to them alone.
        case message
        /// A line to everyone that names them or their seat.
        case mention
        /// Anything else said to everyone.
        case chat

        /// Whether it concerns them in particular.
        var isPersonal: Bool {
            switch self {
            case .request, .outcome, .opening, .message, .mention: true
            case .chat: false
            }
        }

        /// Whether it is about seats.
        var isSwap: Bool {
            switch self {
            case .request, .outcome, .opening: true
            case .message, .mention, .chat: false
            }
        }

        /// The title of notices about seats and words.
        package var title: String {
            switch self {
            case .request, .outcome: "Seat swap"
            case .opening: "Seats open"
            case .message: "Message"
            case .mention, .chat: "In the cabin"
            }
        }
    }

    /// The kind of reason.
    package var kind: Kind
    /// The conversation: the other passenger's key, or `nil` for everyone's.
    package var conversation: String?
    /// One sentence.
    package var body: String
    /// Whether it is about a booking, and not about a seat.
    var isOfBooking = false

    /// A call about `body`; `conversation` is the key of a passenger, `nil` for everyone.
    package init(kind: Kind, conversation: String? = nil, body: String) {
        self.kind = kind
        self.conversation = conversation
        self.body = body
    }

    /// The title of its notice.
    var title: String { isOfBooking ? "Booking" : kind.title }
}

/// Notices of the desktop, at most one in a while: the first goes out at once, later ones wait and
/// go out as one.
struct Notices: Hashable, Sendable {
    /// The time between two of them.
    let rest: TimeSpan
    private var held: [Call] = []
    private var quietUntil: Instant?

    /// No notices yet.
    init(rest: TimeSpan) { self.rest = rest }

    /// When the waiting ones go out; `nil` if none wait.
    var nextDeadline: Instant? { held.isEmpty ? nil : quietUntil }

    /// Adds one; returns what goes out now.
    mutating func add(_ call: Call, at now: Instant) -> [Notification] {
        held.append(call)
        return due(at: now)
    }

    /// What goes out at `now`.
    mutating func due(at now: Instant) -> [Notification] {
        guard let last = held.last, quietUntil.map({ $0 <= now }) ?? true else { return [] }
        quietUntil = now + rest
        let calls = held
        held = []
        guard calls.count > 1 else {
            return [.desktop(title: last.title, body: visible(last.body, cells: 200))]
        }
        return [.desktop(title: "seatagent", body: Self.counted(calls))]
    }

    /// Discards those that are no longer needed.
    mutating func drop(where isOver: (Call) -> Bool) { held.removeAll(where: isOver) }

    /// `3 requests, 1 message`.
    private static func counted(_ calls: [Call]) -> String {
        var requests = 0
        var outcomes = 0
        var openings = 0
        var messages = 0
        var mentions = 0
        for call in calls {
            switch call.kind {
            case .request: requests += 1
            case .outcome: outcomes += 1
            case .opening: openings += 1
            case .message: messages += 1
            case .mention, .chat: mentions += 1
            }
        }
        let parts = [
            (requests, "request"), (outcomes, "answer"), (openings, "opening"),
            (messages, "message"), (mentions, "mention"),
        ]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" + ($0.0 == 1 ? "" : "s") }
            .joined(separator: ", ")
    }
}
