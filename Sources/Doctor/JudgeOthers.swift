// SPDX-License-Identifier: Apache-2.0
import Transport

/// Findings about others on the network.
extension DoctorFacts {
    var heardFinding: Finding {
        let count = heard.others.count
        if count > 0 {
            let list = heard.others.prefix(3).joined(separator: ", ") + (count > 3 ? " ..." : "")
            return Finding(.othersHeard, .ok, "\(Self.machines(count)) heard: \(list)")
        }
        if seen > 0, !isOnLoopback {
            return Finding(.othersHeard, .ok, "announcements of agents are heard")
        }
        guard heard.couldListen, missingNetwork == nil else {
            return Finding(.othersHeard, .skipped, "there was no network to listen on")
        }
        return Finding(
            .othersHeard, isOnLoopback ? .ok : .warn, "no other machine's multicast was heard",
            why: isOnLoopback ? nil : "nobody is there, or this network does not carry it")
    }

    private static func machines(_ count: Int) -> String {
        count == 1 ? "1 other machine" : "\(count) other machines"
    }

    private static func agents(_ count: Int) -> String {
        count == 1 ? "1 agent" : "\(count) agents"
    }

    /// How many announcements of others were seen.
    private var seen: Int { foreign.count { $0.origin == .seen } }

    var seenFinding: Finding {
        guard avahiFinding.state != .bad, missingNetwork == nil else {
            return Finding(.agentsSeen, .skipped, "nobody could be looked for")
        }
        guard seen == 0 else {
            return Finding(.agentsSeen, .ok, "\(Self.agents(seen)) of others seen")
        }
        if (agent?.directLinks ?? 0) > 0 {
            return Finding(.agentsSeen, .ok, "none seen by mDNS; linked all the same")
        }
        return Finding(.agentsSeen, .warn, "no agent of others is seen")
    }

    var tcpFinding: Finding {
        let tried = foreign.filter { !$0.tries.isEmpty }
        let links = agent?.directLinks ?? 0
        guard !tried.isEmpty else {
            guard links == 0 else {
                return Finding(.tcp, .ok, "your agent is linked with \(Self.agents(links))")
            }
            return Finding(.tcp, .skipped, "there was nobody to connect to")
        }
        let reached = tried.filter(\.isReached)
        let silent = tried.first { !$0.isReached }?.tries.first
        guard let silent else {
            return Finding(.tcp, .ok, "connects to \(Self.agents(reached.count))")
        }
        guard !meetsOthers else {
            return Finding(
                .tcp, .warn, "connects to \(reached.count) of \(Self.agents(tried.count))",
                why: "\(silent.address): \(Self.words(silent.outcome))",
                advice: "seatagent doctor \(silent.address)")
        }
        return unreachedFinding(tried)
    }

    private func unreachedFinding(_ tried: [Place]) -> Finding {
        let tries = tried.flatMap(\.tries)
        let firstWords = tries.first.map { "\($0.address): \(Self.words($0.outcome))" }
        switch unreached {
        case .refused:
            let one = tries.first { $0.outcome == .refused }
            return Finding(
                .tcp, .bad,
                "nothing listens at \(one.map { "\($0.address)" } ?? "the address of an agent")",
                why:
                    "the agent there has ended, or that machine's firewall refuses: "
                    + "type this there",
                advice: Self.overThere(one))
        case .firewallThere:
            let one = tries.first { $0.outcome == .silent(hasNeighbour: true) }
            return Finding(
                .tcp, .bad,
                "\(one.map { "\($0.address.host)" } ?? "a machine") is there and drops connections"
                    + (one.map { " to TCP port \($0.address.port)" } ?? ""),
                why: "a firewall on that machine, most likely: type this there",
                advice: Self.overThere(one))
        default:
            guard tried.count > 1, let first = tries.first else {
                return Finding(
                    .tcp, .bad,
                    "connects to nobody: "
                        + (firstWords ?? "there was nobody to connect to"))
            }
            return Finding(
                .tcp, .bad, "connects to none of \(tried.count) agents",
                why: "\(first.address): \(Self.words(first.outcome))")
        }
    }

    /// How to run a doctor on the other machine, who can read its firewall.
    private static func overThere(_ one: Place.Try?) -> String {
        "sudo seatagent doctor" + (one.map { " --port \($0.address.port)" } ?? "")
    }

    private static func words(_ outcome: Place.Outcome) -> String {
        switch outcome {
        case .connected: "connected"
        case .refused: "refused"
        case .silent(hasNeighbour: false?): "no answer, not even of the hardware"
        case .silent: "no answer"
        case .failed(let words): words
        }
    }

    var isolationFinding: Finding {
        guard !meetsOthers else {
            return Finding(.isolation, .ok, "clients of this network reach each other")
        }
        switch unreached {
        case .isolated:
            let tried = foreign.filter { !$0.tries.isEmpty }
            let isSeen = tried.contains { $0.origin == .seen }
            return Finding(
                .isolation, .bad, "this network keeps its clients apart",
                why: isSeen
                    ? "\(Self.agents(tried.count)) seen, and none can be connected to"
                    : "\(tried.first?.tries.first.map { "\($0.address)" } ?? "nobody") was typed "
                        + "and does not answer at all; if that machine is on, it is kept from you",
                advice: advice.hotspot)
        case .refused, .firewallThere:
            return Finding(.isolation, .ok, "machines on this network answer each other")
        case nil:
            return Finding(.isolation, .skipped, "there was nobody to test it with")
        default:
            return Finding(.isolation, .skipped, "cannot be told")
        }
    }
}
