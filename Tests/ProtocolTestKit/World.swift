// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Agents in memory: real cores, pipes for connections, lists for disks, time that is set.
package struct World {
    /// One agent and what its disk holds.
    package struct Host {
        /// Its core.
        package var node: Node
        /// Its disk.
        package var disk = FakeDisk()
        /// What each start of it is given.
        package var setup: NodeSetup
        /// Whether its process runs.
        package var isUp = true
        /// What its user was told.
        package var notices: [Notice] = []
        /// Answers to intents, by the number of the intent.
        package var replies: [Int: Result<IntentReply, Refusal>] = [:]
        /// Transactions that were begun.
        package var commits = 0
        /// What comes behind the turn that is being carried out; `nil` while there is none.
        var next: [Effects]?
        /// What each of them writes.
        package var turns: [[Write]] = []
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
    package struct Turn {
        /// When.
        package var at: Instant
        /// Which host.
        package var host: Int
        /// What it was told.
        package var event: NodeEvent
        /// What it asked for.
        package var effects: Effects
    }

    /// Where a host dies: at its n-th commit, before or after it.
    package struct Death {
        /// Which host.
        package var host: Int
        /// Which commit.
        package var commit: Int
        /// Whether it is durable.
        package var afterWrites: Bool
        /// Whether what was sent leaves.
        package var sendsLeave: Bool

        /// All of it.
        package init(host: Int, commit: Int, afterWrites: Bool, sendsLeave: Bool = false) {
            self.host = host
            self.commit = commit
            self.afterWrites = afterWrites
            self.sendsLeave = sendsLeave
        }
    }

    /// The agents, in the order in which they were added.
    package var hosts: [Host] = []
    var wires: [Wire] = []
    /// What clocks show.
    package var now = Moment(instant: .zero, utc: UTCTime(seconds: 1_000_000))
    /// Where a host is going to die.
    package var death: Death?
    /// Every turn of every host, while somebody watches.
    package var watched: [Turn]?
    /// A test put something wrong into a core: its cries are no error.
    package var isDoctored = false
    /// Pairs that cannot reach each other.
    var isCut = false
    /// Answers no WANT, and goes on talking.
    package var deaf: Int?
    /// Runs a program that does not know of suggested layouts.
    package var old: Int?
    /// Whoever is added from now on is in this venue, without a seat.
    package var venue: VenueSetup?
    /// Pairs of hosts, smaller first, that no direct connection can be made between.
    package var walls: [[Int]] = []
    /// Pairs of hosts, smaller first, whose connections stand and carry nothing.
    package var stuck: [[Int]] = []
    var lastLink = 0
    /// Deadlines met so far.
    package private(set) var ticks = 0
    /// Which wire and which end a link is, while it is up.
    var places: [LinkID: (wire: Int, end: Int)] = [:]
    /// Wires with bytes under way, in the order in which they came, and how many of these are done.
    var busy: [Int] = []
    private var done = 0
    /// Bytes that the first host of a pair sent to the second.
    package var traffic: [[Int]: Int] = [:]
    private var lastToken = 0
    /// Where a broken rule is reported: a test records an issue.
    let report: (String) -> Void

    /// An empty world; `report` is told of every rule that is broken in it.
    package init(report: @escaping (String) -> Void) { self.report = report }

    // MARK: Setting up

    /// Adds an agent in `seat`; it knows the addresses of all before it. Throws where there is no
    /// such seat.
    @discardableResult
    package mutating func add(
        _ seat: String, window: SelectionWindow? = nil, start: Bool = true
    ) throws -> Int {
        let index = hosts.count
        let place = try require(Seat(seat))
        var setup = NodeSetup(
            signer: FakeSigner(UInt8(index + 1)), primitives: FakePrimitives(),
            flight: .practice, flightKeys: [venue == nil ? testFlight : MadeUpVenue.gathering],
            window: window, name: "p\(index)",
            agent: "test", seats: venue == nil ? [place] : [], port: UInt16(4000 + index),
            seed: FakePrimitives().sha256([UInt8(index)]))
        setup.venue = venue
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

    /// Where a host is reached.
    package func address(_ index: Int) -> PeerAddress {
        PeerAddress(host: "10.0.0.\(index + 1)", port: UInt16(4000 + index))
    }

    /// All hosts are on one link.
    package func networks(_ index: Int) -> OwnNetworks {
        guard let own = address(index).numeric else { return .none }
        return OwnNetworks([NetworkPrefix(own: own, length: 24)])
    }

    /// The key of a host.
    package func key(_ index: Int) -> PeerKey { hosts[index].node.me }

    // MARK: Events

    /// Gives a host one event and carries out what it asks for.
    package mutating func feed(_ index: Int, _ event: NodeEvent) {
        guard hosts[index].isUp else { return }
        let effects = hosts[index].node.handle(event, at: now)
        watched?.append(Turn(at: now.instant, host: index, event: event, effects: effects))
        carry(index, effects)
    }

    /// A wish of a user who knows whom they trust; the answer.
    @discardableResult
    package mutating func wish(_ index: Int, _ intent: Intent) -> Result<IntentReply, Refusal>? {
        lastToken += 1
        feed(index, .intent(lastToken, intent.knowing))
        return hosts[index].replies[lastToken]
    }

    /// Carries out what a core asked for.
    package mutating func carry(_ index: Int, _ effects: Effects) {
        // Caused by a call of the shell: its turn comes when this one is over.
        guard hosts[index].next == nil else {
            hosts[index].next?.append(effects)
            return
        }
        hosts[index].next = [effects]
        while let effects = hosts[index].next?.first {
            hosts[index].next?.removeFirst()
            perform(index, effects)
        }
        hosts[index].next = nil
    }

    private mutating func perform(_ index: Int, _ effects: Effects) {
        // The world itself goes into the shell and comes back: a copy of it would copy every log.
        var shell = WorldShell(world: consume self, index: index)
        let isDead: Bool
        do throws(WorldShell.Dead) {
            try Perform.carryOut(effects, in: &shell)
            isDead = false
        } catch {
            isDead = true
        }
        self = shell.world
        if isDead { kill(index) }
    }

    // MARK: Life and death

    /// The process is gone; its disk stays.
    package mutating func kill(_ index: Int) {
        death = nil
        hosts[index].isUp = false
        if hosts[index].next != nil { hosts[index].next = [] }
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
    package mutating func restart(_ index: Int) {
        hosts[index].disk.reopen(by: key(index))
        hosts[index].node = Node(hosts[index].setup, hosts[index].disk.stored, at: now)
        hosts[index].isUp = true
        begin(index)
        // Whoever comes later is dialled by them.
        for other in hosts.indices where other > index && hosts[other].isUp {
            feed(other, .typed(address(index)))
        }
    }

    // MARK: Time

    /// Delivers one piece of bytes; tells whether there was one.
    package mutating func step() -> Bool {
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

    /// Delivers all that is under way, without letting time pass.
    package mutating func rest() {
        for _ in 0..<100_000 {
            guard step() else { return }
        }
        report("there is no end of messages")
    }

    /// Lets `seconds` pass: every deadline is met, everything under way arrives.
    package mutating func run(seconds: Int64) {
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

/// `#require` for places where the macro cannot stand.
package func require<T>(_ value: T?) throws -> T {
    guard let value else { throw DecodeError(.badValue) }
    return value
}

extension World {
    /// Seats a host holds, as text.
    package func seats(_ index: Int) -> [String] {
        hosts[index].node.fold.held(by: key(index)).map(\.seat.text)
    }

    /// Who holds `seat` in the eyes of `index`.
    package func holder(_ seat: String, seenBy index: Int) -> Int? {
        let view = hosts[index].node.seatView
        guard let seat = Seat(seat), case .held(let key)? = view.place(seat)?.holding else {
            return nil
        }
        return hosts.indices.first { self.key($0) == key }
    }

    /// The stage of the only or last negotiation of a host.
    package func stage(_ index: Int) -> SwapRecord.Stage? {
        hosts[index].node.swaps.records.last?.stage
    }

    /// Whether all that are up show the same map from the same logs.
    package var agree: Bool {
        let up = hosts.filter(\.isUp)
        return up.allSatisfy { $0.node.mapDigest == up[0].node.mapDigest }
    }
}
