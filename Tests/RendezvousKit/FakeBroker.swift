// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Rendezvous

/// A broker in memory: topics that are kept, filters, and what a bad one does.
package struct FakeBroker {
    /// How this broker goes wrong.
    package enum Fault: Hashable, Sendable {
        /// Keeps nothing.
        case forgets
        /// Gives nothing to new subscriptions.
        case withholds
        /// Says everything twice.
        case repeats
        /// Gives what was kept in the opposite order.
        case reorders
        /// Gives what was kept behind the next message that a client says.
        case dawdles
        /// Ends each connection behind its greeting.
        case hangsUp
        /// Gives agents with even numbers only what others with even numbers left, and those with
        /// odd numbers only what others with odd ones left; frames of tunnels go to all.
        case forks
    }

    /// Which broker.
    package let name: MeetBroker
    /// What it does wrong.
    package var faults: Set<Fault> = []
    /// Whether it takes connections.
    package var isUp = true
    /// Connections that were asked for.
    package private(set) var connects = 0
    /// Whether it refuses every message but those that clear something.
    package var refuses = false
    /// Whether it answers; a frozen one keeps its connections.
    package var isFrozen = false
    /// What is kept: payload, and when it is over.
    package private(set) var kept: [String: (payload: [UInt8], ends: UTCTime)] = [:]
    /// Messages delivered.
    package private(set) var delivered = 0
    /// Topics of what was published, in order.
    package private(set) var published: [String] = []
    /// Subscriptions taken.
    package private(set) var asked = 0
    private var filters: [Int: [Filter]] = [:]
    private var late: [Int: [MeetEvent]] = [:]
    /// Kept messages that one client was sent since it last said something.
    private var sent: [Int: Int] = [:]
    /// The most of them, of any client.
    package private(set) var longestQueue = 0
    /// Topics with one of these levels behind the group are given to nobody but who wrote them.
    package var hidden: [String] = []
    private var writers: [String: Int] = [:]

    private struct Filter {
        let text: String
        /// Whether the client hears what it says itself.
        let withOwn: Bool
        /// What stands before the first `+`; all of it where there is none.
        let beginning: String

        init(_ text: String, withOwn: Bool = true) {
            self.text = text
            self.withOwn = withOwn
            beginning = String(text.prefix { $0 != "+" })
        }

        /// Most topics are told apart by their beginning: that costs less than each byte.
        func names(_ topic: String) -> Bool {
            beginning == text
                ? text == topic : topic.hasPrefix(beginning) && FakeBroker.matches(text, topic)
        }
    }

    /// An empty broker.
    package init(_ name: MeetBroker) { self.name = name }

    /// The clients that are connected.
    package var clients: [Int] { filters.keys.sorted() }

    /// The topics of what is kept, sorted.
    package var topics: [String] { kept.keys.sorted() }

    /// Loses one message, as if somebody had cleared it while nobody was there.
    package mutating func forget(_ topic: String) { kept[topic] = nil }

    /// Loses what was kept, and no connection.
    package mutating func forget() { kept = [:] }

    /// Loses everything, as a killed one does. Returns who was connected.
    package mutating func lose() -> [Int] {
        kept = [:]
        defer { filters = [:] }
        return clients
    }

    /// Puts something there, as anybody who knows the topic can.
    package mutating func put(_ topic: String, _ payload: [UInt8], until ends: UTCTime) -> [(
        client: Int, event: MeetEvent
    )] {
        kept[topic] = payload.isEmpty ? nil : (payload, ends)
        return deliver(topic, payload)
    }

    /// Does what a client asks, and gives what each client hears of it.
    package mutating func take(
        _ what: MeetAsk.What, from client: Int, at now: UTCTime
    ) -> [(client: Int, event: MeetEvent)] {
        switch what {
        case .connect:
            connects += 1
            guard isUp else { return [(client, .down(name))] }
            if faults.contains(.hangsUp) { return [(client, .up(name)), (client, .down(name))] }
            filters[client] = []
            return [(client, .up(name))]
        case .disconnect:
            filters[client] = nil
            return []
        case .subscribe(let filter, let token, let withOwn):
            guard filters[client] != nil else { return [] }
            filters[client]?.removeAll { $0.text == filter }
            filters[client]?.append(Filter(filter, withOwn: withOwn))
            asked += 1
            let stored = stored(filter, for: client, at: now)
            sent[client, default: 0] += stored.count
            longestQueue = max(longestQueue, sent[client] ?? 0)
            if faults.contains(.dawdles) { late[client, default: []] += stored }
            return [(client, .subscribed(name, token))]
                + (faults.contains(.dawdles) ? [] : stored.map { (client, $0) })
        case .unsubscribe(let filter):
            filters[client]?.removeAll { $0.text == filter }
            return []
        case .publish(let topic, let payload, let stay, let token):
            guard filters[client] != nil else { return [] }
            if refuses, !payload.isEmpty { return [(client, .refused(name, token))] }
            published.append(topic)
            if let stay, !faults.contains(.forgets) {
                let ends = UTCTime(seconds: now.seconds + stay)
                kept[topic] = payload.isEmpty ? nil : (payload, ends)
            }
            sent[client] = 0
            writers[topic] = client
            return [(client, .stored(name, token))] + deliver(topic, payload, from: client)
                + (late.removeValue(forKey: client) ?? []).map { (client, $0) }
        }
    }

    private func hides(_ topic: String, from client: Int) -> Bool {
        let levels = topic.split(separator: "/").dropFirst(3)
        if writers[topic] != client, hidden.contains(where: { levels.contains($0[...]) }) {
            return true
        }
        guard faults.contains(.forks), !topic.contains("/t/") else { return false }
        return writers[topic].map { $0 % 2 != client % 2 } ?? false
    }

    private mutating func stored(
        _ filter: String, for client: Int, at now: UTCTime
    ) -> [MeetEvent] {
        guard !faults.contains(.withholds) else { return [] }
        let wanted = Filter(filter)
        var topics = kept.keys.filter { wanted.names($0) && !hides($0, from: client) }.sorted()
        if faults.contains(.reorders) { topics.reverse() }
        if faults.contains(.repeats) { topics += topics }
        delivered += topics.count
        return topics.compactMap { topic in
            guard let kept = kept[topic], kept.ends > now else { return nil }
            return .came(name, topic: topic, payload: kept.payload)
        }
    }

    private mutating func deliver(
        _ topic: String, _ payload: [UInt8], from writer: Int? = nil
    ) -> [(client: Int, event: MeetEvent)] {
        var events: [(client: Int, event: MeetEvent)] = []
        for client in clients
        where (filters[client] ?? []).contains(where: {
            ($0.withOwn || client != writer) && $0.names(topic)
        })
            && !hides(topic, from: client)
        {
            let event = MeetEvent.came(name, topic: topic, payload: payload)
            events.append((client, event))
            if faults.contains(.repeats) { events.append((client, event)) }
        }
        delivered += events.count
        return events
    }

    /// Whether a filter of MQTT names a topic (MQTT 5.0 section 4.7); `+` stands for one level.
    package static func matches(_ filter: String, _ topic: String) -> Bool {
        let (wanted, said) = (filter.utf8.span, topic.utf8.span)
        var (one, other) = (0, 0)
        while one < wanted.count {
            if wanted[one] == UInt8(ascii: "+") {
                while other < said.count, said[other] != UInt8(ascii: "/") { other += 1 }
            } else {
                guard other < said.count, said[other] == wanted[one] else { return false }
                other += 1
            }
            one += 1
        }
        return other == said.count
    }
}
