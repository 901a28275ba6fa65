// SPDX-License-Identifier: Apache-2.0
import Text

/// Reads what `nft -j list ruleset` prints (libnftables-json(5)).
struct NftRules {
    private var chains: [Ruleset.Chain] = []
    /// Elements of named sets and maps, by family, table and name.
    private var sets: [String: [JSON]] = [:]

    /// The rules in `text`; `nil` if it is not a ruleset.
    ///
    /// Leaves out tables of `iptables` if `withoutIptables`, because `iptables-save` shows them
    /// better.
    static func parse(_ text: [UInt8], withoutIptables: Bool = false) -> Ruleset? {
        guard let json = try? JSON(line: text), let items = json["nftables"]?.list else {
            return nil
        }
        var reader = NftRules()
        let kept = items.filter { !withoutIptables || !isOfIptables($0) }
        for item in kept { reader.readNames(item) }
        for item in kept { reader.readRule(item) }
        return Ruleset(chains: reader.chains, source: .nft)
    }

    private static func isOfIptables(_ item: JSON) -> Bool {
        guard let thing = item.members?.values.first else { return false }
        let table = thing["table"]?.text ?? thing["name"]?.text ?? ""
        return ["ip", "ip6"].contains(thing["family"]?.text ?? "")
            && ["filter", "mangle", "raw", "nat", "security"].contains(table)
    }

    private mutating func readNames(_ item: JSON) {
        if let chain = item["chain"], chain["type"]?.text != "nat" {
            chains.append(
                Ruleset.Chain(
                    family: chain["family"]?.text ?? "", table: chain["table"]?.text ?? "",
                    name: chain["name"]?.text ?? "", hook: chain["hook"]?.text,
                    priority: chain["prio"]?.number ?? 0,
                    dropsByPolicy: chain["policy"]?.text == "drop"))
        }
        if let set = item["set"] ?? item["map"] {
            sets[Self.key(set, set["name"]?.text ?? "")] = set["elem"]?.list ?? []
        }
    }

    private static func key(_ thing: JSON, _ name: String) -> String {
        "\(thing["family"]?.text ?? "") \(thing["table"]?.text ?? "") \(name)"
    }

    private mutating func readRule(_ item: JSON) {
        guard let rule = item["rule"] else { return }
        let at = chains.firstIndex {
            $0.name == rule["chain"]?.text && $0.table == rule["table"]?.text
                && $0.family == rule["family"]?.text
        }
        guard let at else { return }
        var matches: [Ruleset.Match] = []
        for expression in rule["expr"]?.list ?? [] {
            guard let (word, value) = expression.members?.first else { continue }
            switch word {
            case "match": matches.append(match(value, in: rule))
            case "vmap":
                chains[at].rules += choices(value, after: matches, in: rule)
            case "counter", "log", "comment", "notrack": break
            // An agent sends little, so it stays below a limit.
            case "limit": if value["inv"]?.flag == true { matches.append(.unclear) }
            case "xt", "quota", "ct count", "connlimit": matches.append(.unclear)
            default:
                let action = Self.action(word, value)
                chains[at].rules.append(Ruleset.Rule(matches: matches, action: action))
            }
        }
    }

    private static func action(_ word: String, _ value: JSON) -> Ruleset.Action {
        switch word {
        case "accept": .accept
        case "drop", "reject": .drop
        case "jump": .jump(value["target"]?.text ?? "")
        case "goto": .goto(value["target"]?.text ?? "")
        case "return": .back
        case "mangle", "set", "ct helper", "ct timeout", "flow", "meter", "continue": .nothing
        default: .unclear
        }
    }

    /// `tcp dport vmap { 80 : accept, 443 : jump web }`: one rule for each.
    private func choices(
        _ value: JSON, after matches: [Ruleset.Match], in rule: JSON
    ) -> [Ruleset.Rule] {
        let pairs = elements(value["data"] ?? .null, in: rule)
        return pairs.compactMap { pair in
            guard let parts = pair.list, parts.count == 2,
                let (word, target) = parts[1].members?.first
            else { return Ruleset.Rule(matches: matches, action: .unclear) }
            let match = condition(value["key"] ?? .null, [parts[0]])
            return Ruleset.Rule(matches: matches + [match], action: Self.action(word, target))
        }
    }

    // MARK: Conditions

    private func match(_ value: JSON, in rule: JSON) -> Ruleset.Match {
        let left = value["left"] ?? .null
        let right = value["right"] ?? .null
        let plain = condition(left, elements(right, in: rule))
        guard plain != .unclear else { return .unclear }
        switch value["op"]?.text {
        case "==", "in": return plain
        case "!=": return .not(plain)
        case let op?:
            guard let bound = right.number, let range = Self.range(op, bound) else {
                return .unclear
            }
            switch plain {
            case .port: return .port([range])
            case .portOf(let transport, _): return .portOf(transport, [range])
            default: return .unclear
            }
        case nil: return .unclear
        }
    }

    /// Ports that are `>= bound`, `< bound` ...
    private static func range(_ op: String, _ bound: Int) -> ClosedRange<Int>? {
        let top = 65535
        return switch op {
        case ">=" where bound <= top: bound...top
        case ">" where bound < top: bound + 1...top
        case "<=" where bound >= 0: 0...bound
        case "<" where bound > 0: 0...bound - 1
        default: nil
        }
    }

    /// The right side as a list: `7711`, `{"set": [...]}`, `["a", "b"]`, `"@name"`.
    private func elements(_ right: JSON, in rule: JSON) -> [JSON] {
        let list: [JSON]
        if let name = right.text, name.hasPrefix("@") {
            list = sets[Self.key(rule, String(name.dropFirst()))] ?? []
        } else {
            list = right["set"]?.list ?? right.list ?? [right]
        }
        // An element with its own counter or timeout is wrapped.
        return list.map { $0["elem"]?["val"] ?? $0 }
    }

    private func condition(_ left: JSON, _ values: [JSON]) -> Ruleset.Match {
        let words = values.compactMap(\.text)
        let field = left["payload"]?["field"]?.text
        switch (left["payload"]?["protocol"]?.text, field) {
        case ("tcp"?, "dport"?), ("udp"?, "dport"?), ("th"?, "dport"?):
            return Self.ports(values, of: left["payload"]?["protocol"]?.text ?? "")
        case ("ip"?, "protocol"?), ("ip6"?, "nexthdr"?): return .transport(words)
        case ("ip"?, "saddr"?), ("ip6"?, "saddr"?):
            return Self.prefixes(values).map { .from($0) } ?? .unclear
        case ("ip"?, "daddr"?), ("ip6"?, "daddr"?):
            return Self.prefixes(values).map { .to($0) } ?? .unclear
        // Echo requests, and ports that only answers come from.
        case ("icmp"?, _), ("icmpv6"?, _): return .nothing
        default: break
        }
        switch left["meta"]?["key"]?.text {
        case "iifname", "iif": return .arrivesOn(words)
        case "oifname", "oif": return .leavesOn(words)
        case "l4proto": return .transport(words)
        case "nfproto": return .family(words.map { $0 == "ipv4" ? "ip" : "ip6" })
        case "protocol": return .family(words)
        case "pkttype": return .kind(words.map { $0 == "host" ? "local" : $0 })
        default: break
        }
        if left["ct"]?["key"]?.text == "state" { return .state(words) }
        // Translated addresses do not occur between neighbours.
        if left["ct"]?["key"]?.text == "status" { return .nothing }
        if left["fib"]?["result"]?.text == "type", left["fib"]?["flags"]?.list == ["daddr"] {
            return .kind(words)
        }
        return .unclear
    }

    /// The ports; for a field of TCP also that it is TCP.
    private static func ports(_ values: [JSON], of transport: String) -> Ruleset.Match {
        let ranges = values.compactMap { value -> ClosedRange<Int>? in
            if let number = value.number { return number...number }
            guard let ends = value["range"]?.list, ends.count == 2, let low = ends[0].number,
                let high = ends[1].number, low <= high
            else { return nil }
            return low...high
        }
        guard ranges.count == values.count else { return .unclear }
        return transport == "th" ? .port(ranges) : .portOf(transport, ranges)
    }

    private static func prefixes(_ values: [JSON]) -> [Prefix]? {
        let found = values.compactMap { value -> Prefix? in
            if let text = value.text { return Prefix(text) }
            guard let address = value["prefix"]?["addr"]?.text,
                let length = value["prefix"]?["len"]?.number
            else { return nil }
            return Prefix("\(address)/\(length)")
        }
        return found.count == values.count ? found : nil
    }
}
