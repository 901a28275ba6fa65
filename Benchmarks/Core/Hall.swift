// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Store

/// All passengers of a cabin at once: a real core and a real store each, linked by the overlay's
/// own rules, on a made-up network that takes a millisecond. Only TLS and sockets are left out.
final class Hall {
    private enum Happening {
        case event(to: Int, NodeEvent)
        case dialled(by: Int, Dial)
        case tick(Int)
    }

    /// One passenger's agent.
    private struct Agent {
        var node: Node
        let store: Store
        var links = 0
        /// By link: who is at the other end, and what they call it.
        var others: [Int: (agent: Int, link: Int)] = [:]
        var tickAt: Int?
    }

    static let second = 1_000_000_000
    private static let delay = 1_000_000

    private let cabin: Cabin
    let tally: CountingPrimitives.Tally
    private var agents: [Agent] = []
    private var places: [String: Int] = [:]
    private var agenda = Agenda<Int, Happening>()
    private var random = SeededRandom(seed: 5)
    private var connections = 0
    private(set) var clock = 0
    private var cost = Cost()
    /// Told who took somebody else's entry in and kept it, at that moment.
    var onKept: (Int, Entry) -> Void = { _, _ in }

    /// What all cores and all stores took for a while.
    struct Cost {
        var core = Clock()
        var disk = Clock()
        var commits = 0
        var turns = 0

        static func += (left: inout Cost, right: Cost) {
            left.core += right.core
            left.disk += right.disk
            left.commits += right.commits
            left.turns += right.turns
        }
    }

    init(_ cabin: Cabin, in folder: Folder) {
        self.cabin = cabin
        let primitives = CountingPrimitives(Core.primitives)
        tally = primitives.tally
        var stored = Stored()
        let seen = UTCTime(seconds: 1_790_000_000)
        for log in cabin.logs.logs {
            stored.entries += log.entries.map { SeenEntry(entry: $0, seen: seen) }
        }
        for (index, author) in cabin.authors.enumerated() {
            let setup = NodeSetup(
                signer: author.signer, primitives: primitives, flight: .practice,
                flightKeys: [cabin.flight], window: nil, name: "", agent: "core", seats: [],
                port: 4000, seed: cabin.primitives.sha256([UInt8(index & 255), UInt8(index >> 8)]))
            do {
                let store = try Store(
                    path: folder.file("hall-\(index).db"), primitives: Core.primitives)
                try store.apply(stored.entries.map { .entry($0.entry, seen: $0.seen) })
                agents.append(
                    Agent(node: Node(setup, stored, at: Self.moment(0)), store: store))
            } catch {
                fail("no store: \(error.words)")
            }
            places[author.host] = index
        }
        for index in agents.indices { board(index) }
    }

    /// mDNS tells everybody of some others.
    private func board(_ index: Int) {
        agenda.note(.event(to: index, .networks(Self.networks(index))), at: index)
        agenda.note(.event(to: index, .started), at: index)
        agenda.note(.event(to: index, .labelled(label(index))), at: index + 1)
        for _ in 0..<40 {
            let other = Int.random(in: agents.indices, using: &random)
            guard other != index else { continue }
            let address = PeerAddress(host: cabin.authors[other].host, port: 4000)
            agenda.note(
                .event(to: index, .found(label: label(other), addresses: [address])),
                at: Int.random(in: 0..<Self.second, using: &random))
        }
    }

    /// The cabin of `Cabin.swift` is one link.
    static func networks(_ index: Int) -> OwnNetworks {
        let own = HostAddress("10.64.\(index / 250).\(index % 250 + 1)")
        return OwnNetworks(own.map { [NetworkPrefix(own: $0, length: 16)] } ?? [])
    }

    private func label(_ index: Int) -> String { String(100_000 + index * 7919 % 65_537) }

    private static func moment(_ time: Int) -> Moment {
        Moment(
            instant: Instant(nanoseconds: Int64(time)),
            utc: UTCTime(seconds: 1_790_000_000 + Int64(time / second)))
    }

    /// Links of all, each counted at both ends, and the fewest that one has.
    var links: (mean: Double, least: Int) {
        let counts = agents.map(\.others.count)
        return (Double(counts.reduce(0, +)) / Double(counts.count), counts.min() ?? 0)
    }

    /// The length of `author`'s log at each agent.
    func lengths(of author: Int) -> [Int] {
        agents.map { $0.node.logs.seq(of: cabin.authors[author].key) }
    }

    /// Somebody says a line, now.
    func say(_ text: String, by author: Int) {
        agenda.note(.event(to: author, .intent(1, .say(text))), at: clock)
    }

    /// Goes on for so long, and tells what it took.
    func run(for span: Int) -> Cost {
        cost = Cost()
        let end = clock + span
        while let next = agenda.next, next < end, let (time, happening) = agenda.take() {
            clock = max(clock, time)
            switch happening {
            case .event(let agent, let event): turn(agent, event)
            case .dialled(let agent, let dial): reach(dial, from: agent)
            case .tick(let agent):
                guard agents[agent].tickAt == time else { continue }
                agents[agent].tickAt = nil
                turn(agent, .tick)
            }
        }
        clock = end
        return cost
    }

    private func reach(_ dial: Dial, from agent: Int) {
        guard let other = places[dial.address.host], other != agent else {
            turn(agent, .dialFailed(dial.number))
            return
        }
        connections += 1
        let exporter = cabin.primitives.sha256(Array("exporter \(connections)".utf8))
        agents[agent].links += 1
        agents[other].links += 1
        let (here, there) = (agents[agent].links, agents[other].links)
        agents[agent].others[here] = (other, there)
        agents[other].others[there] = (agent, here)
        let mine = PeerAddress(host: cabin.authors[agent].host, port: 50_000)
        turn(
            agent,
            .connected(
                LinkID(here),
                LinkFacts(
                    role: .initiator, peer: cabin.authors[other].key,
                    exporter: exporter, remote: dial.address, dial: dial.number)))
        turn(
            other,
            .connected(
                LinkID(there),
                LinkFacts(
                    role: .responder, peer: cabin.authors[agent].key,
                    exporter: exporter, remote: mine, dial: nil)))
    }

    /// One turn of one agent: the core, then one commit where there is something to keep.
    private func turn(_ agent: Int, _ event: NodeEvent) {
        let now = Self.moment(clock)
        let began = Clock.began()
        var gathered = Effects()
        var events = [event]
        var taken = 0
        while let next = events.popLast() {
            agents[agent].node.handle(next, at: now, into: &gathered)
            for send in gathered.sends[taken...] { events.append(.drained(send.link, pending: 0)) }
            taken = gathered.sends.count
        }
        cost.core += Clock.ended() - began
        cost.turns += 1
        var shell = HallShell(hall: self, agent: agent)
        Perform.carryOut(gathered, in: &shell)
        arm(agent)
    }

    private func arm(_ agent: Int) {
        guard let deadline = agents[agent].node.nextDeadline else { return }
        let due = max(Int(deadline.nanoseconds), clock + Self.delay)
        if agents[agent].tickAt.map({ due < $0 }) ?? true {
            agents[agent].tickAt = due
            agenda.note(.tick(agent), at: due)
        }
    }

    // MARK: What a core asks for

    fileprivate func keep(_ writes: [Write], of agent: Int) {
        guard !writes.isEmpty else { return }
        let began = Clock.began()
        if (try? agents[agent].store.apply(writes)) == nil { fail("disk refused") }
        cost.disk += Clock.ended() - began
        cost.commits += 1
        for case .entry(let entry, _) in writes where entry.author != agents[agent].node.me {
            onKept(agent, entry)
        }
    }

    fileprivate func transmit(_ send: Effects.Transmission, of agent: Int) {
        guard let (other, link) = agents[agent].others[send.link.number] else { return }
        agenda.note(
            .event(to: other, .received(LinkID(link), send.bytes)), at: clock + Self.delay)
    }

    fileprivate func close(_ link: LinkID, of agent: Int) {
        guard let (other, its) = agents[agent].others.removeValue(forKey: link.number) else {
            return
        }
        agents[other].others[its] = nil
        agenda.note(.event(to: other, .ended(LinkID(its))), at: clock + Self.delay)
    }

    fileprivate func dial(_ dial: Dial, of agent: Int) {
        agenda.note(.dialled(by: agent, dial), at: clock + 2 * Self.delay)
    }
}

/// An agent of the hall as its core sees it.
private struct HallShell: Shell {
    let hall: Hall
    let agent: Int

    mutating func commit(_ writes: [Write]) { hall.keep(writes, of: agent) }
    mutating func send(_ transmission: Effects.Transmission) {
        hall.transmit(transmission, of: agent)
    }
    mutating func close(_ link: LinkID) { hall.close(link, of: agent) }
    mutating func dial(_ dial: Dial) { hall.dial(dial, of: agent) }
    mutating func tell(_ notices: [Notice]) {
        for case .trouble(let trouble) in notices { fail("trouble: \(trouble)") }
    }

    // Every agent reaches every other, reads all at once, and asks mDNS no more.
    mutating func flush() {}
    mutating func prove(_ link: LinkID) {}
    mutating func favour() {}
    mutating func hold(_ hold: Effects.Hold) {}
    mutating func obey(_ order: CircuitOrder) {}
    mutating func browse(_ isWanted: Bool) {}
    mutating func answer(_ reply: Effects.Reply) {}
}
