// SPDX-License-Identifier: Apache-2.0
import Transport

/// What the firewall does with the four kinds of packets that matter.
struct FirewallReading: Hashable, Sendable {
    /// What a packet is for.
    enum Purpose: Hashable, Sendable, CaseIterable {
        /// Others connect to us.
        case connectionIn
        /// Others say who they are.
        case multicastIn
        /// We say who we are.
        case multicastOut
        /// We connect to others.
        case connectionOut

        var isMulticast: Bool { self == .multicastIn || self == .multicastOut }
    }

    /// What is dropped, where, and by which rules.
    struct Drop: Hashable, Sendable {
        var purpose: Purpose
        var place: FirewallPlace
        var port: UInt16
    }

    /// Packets that are certainly dropped.
    var drops: [Drop] = []
    /// Purposes for which the rules cannot be judged.
    var unclear: [Purpose] = []
    /// All rules.
    var rules: [Ruleset] = []

    /// The loss that explains most: without multicast, nobody is found.
    var worst: Drop? { drops.first { $0.purpose.isMulticast } ?? drops.first }
}

extension DoctorFacts {
    /// mDNS (RFC 6762).
    private static let multicastPort: UInt16 = 5353
    /// The port in all examples, used if the agent's port is unknown.
    static let usualPort: UInt16 = 7711

    /// What the firewall does to an agent; `nil` if its rules are unknown.
    var firewallReading: FirewallReading? {
        guard case .rules(let rules) = firewall else { return nil }
        var reading = FirewallReading(rules: rules)
        // The interface on which others are met: what is dropped on one may pass on another.
        let meeting = connected.filter { !$0.addresses.isEmpty }
        guard !meeting.isEmpty else { return reading }
        for purpose in FirewallReading.Purpose.allCases {
            let port = purpose.isMulticast ? Self.multicastPort : firewallPort(purpose)
            let verdicts = meeting.map { interface in
                Self.verdict(packet(purpose, port, on: interface), rules)
            }
            if verdicts.contains(.accepted) { continue }
            for verdict in verdicts {
                guard case .dropped(let place) = verdict else {
                    reading.unclear.append(purpose)
                    break
                }
                reading.drops.append(.init(purpose: purpose, place: place, port: port))
                break
            }
        }
        return reading
    }

    private func firewallPort(_ purpose: FirewallReading.Purpose) -> UInt16 {
        let theirs = places.first { !$0.isHere }?.tries.first?.address.port
        return (purpose == .connectionOut ? theirs : port) ?? Self.usualPort
    }

    /// What the rules do with connections of others to a port, on the interface that lets most in.
    func verdict(onConnectionsTo port: UInt16, _ rules: [Ruleset]) -> FirewallVerdict {
        let verdicts = connected.filter { !$0.addresses.isEmpty }.map { interface in
            Self.verdict(packet(.connectionIn, port, on: interface), rules)
        }
        if verdicts.contains(.accepted) { return .accepted }
        return verdicts.first ?? .unclear
    }

    private static func verdict(_ packet: Packet, _ rules: [Ruleset]) -> FirewallVerdict {
        let verdicts = rules.map { $0.verdict(for: packet) }
        for verdict in verdicts {
            if case .dropped = verdict { return verdict }
        }
        return verdicts.contains(.unclear) ? .unclear : .accepted
    }

    private func packet(
        _ purpose: FirewallReading.Purpose, _ port: UInt16, on interface: InterfaceFact
    ) -> Packet {
        let own = interface.addresses[0].bytes
        var neighbour = own
        neighbour[own.count - 1] ^= 1
        let group: [UInt8] =
            own.count == 4
            ? [224, 0, 0, 251] : [0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xfb]
        let isIncoming = purpose == .connectionIn || purpose == .multicastIn
        return Packet(
            isIncoming: isIncoming, transport: purpose.isMulticast ? "udp" : "tcp",
            port: Int(port), interface: interface.name, source: isIncoming ? neighbour : own,
            destination: purpose.isMulticast ? group : isIncoming ? own : neighbour)
    }

    // MARK: The finding

    var firewallFinding: Finding {
        switch firewall {
        case .noProgram:
            return Finding(
                .firewall, .skipped, "no program here shows firewall rules",
                why: "neither nft nor iptables-save is installed; most likely there is no firewall")
        case .unreadable:
            if let agent, agent.dialledByOthers > 0 {
                return Finding(.firewall, .ok, "lets others in: they connected to your agent")
            }
            return Finding(
                .firewall, .skipped, "only root may read its rules", advice: advice.rules)
        case .rules: break
        }
        guard let reading = firewallReading, !connected.isEmpty else {
            return Finding(.firewall, .skipped, "there is no network that it could guard")
        }
        if let drop = reading.worst {
            return Finding(
                .firewall, .bad, Self.words(drop), why: Self.why(drop),
                advice: advice.open(
                    drop.port, drop.purpose.isMulticast ? "udp" : "tcp", at: drop.place,
                    in: reading.rules))
        }
        if !reading.unclear.isEmpty {
            return Finding(
                .firewall, .skipped, "its rules are more than this program understands",
                advice: advice.rules)
        }
        return Finding(.firewall, .ok, "lets mDNS and TCP port \(port ?? Self.usualPort) pass")
    }

    private static func words(_ drop: FirewallReading.Drop) -> String {
        switch drop.purpose {
        case .connectionIn:
            "this machine's firewall drops connections to TCP port \(drop.port)"
        case .connectionOut:
            "this machine's firewall drops connections to TCP port \(drop.port) of others"
        case .multicastIn: "this machine's firewall drops the mDNS of others (UDP port 5353)"
        case .multicastOut: "this machine's firewall drops its own mDNS (UDP port 5353)"
        }
    }

    private static func why(_ drop: FirewallReading.Drop) -> String {
        let program = drop.place.source.rawValue
        return "chain \(drop.place.chain) of table \(drop.place.family) \(drop.place.table) "
            + "(\(program))"
    }
}
