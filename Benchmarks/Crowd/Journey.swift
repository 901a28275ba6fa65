// SPDX-License-Identifier: Apache-2.0
import CSodium
import Keys
import Protocol
import ProtocolTestKit
import Transport

/// The flight in simulated time: neighbours, delays, links that come and go, and the agent under
/// test, whose turns take as long as they take on this machine.
struct Journey {
    enum Happening {
        case toSubject(link: Int, [UInt8])
        case toNeighbour(link: Int, [UInt8])
        case dialling(Neighbour.Kind)
        case reached(dial: Int, host: String)
        case learns(link: Int, Entry)
        case written
        case speaks
        case exchange(link: Int)
        case heartbeat
    }

    /// One way, in nanoseconds.
    static let delay = 20_000_000
    static let second = 1_000_000_000

    var cabin: Cabin
    let subject: SubjectProcess
    let key: PeerKey
    private(set) var clock = 0
    private(set) var spent = 0
    private(set) var longest = 0
    private(set) var stored = 0
    private(set) var bytesIn = 0
    private(set) var bytesOut = 0
    private(set) var traffic = Traffic()
    private(set) var troubles: [String] = []
    /// Whether passengers write.
    var isLively = false
    private var agenda = Agenda<Int, Happening>()
    private var neighbours: [Int: Neighbour] = [:]
    private var held: [Int: [[UInt8]]] = [:]
    private var links = 0
    private var freeAt = 0
    private var deadline: Int?
    private var tickedAt = 0
    private var random = SeededRandom(seed: 4)

    init?(_ cabin: Cabin, program: String) {
        let seed = cabin.primitives.sha256(Array("subject".utf8)).bytes
        guard let subject = SubjectProcess(program), let identity = Identity(seed: seed) else {
            return nil
        }
        self.cabin = cabin
        self.subject = subject
        key = identity.key
        tell(.begin(seed: seed, auth: cabin.flight.auth))
        // Eight neighbours dial for the mesh and two for a purpose; the agent dials six.
        for number in 0..<min(10, cabin.authors.count) {
            let kind = number < 8 || cabin.isSmall ? Neighbour.Kind.mesh : .guest
            agenda.note(.dialling(kind), at: number * Self.second / 20)
        }
        agenda.note(.heartbeat, at: Self.second)
    }

    var openLinks: Int { neighbours.values.count { $0.session.isOpen } }

    /// Starts to count anew.
    mutating func reset() {
        (spent, longest, bytesIn, bytesOut) = (0, 0, 0, 0)
        traffic = Traffic()
    }

    /// Lets passengers write from now on.
    mutating func enliven() {
        isLively = true
        agenda.note(.written, at: clock)
    }

    /// Lets the agent's own passenger say something 12 times an hour from now on.
    mutating func speak() {
        agenda.note(.speaks, at: clock + Int.random(in: 0...300, using: &random) * Self.second)
    }

    /// Goes on until `time`, or until `isDone`.
    mutating func run(until time: Int, isDone: (Journey) -> Bool = { _ in false }) {
        while troubles.isEmpty, !isDone(self) {
            let next = min(agenda.next ?? time, deadline.map { max($0, tickedAt) } ?? time)
            guard next < time else { break }
            clock = max(clock, next)
            if let due = agenda.next, due <= next, let (_, happening) = agenda.take() {
                happen(happening)
            } else {
                // A shell's timer has no finer grain.
                tickedAt = clock + Self.second / 1000
                tell(.tick)
            }
        }
        clock = max(clock, time == Int.max ? clock : min(time, clock))
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .toSubject(let link, let bytes):
            if held[link] != nil { held[link]?.append(bytes) } else { deliver(bytes, link) }
        case .toNeighbour(let link, let bytes):
            act(link) { $0.handle(.received(bytes), at: $1) }
        case .dialling(let kind):
            let linked = neighbours.values.map(\.author)
            let author = Int.random(in: cabin.authors.indices, using: &random)
            if linked.contains(author) {
                // Somebody else then; where all are linked, later.
                agenda.note(happening, at: clock + Self.second)
            } else {
                connect(author, kind, dial: nil)
            }
        case .reached(let dial, let host):
            let linked = neighbours.values.map(\.author)
            if let author = cabin.authors.firstIndex(where: { $0.host == host }),
                !linked.contains(author)
            {
                connect(author, .dialled, dial: dial)
            } else {
                tell(.dialFailed(dial))
            }
        case .learns(let link, let entry):
            act(link) { [cabin] neighbour, now in
                neighbour.learn(entry, of: cabin.logs, at: now)
                return neighbour.flush(at: now)
            }
        case .written: write()
        case .speaks:
            guard isLively else { return }
            tell(.say)
            agenda.note(
                .speaks, at: clock + Int.random(in: 1...599, using: &random) * Self.second)
        case .exchange(let link): exchange(link)
        case .heartbeat:
            agenda.note(.heartbeat, at: clock + Self.second / 20)
            for link in neighbours.keys.sorted() {
                act(link) { $0.handle(.tick, at: $1) + $0.flush(at: $1) }
            }
        }
    }

    /// Passengers write 12 entries an hour; a neighbour hears of it within a second.
    private mutating func write() {
        guard isLively else { return }
        // Of 21 events one is a swap, of four entries.
        let mean = 3600.0 / Double(12 * cabin.authors.count) * 24 / 21
        agenda.note(
            .written,
            at: clock + Int(Double.random(in: 0..<2, using: &random) * mean * Double(Self.second)))
        for (number, (author, entry)) in cabin.happen().enumerated() {
            for link in neighbours.keys.sorted() {
                let isHis = neighbours[link]?.author == author
                let delay = isHis ? 0 : Int.random(in: 100...900, using: &random) * 1_000_000
                agenda.note(
                    .learns(link: link, entry), at: clock + number * Self.second + delay)
            }
        }
    }

    // MARK: Links

    private mutating func connect(_ author: Int, _ kind: Neighbour.Kind, dial: Int?) {
        links += 1
        let exporter = cabin.primitives.sha256(Array("exporter \(links)".utf8))
        let neighbour = Neighbour(
            link: links, author: author, kind: kind, subject: key, exporter: exporter, in: cabin,
            at: Instant(nanoseconds: Int64(clock)))
        neighbours[links] = neighbour
        traffic.link()
        let facts = LinkFacts(
            role: kind == .dialled ? .initiator : .responder,
            peer: cabin.authors[author].key, exporter: exporter,
            remote: PeerAddress(host: cabin.authors[author].host, port: 4000), dial: dial)
        tell(.connected(link: links, facts))
        act(links) { $0.handle(.started, at: $1) }
        agenda.note(.exchange(link: links), at: clock + Self.second)
    }

    /// PEX as agents do it. In a large cabin, eight own links, and sixteen that were heard of.
    private mutating func exchange(_ link: Int) {
        guard neighbours[link] != nil else { return }
        let hints = cabin.isSmall ? allOthers(than: link) : someOthers()
        // In a large cabin links are exchanged all the time, those that they dialled and those that
        // others did: in the time of one exchange each, two end and two others open.
        let changes =
            cabin.isSmall
            ? []
            : (0..<4).map { number in
                hint(Int.random(in: cabin.authors.indices, using: &random), isLinked: number < 2)
            }
        // Nobody tells of nobody: it would be a fault.
        if !hints.isEmpty { act(link) { $0.tell(hints, changes: changes, at: $1) } }
        // A PEX waits for more changes, after the first one.
        let gather = (Limits.exchangeGather.lowerBound + Limits.exchangeGather.upperBound)
        let mean =
            cabin.isSmall
            ? Limits.exchange.nanoseconds
            : (gather.nanoseconds + Limits.rotation.nanoseconds / 2) / 2
        let wait = Int.random(in: 50...150, using: &random) * Int(mean) / 100
        agenda.note(.exchange(link: link), at: clock + wait)
    }

    /// In a small cabin everyone is linked with everyone.
    private func allOthers(than link: Int) -> [PeerHint] {
        let others = cabin.authors.indices.filter { $0 != neighbours[link]?.author }
        return others.map { hint($0, isLinked: true) }
    }

    private mutating func someOthers() -> [PeerHint] {
        (0..<24).map { number in
            hint(Int.random(in: cabin.authors.indices, using: &random), isLinked: number < 8)
        }
    }

    private func hint(_ author: Int, isLinked: Bool) -> PeerHint {
        let other = cabin.authors[author]
        return PeerHint(
            key: other.key, address: PeerAddress(host: other.host, port: 4000),
            isLinked: isLinked)
    }

    private mutating func drop(_ link: Int) {
        guard let neighbour = neighbours.removeValue(forKey: link) else { return }
        troubles += neighbour.troubles
        held[link] = nil
        guard neighbour.kind != .dialled else { return }
        agenda.note(.dialling(neighbour.kind), at: clock + Self.second)
    }

    // MARK: Bytes

    /// Lets a neighbour act now; what they say goes to the agent, in pieces as TLS has them.
    private mutating func act(_ link: Int, _ body: (Neighbour, Instant) -> [UInt8]) {
        guard let neighbour = neighbours[link] else { return }
        let bytes = body(neighbour, Instant(nanoseconds: Int64(clock)))
        traffic.tell(bytes)
        for start in stride(from: 0, to: bytes.count, by: Limits.bulkSlice) {
            agenda.note(
                .toSubject(
                    link: link,
                    Array(bytes[start..<min(start + Limits.bulkSlice, bytes.count)])),
                at: clock + Self.delay)
        }
        troubles += neighbour.troubles
        if neighbour.isClosed {
            drop(link)
            tell(.ended(link: link))
        }
    }

    private mutating func deliver(_ bytes: [UInt8], _ link: Int) {
        guard neighbours[link] != nil else { return }
        bytesIn += bytes.count
        tell(.received(link: link, bytes))
        act(link) { $0.drained(bytes.count, at: $1) }
    }

    /// One turn of the agent, as soon as it is free.
    private mutating func tell(_ order: Order) {
        let began = max(clock, freeAt)
        guard let turn = subject.turn(order, at: began) else {
            troubles.append("the agent under test died")
            return
        }
        freeAt = began + turn.spent
        spent += turn.spent
        longest = max(longest, turn.spent)
        stored = turn.stored
        deadline = turn.deadline
        troubles += turn.troubles
        for (_, bytes) in turn.together { traffic.hear(bytes) }
        for send in turn.sends {
            bytesOut += send.bytes.count
            agenda.note(
                .toNeighbour(link: send.link, send.bytes), at: freeAt + Self.delay)
        }
        for dial in turn.dials {
            agenda.note(
                .reached(dial: dial.number, host: dial.host), at: freeAt + 2 * Self.delay)
        }
        for link in turn.closes { drop(link) }
        for hold in turn.holds where neighbours[hold.link] != nil {
            if hold.held {
                held[hold.link] = held[hold.link] ?? []
            } else {
                // They waited in the kernel: read one after the other.
                for bytes in held.removeValue(forKey: hold.link) ?? [] {
                    agenda.note(.toSubject(link: hold.link, bytes), at: freeAt)
                }
            }
        }
    }
}
