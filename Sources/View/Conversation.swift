// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Wording

/// One line of a conversation: what the agent told, as it told it, or words of the view.
package struct ChatLine: Hashable, Sendable {
    /// What a line shows.
    enum Content: Hashable, Sendable {
        /// A line to everyone.
        case chat(ChatNews)
        /// A message to or from one passenger.
        case message(PrivateMessage)
        /// Something happened.
        case happened(String)
        /// The view itself says it, to this person alone; with the id of the message that it
        /// is about.
        case note(String, id: String? = nil)
    }

    /// `10:02`, local time.
    package let clock: String
    /// What it shows.
    let content: Content
    /// How far an own line has come.
    package var mark = DeliveryMark.none

    /// As it came; made harmless when it is drawn.
    package var text: String {
        switch content {
        case .chat(let news): news.text
        case .message(let message): message.text
        case .happened(let words), .note(let words, _): words
        }
    }

    /// The record's or message's id, to tell it from a second copy of itself.
    package var id: String? {
        switch content {
        case .chat(let news): news.id
        case .message(let message): message.id
        case .note(_, let id): id
        case .happened: nil
        }
    }

    /// Whether the user said it.
    var isOwn: Bool {
        switch content {
        case .chat(let news): news.who.me
        case .message(let message): message.outgoing
        case .happened, .note: false
        }
    }

    /// The other passenger who said it; `nil` for every other line.
    var speaker: Person? {
        switch content {
        case .chat(let news): news.who.me ? nil : news.who
        case .message(let message): message.outgoing ? nil : message.who
        case .happened, .note: nil
        }
    }

    /// Whether it is a line of the view itself.
    var isNote: Bool {
        if case .note = content { return true }
        return false
    }

    /// Whether it says that something happened.
    var isEvent: Bool {
        if case .happened = content { return true }
        return false
    }

    /// What to know of the time that it states: `late`, `clock ahead`; mostly empty.
    var timeMark: String {
        if case .chat(let news) = content { return EventText.talkMark(news) }
        return ""
    }
}

/// How far an own line has come.
package enum DeliveryMark: Hashable, Sendable {
    case none
    /// Kept here until it arrives.
    case waiting
    /// This many agents have it.
    case delivered(Int)
    /// It reached nobody, or it was given up.
    case failed

    /// `…`, `✓13`, `!`.
    package func text(ascii: Bool) -> String {
        switch self {
        case .none: ""
        case .waiting: ascii ? "..." : "…"
        case .delivered(let count): (ascii ? "ok" : "✓") + (count > 1 ? "\(count)" : "")
        case .failed: "!"
        }
    }
}

/// The lines of everyone, or of one passenger.
package struct Conversation: Hashable, Sendable {
    /// What stands in place of a key for the conversation of the user's party.
    static let party = "party"

    /// The passenger's key, or ``party``; `nil` for everyone.
    let key: String?
    /// The passenger's name when the conversation began.
    var name: String
    /// Oldest first.
    private(set) var lines: [ChatLine] = []
    /// How many lines came unseen.
    private(set) var unread = 0
    /// The first line that came unseen; kept until the user leaves the conversation.
    private(set) var firstNew: Int?
    /// Where the picture ends, if not at the newest line.
    struct Place: Hashable, Comparable, Sendable {
        /// It ends with the line before this one,
        var end: Int
        /// and this many lines of the screen are below the edge.
        var hidden: Int

        static func < (left: Place, right: Place) -> Bool {
            left.end == right.end ? left.hidden > right.hidden : left.end < right.end
        }
    }

    /// Where the picture ends; `nil` for the newest line.
    var bottom: Place?
    /// Where the picture ends.
    var place: Place {
        let newest = Place(end: lines.count, hidden: 0)
        return min(bottom ?? newest, newest)
    }
    /// What was typed and not sent before another conversation was opened.
    var draft = ""

    /// How many lines are kept.
    static let limit = 5000
    /// Lines over the limit before old ones are cut off, so that not every new line moves all
    /// others.
    private static let slack = 500

    init(key: String?, name: String) {
        self.key = key
        self.name = name
    }

    /// Adds a line; `seen` if it is on a screen that somebody looks at.
    mutating func append(_ line: ChatLine, seen: Bool) {
        if line.speaker != nil, !seen {
            if unread == 0 { firstNew = lines.count }
            unread += 1
        }
        lines.append(line)
        guard lines.count > Self.limit + Self.slack else { return }
        let extra = lines.count - Self.limit
        lines.removeFirst(extra)
        firstNew = firstNew.map { max($0 - extra, 0) }
        bottom = bottom.map { Place(end: max($0.end - extra, 1), hidden: $0.hidden) }
    }

    /// Sets the mark of the line with that id; `false` if there is none.
    mutating func mark(id: String, _ mark: DeliveryMark) -> Bool {
        guard let index = lines.lastIndex(where: { $0.id == id }) else { return false }
        lines[index].mark = mark
        return true
    }

    /// Whether a line with that id is among the newest, where history and events overlap.
    func holds(id: String) -> Bool { lines.suffix(500).contains { $0.id == id } }

    /// The user looks at this conversation now.
    mutating func look() { unread = 0 }

    /// The user looks at another conversation now.
    mutating func leave() {
        firstNew = nil
        unread = 0
    }

    /// Discards the lines, on this screen only.
    mutating func clear() {
        lines = []
        bottom = nil
        leave()
    }
}
