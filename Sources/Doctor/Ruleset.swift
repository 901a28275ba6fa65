// SPDX-License-Identifier: Apache-2.0
import System
import Transport

/// The part of this machine's firewall that an agent's packets meet: chains of rules, read from
/// `nft` or `iptables-save`. A value; ``verdict(for:)`` walks a packet through it.
struct Ruleset: Hashable, Sendable {
    /// All chains, in any order.
    var chains: [Chain]
    /// Their source.
    var source: Source

    /// The program that showed the rules.
    enum Source: String, Hashable, Sendable {
        case nft
        case iptables
        case ip6tables
    }

    /// A list of rules. Packets enter a chain with a hook; rules jump to the others.
    struct Chain: Hashable, Sendable {
        var family: String
        var table: String
        var name: String
        /// `input`, `output`, `prerouting`, `ingress` ...; `nil` for a chain that rules jump to.
        var hook: String?
        /// Lower is earlier.
        var priority = 0
        /// What happens to a packet that no rule decides.
        var dropsByPolicy = false
        var rules: [Rule] = []
    }

    /// The conditions of a rule, and what it does to a packet that meets them.
    struct Rule: Hashable, Sendable {
        var matches: [Match]
        var action: Action
    }

    /// One condition.
    enum Match: Hashable, Sendable {
        /// `tcp`, `udp`, as any of these.
        case transport([String])
        /// The port the packet goes to.
        case port([ClosedRange<Int>])
        /// The same, of TCP or UDP only. A rule "not port 80" is not about other transports.
        case portOf(String, [ClosedRange<Int>])
        /// The interface it comes in by; `*` at the end stands for anything.
        case arrivesOn([String])
        /// The interface it goes out by.
        case leavesOn([String])
        /// Networks it comes from.
        case from([Prefix])
        /// Networks it goes to.
        case to([Prefix])
        /// `new`, `established` ...
        case state([String])
        /// `multicast`, `local`, `broadcast` ...
        case kind([String])
        /// `ip`, `ip6`.
        case family([String])
        /// Always true: a condition that does not matter here.
        case anything
        /// Never true of a packet of ours.
        case nothing
        /// A condition that this program does not understand.
        case unclear
        /// The opposite.
        indirect case not(Match)
    }

    /// What a rule does.
    enum Action: Hashable, Sendable {
        case accept
        /// Drops it, with or without an answer.
        case drop
        /// Continues in another chain and returns.
        case jump(String)
        /// Continues in another chain and does not return.
        case goto(String)
        /// Returns to the chain that jumped here.
        case back
        /// Counts, logs or marks; the next rule continues.
        case nothing
        /// Something that this program does not understand.
        case unclear
    }
}

/// A network: the first `length` bits of `bytes`.
struct Prefix: Hashable, Sendable {
    let bytes: [UInt8]
    let length: Int

    /// Reads `10.0.0.0/8`, `fe80::/10`, `224.0.0.251`.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard let first = parts.first, let host = try? Address.Host(parsing: String(first)) else {
            return nil
        }
        bytes = host.bytes
        let all = bytes.count * 8
        guard parts.count == 2 else {
            length = all
            return
        }
        guard let length = Int(parts[1]), (0...all).contains(length) else { return nil }
        self.length = length
    }

    /// Whether `address` (4 or 16 bytes) is in it.
    func contains(_ address: [UInt8]) -> Bool {
        guard address.count == bytes.count else { return false }
        return (0..<length).allSatisfy { bit in
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            return bytes[bit / 8] & mask == address[bit / 8] & mask
        }
    }
}

/// The first packet of a connection or exchange, as a firewall sees it.
struct Packet: Hashable, Sendable {
    /// Whether it comes to this machine.
    var isIncoming: Bool
    /// `tcp` or `udp`.
    var transport: String
    /// The port it goes to.
    var port: Int
    /// The interface it comes in or goes out by.
    var interface: String
    /// 4 or 16 bytes.
    var source: [UInt8]
    /// 4 or 16 bytes.
    var destination: [UInt8]

    /// Whether it goes to a group of machines.
    var isMulticast: Bool {
        destination.count == 4 ? destination[0] >> 4 == 14 : destination.first == 0xff
    }
}
