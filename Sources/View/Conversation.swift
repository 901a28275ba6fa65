// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Text

/// One line of a conversation.
package struct ChatLine: Hashable, Sendable {
    /// What kind of line it is.
    package enum Kind: Hashable, Sendable {
        /// A passenger said it; the key says who.
        case said(key: String)
        /// It was typed here.
        case own
        /// Something happened.
        case happened
        /// The view itself says it, to this person alone.
        case note
    }

    /// `10:02`, local time.
    package let clock: String
    package let kind: Kind
    /// What the speaker was called when the line came.
    package var name = ""
    /// Their name and seats when it was said, as the event has them.
    var speaker: Person?
    /// As it came; made harmless when it is drawn.
    package let text: String
    /// The record's or message's id, to tell it from a second copy of itself.
    package var id: String?
    /// How far an own line has come.
    package var mark = DeliveryMark.none
    /// What to know of the time that it states: `late`, `clock ahead`; mostly empty.
    var timeMark = ""
}

/// How far an own line has come.
package enum DeliveryMark: Hashable, Sendable {
    case none
    /// Kept here until it arrives.
    case waiting
    /// So many agents have it.
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

/// What is said with everyone, or with one passenger.
package struct Conversation: Hashable, Sendable {
    /// The passenger's key; `nil` for everyone.
    let key: String?
    /// The passenger's name when the conversation began.
    var name: String
    /// Oldest first.
    private(set) var lines: [ChatLine] = []
    /// How many lines came unseen.
    private(set) var unread = 0
    /// The first line that came unseen; stays until one leaves the conversation.
    private(set) var firstNew: Int?
    /// Where the picture ends, when it is not at the newest line.
    struct Place: Hashable, Comparable, Sendable {
        /// It ends with the line before this one,
        var end: Int
        /// of which so many lines of the screen are below the edge.
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

    /// Lines that are kept.
    static let limit = 5000
    /// Cut off at once when there are more: so that not every line moves all others.
    private static let slack = 500

    init(key: String?, name: String) {
        self.key = key
        self.name = name
    }

    /// Adds a line; `seen` when it is on the screen of somebody who looks.
    mutating func append(_ line: ChatLine, seen: Bool) {
        let isOthers =
            switch line.kind {
            case .said: true
            case .own, .happened, .note: false
            }
        if isOthers, !seen {
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

    /// A new mark for the line with that id; `false` where there is none.
    mutating func mark(id: String, _ mark: DeliveryMark) -> Bool {
        guard let index = lines.lastIndex(where: { $0.id == id }) else { return false }
        lines[index].mark = mark
        return true
    }

    /// Whether a line with that id is among the newest: the history and the events overlap there.
    func holds(id: String) -> Bool { lines.suffix(500).contains { $0.id == id } }

    /// Somebody looks at it now.
    mutating func look() { unread = 0 }

    /// Another one is looked at now.
    mutating func leave() {
        firstNew = nil
        unread = 0
    }

    /// Throws the lines away, on this screen only.
    mutating func clear() {
        lines = []
        bottom = nil
        leave()
    }
}
