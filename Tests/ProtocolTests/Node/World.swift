// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Protocol
@testable import Simulation

/// Agents in memory: real cores, pipes for connections, lists for disks, time that is set.
struct World {
    /// One agent and what its disk holds.
    struct Host {
        var node: Node
        var disk = Stored()
        var setup: NodeSetup
        var isUp = true
        var notices: [Notice] = []
        var replies: [Int: Result<IntentReply, Refusal>] = [:]
        var commits = 0
        /// What each commit wrote.
        var turns: [[Write]] = []
        /// Ends of circuits: their stand-in for TLS.
        var circuits: [CircuitID: CircuitEnd] = [:]
    }

    /// One end of a circuit: keys are told in clear, then bytes go as they are.
    struct CircuitEnd {
        var role: FlightKey.Role
        var link: LinkID?
    }

    /// A connection between two hosts, with the bytes under way in each direction.
    struct Wire {
        let ends: [(host: Int, id: LinkID)]
        var pending: [[[UInt8]]] = [[], []]
        var isUp = true
    }

    /// What a host did on one event.
    struct Turn {
        var at: Instant
        var host: Int
        var event: NodeEvent
        var effects: Effects
    }

    /// Where a host dies: at its n-th commit, before or after it.
    struct Death {
        var host: Int
        var commit: Int
        var afterWrites: Bool
        var sendsLeave = false
    }

    var hosts: [Host] = []
    var wires: [Wire] = []
    var now = Moment(instant: .zero, utc: UTCTime(seconds: 1_000_000))
    var death: Death?
    /// Every turn of every host, while somebody watches.
    var watched: [Turn]?
    /// A test put something wrong into a core: its cries are no error.
    var isDoctored = false
    /// Pairs that cannot reach each other.
    var isCut = false
    /// Answers no WANT, and goes on talking.
    var deaf: Int?
    /// Runs a program that does not know of suggested layouts.
    var old: Int?
    /// Pairs of hosts, smaller first, that no direct connection can be made between.
    var walls: [[Int]] = []
    var lastLink = 0
    /// Deadlines met so far.
    var ticks = 0
    /// Which wire and which end a link is, while it is up.
    private var places: [LinkID: (wire: Int, end: Int)] = [:]
    /// Wires with bytes under way, in the order in which they came, and how many of these are done.
    private var busy: [Int] = []
    private var done = 0
    /// Bytes that the first host of a pair sent to the second.
    var traffic: [[Int]: Int] = [:]
    private var lastToken = 0

    // MARK: Setting up

    /// Adds an agent in `seat`; it knows the addresses of all before it.
    @discardableResult
    mutating func add(
        _ seat: String, window: SelectionWindow? = nil, start: Bool = true
    ) throws -> Int {
        let index = hosts.count
        let setup = NodeSetup(
            signer: StrictSigner(UInt8(index + 1)), primitives: StrictPrimitives(),
            flight: .practice, flightKeys: [testFlight], window: window, name: "p\(index)",
            agent: "test", seats: [try require(Seat(seat))], port: UInt16(4000 + index),
            seed: StrictPrimitives().sha256([UInt8(index)]))
        hosts.append(Host(node: Node(setup, Stored(), at: now), setup: setup))
        if start { begin(index) }
        return index
    }

    private mutating func begin(_ index: Int) {
        feed(index, .networks(networks(index)))
        feed(index, .labelled("\(index)"))
        feed(index, .started)
        for other in hosts.indices where other < index { feed(index, .typed(address(other))) }
    }

    func address(_ index: Int) -> PeerAddress {
        PeerAddress(host: "10.0.0.\(index + 1)", port: UInt16(4000 + index))
    }

    /// All hosts are on one link.
    func networks(_ index: Int) -> OwnNetworks {
        guard let own = address(index).numeric else { return .none }
        return OwnNetworks([NetworkPrefix(own: own, length: 24)])
    }

    func key(_ index: Int) -> PeerKey { hosts[index].node.me }

    // MARK: Events

    /// Gives a host one event and carries out what it asks for.
    mutating func feed(_ index: Int, _ event: NodeEvent) {
        guard hosts[index].isUp else { return }
        let effects = hosts[index].node.handle(event, at: now)
        watched?.append(Turn(at: now.instant, host: index, event: event, effects: effects))
        carry(index, effects)
    }

    /// A wish of a user who knows whom they trust; the answer.
    @discardableResult
    mutating func wish(_ index: Int, _ intent: Intent) -> Result<IntentReply, Refusal>? {
        lastToken += 1
        feed(index, .intent(lastToken, intent.knowing))
        return hosts[index].replies[lastToken]
    }

    mutating func carry(_ index: Int, _ effects: Effects) {
        if !effects.writes.isEmpty {
            hosts[index].commits += 1
            hosts[index].turns.append(effects.writes)
        }
        let dies = death.map {
            $0.host == index && $0.commit == hosts[index].commits && !effects.writes.isEmpty
        }
        if dies == true, death?.afterWrites == false { return kill(index) }
        for write in effects.writes { hosts[index].disk.apply(write) }
        if dies == true, death?.sendsLeave == false { return kill(index) }
        for send in effects.sends { transmit(index, send) }
        for order in effects.circuits { obey(index, order) }
        if dies == true { return kill(index) }
        for link in effects.closes { close(index, link) }
        for reply in effects.replies { hosts[index].replies[reply.token] = reply.result }
        for case .trouble(.violation(let violation)) in effects.notices where !isDoctored {
            Issue.record("host \(index): \(violation)")
        }
        hosts[index].notices += effects.notices
        for dial in effects.dials { self.dial(index, dial) }
    }

    // MARK: Connections

    private mutating func dial(_ index: Int, _ dial: Dial) {
        let target = hosts.indices.first { address($0) == dial.address }
        guard let target, target != index, hosts[target].isUp, !isCut,
            !walls.contains([min(index, target), max(index, target)])
        else {
            return feed(index, .dialFailed(dial.number))
        }
        let ids = [LinkID(lastLink + 1), LinkID(lastLink + 2)]
        lastLink += 2
        wires.append(Wire(ends: [(index, ids[0]), (target, ids[1])]))
        places[ids[0]] = (wires.count - 1, 0)
        places[ids[1]] = (wires.count - 1, 1)
        let exporter = StrictPrimitives().sha256([UInt8(lastLink & 255), 9])
        feed(
            target,
            .connected(
                ids[1],
                LinkFacts(
                    role: .responder, peer: key(index), exporter: exporter,
                    remote: PeerAddress(host: address(index).host, port: 9), dial: nil)))
        feed(
            index,
            .connected(
                ids[0],
                LinkFacts(
                    role: .initiator, peer: key(target), exporter: exporter,
                    remote: address(target), dial: dial.number)))
    }

    private mutating func transmit(_ index: Int, _ send: Effects.Transmission) {
        if let id = circuit(index, of: send.link) {
            return feed(index, .sealed(id, send.bytes))
        }
        guard let (wire, end) = places[send.link], wires[wire].isUp else { return }
        wires[wire].pending[1 - end].append(send.bytes)
        busy.append(wire)
        let pair = [index, wires[wire].ends[1 - end].host]
        traffic[pair, default: 0] += send.bytes.count
    }

    /// Bytes on their way still arrive, then the other end hears of the end.
    private mutating func close(_ index: Int, _ link: LinkID) {
        if let id = circuit(index, of: link) {
            hosts[index].circuits[id] = nil
            feed(index, .circuitEnded(id))
            return feed(index, .ended(link))
        }
        guard let (wire, end) = places[link], wires[wire].isUp else { return }
        wires[wire].isUp = false
        let other = wires[wire].ends[1 - end]
        let rest = wires[wire].pending[1 - end]
        wires[wire].pending = [[], []]
        for bytes in rest { feed(other.host, .received(other.id, bytes)) }
        feed(other.host, .ended(other.id))
        feed(index, .ended(link))
    }

    /// Every connection ends at once; what was under way is lost.
    mutating func cut() {
        isCut = true
        for wire in wires.indices where wires[wire].isUp {
            wires[wire].isUp = false
            wires[wire].pending = [[], []]
            for end in wires[wire].ends { feed(end.host, .ended(end.id)) }
        }
    }

    /// Connections can be made again.
    mutating func heal() { isCut = false }

    // MARK: Life and death

    /// The process is gone; its disk stays.
    mutating func kill(_ index: Int) {
        death = nil
        hosts[index].isUp = false
        for wire in wires.indices where wires[wire].isUp {
            guard wires[wire].ends.contains(where: { $0.host == index }) else { continue }
            wires[wire].isUp = false
            let others = wires[wire].ends.enumerated().filter { $0.element.host != index }
            let rest = wires[wire].pending
            wires[wire].pending = [[], []]
            for (end, other) in others {
                for bytes in rest[end] { feed(other.host, .received(other.id, bytes)) }
                feed(other.host, .ended(other.id))
            }
        }
    }

    /// Starts it again from its disk.
    mutating func restart(_ index: Int) {
        hosts[index].node = Node(hosts[index].setup, hosts[index].disk, at: now)
        hosts[index].isUp = true
        begin(index)
        // Whoever comes later is dialled by them.
        for other in hosts.indices where other > index && hosts[other].isUp {
            feed(other, .typed(address(index)))
        }
    }

    // MARK: Time

    /// Delivers one piece of bytes; tells whether there was one.
    mutating func step() -> Bool {
        while done < busy.count {
            let wire = busy[done]
            done += 1
            guard wires[wire].isUp else { continue }
            for end in 0..<2 where !wires[wire].pending[end].isEmpty {
                deliver(wire, end)
                return true
            }
        }
        busy = []
        done = 0
        return false
    }

    /// What a host hears that answers no WANT, or is old.
    private func heard(_ bytes: [UInt8], by host: Int) -> [UInt8] {
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        var rest: [UInt8] = []
        guard host == deaf || host == old else { return bytes }
        let ignored: [FrameType] = host == deaf ? [.want] : [.layout, .layouts]
        while let frame = try? decoder.next() {
            if !ignored.contains(where: { $0.rawValue == frame.type }) { rest += frame.bytes }
        }
        return rest
    }

    private mutating func deliver(_ wire: Int, _ end: Int) {
        let target = wires[wire].ends[end]
        let bytes = heard(wires[wire].pending[end].removeFirst(), by: target.host)
        // In two pieces, so that no frame is sure to come whole.
        let half = bytes.count / 2
        feed(target.host, .received(target.id, Array(bytes[..<half])))
        feed(target.host, .received(target.id, Array(bytes[half...])))
        if wires[wire].isUp {
            let source = wires[wire].ends[1 - end]
            feed(source.host, .drained(source.id, pending: 0))
        }
    }

    /// Delivers all that is under way, without letting time pass.
    mutating func rest() {
        for _ in 0..<100_000 {
            guard step() else { return }
        }
        Issue.record("there is no end of messages")
    }

    /// Lets `seconds` pass: every deadline is met, everything under way arrives.
    mutating func run(seconds: Int64) {
        let end = now.instant + .seconds(seconds)
        let start = now
        for _ in 0..<200_000 {
            rest()
            let deadlines = hosts.filter(\.isUp).compactMap(\.node.nextDeadline)
            guard let next = deadlines.min(), next <= end else { break }
            now.instant = max(next, now.instant + .milliseconds(1))
            let passed = (now.instant - start.instant).wholeSeconds
            now.utc = UTCTime(seconds: start.utc.seconds + passed)
            for index in hosts.indices {
                if let due = hosts[index].node.nextDeadline, due <= now.instant {
                    ticks += 1
                    feed(index, .tick)
                }
            }
        }
        now.instant = end
        now.utc = UTCTime(seconds: start.utc.seconds + seconds)
        rest()
    }
}

extension Stored {
    /// What a store does with a write.
    mutating func apply(_ write: Write) {
        switch write {
        case .entry(let entry, let seen): entries.append(SeenEntry(entry: entry, seen: seen))
        case .forkProof(let proof):
            proofs.removeAll { $0.author == proof.author }
            proofs.append(proof)
        case .lock(let lock):
            if locks.contains(where: { $0.slot == lock.slot }) {
                Issue.record("a second yes on a locked slot")
            }
            locks.append(lock)
        case .unlock(let lock): locks.removeAll { $0 == lock }
        case .swap(let record):
            swaps.removeAll { $0.thread == record.thread }
            swaps.append(record)
        case .forgotten(let record): swaps.removeAll { $0.thread == record.thread }
        case .message(let message):
            messages.removeAll { $0.id == message.id && $0.outgoing == message.outgoing }
            messages.append(message)
        case .verified(let known):
            verified.removeAll { $0.key == known.key }
            verified.append(known)
        case .unverified(let peer): verified.removeAll { $0.key == peer }
        case .block(let peer, let blocked):
            self.blocked.removeAll { $0 == peer }
            if blocked { self.blocked.append(peer) }
        case .layout(let suggestion): layout = suggestion
        }
    }
}

extension World {
    /// Seats a host holds, as text.
    func seats(_ index: Int) -> [String] {
        hosts[index].node.fold.held(by: key(index)).map(\.seat.text)
    }

    /// Who holds `seat` in the eyes of `index`.
    func holder(_ seat: String, seenBy index: Int) -> Int? {
        let view = hosts[index].node.seatView
        guard let seat = Seat(seat), case .held(let key)? = view.place(seat)?.holding else {
            return nil
        }
        return hosts.indices.first { self.key($0) == key }
    }

    /// The stage of the only or last negotiation of a host.
    func stage(_ index: Int) -> SwapRecord.Stage? { hosts[index].node.swaps.records.last?.stage }

    /// Whether all that are up show the same map from the same logs.
    var agree: Bool {
        let up = hosts.filter(\.isUp)
        return up.allSatisfy { $0.node.mapDigest == up[0].node.mapDigest }
    }
}
