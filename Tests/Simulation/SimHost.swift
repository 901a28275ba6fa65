// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// A process and its disk. A key that was cloned has two hosts.
final class SimHost {
    /// Whose key: an index of people. Clones share it.
    let person: Int
    let number: Int
    let signer: FakeSigner
    let address: PeerAddress
    let seats: [Seat]
    var label: String
    var node: Node
    var disk = FakeDisk()
    /// Starts so far; what was meant for an earlier one is lost.
    var process = 0
    var isUp = false
    /// Never comes back: an agent who left without a word.
    var isGone = false
    /// A restart is on its way.
    var isAwaited = false
    var tickAt = Int64.max
    /// When the user said yes to a request of several, by its number.
    var yeses: [Int: Int64] = [:]
    /// Effects of several events, waiting for one transaction.
    var gathered: Effects?
    var death: Death?
    /// Seconds by which the wall clock is wrong.
    var clockError: Int64 = 0
    var wires: [Int] = []
    /// Faults that hold all its connections up.
    var clogs = 0
    var diskFailures = 0
    var circuits: [CircuitID: SimCircuit] = [:]
    var circuitOrder: [CircuitID] = []
    /// An older copy of the disk, and the one that a cheat's second process had.
    var copy: FakeDisk?
    var isRestored = false
    /// Its program was not told that the disk is an old copy.
    var isUnaware = false
    var upSince: Int64 = 0
    /// When this process opened its first session.
    var heardAt: Int64?
    var ledger = Ledger()
    /// Applied contracts when last looked at.
    var seen = SeatFold.empty
    /// For cheats: what they keep back.
    var secrets: [[Entry]] = []
    var victims: [Int] = []
    var captured: [[UInt8]] = []
    /// What a cheat signed behind their log in a plot, and the contract that it began with.
    var hidden: [Entry] = []
    var promise: ContractID?
    /// What the user said yes to.
    var consents = Consents()
    /// What the user takes back by an intent that was not answered yet, by its token.
    var recants: [Int: [Contract]] = [:]
    /// Contracts that the user says yes to for the first time, by the token of what they typed,
    /// until there is an answer.
    var firstYeses: [Int: ContractID] = [:]
    /// Whom the user of this host ever called a companion.
    var companions: Set<PeerKey> = []
    /// Its part in the meeting point.
    var met: SimMeeting?
    /// Who is at the other end of each link, and when they were last heard.
    var ends: [LinkID: PeerKey] = [:]
    var heard: [PeerKey: Int64] = [:]

    /// Where a process dies.
    struct Death {
        /// At that transaction.
        let commit: Int
        /// Before it is durable, or after it and so many sends.
        let sends: Int?
    }

    init(person: Int, number: Int, signer: FakeSigner, seats: [Seat], node: Node) {
        self.person = person
        self.number = number
        self.signer = signer
        self.seats = seats
        self.node = node
        address = PeerAddress(host: "10.0.\(number / 200).\(number % 200 + 1)", port: 4000)
        label = ""
    }

    var key: PeerKey { signer.key }

    /// All hosts are on one link.
    var networks: OwnNetworks {
        OwnNetworks(address.numeric.map { [NetworkPrefix(own: $0, length: 16)] } ?? [])
    }
}

/// An end of a circuit: its stand-in for TLS says the key, then bytes go as they are.
struct SimCircuit {
    let role: FlightKey.Role
    var link: LinkID?
}

extension SimWorld {
    /// What a start of `host` is given.
    func setup(_ host: SimHost) -> NodeSetup { setup(host.signer, host.number, host.seats, host) }

    func setup(
        _ signer: FakeSigner, _ number: Int, _ seats: [Seat], _ host: SimHost?
    ) -> NodeSetup {
        var mixer = Mixer(seed)
        mixer.add(number)
        mixer.add((host?.process ?? 0) + 100)
        var setup = NodeSetup(
            signer: signer, primitives: primitives, flight: .practice, flightKeys: [flightKey],
            window: nil, name: "p\(number)", agent: "sim", seats: seats, port: 4000,
            seed: mixer.digest, isRestored: host.map { $0.isRestored && !$0.isUnaware } ?? false)
        setup.bounds = Self.bounds
        return setup
    }

    /// Puts an agent into the world, not started.
    @discardableResult
    func add(person: Int, seats: [Seat], signer: FakeSigner) -> SimHost {
        let number = hosts.count
        let node = Node(setup(signer, number, seats, nil), Stored(), at: moment(nil))
        let host = SimHost(
            person: person, number: number, signer: signer, seats: seats, node: node)
        hosts.append(host)
        return host
    }

    func moment(_ host: SimHost?) -> Moment {
        let start = meets?.profile.starts ?? 1_800_000_000
        return Moment(
            instant: Instant(nanoseconds: now),
            utc: UTCTime(seconds: start + now / Self.second + (host?.clockError ?? 0)))
    }

    /// Starts a process from its disk.
    func start(_ host: SimHost) {
        guard !host.isUp, !host.isGone, failure == nil else { return }
        host.isAwaited = false
        guard !isOff(host) else { return }
        host.process += 1
        host.gathered = nil
        host.circuits = [:]
        host.circuitOrder = []
        host.tickAt = .max
        host.seen = .empty
        host.node = Node(setup(host), host.disk.stored, at: moment(host))
        host.isUp = true
        host.consents.restart(at: time(host))
        host.upSince = now
        host.heardAt = nil
        host.ends = [:]
        host.label = label(host)
        totals.starts += 1
        note { "host \(host.number) starts (\(host.process))" }
        feed(host, .networks(host.networks))
        feed(host, .labelled(host.label))
        feed(host, .started)
        beginMeeting(host)
        announce(host)
    }

    /// 16 hexadecimal digits: an mDNS instance.
    private func label(_ host: SimHost) -> String {
        hexadecimal(network.bytes(8))
    }

    /// mDNS tells everybody of `host`, and `host` of everybody.
    func announce(_ host: SimHost) {
        for other in hosts where other.number != host.number && other.isUp {
            guard !isCut(host, other) else { continue }
            // A large cabin is found bit by bit, as the browsing of the shell would.
            if hosts.count > 60, network.next() % UInt64(hosts.count) > 24 { continue }
            sight(host, by: other)
            sight(other, by: host)
        }
    }

    private func sight(_ host: SimHost, by other: SimHost) {
        let delay = Int64.random(in: 1...400, using: &network) * Self.millisecond
        agenda.note(
            .event(
                host: other.number, process: other.process,
                .found(label: host.label, addresses: [host.address])), at: now + delay)
    }

    /// The process is gone, its disk stays. With `power` nothing that it sent last arrives, and its
    /// neighbours hear nothing.
    func kill(_ host: SimHost, power: Bool) {
        guard host.isUp else { return }
        note { "host \(host.number) dies\(power ? " with its machine" : "")" }
        host.isUp = false
        host.death = nil
        host.gathered = nil
        totals.agentTime += now - host.upSince
        for wire in host.wires { abandon(wire, by: host, silent: power) }
        host.wires = []
        endMeeting(host, power: power)
    }

    /// Starts it again after a while.
    func revive(_ host: SimHost, after delay: Int64) {
        guard !host.isAwaited else { return }
        host.isAwaited = true
        agenda.note(.then { $0.start(host) }, at: now + delay)
    }

    /// The disk refused: the core is made anew from what is durable, as the shell does it.
    func refuse(_ host: SimHost) {
        host.diskFailures += 1
        totals.faults[FaultKind.diskFull.rawValue] += 1
        let failures = host.diskFailures
        kill(host, power: false)
        if failures < 5 {
            start(host)
        } else {
            host.diskFailures = 0
            revive(host, after: max(Self.second, host.disk.fullUntil - now + Self.second))
        }
    }
}
