// SPDX-License-Identifier: Apache-2.0
import Discovery

/// The judge: from facts to findings and one cause. Pure, and looks at the facts only.
extension DoctorFacts {
    /// What is wrong, if anything.
    package var diagnosis: Diagnosis {
        let findings = [
            interfacesFinding, vpnFinding, multicastFinding, avahiFinding, ownFinding,
            computerNameFinding, heardFinding, seenFinding, tcpFinding, isolationFinding,
            firewallFinding, pageFinding, hotspotFinding, clockFinding, agentFinding,
        ]
        let cause = cause
        // The finding that shows the cause says it in the same words.
        func finding(_ name: Finding.Name) -> Finding? { findings.first { $0.name == name } }
        let shown: Finding? =
            switch cause {
            case .well, .alone, .nobodyHeard: nil
            case .noNetwork, .onlyLoopback: finding(.interfaces)
            case .noAvahi: finding(.avahi)
            case .noMulticast: noMulticastFinding(findings)
            case .vpn: finding(.vpn)
            case .firewall: finding(.firewall)
            case .isolated: finding(.isolation)
            case .firewallThere, .refused: finding(.tcp)
            case .clock: finding(.clock)
            }
        if let shown {
            return Diagnosis(
                findings: findings, cause: cause, what: shown.what, why: shown.why,
                advice: shown.advice)
        }
        let (what, why, advice) = quietWords(cause)
        return Diagnosis(findings: findings, cause: cause, what: what, why: why, advice: advice)
    }

    /// The cause, in the order in which one thing needs the next: network, daemon, multicast, TCP.
    private var cause: Cause {
        if let missing = missingNetwork { return missing.cause }
        if avahiFinding.state == .bad { return .noAvahi }
        if multicastFinding.state == .bad { return .noMulticast }
        let drops = firewallReading?.drops ?? []
        if drops.contains(where: { $0.purpose.isMulticast }) { return .firewall }
        if ownFinding.state == .bad { return .noMulticast }
        if vpnFinding.state == .bad { return .vpn }
        if !drops.isEmpty { return .firewall }
        if let unreached { return unreached }
        if carriesNoMulticast { return .noMulticast }
        if !meetsOthers, heard.others.isEmpty { return .nobodyHeard }
        if clockFinding.state == .bad { return .clock }
        return meetsOthers ? .well : .alone
    }

    // MARK: What follows from the facts

    /// Suggestions for this machine.
    package var advice: Advice { Advice(desk: desk) }

    /// Interfaces on which others can be met.
    package var connected: [InterfaceFact] {
        interfaces.filter { one in
            guard one.isConnected else { return false }
            guard let interface else { return one.kind == .network }
            return one.name == interface
        }
    }

    /// Whether only this machine's loopback is in use.
    var isOnLoopback: Bool { connected.contains { $0.kind == .loopback } }

    /// Addresses of others. On a loopback, everybody is on this machine.
    package var foreign: [Place] { places.filter { isOnLoopback || !$0.isHere } }

    /// Whether another agent is reached, or linked with the profile's agent.
    var meetsOthers: Bool { foreign.contains(where: \.isReached) || (agent?.directLinks ?? 0) > 0 }

    /// Whether others are known by address but nobody was found, because the network drops
    /// multicast.
    private var carriesNoMulticast: Bool {
        let isSeen = foreign.contains { $0.origin == .seen }
        let isTypedReached = foreign.contains { $0.origin == .typed && $0.isReached }
        return !isSeen && heard.others.isEmpty && !isOnLoopback
            && (isTypedReached || (agent?.typedLinks ?? 0) > 0)
    }

    /// Why none of the addresses answers; `nil` if one does or none is known.
    var unreached: Cause? {
        let tried = foreign.filter { !$0.tries.isEmpty }
        guard !tried.isEmpty, !meetsOthers else { return nil }
        let outcomes = tried.flatMap(\.tries).map(\.outcome)
        if outcomes.contains(.refused) { return .refused }
        let present = tried.filter { place in
            place.tries.contains { $0.outcome == .silent(hasNeighbour: true) }
        }
        // One machine that is there and does not answer has a firewall; several do not.
        return present.count == 1 && tried.count == 1 ? .firewallThere : .isolated
    }

    private func noMulticastFinding(_ findings: [Finding]) -> Finding? {
        let bad = findings.first {
            [.multicast, .ownRegistration].contains($0.name) && $0.state == .bad
        }
        if let bad { return bad }
        let typed = foreign.first { $0.origin == .typed && $0.isReached }?.tries.first?.address
        let line: String =
            switch (typed, agent) {
            case (let address?, nil): "seatagent up --seat 14C --name ada --peer \(address)"
            case (let address?, _?): "seatagent peers --add \(address)"
            case (nil, _): "seatagent peers"
            }
        return Finding(
            .multicast, .bad, "this network does not carry multicast: only typed agents are met",
            why: "an agent that was typed answers, but no announcement is heard from anybody",
            advice: line)
    }

    private func quietWords(_ cause: Cause) -> (what: String, why: String?, advice: String?) {
        let next = agent == nil ? "seatagent up --seat 14C --name ada" : "seatagent peers"
        let reached = foreign.filter(\.isReached).count
        switch cause {
        case .nobodyHeard:
            return (
                "no other machine is heard here",
                "you are the first, or this network keeps its clients apart; to find out, type the "
                    + "address that a neighbour's doctor shows after `seatagent doctor` here",
                agent == nil ? next : "seatagent help doctor"
            )
        case .alone:
            return ("nothing is wrong here; nobody else runs an agent yet", nil, next)
        default:
            let links = agent?.directLinks ?? 0
            let count = max(reached, links)
            return (
                "all is well: \(count) other\(count == 1 ? "" : "s") within reach", nil,
                agent == nil ? next : nil
            )
        }
    }
}
