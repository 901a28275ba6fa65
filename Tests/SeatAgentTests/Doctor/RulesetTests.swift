// SPDX-License-Identifier: Apache-2.0
@testable import Doctor
import Testing

@testable import SeatAgent

@Suite("What a firewall does to a packet")
struct RulesetTests {
    private func incoming(
        _ transport: String, _ port: Int, to destination: [UInt8] = [10, 77, 0, 1],
        from source: [UInt8] = [10, 77, 0, 2], on interface: String = "wlan0"
    ) -> Packet {
        Packet(
            isIncoming: true, transport: transport, port: port, interface: interface,
            source: source, destination: destination)
    }

    private func outgoing(_ transport: String, _ port: Int, on interface: String) -> Packet {
        Packet(
            isIncoming: false, transport: transport, port: port, interface: interface,
            source: [10, 77, 0, 1],
            destination: transport == "udp" ? [224, 0, 0, 251] : [10, 77, 0, 2])
    }

    private let group: [UInt8] = [224, 0, 0, 251]

    private func dropped(_ source: Ruleset.Source, _ names: String...) -> FirewallVerdict {
        .dropped(
            FirewallPlace(source: source, family: names[0], table: names[1], chain: names[2]))
    }

    @Test("Sets, maps, jumps, limits and policies of nft")
    func desk() throws {
        let rules = try #require(NftRules.parse(Array(Rulesets.desk.utf8)))
        let lost = dropped(.nft, "inet", "desk", "input")
        // In a set, and from a network that is let in.
        let near: [UInt8] = [192, 168, 1, 2]
        #expect(rules.verdict(for: incoming("tcp", 22, from: near)) == .accepted)
        #expect(rules.verdict(for: incoming("tcp", 8500, from: near)) == .accepted)
        #expect(rules.verdict(for: incoming("tcp", 9001, from: near)) == lost)
        #expect(rules.verdict(for: incoming("tcp", 22)) == lost)
        // By a map: straight in, and by another chain.
        #expect(rules.verdict(for: incoming("tcp", 80)) == .accepted)
        #expect(rules.verdict(for: incoming("tcp", 7711)) == lost)
        #expect(rules.verdict(for: incoming("udp", 80)) == lost)
        // A condition that is not understood decides nothing.
        #expect(rules.verdict(for: incoming("tcp", 7800)) == .unclear)
        #expect(rules.verdict(for: incoming("udp", 5353, to: group)) == .accepted)
        #expect(rules.verdict(for: incoming("udp", 5353)) == lost)
        #expect(rules.verdict(for: incoming("tcp", 1, on: "lo")) == .accepted)
    }

    @Test("What goes out, with a negated set and an interface with a star")
    func output() throws {
        let rules = try #require(NftRules.parse(Array(Rulesets.desk.utf8)))
        let lost = dropped(.nft, "inet", "desk", "output")
        #expect(rules.verdict(for: outgoing("udp", 5353, on: "wlan0")) == lost)
        #expect(rules.verdict(for: outgoing("udp", 5353, on: "eth0")) == .accepted)
        #expect(rules.verdict(for: outgoing("tcp", 7711, on: "eth0")) == .accepted)
        #expect(rules.verdict(for: outgoing("tcp", 7712, on: "eth0")) == lost)
    }

    @Test("Zones: jumps that do not come back")
    func zones() throws {
        let rules = try #require(NftRules.parse(Array(Rulesets.zones.utf8)))
        let lost = dropped(.nft, "inet", "firewalld", "filter_INPUT")
        for interface in ["wlp2s0", "eth0"] {
            #expect(rules.verdict(for: incoming("tcp", 7711, on: interface)) == lost)
            #expect(rules.verdict(for: incoming("tcp", 22, on: interface)) == .accepted)
            let multicast = incoming("udp", 5353, to: group, on: interface)
            #expect(rules.verdict(for: multicast) == .accepted)
        }
    }

    @Test("iptables: chains, negation, several ports, comments")
    func ladder() throws {
        let rules = try #require(IptablesRules.parse(Rulesets.ladder, source: .iptables))
        let lost = dropped(.iptables, "ip", "filter", "INPUT")
        #expect(rules.verdict(for: incoming("tcp", 7711)) == lost)
        #expect(rules.verdict(for: incoming("tcp", 22)) == .accepted)
        #expect(rules.verdict(for: incoming("udp", 5353, to: group)) == .accepted)
        #expect(rules.verdict(for: incoming("udp", 5353)) == lost)
        #expect(rules.verdict(for: incoming("tcp", 9000)) == .accepted)
        #expect(rules.verdict(for: incoming("tcp", 9150)) == .accepted)
        #expect(rules.verdict(for: incoming("tcp", 9201)) == lost)
        #expect(rules.verdict(for: incoming("tcp", 9300)) == lost)
        #expect(rules.verdict(for: incoming("tcp", 9300, from: [11, 0, 0, 1])) == .accepted)
        #expect(rules.verdict(for: incoming("tcp", 9400)) == .unclear)
        #expect(rules.verdict(for: incoming("tcp", 9500)) == .accepted)
        #expect(rules.verdict(for: incoming("tcp", 9500, on: "eth0")) == lost)
        #expect(rules.verdict(for: outgoing("tcp", 7711, on: "eth0")) == .accepted)
        // Rules for IPv4 say nothing about IPv6.
        let six = [UInt8](repeating: 0xfe, count: 16)
        #expect(rules.verdict(for: incoming("tcp", 7711, to: six, from: six)) == .accepted)
    }

    @Test("Chains that lead to each other in a circle come to an end")
    func circle() {
        let rule = Ruleset.Rule(matches: [], action: .jump("a"))
        let rules = Ruleset(
            chains: [
                .init(
                    family: "ip", table: "t", name: "a", hook: "input", dropsByPolicy: true,
                    rules: [rule])
            ], source: .nft)
        #expect(rules.verdict(for: incoming("tcp", 1)) == dropped(.nft, "ip", "t", "a"))
    }

    @Test("What is no ruleset is none")
    func nonsense() {
        #expect(NftRules.parse(Array("nonsense".utf8)) == nil)
        #expect(NftRules.parse(Array("{}".utf8)) == nil)
        #expect(IptablesRules.parse("nonsense", source: .iptables) == nil)
        #expect(NftRules.parse(Array(#"{"nftables":[]}"#.utf8))?.chains == [])
        for text in ["10.0.0.0/33", "10.0.0.0/x", "name", ""] { #expect(Prefix(text) == nil) }
    }

    @Test("Prefixes end within a byte", arguments: [(28, true), (29, false), (0, true)])
    func prefixes(length: Int, isIn: Bool) throws {
        let prefix = try #require(Prefix("10.0.0.0/\(length)"))
        #expect(prefix.contains([10, 0, 0, 15]) == isIn)
        #expect(!prefix.contains([UInt8](repeating: 10, count: 16)))
    }
}
