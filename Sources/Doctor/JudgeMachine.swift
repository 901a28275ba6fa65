// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Discovery
import Protocol
import System
import Text
import Transport

/// Findings about this machine itself.
extension DoctorFacts {
    // MARK: Interfaces

    var interfacesFinding: Finding {
        if let missingNetwork { return missingNetwork.finding }
        let names = connected.map { one in
            "\(one.name) \(one.addresses.prefix(2).map(\.description).joined(separator: " "))"
        }
        let text = names.joined(separator: ", ")
        guard isOnLoopback else { return Finding(.interfaces, .ok, text) }
        return Finding(
            .interfaces, .warn, text, why: "as chosen: only agents on this machine are met")
    }

    /// Why there is no interface on which to meet others; `nil` if there is one.
    var missingNetwork: (cause: Cause, finding: Finding)? {
        if !connected.isEmpty { return nil }
        func found(
            _ cause: Cause, _ what: String, _ why: String?, _ line: String
        ) -> (Cause, Finding) {
            (cause, Finding(.interfaces, .bad, what, why: why, advice: line))
        }
        if let interface, !interfaces.contains(where: { $0.name == interface }) {
            return found(
                .noNetwork, "there is no network interface \(interface)", nil, "ip -brief link")
        }
        let candidates = interfaces.filter {
            interface == nil ? $0.kind == .network : $0.name == interface
        }
        // The one that is closest to working.
        let best =
            candidates.first { $0.isUp && $0.hasCarrier } ?? candidates.first(where: \.isUp)
            ?? candidates.first
        guard let best else {
            let others = interfaces.filter { $0.kind != .loopback }.map(\.name)
            return found(
                .onlyLoopback, "this machine is on no network: there is only its own loopback",
                others.isEmpty
                    ? nil
                    : "\(others.joined(separator: ", ")): tunnels and containers, nobody is there",
                advice.networks)
        }
        if !best.isUp {
            return found(
                .noNetwork, "the network interface \(best.name) is switched off", nil,
                advice.asRoot("ip link set \(best.name) up"))
        }
        if !best.hasCarrier {
            return found(
                .noNetwork, "\(best.name) is not connected to any network",
                "no cable, or no Wi-Fi joined", advice.connect(best.name))
        }
        return found(
            .noNetwork, "\(best.name) has no address", "the network gave it none",
            advice.connect(best.name))
    }

    var vpnFinding: Finding {
        let tunnels = interfaces.filter { $0.kind == .tunnel && $0.isUp }.map(\.name)
        for one in connected where one.kind == .network {
            switch one.way {
            case .by(let other) where other != one.name:
                return Finding(
                    .vpn, .bad, "traffic for neighbours on \(one.name) leaves through \(other)",
                    why: tunnels.contains(other)
                        ? "\(other) is a VPN, and it takes the local network too" : nil,
                    advice: advice.asRoot("ip link set \(other) down"))
            case .nowhere(let words):
                return Finding(
                    .vpn, .bad, "there is no way to neighbours on \(one.name)", why: words,
                    advice: "ip route show table all")
            case .by, .unknown: break
            }
        }
        let containers = interfaces.filter { $0.kind == .container && $0.isUp }.map(\.name)
        let seen = (tunnels + containers).prefix(6).joined(separator: ", ")
        return Finding(
            .vpn, .ok, seen.isEmpty ? "no tunnel, no containers" : "\(seen): not in the way")
    }

    var multicastFinding: Finding {
        guard let first = connected.first else {
            return Finding(.multicast, .skipped, "there is no network to send it on")
        }
        // The loopback lacks that flag, but avahi-daemon can be configured to use it.
        let able = connected.filter { $0.isMulticast || $0.kind == .loopback }.map(\.name)
        guard able.isEmpty else {
            return Finding(.multicast, .ok, "switched on for \(able.joined(separator: ", "))")
        }
        return Finding(
            .multicast, .bad, "multicast is switched off for \(first.name)",
            why: "agents find each other by it",
            advice: advice.asRoot("ip link set \(first.name) multicast on"))
    }

    // MARK: mDNS

    var avahiFinding: Finding {
        if let trouble = probe.trouble {
            return Finding(
                .avahi, .bad, trouble.why, why: "so \(trouble.what)",
                advice: advice.adapted(trouble.remedy))
        }
        guard probe.isPublished else {
            return Finding(
                .avahi, .bad, DiscoveryTrouble.silent.why,
                why: "so \(DiscoveryTrouble.silent.what)",
                advice: advice.adapted(DiscoveryTrouble.silent.remedy))
        }
        return Finding(.avahi, .ok, "avahi-daemon answers")
    }

    var ownFinding: Finding {
        guard probe.isPublished, missingNetwork == nil else {
            return Finding(.ownRegistration, .skipped, "nothing could be announced")
        }
        if probe.ownSeenOn.isEmpty {
            return Finding(
                .ownRegistration, .bad, "what this machine announces does not come back to it",
                why: "its multicast does not pass its own network interface",
                advice: desk.isRoot
                    ? "ip maddress show" : advice.asRoot("seatagent doctor"))
        }
        guard agent?.isSeen != false else {
            return Finding(
                .ownRegistration, .warn, "a test is announced, but your agent is not",
                advice: "seatagent restart")
        }
        return Finding(
            .ownRegistration, .ok,
            agent?.isSeen == true ? "your agent's announcement is seen" : "a test was announced")
    }

    /// Whether everybody on the network can learn this computer's name (docs/protocol.md section
    /// 3).
    var computerNameFinding: Finding {
        guard let host = probe.ownHost else {
            return Finding(
                .computerName, .skipped, "the name that avahi-daemon announces was not seen")
        }
        let announced = visible(ComputerName.label(of: host), cells: 64)
        guard ComputerName.isOwn(host, computer: desk.computer) else {
            return Finding(
                .computerName, .ok,
                "avahi-daemon calls it \(announced).local here, which is not its own name")
        }
        return Finding(
            .computerName, .warn,
            "everybody on this network can read that this computer is \(announced).local",
            why: "avahi-daemon announces that name, with or without seatagent, "
                + "and cannot announce an agent under another",
            advice: desk.hasHostNameProgram
                ? advice.asRoot("avahi-set-host-name \(desk.freshName)")
                : advice.asRoot("apt-get install -y avahi-utils"))
    }

    // MARK: Clock and agent

    /// 2024-01-01, before which this program did not exist.
    private static let firstSecond: Int64 = 1_704_067_200
    private static let day: Int64 = 86_400
    /// Files of a running system are younger than this.
    private static let stale = 3 * 365 * day

    var clockFinding: Finding {
        let text = RFC3339.text(UTCTime(seconds: clock.now))
        if clock.now < Self.firstSecond {
            return Finding(
                .clock, .bad, "the clock says \(text), which is long past",
                why: "records carry the time, and others refuse what is far off",
                advice: "date -u")
        }
        if let newest = clock.newestFile, newest > clock.now + Self.day {
            return Finding(
                .clock, .bad, "the clock says \(text), but files here are newer",
                why: "one was written at \(RFC3339.text(UTCTime(seconds: newest)))",
                advice: "date -u")
        }
        if let newest = clock.newestFile, clock.now - newest > Self.stale {
            return Finding(
                .clock, .warn, "the clock says \(text), years after the newest file here",
                advice: "date -u")
        }
        return Finding(.clock, .ok, text)
    }

    var agentFinding: Finding {
        guard let agent else {
            return Finding(
                .agent, .skipped, "no agent runs; an announcement was made for the test",
                advice: "seatagent up --seat 14C --name ada")
        }
        let links = agent.directLinks
        if let path = agent.keylog {
            return Finding(
                .agent, .warn,
                "runs, and logs its keys: whoever has \(visible(path)) can read "
                    + "everything it says",
                why: "it was started with --keylog", advice: "seatagent restart")
        }
        if let trouble = agent.trouble {
            return Finding(.agent, .warn, "runs, and says: \(trouble)", advice: "seatagent status")
        }
        if agent.withheld > 0 {
            let who = agent.withheld == 1 ? "1 passenger" : "\(agent.withheld) passengers"
            return Finding(
                .agent, .warn, "runs, and others' cards are newer than their boxes for \(who)",
                why: "its meeting point may hold records back (meetWithholds)",
                advice: "seatagent status")
        }
        let count = links == 0 ? "no links" : links == 1 ? "1 link" : "\(links) links"
        var text = "runs with \(count)" + (agent.isSeen == nil ? ", without mDNS" : "")
        if let host = connected.first?.addresses.first, let port {
            text += "; others reach it at \(Address(host: host, port: port))"
        }
        return Finding(.agent, .ok, text)
    }
}
