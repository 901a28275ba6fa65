// SPDX-License-Identifier: Apache-2.0
/// What happens to a packet.
enum FirewallVerdict: Hashable, Sendable {
    case accepted
    /// Dropped by a rule of this chain, or of one that it leads to.
    case dropped(FirewallPlace)
    /// It depends on conditions that this program does not understand.
    case unclear
}

/// The chain that a packet enters the firewall by.
struct FirewallPlace: Hashable, Sendable {
    var source: Ruleset.Source
    var family: String
    var table: String
    var chain: String
}

extension Ruleset {
    /// What becomes of `packet`: every chain on its way must let it pass.
    func verdict(for packet: Packet) -> FirewallVerdict {
        let hooks =
            packet.isIncoming
            ? ["ingress", "prerouting", "input"] : ["output", "postrouting", "egress"]
        let own = packet.destination.count == 4 ? "ip" : "ip6"
        var isClear = true
        for hook in hooks {
            let entered = chains.filter { chain in
                chain.hook == hook && [own, "inet", "netdev"].contains(chain.family)
            }
            for chain in entered.sorted(by: { $0.priority < $1.priority }) {
                var walk = Walk(rules: self, packet: packet)
                let end = walk.through(chain, depth: 0) ?? (chain.dropsByPolicy ? .drop : .accept)
                if walk.doubts.contains(end == .drop ? .accept : .drop) {
                    isClear = false
                } else if end == .drop {
                    return .dropped(
                        FirewallPlace(
                            source: source, family: chain.family, table: chain.table,
                            chain: chain.name))
                }
            }
        }
        return isClear ? .accepted : .unclear
    }

    /// A packet on its way through one base chain.
    private struct Walk {
        enum End { case accept, drop }

        let rules: Ruleset
        let packet: Packet
        /// Ends it may also have come to, by rules that are not understood.
        var doubts: Set<End> = []
        /// Chains that lead to each other in a circle end here; the kernel allows 16.
        static let depthLimit = 16

        init(rules: Ruleset, packet: Packet) {
            self.rules = rules
            self.packet = packet
        }

        /// How the chain decides; `nil` if the packet leaves it undecided.
        mutating func through(_ chain: Chain, depth: Int) -> End? {
            guard depth < Self.depthLimit else { return nil }
            for rule in chain.rules {
                let fits = packet.fits(rule.matches)
                if fits == false { continue }
                let isSure = fits == true
                switch rule.action {
                case .accept: if isSure { return .accept } else { doubts.insert(.accept) }
                case .drop: if isSure { return .drop } else { doubts.insert(.drop) }
                case .unclear: doubts = [.accept, .drop]
                case .nothing: break
                case .back:
                    if isSure { return nil }
                    // What follows may not be met: both ends stay possible.
                    doubts = [.accept, .drop]
                case .jump(let name), .goto(let name):
                    let end = follow(name, from: chain, depth: depth)
                    guard isSure else {
                        if let end { doubts.insert(end) }
                        continue
                    }
                    if let end { return end }
                    if case .goto = rule.action { return nil }
                }
            }
            return nil
        }

        private mutating func follow(_ name: String, from chain: Chain, depth: Int) -> End? {
            let target = rules.chains.first {
                $0.name == name && $0.table == chain.table && $0.family == chain.family
            }
            return target.flatMap { through($0, depth: depth + 1) }
        }
    }
}

extension Packet {
    /// Whether all conditions hold; `nil` if that cannot be told.
    package func fits(_ matches: [Ruleset.Match]) -> Bool? {
        let answers = matches.map(fits)
        if answers.contains(false) { return false }
        return answers.contains(nil) ? nil : true
    }

    private func fits(_ match: Ruleset.Match) -> Bool? {
        switch match {
        case .transport(let names): names.contains(transport)
        case .port(let ranges): ranges.contains { $0.contains(port) }
        case .portOf(let name, let ranges):
            name == transport && ranges.contains { $0.contains(port) }
        case .arrivesOn(let names): isIncoming && names.contains(where: named)
        case .leavesOn(let names): !isIncoming && names.contains(where: named)
        case .from(let prefixes): prefixes.contains { $0.contains(source) }
        case .to(let prefixes): prefixes.contains { $0.contains(destination) }
        case .state(let names): names.contains("new")
        case .kind(let names):
            names.contains(isMulticast ? "multicast" : isIncoming ? "local" : "unicast")
        case .family(let names): names.contains(destination.count == 4 ? "ip" : "ip6")
        case .anything: true
        case .nothing: false
        case .unclear: nil
        case .not(.portOf(let name, let ranges)):
            name == transport && !ranges.contains { $0.contains(port) }
        case .not(let other): fits(other).map { !$0 }
        }
    }

    private func named(_ pattern: String) -> Bool {
        pattern.hasSuffix("*") ? interface.hasPrefix(pattern.dropLast()) : pattern == interface
    }
}
