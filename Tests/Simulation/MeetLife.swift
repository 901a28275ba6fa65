// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Rendezvous
import RendezvousKit

/// The meeting point of a seed: its brokers and the connections to them.
final class MeetLife {
    let profile: MeetProfile
    let keys: MeetKeys
    var brokers: [SimBroker]
    /// All connections that ever were, by client number.
    var lines: [MeetLine] = []
    var random: SeededRandom
    var chance: SeededRandom
    /// Hosts that are on the aircraft's network, and those whom the Internet does not reach.
    var aboard: Set<Int> = []
    var unplugged: Set<Int> = []
    /// Who may be online now, where they take turns.
    var turn: Int?
    /// What was kept anywhere lately, for those who put it back.
    var kept: [(topic: String, payload: [UInt8])] = []
    var tunnelLinks = 0

    init(seed: UInt64, _ profile: MeetProfile, _ flight: FlightKey, _ primitives: FakePrimitives) {
        self.profile = profile
        keys = MeetKeys(flight, primitives: primitives)
        brokers = (0..<profile.brokers).compactMap { number in
            MeetBroker(host: "m\(number).test", port: 8883).map(SimBroker.init)
        }
        random = SeededRandom(seed: seed &* 31 &+ 8)
        chance = SeededRandom(seed: seed &* 31 &+ 9)
    }

    /// Which brokers the flight lives on.
    var homes: [Int] {
        let names = MeetPool.homes(
            of: keys.pool, among: brokers.map(\.name), primitives: FakePrimitives())
        return names.compactMap { name in brokers.firstIndex { $0.name == name } }
    }

    /// The time by a clock that goes right.
    func utc(_ now: Int64) -> UTCTime {
        UTCTime(seconds: profile.starts + now / SimWorld.second)
    }

    /// Notes what was left somewhere.
    func remember(_ topic: String, _ payload: [UInt8]) {
        kept.append((topic, payload))
        if kept.count > 200 { kept.removeFirst(100) }
    }

    /// Whether a message does not get to a client.
    func keepsBack(_ topic: String, at broker: Int) -> Bool {
        let (drops, withheld) = (brokers[broker].drops, brokers[broker].withheld)
        guard drops > 0 || !withheld.isEmpty else { return false }
        let words = topic.split(separator: "/")
        guard words.count > 3 else { return false }
        if words[3] == "e" || words[3] == "t" { return random.next() % 100 < drops }
        return words.count > 5 && withheld.contains { words[5].hasPrefix($0) }
    }

    /// The number of a broker.
    func index(of name: MeetBroker) -> Int? { brokers.firstIndex { $0.name == name } }
}

/// A broker that is a stranger's: it may show two halves of its clients different memories.
struct SimBroker {
    let name: MeetBroker
    /// One memory, or two while it forks views.
    var views: [FakeBroker]
    var isSplit = false
    var isUp = true
    /// It answers nothing until then.
    var frozenUntil: Int64 = -1
    /// Boxes whose name begins with one of these are not given to anybody.
    var withheld: [String] = []
    /// Of a hundred messages that are said once, so many get lost.
    var drops: UInt64 = 0
    /// Whether it did something that no client on a connection can notice.
    var wasSecret = false

    init(_ name: MeetBroker) {
        self.name = name
        views = [FakeBroker(name), FakeBroker(name)]
    }

}

/// One connection of a host to a broker: in order both ways.
struct MeetLine {
    let host: Int
    let process: Int
    let broker: Int
    var view = 0
    /// The agent has it.
    var isUp = true
    /// The broker has it.
    var isOpen = false
    /// When the last message arrives at either end.
    var there: Int64 = 0
    var back: Int64 = 0
    let latency: Int64
    /// What a frozen broker did not read yet.
    var waiting: [MeetAsk.What] = []
    var openedAt: Int64 = 0
    /// How much of the own log the boxes of this broker held when it was opened.
    var held = 0
}

/// A host's part in the meeting point, wired as the agent does it.
final class SimMeeting {
    var meeting: Meeting
    var tickAt = Int64.max
    /// Whether the logs changed since the meeting was told of them.
    var isStale = true
    var isRefreshing = false
    var ownCount = 0
    var wants: Wants?
    /// What waits for whom, as the meeting was told.
    var mail: [Mail]?
    /// The connection that it has to each broker, by the broker's number.
    var lines: [Int: Int] = [:]
    /// Its ends of tunnels, by number.
    var tunnels: [Int: SimTunnel] = [:]

    init(_ meeting: Meeting) { self.meeting = meeting }

    /// With whom tunnels are wanted, and who is welcome to ask for one.
    struct Wants: Hashable {
        let needed: [PeerKey]
        let blocked: Set<PeerKey>
        let favoured: Set<PeerKey>

        init(_ node: Node, at now: Moment) {
            needed = node.wantsTunnels(at: now)
            blocked = Set(node.blocked)
            favoured = Set(node.verified.map(\.key) + (node.party(at: now)?.companions ?? []))
        }
    }
}

/// An end of a tunnel: its stand-in for TLS says the key, then bytes go as they are.
struct SimTunnel {
    let peer: PeerKey
    let isOpener: Bool
    var link: LinkID?
}
