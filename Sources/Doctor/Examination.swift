// SPDX-License-Identifier: Apache-2.0
import CLinux
package import ControlAPI
import Discovery
import Glibc
import Interfaces
import Protocol
package import System
import Text
import Transport

/// Gathers the doctor's facts: looks at this machine, announces a test, listens, and tries to
/// connect. Takes a few seconds, less if it sees everything quickly.
package struct Examination {
    /// The one interface to look at; `nil` for all.
    package var interface: String?
    /// The TCP port that others should reach, if it is known.
    package var port: UInt16?
    /// The page that is served to phones; `nil` for none.
    package var page: PageFact?
    /// Addresses to try, whatever is found.
    package var typed: [Address] = []
    /// `network` in the status of the profile's agent; `nil` if none runs.
    package var network: NetworkFacts?
    /// `meeting.behind` in that status.
    package var withheld = 0
    /// `PATH`, to find the programs that show firewall rules.
    package var path = ""

    /// An examination of `interface`, or of all; `network` is what a running agent says.
    package init(
        interface: String? = nil, port: UInt16? = nil, typed: [Address] = [],
        network: NetworkFacts? = nil, path: String = "", page: PageFact? = nil
    ) {
        self.page = page
        self.interface = interface
        self.port = port
        self.typed = typed
        self.network = network
        self.path = path
    }

    /// How long to look for others in all.
    private static let patience = TimeSpan.milliseconds(3500)
    /// How long after the last news, once ourselves and somebody else are seen.
    private static let calm = TimeSpan.milliseconds(300)
    /// Others to knock at, and addresses of each: enough to tell, few enough not to disturb.
    private static let knocks = (places: 6, addresses: 3)

    /// Looks at everything.
    package func facts() -> DoctorFacts {
        var facts = DoctorFacts()
        facts.interface = interface
        facts.desk = desk
        facts.port = port
        facts.page = page
        let own = NetworkInterface.all()
        facts.interfaces = own.map(Self.fact)
        lookAround(own, &facts)
        knock(&facts)
        facts.firewall = FirewallPrograms(path: path).facts(hasIPv4: Self.hasIPv4(facts.connected))
        facts.hotspot = Hotspots(path: path).fact
        facts.clock = ClockFacts(
            now: SystemClock.utc().seconds, newestFile: Self.newestFile())
        facts.agent = agent(facts.probe)
        return facts
    }

    private var desk: DeskFacts {
        DeskFacts(
            isRoot: geteuid() == 0, hasSudo: ProgramOutput.find("sudo", path: path) != nil,
            hasNetworkManager: ProgramOutput.find("nmcli", path: path) != nil,
            hasHostNameProgram: ProgramOutput.find("avahi-set-host-name", path: path) != nil,
            computer: ComputerName.own, freshName: ComputerName.fresh())
    }

    // MARK: Interfaces

    private static func fact(_ interface: NetworkInterface) -> InterfaceFact {
        let hosts = interface.addresses.sorted { $0.count < $1.count }.map { bytes in
            Address.Host(bytes: bytes, scope: bytes.count == 16 ? interface.index : 0)
        }
        let kind = NetworkInterface.kind(
            of: interface.name, isLoopback: interface.isLoopback,
            isPointToPoint: interface.isPointToPoint)
        var fact = InterfaceFact(
            name: interface.name, kind: kind, isUp: interface.isUp,
            hasCarrier: interface.isRunning, isMulticast: interface.isMulticast)
        // Only a link-local address depends on the interface.
        fact.addresses = hosts.map { host in
            guard case .v6(let high, let low, _) = host, !host.isLinkLocal else { return host }
            return .v6(high: high, low: low, scope: 0)
        }
        if kind == .network, fact.isConnected { fact.way = way(from: hosts) }
        return fact
    }

    /// Asks the kernel by which interface a packet for a neighbour would leave. Sends nothing.
    private static func way(from hosts: [Address.Host]) -> InterfaceFact.Way {
        guard case .v4(let number)? = hosts.first else { return .unknown }
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return .unknown }
        defer { close(descriptor) }
        let neighbour = Address(host: .v4(number ^ 1), port: 9)
        guard neighbour.withSocketAddress({ connect(descriptor, $0, $1) }) == 0 else {
            // That neighbour may happen to be the address of the network or of everybody in it.
            if errno == EACCES, number ^ 1 & 0xff == 0xff || number ^ 1 & 0xff == 0 {
                return .unknown
            }
            return .nowhere(SystemError.last.description)
        }
        guard let local = Syscalls().localAddress(descriptor)?.host else { return .unknown }
        let leaving = NetworkInterface.all().first { $0.addresses.contains(local.bytes) }
        return leaving.map { .by($0.name) } ?? .unknown
    }

    private static func hasIPv4(_ interfaces: [InterfaceFact]) -> Bool {
        interfaces.contains { one in
            one.addresses.contains { if case .v4 = $0 { true } else { false } }
        }
    }

    // MARK: mDNS

    private func lookAround(_ own: [NetworkInterface], _ facts: inout DoctorFacts) {
        let door = Door()
        defer { door.close() }
        let names = facts.connected.filter(\.isMulticast).map(\.name)
        var ear = MulticastEar(
            own.filter { names.contains($0.name) }.map {
                NetworkFooting(name: $0.name, index: $0.index)
            }, own: Set(facts.interfaces.flatMap(\.addresses)))
        defer { ear.close() }
        let probe = Probe(
            port: door.port, interface: interface, random: UInt64.random(in: .min ... .max))
        defer { probe.stop() }
        let end = SystemClock.now() + Self.patience
        var lastNews = SystemClock.now()
        probe.start(now: lastNews.nanoseconds)
        while true {
            let now = SystemClock.now()
            if isDone(probe.facts) && now > lastNews + Self.calm || now >= end { break }
            let next = isDone(probe.facts) ? lastNews + Self.calm + .milliseconds(1) : end
            let due = probe.nextDeadline.map { Instant(nanoseconds: $0) } ?? end
            let before = probe.facts
            for descriptor in Polling.wait(
                for: probe.descriptors + ear.descriptors, until: min(next, due, end))
            {
                if ear.descriptors.contains(descriptor) {
                    ear.readable(descriptor)
                } else {
                    probe.readable(descriptor, now: SystemClock.now().nanoseconds)
                }
            }
            probe.tick(now: SystemClock.now().nanoseconds)
            if probe.facts != before { lastNews = SystemClock.now() }
        }
        facts.probe = probe.facts
        facts.heard = ear.facts
    }

    /// Whether more time would show nothing that matters.
    private func isDone(_ seen: ProbeFacts) -> Bool {
        if seen.trouble != nil { return true }
        let isSelfSeen = network?.label.map { label in
            seen.sightings.contains { $0.label == label }
        }
        let others = seen.sightings.filter { $0.label != network?.label }
        return seen.isPublished && !seen.ownSeenOn.isEmpty && seen.ownHost != nil
            && isSelfSeen != false && !others.isEmpty
    }

    // MARK: Others

    private func knock(_ facts: inout DoctorFacts) {
        let mine = Set(facts.interfaces.flatMap(\.addresses).map(\.bytes))
        func isHere(_ address: Address) -> Bool {
            address.host.isLoopback || mine.contains(address.host.bytes)
        }
        var places: [Place] = []
        var addresses: [[Address]] = []
        let label = network?.label
        for sighting in facts.probe.sightings where sighting.label != label {
            let all = sighting.addresses.map { place in
                Address(
                    host: Address.Host(
                        bytes: place.bytes, scope: place.isLinkLocal ? place.interface : 0),
                    port: place.port)
            }
            places.append(Place(origin: .seen, isHere: all.contains(where: isHere)))
            addresses.append(all.count <= Self.knocks.addresses ? all : Self.both(all))
        }
        for address in typed + silent where !addresses.contains(where: { $0.contains(address) }) {
            places.insert(Place(origin: .typed, isHere: isHere(address)), at: 0)
            addresses.insert([address], at: 0)
        }
        // This machine's own agents say nothing about the network, unless there are no others.
        var left = Self.knocks.places
        for index in places.indices where facts.isOnLoopback || !places[index].isHere {
            if left == 0 { addresses[index] = [] } else { left -= 1 }
        }
        for index in places.indices where !facts.isOnLoopback && places[index].isHere {
            addresses[index] = []
        }
        facts.places = Knocking.at(
            addresses, of: places, program: ProgramOutput.find("ip", path: path))
    }

    /// A few of many addresses, from both families.
    private static func both(_ all: [Address]) -> [Address] {
        let four = all.filter { if case .v4 = $0.host { true } else { false } }
        let six = all.filter { !four.contains($0) }
        return Array((four.prefix(knocks.addresses - 1) + six).prefix(knocks.addresses))
    }

    /// Addresses that the agent knows and that do not answer it.
    private var silent: [Address] {
        (network?.silent ?? []).prefix(NetworkFacts.examined).compactMap {
            try? Address(parsing: $0.address)
        }
    }

    // MARK: The rest

    private func agent(_ probe: ProbeFacts) -> AgentSeen? {
        guard let network else { return nil }
        let stages = network.mesh.stages
        var seen = AgentSeen()
        if network.mdns, let label = network.label {
            seen.isSeen = probe.sightings.contains { $0.label == label }
        }
        seen.directLinks = network.mesh.links - stages[.relayed]
        seen.dialledByOthers = stages[.dialledUs]
        seen.typedLinks = stages[.typed]
        seen.trouble = network.trouble?.what
        seen.keylog = network.keylog
        seen.withheld = withheld
        return seen
    }

    /// Files that a running system writes often.
    private static func newestFile() -> Int64? {
        let paths = [
            "/proc/self/exe", "/var/lib/dpkg/status", "/var/lib/systemd/timesync/clock",
            "/var/lib/NetworkManager/timestamps", "/var/log/wtmp", "/etc/resolv.conf",
        ]
        return paths.compactMap { path -> Int64? in
            var status = stat()
            return stat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
        }.max()
    }
}

/// A TCP port with which the probe is announced, and to which other doctors may connect.
private struct Door {
    let port: UInt16
    private let descriptors: [Int32]

    /// If no socket is available, announces the discard port instead of a wrong one.
    init() {
        let calls = Syscalls()
        var open: [Int32] = []
        var chosen: UInt16 = 0
        for host in [Address.Host.any4, .any6] {
            guard let descriptor = try? calls.socket(Address(host: host, port: chosen)) else {
                continue
            }
            let isOpen = (try? calls.bind(descriptor, Address(host: host, port: chosen))) != nil
            guard isOpen, (try? calls.listen(descriptor, 8)) != nil,
                let address = calls.localAddress(descriptor)
            else {
                calls.close(descriptor)
                continue
            }
            chosen = address.port
            open.append(descriptor)
        }
        port = chosen == 0 ? 9 : chosen
        descriptors = open
    }

    func close() {
        for descriptor in descriptors { Syscalls().close(descriptor) }
    }
}
