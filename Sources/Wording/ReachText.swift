// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Text

/// The first two columns of `peers`: seats, and who has them.
package struct PeerColumns: Hashable, Sendable {
    private var seats = 8
    private var who = 32

    package init(_ peers: [JSON]) {
        for peer in peers {
            seats = max(seats, cellWidth(WhoText.seats(peer)) + 2)
            who = max(who, cellWidth(WhoText.tagged(peer)) + 2)
        }
    }

    package func line(_ seats: String, _ who: String) -> String {
        padded(seats, to: self.seats) + padded(who, to: max(self.who, cellWidth(who) + 2))
    }
}

/// How a passenger is reached, and how the network around looks, in words.
package enum ReachText {
    /// `10.77.0.2:7711  mdns`, `through bo #c2d9`, `here, agent away since 14:02`.
    package static func words(_ peer: JSON) -> [String] {
        let through = (peer["through"]?.list ?? []).prefix(3).map { WhoText.tagged($0) }
            .joined(separator: ", ")
        switch peer["reach"]?.text {
        case "linked":
            var words = [visible(peer["address"]?.text ?? ""), visible(peer["found"]?.text ?? "")]
            if peer["one_way"] == true { words.append("reaches you, does not answer you") }
            return words
        case "relayed": return ["relayed through \(through)"]
        case "through": return ["within reach through \(through)"]
        default:
            if peer["left"] == true { return ["has left"] }
            return [peer["away"] == true ? "here, " + away(peer) : "out of reach"]
        }
    }

    /// `agent away since 14:02`; without the time where their agent was not
    /// met since this one started.
    package static func away(_ who: JSON?) -> String {
        guard let since = who?["away_since"]?.text else { return "agent away" }
        return "agent away since \(EventText.clock(since))"
    }

    /// Others who did not leave, within reach or not.
    package static func known(_ status: JSON) -> Int {
        (status["aboard"]?.number ?? 0) + (status["away"]?.number ?? 0)
    }

    /// That a request waits, where the agent of whoever is asked is away; `nil` where it is not.
    package static func waits(_ who: JSON?) -> String? {
        guard who?["away"] == true else { return nil }
        return "\(WhoText.tagged(who)) is not within reach, \(away(who)): "
            + "a request waits until they are back, or its time is up."
    }

    /// One line a place that was seen or typed and where nobody answers.
    package static func silent(_ places: JSON?, _ columns: PeerColumns) -> [String] {
        (places?.list ?? []).map { place in
            let tries = place["tries"]?.number ?? 0
            return columns.line("-", visible(place["address"]?.text ?? "?"))
                + "seen, does not answer (\(tries) \(tries == 1 ? "try" : "tries")); "
                + "try: seatagent doctor"
        }
    }

    /// `3 others, 3 within reach`, `1 other, 1 within reach; 2 more whose agents are
    /// away`, `0 of 3 within reach`.
    package static func aboard(_ status: JSON) -> String {
        let near = status["aboard"]?.number ?? 0
        let away = status["away"]?.number ?? 0
        if near == 0, away > 0 { return "0 of \(away) within reach" }
        if near == 0 {
            let alone = status["alone"]?.number ?? 0
            guard status["next"] == "seatagent doctor" else { return "no one else yet" }
            return "no one else in \(SpanText.words(Int64(alone))): seatagent doctor tells why"
        }
        let others = "\(near) other\(near == 1 ? "" : "s"), \(near) within reach"
        guard away > 0 else { return others }
        return "\(others); \(away) more whose agent\(away == 1 ? " is" : "s are") away"
    }

    /// `16 links: 9 heard of, 7 mdns; carrying 1 for others`; `nil` where there is nothing to say.
    package static func mesh(_ network: JSON?) -> String? {
        let mesh = network?["mesh"]
        let links = mesh?["links"]?.number ?? 0
        let stages = (mesh?["stages"]?.members ?? [:]).sorted { $0.key < $1.key }
            .map { "\($0.value.number ?? 0) \(visible($0.key))" }.joined(separator: ", ")
        var parts: [String] = []
        if links > 0 { parts.append("\(links) link\(links == 1 ? "" : "s"): \(stages)") }
        if mesh?["shape"] == "partial" { parts.append("a few links each") }
        if let carrying = mesh?["carrying"]?.number, carrying > 0 {
            parts.append("carrying \(carrying) for others")
        }
        let silent = network?["silent"]?.list?.count ?? 0
        if silent > 0 {
            parts.append("\(silent) seen that \(silent == 1 ? "does" : "do") not answer")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
