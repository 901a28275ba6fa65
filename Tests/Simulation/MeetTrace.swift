// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Rendezvous

/// What of a meeting goes into the digest of a run, and into its trace.
extension Mixer {
    mutating func add(_ event: MeetEvent) {
        switch event {
        case .pool(let brokers): add(brokers.count)
        case .up(let broker):
            add(101)
            add(broker.host)
        case .down(let broker):
            add(102)
            add(broker.host)
        case .subscribed(_, let token):
            add(103)
            add(token)
        case .given(_, let token):
            add(108)
            add(token)
        case .stored(_, let token):
            add(104)
            add(token)
        case .refused(_, let token):
            add(105)
            add(token)
        case .came(let broker, let topic, let payload):
            add(broker.host)
            add(topic)
            add(payload)
        case .own(let log, let head):
            add(log.count)
            add(head)
        case .learnt(let logs, let items):
            add(logs.prefix8)
            add(items.count)
        case .mail(let open): add(open.count)
        case .tunnel: add(106)
        case .tick: add(107)
        }
    }

    mutating func add(_ asked: MeetAsk) {
        add(asked.broker.host)
        switch asked.what {
        case .connect: add(111)
        case .disconnect: add(112)
        case .subscribe(let filter, let token, let withOwn):
            add(filter)
            add(token)
            add(withOwn ? 1 : 0)
        case .unsubscribe(let filter): add(filter)
        case .publish(let topic, let payload, let stay, let token):
            add(topic)
            add(payload)
            add(Int(stay ?? -1))
            add(token)
        }
    }
}

extension SimWorld {
    /// A line for people; `nil` for what happens all the time.
    func line(_ event: MeetEvent) -> String? {
        switch event {
        case .up(let broker): "up \(broker.host)"
        case .down(let broker): "down \(broker.host)"
        case .refused(let broker, let token): "\(broker.host) refused \(token)"
        case .came(let broker, let topic, let payload):
            "\(broker.host) \(place(topic)), \(payload.count) bytes"
        case .own(let log, _): "own log of \(log.count)"
        case .tunnel(.need(let keys)): "needs \(keys.map(\.shortTag))"
        case .pool, .subscribed, .given, .stored, .learnt, .mail, .tunnel, .tick: nil
        }
    }

    /// The same of what is asked.
    func line(_ effects: MeetEffects) -> String? {
        var parts: [String] = []
        for asked in effects.asks {
            switch asked.what {
            case .connect: parts.append("connect \(asked.broker.host)")
            case .disconnect: parts.append("disconnect \(asked.broker.host)")
            case .publish(let topic, let payload, let stay, _):
                let verb = stay == nil ? "says" : payload.isEmpty ? "clears" : "leaves"
                parts.append("\(verb) \(place(topic)) at \(asked.broker.host)")
            case .subscribe, .unsubscribe: break
            }
        }
        if !effects.entries.isEmpty { parts.append("\(effects.entries.count) entries") }
        if effects.told > 0 { parts.append("own log of \(effects.told)") }
        if !effects.tunnels.isEmpty { parts.append("\(effects.tunnels.count) orders of tunnels") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The end of a topic, with the host whose box it is.
    private func place(_ topic: String) -> String {
        let words = topic.split(separator: "/")
        let end = words.dropFirst(3).joined(separator: "/")
        guard let meets, words.count > 4 else { return end }
        let current = MeetEpoch(at: meets.utc(now))
        for (day, epoch) in ([current.next] + current.read).enumerated() {
            for host in hosts {
                let box = meets.keys.box(of: host.key, in: epoch).text
                let inbox = meets.keys.inbox(of: host.key, in: epoch).text
                guard words.contains(where: { $0 == box || $0 == inbox }) else { continue }
                return "\(end) of \(host.number), day \(1 - day)"
            }
        }
        return end
    }
}
