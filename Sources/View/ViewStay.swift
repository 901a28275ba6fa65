// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Text
import Venues
import Wording

/// A command of the program that the view runs for its user, one after the other: it changes what
/// the user's own files say, which the agent does not have.
package struct Errand: Hashable, Sendable {
    /// The words behind `seatagent`.
    package let words: [String]
    /// What becomes of its lines.
    package let kind: Kind

    /// What becomes of the lines of an errand.
    package enum Kind: Hashable, Sendable {
        /// They are lines of the chat.
        case said
        /// They are JSON about a friend.
        case found
    }

    /// What came of it.
    package struct Outcome: Hashable, Sendable {
        /// What it printed.
        package let lines: [String]
        /// Whether it did what it should.
        package let isDone: Bool

        /// These lines.
        package init(lines: [String], isDone: Bool) {
            self.lines = lines
            self.isDone = isDone
        }
    }
}

/// What `friend MAIL --json` says, as far as the view needs it.
private struct FoundFriend: Codable {
    /// The same as a person reads it.
    var text: [String]
    /// By which they are found, until the volume is over.
    var tag: String
}

/// Coming to a place, leaving it, and finding friends.
extension ViewState {
    // MARK: At the cursor

    /// What a key does to the place under the cursor.
    mutating func actOnPlace(_ action: KeyAction) -> [ViewIntent] {
        if venue?.shownBook != nil { return actOnBook(action) }
        guard let page = venue, let place = page.chosen else { return [] }
        switch action {
        case .who: return run(["venue", "show", page.status.venue, String(place.id)])
        case .ask: return checkAtCursor(page, place)
        default:
            notice = "That key does nothing in a venue: ? lists those that do."
            return []
        }
    }

    private mutating func checkAtCursor(_ page: VenueScene, _ place: VenuePlace) -> [ViewIntent] {
        if let why = refusal(page, place) {
            notice = why
            return []
        }
        let name = visible(place.name, cells: 60)
        if page.stay?.place == place.id {
            put(
                Question(
                    sentence: "Say that you left \(name)? y/n",
                    intent: errands([["checkout"]])))
            return []
        }
        let line = ["checkin", String(place.id)]
        guard case .unasked(let address) = page.finding else {
            put(
                Question(
                    sentence: "Say that you are at \(name)? y/n", intent: errands([line])))
            return []
        }
        put(
            Question(
                sentence: "Say that you are at \(name)? y/n", lines: [whoSees(page)],
                intent: errands([line]),
                then: address.map { [mayBeFound($0, line)] } ?? []))
        return []
    }

    /// Why Enter does nothing at a place; `nil` if it does something.
    func refusal(_ page: VenueScene, _ place: VenuePlace) -> String? {
        if page.isOver { return overWords(page) }
        if page.isBusy { return "Wait a moment: your last word is on its way." }
        let name = visible(place.name, cells: 40)
        if let stay = page.stay {
            guard stay.place != place.id else { return nil }
            return "\(stayWords(page, stay)): Enter there checks out."
        }
        if place.mode != .counted {
            return "Nobody checks in at \(name): its places are booked, not counted."
        }
        guard page.state(of: place)?.isOpen == false else { return nil }
        return "\(name) is \(page.words(of: place) ?? "closed")."
    }

    /// `You are at UB Singel since 09:12`.
    func stayWords(_ page: VenueScene, _ stay: StayFacts) -> String {
        let name = page.venue?.place(stay.place)?.name ?? "place \(stay.place)"
        let since = page.clock(stay.begin).map { " since \($0)" } ?? ""
        return "You are at \(visible(name, cells: 40))\(since)"
    }

    private func whoSees(_ page: VenueScene) -> String {
        "Who is in \(visible(page.name, cells: 40)) today can see that somebody is at this place, "
            + "by a key that is new each day."
    }

    /// Asked once, before the first check-in.
    private func mayBeFound(_ address: String, _ line: [String]) -> Question {
        Question(
            sentence: "May people who know \(visible(address, cells: 60)) find you here? y/n",
            intent: errands([["friend", "allow"], line]),
            otherwise: errands([["friend", "hide"], line]))
    }

    // MARK: Typed

    /// `/checkin singel`.
    mutating func checkIn(_ words: [String]) -> [ViewIntent] {
        guard let page = venue else { return [] }
        if page.isBusy {
            notice = "Wait a moment: your last word is on its way."
            return []
        }
        let line = ["checkin"] + words
        guard case .unasked(let address?) = page.finding else { return [errands([line])] }
        var question = mayBeFound(address, line)
        question.lines = [whoSees(page)]
        put(question)
        return []
    }

    /// `/friend kiki@example.org`, `/friend allow`, `/friend hide`.
    func friend(_ words: [String]) -> [ViewIntent] {
        let isWord = ["allow", "hide"].contains(words.first?.lowercased())
        return [errands([["friend"] + words], isWord ? .said : .found)]
    }

    /// These commands one after the other, each for this venue.
    func errands(_ lines: [[String]], _ kind: Errand.Kind = .said) -> ViewIntent {
        let here = venue.map { ["--venue", $0.status.venue] } ?? []
        return .errands(
            lines.map { line in
                let isSetting = line.first == "friend" && kind == .said
                return Errand(
                    words: line + (isSetting ? [] : here) + (kind == .found ? ["--json"] : []),
                    kind: kind)
            })
    }

    // MARK: What came of it

    /// An errand begins.
    package mutating func began(_ errand: Errand) {
        if errand.kind == .said { venue?.isBusy = true }
        notice =
            errand.kind == .found
            ? "Looking ..."
            : errand.words.first == "venue" ? "Starting ..." : "Telling the others ..."
    }

    /// An errand has ended.
    package mutating func ended(_ errand: Errand, _ outcome: Errand.Outcome) -> [ViewIntent] {
        if errand.kind == .said { venue?.isBusy = false }
        notice = nil
        stale.insert(.venue)
        if outcome.isDone, errand.words.first == "friend", errand.kind == .said {
            venue?.finding = .decided
        }
        if errand.kind == .found, let found = Self.found(outcome.lines) {
            for line in found.text { note(line) }
            return follow(errand.words[1], found.tag)
        }
        say(lines: outcome.lines)
        return []
    }

    private static func found(_ lines: [String]) -> FoundFriend? {
        guard let line = lines.last,
            case .answer(_, .success(let result))? = try? ControlLine(Array(line.utf8))
        else { return nil }
        return try? FoundFriend(told: result)
    }

    /// The lines of a command as lines of the chat; what to try is what can be typed here.
    private mutating func say(lines: [String]) {
        guard let last = lines.last,
            case .answer(_, .failure(let error))? = try? ControlLine(Array(last.utf8))
        else {
            let own = "seatagent: "
            for line in lines where line.contains(where: { !$0.isWhitespace }) {
                let text = line.hasPrefix(own) ? line.dropFirst(own.count) : line[...]
                note(SlashTable.typed(in: String(text.drop(while: \.isWhitespace))))
            }
            return
        }
        tell(error)
    }

    // MARK: Friends

    /// Marks the place of a friend from now on, as long as they let themselves be found.
    private mutating func follow(_ address: String, _ tag: String) -> [ViewIntent] {
        let address = address.lowercased()
        guard tag.utf8.count == 32 else { return [] }
        venue?.friends.removeAll { $0.address == address }
        venue?.friends.append(VenueScene.Friend(address: address, tag: tag))
        if let count = venue?.friends.count, count > VenueScene.mostFriends {
            venue?.friends.removeFirst()
        }
        return [.ask(Op.Friend(tag: tag), .friend(tag))]
    }

    /// Where a friend is now.
    mutating func took(_ found: Op.Friend.Reply, tag: String) {
        guard let index = venue?.friends.firstIndex(where: { $0.tag == tag }) else { return }
        venue?.friends[index].place = found.stays.first { $0.isIn }?.stay.place
    }
}

/// Words about places of a venue on the screen.
enum StayWords {
    /// `34 of 120 free`.
    static func free(_ page: VenueScene, _ place: VenuePlace) -> String {
        StayText.free(page.status.people(at: place.id), of: place.count)
    }

    /// The place under the cursor, what matters most first.
    static func line(_ page: VenueScene, _ place: VenuePlace) -> String {
        let people = page.friends(at: place.id)
        let parts = [
            place.mode == .counted ? free(page, place) : "booked, not counted",
            page.words(of: place), place.card ? "card needed" : nil,
            people.isEmpty ? nil : "* " + people.joined(separator: ", "),
            place.address ?? page.venue?.address, place.note,
        ]
        return "\(place.id) \(place.name)  "
            + parts.compactMap(\.self).joined(separator: "   ")
    }
}
