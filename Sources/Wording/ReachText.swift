// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import ControlAPI
import Text

/// The first two columns of `peers`: seats, and who has them.
package struct PeerColumns: Hashable, Sendable {
    private var seats = 8
    private var who = 32

    /// Columns as wide as the widest of `people`.
    package init(_ people: [Person]) {
        for person in people {
            seats = max(seats, cellWidth(WhoText.seats(person)) + 2)
            who = max(who, cellWidth(WhoText.tagged(person)) + 2)
        }
    }

    /// A line that begins with both columns.
    package func line(_ seats: String, _ who: String) -> String {
        padded(seats, to: self.seats) + padded(who, to: max(self.who, cellWidth(who) + 2))
    }
}

/// The words for how a passenger is reached, and for the network around.
package enum ReachText {
    /// `10.77.0.2:7711  mdns`, `through bo #c2d9`, `here, agent away since 14:02`.
    package static func words(_ peer: Peer) -> [String] {
        let through = peer.through.prefix(3).map { WhoText.tagged($0) }.joined(separator: ", ")
        switch peer.reach {
        case .known(.linked):
            var words = [visible(peer.address ?? ""), visible(peer.found?.text ?? "")]
            if peer.oneWay { words.append("reaches you, does not answer you") }
            return words
        case .known(.relayed):
            return [through.isEmpty ? "through the meeting point" : "relayed through \(through)"]
        case .known(.through): return ["within reach through \(through)"]
        case .known(.nowhere), .other:
            if peer.left { return ["has left"] }
            if let words = peer.meeting.flatMap({ meeting($0, awaySince: peer.awaySince) }) {
                return [words]
            }
            return [peer.away ? "here, " + away(peer.person) : "out of reach"]
        }
    }

    /// `at the meeting point`, `left records 3 h ago`; `nil` if they were within reach later.
    private static func meeting(_ card: MeetingPresence, awaySince: Stamp?) -> String? {
        if card.online { return "at the meeting point" }
        if let away = awaySince?.time, let at = card.at.time, at < away { return nil }
        return "left records \(SpanText.ago(Int64(card.ago)))"
    }

    /// `agent away since 14:02`; without the time if this agent has not met theirs since it
    /// started.
    package static func away(_ who: Person) -> String {
        guard let since = who.awaySince else { return "agent away" }
        return "agent away since \(EventText.clock(since))"
    }

    /// Other passengers who have not left, within reach or not.
    package static func known(_ status: AgentStatus) -> Int {
        status.aboard + status.away + (status.remote ?? 0)
    }

    /// That a request waits because the agent of the passenger who is asked is away; `nil` if it is
    /// not.
    package static func waits(_ who: Person?) -> String? {
        guard let who, who.away || who.remote else { return nil }
        if who.remote {
            return "\(WhoText.tagged(who)) is at the meeting point: a request goes through it, or "
                + "waits until they are back."
        }
        return "\(WhoText.tagged(who)) is not within reach, \(away(who)): "
            + "a request waits until they are back, or its time is up."
    }

    /// One line for each address that does not answer.
    package static func silent(_ places: [SilentPlace], _ columns: PeerColumns) -> [String] {
        places.map { place in
            columns.line("-", visible(place.address))
                + "seen, does not answer (\(place.tries) \(place.tries == 1 ? "try" : "tries")); "
                + "try: seatagent doctor"
        }
    }

    /// `3 others, 3 within reach`, `1 other, 1 within reach; 2 more whose agents are away`, `0 of 3
    /// within reach`, `5 at the meeting point, 0 on this network`.
    package static func aboard(_ status: AgentStatus) -> String {
        let (near, away, remote) = (status.aboard, status.away, status.remote ?? 0)
        if near == 0, remote > 0 {
            return "\(remote) at the meeting point, 0 on this network" + more(away)
        }
        if near == 0, away > 0 { return "0 of \(away) within reach" }
        if near == 0 {
            if let sign = status.meeting.flatMap(MeetingText.sign) {
                return "no one else yet: \(sign)"
            }
            guard status.next == "seatagent doctor" else { return "no one else yet" }
            let alone = SpanText.words(Int64(status.alone ?? 0))
            return "no one else in \(alone): seatagent doctor tells why"
        }
        let others = "\(near) other\(near == 1 ? "" : "s"), \(near) within reach"
        return others + (remote > 0 ? ", \(remote) at the meeting point" : "") + more(away)
    }

    private static func more(_ away: Int) -> String {
        away == 0 ? "" : "; \(away) more whose agent\(away == 1 ? " is" : "s are") away"
    }

    /// `16 links: 9 heard of, 7 mdns; carrying 1 for others`; `nil` if there is nothing to say.
    package static func mesh(_ network: NetworkFacts) -> String? {
        let mesh = network.mesh
        let stages = mesh.stages.sorted.map { "\($0.count) \(visible($0.word))" }
            .joined(separator: ", ")
        var parts: [String] = []
        if mesh.links > 0 {
            parts.append("\(mesh.links) link\(mesh.links == 1 ? "" : "s"): \(stages)")
        }
        if mesh.shape == .partial { parts.append("a few links each") }
        if mesh.carrying > 0 { parts.append("carrying \(mesh.carrying) for others") }
        let silent = network.silent.count
        if silent > 0 {
            parts.append("\(silent) seen that \(silent == 1 ? "does" : "do") not answer")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
