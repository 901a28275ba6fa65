// SPDX-License-Identifier: Apache-2.0
import Protocol
package import Text
import Wording

/// What the agent says: events as they come, and the flight's history.
extension ViewState {
    /// What is asked first, after `watch`, so that nothing is missed in between.
    package static let opening: [ViewIntent] = [
        .ask(op: "log", arguments: ["limit": 2000], .history)
    ]

    /// Asks again what events have overtaken. To be called now and then, not for each event.
    mutating func refresh() -> [ViewIntent] {
        var intents: [ViewIntent] = []
        if stale.contains(.status) {
            intents.append(.ask(op: "status", arguments: [:], .status))
        }
        if stale.contains(.peers) { intents.append(.ask(op: "peers", arguments: [:], .peers)) }
        if stale.contains(.seats) { intents.append(.ask(op: "seats", arguments: [:], .seats)) }
        if stale.contains(.requests) {
            intents.append(.ask(op: "requests", arguments: [:], .requests))
        }
        stale = []
        return intents
    }

    /// Takes an event.
    package mutating func handle(event: JSON) -> [ViewIntent] {
        switch event["event"]?.text {
        case "chat": said(event, live: true)
        case "message": message(event, live: true)
        case "peer": peer(event)
        case "offer":
            stale.insert([.peers, .seats])
            offered(event)
            happened(event)
        case "seat":
            stale.insert([.seats, .peers, .status])
            if event["state"] == "disputed" { happened(event) }
        case "request":
            stale.insert([.requests, .status])
            happened(event)
        case "swap":
            stale.insert([.requests, .status, .seats])
            happened(event)
        case "verify":
            stale.insert([.peers, .status])
            happened(event)
            compare(event)
        case "trouble", "ready", "window", "cabin", "awake":
            stale.insert(.status)
            happened(event)
        case "woke":
            stale.insert([.status, .requests])
            happened(event)
        // The status has the question.
        case "layout": stale.insert(.status)
        default: break
        }
        return []
    }

    /// The flight's history, oldest first.
    package mutating func history(_ items: [JSON]) {
        // The view's own words, and what was said since the history was asked for, stand after it.
        let live = conversations.map { conversation in
            conversation.lines.suffix(500).filter {
                $0.kind == .note || $0.id != nil && !wasLost
            }
        }
        for index in conversations.indices { conversations[index].clear() }
        for item in items {
            switch item["event"]?.text {
            case "chat": said(item, live: false)
            case "message": message(item, live: false)
            case "offer":
                offered(item)
                happened(item, live: false)
            case "request", "swap": happened(item, live: false)
            case "peer" where ["joined", "left", "renamed"].contains(item["change"]?.text):
                happened(item, live: false)
            default: break
            }
        }
        for (index, lines) in live.enumerated() {
            for line in lines {
                if let id = line.id, conversations[index].holds(id: id) { continue }
                conversations[index].append(line, seen: index == current)
            }
        }
        wasLost = false
        hasHistory = true
    }

    private func isSeen(_ index: Int) -> Bool { index == current && isShowing }

    // MARK: Words

    private mutating func said(_ event: JSON, live: Bool) {
        let who = event["who"]
        let id = event["id"]?.text
        if live, let id, conversations[0].holds(id: id) { return }
        var line = ChatLine(
            clock: EventText.time(of: event),
            kind: WhoText.isMe(who) ? .own : .said(key: who?["key"]?.text ?? ""),
            name: WhoText.short(who), speaker: who, text: event["text"]?.text ?? "", id: id,
            timeMark: EventText.talkMark(event))
        if let index = deliveries.firstIndex(where: { $0.id == id }) {
            line.mark = deliveries.remove(at: index).mark
        }
        conversations[0].append(line, seen: !live || isSeen(0))
    }

    private mutating func message(_ event: JSON, live: Bool) {
        let who = event["who"]
        guard let key = who?["key"]?.text, let id = event["id"]?.text else { return }
        let index = place(of: key, name: WhoText.short(who))
        let mark: DeliveryMark =
            switch event["state"]?.text {
            case "waiting": .waiting
            case "acknowledged": .delivered(1)
            case "gave-up": .failed
            default: .none
            }
        // Where it was typed there is a copy.
        for other in conversations.indices where other != index {
            _ = conversations[other].mark(id: id, mark)
        }
        if conversations[index].mark(id: id, mark) { return }
        let isMine = event["outgoing"] == true
        conversations[index].append(
            ChatLine(
                clock: EventText.clock(event["at"]?.text), kind: isMine ? .own : .said(key: key),
                name: WhoText.short(isMine ? me : who), text: event["text"]?.text ?? "", id: id,
                mark: mark),
            seen: !live || isSeen(index))
    }

    private mutating func peer(_ event: JSON) {
        stale.insert([.peers, .status, .seats])
        guard let key = event["who"]?["key"]?.text else { return }
        reach(event, of: key)
    }

    private mutating func offered(_ event: JSON) {
        guard WhoText.isMe(event["who"]) else { return }
        isOffering = event["seats"]?.list?.isEmpty == false
    }

    /// A `*` line for everyone to see; what concerns one passenger stands with them too.
    package mutating func happened(_ event: JSON, live: Bool = true) {
        guard let words = words(event) else { return }
        let line = ChatLine(
            clock: EventText.clock(event["at"]?.text), kind: .happened, text: words)
        conversations[0].append(line, seen: true)
        guard live, current != 0, ["request", "swap", "verify"].contains(event["event"]?.text)
        else { return }
        conversations[current].append(line, seen: true)
    }

    /// A line that is true later too: countdowns and what to type stand elsewhere on the screen.
    private func words(_ event: JSON) -> String? {
        let name = event["event"]?.text
        if name == "peer", WhoText.isMe(event["who"]), event["change"] == "joined" { return nil }
        if name == "request" || name == "swap", event["state"] == "open" {
            return RequestText(request: event).standing
        }
        return EventText(event: event, slash: true, ascii: ascii, cabin: cabin).words
    }

    /// Both have the numbers: the question whether they are the same, or its end.
    package mutating func compare(_ event: JSON) {
        let key = event["who"]?["key"]?.text ?? ""
        switch event["state"]?.text {
        case "compare": break
        case "verified", "alarm", "ended":
            endComparing(key)
            return
        default: return
        }
        let code = VerifyText.code(event)
        let same = { (asked: Question) in asked.comparing == key && asked.code == code }
        if question.map(same) == true || following.contains(where: same) { return }
        // Other numbers than before: a yes to the old ones must not be possible.
        endComparing(key)
        putLater(
            Question(
                sentence: "\(code)  Does \(WhoText.full(event["who"])) read the "
                    + "same numbers? y: the same, n: they differ",
                intent: .ask(
                    op: "compared", arguments: ["same": true, "code": .string(code)], .compared),
                otherwise: .ask(op: "compared", arguments: ["same": false], .compared),
                comparing: key, code: code))
    }

    private mutating func endComparing(_ key: String) {
        if question?.comparing == key { question = nil }
        following.removeAll { $0.comparing == key }
        _ = putFollowing()
    }
}
