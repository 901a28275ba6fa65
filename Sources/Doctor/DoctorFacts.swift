// SPDX-License-Identifier: Apache-2.0
import Discovery
package import Interfaces
package import System
import Transport

/// Everything the doctor gathered; ``DoctorFacts/diagnosis`` judges it.
package struct DoctorFacts: Equatable, Sendable {
    /// The one interface to look at; `nil` for all.
    var interface: String?
    /// All interfaces of this machine.
    var interfaces: [InterfaceFact] = []
    /// What the probe saw by mDNS.
    var probe = ProbeFacts()
    /// Whose mDNS packets were heard.
    var heard = HeardFacts()
    /// Addresses where agents should answer, and the results of connecting there.
    var places: [Place] = []
    /// The firewall's rules.
    var firewall = FirewallFacts.noProgram
    /// The TCP port that others should reach; `nil` if none is known.
    var port: UInt16?
    /// The page that is served to phones; `nil` for none.
    var page: PageFact?
    /// Whether this machine runs a hotspot.
    var hotspot = HotspotFact.unknown
    /// The clock.
    var clock = ClockFacts(now: 0, newestFile: nil)
    /// The profile's agent; `nil` when none runs.
    var agent: AgentSeen?
    /// Who asks, and which programs are there.
    var desk = DeskFacts()
}

/// The page for phones.
package struct PageFact: Hashable, Sendable {
    /// The TCP port of the page.
    package var port: UInt16
    /// Those of the agents of guests.
    package var guests: ClosedRange<UInt16>

    /// A page at a port, and its guests.
    package init(port: UInt16, guests: ClosedRange<UInt16>) {
        self.port = port
        self.guests = guests
    }
}

/// A Wi-Fi network that this machine makes itself.
enum HotspotFact: Hashable, Sendable {
    /// It runs, on that interface if it is known.
    case runs(String?)
    case none
    /// Nobody here knows.
    case unknown
}

/// One interface.
package struct InterfaceFact: Hashable, Sendable {
    /// Where a packet for a neighbour on this interface would leave the machine.
    package enum Way: Hashable, Sendable {
        case by(String)
        /// It cannot leave, for the kernel's reason.
        case nowhere(String)
        /// There is no IPv4 address to ask about.
        case unknown
    }

    package var name: String
    package var kind: NetworkInterface.Kind
    package var isUp = true
    var hasCarrier = true
    var isMulticast = true
    /// IPv4 first.
    package var addresses: [Address.Host] = []
    /// For a neighbour with a similar address.
    package var way = Way.unknown

    /// Whether others could be met here, as far as the interface is concerned.
    var isConnected: Bool { isUp && hasCarrier && !addresses.isEmpty }
}

/// What came in on the mDNS group while the probe ran.
struct HeardFacts: Hashable, Sendable {
    /// Whether this program could listen at all.
    var couldListen = false
    /// Our own daemon's packets came back.
    var own = false
    /// Addresses of other machines, sorted.
    var others: [String] = []
}

/// Where an agent should answer.
package struct Place: Hashable, Sendable {
    /// How the address is known.
    package enum Origin: Hashable, Sendable {
        /// Its announcement was seen.
        case seen
        /// It was typed, here or for the agent.
        case typed
    }

    /// The result of a connection attempt.
    package enum Outcome: Hashable, Sendable {
        case connected
        /// The machine is there and refuses.
        case refused
        /// Nothing came back; and whether the machine's hardware address is known, if that can be
        /// found out.
        case silent(hasNeighbour: Bool?)
        /// The kernel cannot reach it, for its own reason.
        case failed(String)
    }

    package var origin: Origin
    /// Whether it is on this machine.
    package var isHere = false
    /// The attempts by address; empty if there were none.
    package var tries: [Try] = []

    /// One address.
    package struct Try: Hashable, Sendable {
        package var address: Address
        package var outcome: Outcome
    }

    var isReached: Bool { tries.contains { $0.outcome == .connected } }
}

/// The clock, and evidence against it.
struct ClockFacts: Hashable, Sendable {
    /// Seconds since 1970.
    var now: Int64
    /// When the newest of some files that change often was written; seconds since 1970.
    var newestFile: Int64?
}

/// The firewall.
enum FirewallFacts: Hashable, Sendable {
    /// No program on this machine shows the rules.
    case noProgram
    /// This user may not read the rules.
    case unreadable
    /// All rules for IPv4, or for IPv6 if there is no IPv4.
    case rules([Ruleset])
}

/// The profile's agent, as it reports itself.
struct AgentSeen: Hashable, Sendable {
    /// Whether its announcement came back; `nil` if it announces nothing.
    var isSeen: Bool?
    /// Links that no other agent relays.
    var directLinks = 0
    /// Links that others made.
    var dialledByOthers = 0
    /// Links to addresses that were typed.
    var typedLinks = 0
    /// The trouble that it reports.
    var trouble: String?
    /// The file into which it writes the secrets of its connections.
    var keylog: String?
    /// Passengers of whom its meeting point may hold records back.
    var withheld = 0
}

/// The user who asks, and the programs on this machine.
struct DeskFacts: Hashable, Sendable {
    var isRoot = false
    var hasSudo = true
    var hasNetworkManager = false
    /// `avahi-set-host-name` is there.
    var hasHostNameProgram = true
    /// What this computer is called.
    var computer = ""
    /// A name that reveals nothing, to announce instead.
    var freshName = "k7q2m5x4"
}
