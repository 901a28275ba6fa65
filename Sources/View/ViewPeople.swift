// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
package import Terminal
import Text
import Wording

/// The page of people: everybody known, filtered by what is typed.
extension ViewState {
    /// The filter of the page, and the chosen passenger.
    package struct People: Hashable, Sendable {
        /// The text typed: a line has to contain every word of it.
        package var filter = ""
        /// The key of the chosen passenger; `nil` for the first.
        package var chosen: String?

        /// A longer filter finds nobody.
        package static let limit = 40
    }

    /// One passenger on the page.
    package struct PersonLine: Hashable, Sendable {
        package let key: String
        package let name: String
        package let seats: String
        package let offer: String
        package let reach: String
        package let unread: Int

        init(_ peer: Peer, _ state: ViewState) {
            let key = peer.key
            self.key = key
            name = WhoText.short(peer.person)
            seats = WhoText.seats(peer.person)
            offer =
                peer.offer.map { EventText.wants($0.wants) }
                ?? (peer.asks == .known(.nothing) ? "not to be asked" : "")
            reach =
                peer.reach == .linked && !peer.oneWay
                ? "direct" : ReachText.words(peer).last ?? ""
            unread = state.conversations.first { $0.key == key }?.unread ?? 0
        }

        /// Whether the line contains every word.
        package func fits(_ words: [String]) -> Bool {
            let text = [name, seats, offer, reach, unread > 0 ? "unread" : ""]
                .joined(separator: "\n").lowercased()
            return words.allSatisfy { word in
                text.indices.contains { text[$0...].hasPrefix(word) }
            }
        }
    }

    /// The matching passengers, by name.
    package var listed: [PersonLine] {
        let words = (people?.filter ?? "").lowercased().split(separator: " ").map(String.init)
        return peers.map { PersonLine($0, self) }.filter { $0.fits(words) }
            .sorted { ($0.name.lowercased(), $0.key) < ($1.name.lowercased(), $1.key) }
    }

    /// F4: opens the page.
    mutating func openPeople() -> [ViewIntent] {
        people = People()
        page = nil
        boxed = nil
        typedRow = ""
        focus = .people
        return []
    }

    /// Changes the filter; `false` for a key that means something else.
    package mutating func filter(_ key: Key) -> Bool {
        guard var people else { return false }
        switch key {
        case .letter(let letter) where people.filter.count < People.limit:
            people.filter += visible(String(letter))
        case .letter: break
        case .backspace: people.filter = String(people.filter.dropLast())
        case .control("u"): people.filter = ""
        default: return false
        }
        people.chosen = nil
        self.people = people
        return true
    }

    /// Chooses another passenger on the page.
    package mutating func choose(_ action: KeyAction) {
        let keys = listed.map(\.key)
        guard !keys.isEmpty else { return }
        let index = keys.firstIndex { $0 == people?.chosen } ?? 0
        let step = max(ScreenLayout(self).pageLines - 3, 1)
        let target =
            switch action {
            case .lineUp: index - 1
            case .lineDown: index + 1
            case .scrollUp: index - step
            case .scrollDown: index + step
            case .top: 0
            default: keys.count - 1
            }
        people?.chosen = keys[min(max(target, 0), keys.count - 1)]
    }

    /// Enter: opens the conversation with the chosen passenger.
    mutating func talkToChosen() -> [ViewIntent] {
        let list = listed
        guard let person = list.first(where: { $0.key == people?.chosen }) ?? list.first else {
            return []
        }
        people = nil
        open(place(of: person.key, name: person.name))
        return []
    }
}

extension ScreenPicture {
    /// Draws the page: a line for each passenger, with the chosen one marked.
    mutating func drawPeople() {
        let height = layout.pageLines - 2
        guard height > 0 else { return }
        let list = state.listed
        let all = state.peers.count
        let y = layout.pageTop
        let title = list.count == all ? "People: \(all)" : "People: \(list.count) of \(all)"
        grid.put(title, x: chatX + 1, y: y, style: .bold)
        guard !list.isEmpty else {
            let sign = state.status?.meeting.flatMap(MeetingText.sign).map { ": \($0)." }
            let nobody = "No one else is \(state.isInVenue ? "here" : "aboard") yet" + (sign ?? ".")
            let words = all == 0 ? nobody : "Nobody fits what is typed."
            grid.put(words, x: chatX + 1, y: y + 1)
            return
        }
        let isFlight = !state.isInVenue
        draw(
            ["name", isFlight ? "seat" : "", isFlight ? "offers for" : "", "reach", "unread"],
            y + 1, .dim)
        let chosen = list.firstIndex { $0.key == state.people?.chosen } ?? 0
        let top = max(min(chosen - height / 2, list.count - height), 0)
        for (index, person) in list.dropFirst(top).prefix(height).enumerated() {
            let line = y + 2 + index
            let isChosen = index + top == chosen
            // What is known about them has its own column, which no name reaches.
            let sign = Names.sign(person.key, state)
            grid.put((isChosen ? ">" : " ") + sign, x: chatX, y: line, style: .bold)
            let unread = person.unread > 0 ? "\(person.unread)" : ""
            draw(
                [person.name, person.seats, person.offer, person.reach, unread], line,
                isChosen ? .reverse : .plain)
        }
    }

    /// Draws a line of columns; the last word is at the right.
    private mutating func draw(_ words: [String], _ y: Int, _ style: Style) {
        let (seat, offer, reach, unread) = (8, 16, 14, 7)
        let name = min(max(chatWidth - 4 - seat - offer - reach - unread, 8), 24)
        var x = chatX + 3
        for (word, cells) in zip(words, [name, seat, offer, reach]) {
            grid.put(padded(visible(word, cells: cells - 1), to: cells), x: x, y: y, style: style)
            x += cells
        }
        let number = visible(words[4], cells: unread - 1)
        let gap = String(repeating: " ", count: unread - 1 - cellWidth(number))
        grid.put(gap + number, x: x, y: y, style: style)
    }

    /// Draws the filter.
    mutating func drawFilter(_ y: Int) {
        let end = grid.put("[people] " + (state.people?.filter ?? ""), x: 0, y: y)
        grid.caret = Grid.Point(x: min(end, grid.width - 1), y: y)
    }
}
