// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Protocol
import Text
import Wording

/// What the agent tells: events as they come, and the flight's history.
extension ViewState {
    /// The first questions, after `watch`, so that nothing in between is missed.
    package var opening: [ViewIntent] {
        [.ask(Op.Log(limit: 2000), .history)]
            + (isInVenue ? [] : [.ask(Op.Party(), .party)])
    }

    /// Asks again for everything that events have made outdated. Called now and then, not for each
    /// event.
    package mutating func refresh() -> [ViewIntent] {
        var intents: [ViewIntent] = []
        // Nobody has a seat in a venue, and its agent answers nothing about any.
        stale.formIntersection(isInVenue ? .ofVenue : .ofFlight)
        if stale.contains(.status) { intents.append(.ask(Op.Status(), .status)) }
        if stale.contains(.peers) { intents.append(.ask(Op.Peers(), .peers)) }
        if stale.contains(.seats) { intents.append(.ask(Op.Seats(), .seats)) }
        if stale.contains(.requests) { intents.append(.ask(Op.Requests(), .requests)) }
        if stale.contains(.venue) {
            intents.append(.ask(Op.Venue(), .venue))
            intents += bookQuestions
            for friend in venue?.friends ?? [] {
                intents.append(.ask(Op.Friend(tag: friend.tag), .friend(friend.tag)))
            }
        }
        stale = []
        return intents
    }

    /// Handles an event.
    package mutating func handle(event: ControlEvent) -> [ViewIntent] {
        if event.isAboutSeats { outdatePlans() }
        switch event.what {
        case .chat(let news): said(news, event, live: true)
        case .message(let message): self.message(message, event, live: true)
        case .peer(let news):
            stale.insert([.peers, .status, .seats])
            reach(news, event)
        case .offer(let news):
            stale.insert(news.who.me ? [.peers, .seats, .status] : [.peers, .seats])
            offered(news)
            happened(event)
        case .seat(let news):
            stale.insert([.seats, .peers, .status])
            if news.state == .disputed { happened(event) }
        case .claim: stale.insert([.seats, .peers, .status])
        case .request:
            stale.insert([.requests, .status])
            happened(event)
        case .swap, .record:
            stale.insert([.requests, .status, .seats])
            happened(event)
        case .verify(let news):
            stale.insert([.peers, .status])
            happened(event)
            compare(news)
        case .party(let news): return party(news, event)
        case .seated: happened(event)
        case .trouble, .ready, .window, .cabin, .awake:
            stale.insert(.status)
            happened(event)
        case .woke:
            stale.insert([.status, .requests])
            happened(event)
        // The status contains the question.
        case .layout: stale.insert(.status)
        case .attendance(let news): attended(news)
        case .booking: if isInVenue { stale.insert(.venue) }
        case .other: break
        }
        return []
    }

    /// Shows the flight's history, oldest first.
    package mutating func history(_ items: [ControlEvent]) {
        // The view's own words, and what was said after the history was requested, come after it.
        let live = conversations.map { conversation in
            conversation.lines.suffix(500).filter {
                $0.isNote || $0.id != nil && !wasLost
            }
        }
        for index in conversations.indices { conversations[index].clear() }
        for item in items { remember(item) }
        for (index, lines) in live.enumerated() {
            for line in lines {
                if let id = line.id, conversations[index].holds(id: id) { continue }
                conversations[index].append(line, seen: index == current)
            }
        }
        wasLost = false
        hasHistory = true
    }

    /// Shows a line of the history.
    private mutating func remember(_ event: ControlEvent) {
        switch event.what {
        case .chat(let news): said(news, event, live: false)
        case .message(let message): self.message(message, event, live: false)
        case .offer(let news):
            offered(news)
            happened(event, live: false)
        case .request, .swap, .record, .seated: happened(event, live: false)
        case .party(let news): said(toParty: news, event, live: false)
        case .peer(let news):
            switch news.change {
            case .known(.joined), .known(.left), .known(.renamed): happened(event, live: false)
            case .known(.aboard), .known(.away), .other: break
            }
        case .seat, .claim, .verify, .cabin, .layout, .awake, .woke, .attendance, .booking,
            .trouble, .window,
            .ready, .other:
            break
        }
    }

    func isSeen(_ index: Int) -> Bool { index == current && isShowing }

    // MARK: Words

    private mutating func said(_ news: ChatNews, _ event: ControlEvent, live: Bool) {
        if live, conversations[0].holds(id: news.id) { return }
        var line = ChatLine(clock: EventText.time(of: event), content: .chat(news))
        if let index = deliveries.firstIndex(where: { $0.id == news.id }) {
            line.mark = deliveries.remove(at: index).mark
        }
        conversations[0].append(line, seen: !live || isSeen(0))
    }

    private mutating func message(
        _ message: PrivateMessage, _ event: ControlEvent, live: Bool
    ) {
        let (key, id) = (message.who.key, message.id)
        let index = place(of: key, name: WhoText.short(message.who))
        let mark: DeliveryMark =
            switch message.state {
            case .known(.waiting): .waiting
            case .known(.acknowledged): .delivered(1)
            case .known(.gaveUp): .failed
            case .known(.received), .other: .none
            }
        // A copy is in the conversation where it was typed.
        for other in conversations.indices where other != index {
            _ = conversations[other].mark(id: id, mark)
        }
        if conversations[index].mark(id: id, mark) { return }
        conversations[index].append(
            ChatLine(
                clock: EventText.clock(event.at), content: .message(message), mark: mark),
            seen: !live || isSeen(index))
    }

    private mutating func offered(_ news: OfferNews) {
        if news.who.me { isOffering = !news.offer.seats.isEmpty }
    }

    /// Adds a `*` line for everyone; one that concerns the open conversation's passenger appears
    /// there too.
    mutating func happened(_ event: ControlEvent, live: Bool = true) {
        guard let words = words(event) else { return }
        let line = ChatLine(clock: EventText.clock(event.at), content: .happened(words))
        conversations[0].append(line, seen: true)
        guard live, current != 0 else { return }
        switch event.what {
        case .request, .swap, .record, .seated, .verify:
            conversations[current].append(line, seen: true)
        case .peer, .chat, .message, .offer, .seat, .claim, .party, .cabin, .layout, .awake, .woke,
            .attendance, .booking, .trouble, .window, .ready, .other:
            break
        }
    }

    /// Words that stay true: countdowns, and what to type, are elsewhere on the screen.
    private func words(_ event: ControlEvent) -> String? {
        switch event.what {
        case .peer(let news) where news.who.me && news.change == .joined: nil
        case .request(let request) where request.state == .open,
            .swap(let request) where request.state == .open:
            RequestText(request).standing
        case .peer, .chat, .message, .offer, .seat, .claim, .request, .swap, .record, .seated,
            .verify, .party, .cabin, .layout, .awake, .woke, .attendance, .booking, .trouble,
            .window, .ready,
            .other:
            EventText(event: event, slash: true, ascii: ascii, cabin: cabin).words
        }
    }

    private mutating func compare(_ news: ComparingNews) {
        switch news.state {
        case .known(.compare): compare(with: news.who, code: news.code)
        case .known(.verified), .known(.alarm), .known(.ended): endComparing(news.who.key)
        case .known(.asked), .known(.void), .other: break
        }
    }

    /// Asks whether the numbers are the same, which both sides have.
    mutating func compare(with who: Person, code: String?) {
        let (key, code) = (who.key, VerifyText.code(code))
        let same = { (asked: Question) in asked.comparing == key && asked.code == code }
        if question.map(same) == true || following.contains(where: same) { return }
        // Other numbers than before: nobody may say yes to the old ones.
        endComparing(key)
        putLater(
            Question(
                sentence: "\(code)  Does \(WhoText.full(who)) read the "
                    + "same numbers? y: the same, n: they differ",
                intent: .ask(Op.Compared(same: true, code: code), .compared),
                otherwise: .ask(Op.Compared(same: false), .compared),
                comparing: key, code: code))
    }

    private mutating func endComparing(_ key: String) {
        if question?.comparing == key { question = nil }
        following.removeAll { $0.comparing == key }
        _ = putFollowing()
    }
}
