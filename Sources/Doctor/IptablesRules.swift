// SPDX-License-Identifier: Apache-2.0
/// Reads what `iptables-save` and `ip6tables-save` print.
struct IptablesRules {
    private let family: String
    private var table = ""
    private var chains: [Ruleset.Chain] = []

    private static let hooks = ["INPUT": "input", "OUTPUT": "output", "PREROUTING": "prerouting"]
    /// The order in which a packet meets the tables.
    private static let order = ["raw": -300, "mangle": -150, "filter": 0]

    /// The rules in `text`; `nil` if it contains none.
    static func parse(_ text: String, source: Ruleset.Source) -> Ruleset? {
        var reader = IptablesRules(family: source == .ip6tables ? "ip6" : "ip")
        for line in text.split(separator: "\n") { reader.read(words(line)) }
        return reader.chains.isEmpty ? nil : Ruleset(chains: reader.chains, source: source)
    }

    private init(family: String) { self.family = family }

    /// Words at spaces; a text in quotes is one word.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        var previous: Character = " "
        for character in line {
            if character == "\"", previous != "\\" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
            previous = character
        }
        return word.isEmpty ? words : words + [word]
    }

    private mutating func read(_ words: [String]) {
        guard let first = words.first else { return }
        if first.hasPrefix("*") {
            table = String(first.dropFirst())
        } else if first.hasPrefix(":"), words.count >= 2, let priority = Self.order[table] {
            let name = String(first.dropFirst())
            chains.append(
                Ruleset.Chain(
                    family: family, table: table, name: name,
                    // A user-defined chain has a dash instead of a policy.
                    hook: words[1] == "-" ? nil : Self.hooks[name], priority: priority,
                    dropsByPolicy: words[1] == "DROP"))
        } else if first == "-A", words.count >= 2 {
            let chain = chains.firstIndex { $0.name == words[1] && $0.table == table }
            if let chain { chains[chain].rules.append(Self.rule(words.dropFirst(2))) }
        }
    }

    // MARK: Rules

    private static func rule(_ words: ArraySlice<String>) -> Ruleset.Rule {
        var rule = Ruleset.Rule(matches: [], action: .nothing)
        var rest = words
        var isNegated = false
        while let option = rest.popFirst() {
            if option == "!" {
                isNegated = true
                continue
            }
            if let action = action(option, &rest) {
                rule.action = action
                continue
            }
            let match = match(option, &rest)
            rule.matches.append(isNegated ? (match == .unclear ? match : .not(match)) : match)
            isNegated = false
        }
        return rule
    }

    private static func action(
        _ option: String, _ rest: inout ArraySlice<String>
    ) -> Ruleset.Action? {
        switch option {
        case "-g": return .goto(rest.popFirst() ?? "")
        case "-j":
            let target = rest.popFirst() ?? ""
            let targetOptions = rest
            rest = []
            switch target {
            case "ACCEPT": return .accept
            case "DROP", "REJECT": return .drop
            case "RETURN": return .back
            case "LOG", "NFLOG", "MARK", "CONNMARK", "TCPMSS", "CT", "TRACE", "DSCP", "SET":
                return .nothing
            case "QUEUE", "NFQUEUE", "TPROXY", "SYNPROXY": return .unclear
            default: return targetOptions.isEmpty ? .jump(target) : .unclear
            }
        default: return nil
        }
    }

    private static func match(_ option: String, _ rest: inout ArraySlice<String>) -> Ruleset.Match {
        func list() -> [String] { (rest.popFirst() ?? "").split(separator: ",").map(String.init) }
        switch option {
        // The options after a module say what it matches.
        case "-m":
            _ = rest.popFirst()
            return .anything
        case "-p":
            let name = rest.popFirst() ?? ""
            return name == "all" ? .anything : .transport([name])
        case "-i": return .arrivesOn([pattern(rest.popFirst() ?? "")])
        case "-o": return .leavesOn([pattern(rest.popFirst() ?? "")])
        case "-s": return prefixes(list()).map { .from($0) } ?? .unclear
        case "-d": return prefixes(list()).map { .to($0) } ?? .unclear
        case "--dport", "--dports": return ports(list()).map { .port($0) } ?? .unclear
        case "--ctstate", "--state": return .state(list().map { $0.lowercased() })
        case "--dst-type": return .kind(list().map { $0.lowercased() })
        case "--pkt-type":
            return .kind(list().map { $0.lowercased() == "host" ? "local" : $0.lowercased() })
        case "--comment", "--limit", "--limit-burst":
            _ = rest.popFirst()
            return .anything
        case "--icmp-type", "--icmpv6-type":
            _ = rest.popFirst()
            return .nothing
        default:
            // The values are unknown: they end where the next option begins.
            while let next = rest.first, !next.hasPrefix("-"), next != "!" { rest.removeFirst() }
            return .unclear
        }
    }

    private static func pattern(_ name: String) -> String {
        name.hasSuffix("+") ? name.dropLast() + "*" : name
    }

    private static func prefixes(_ texts: [String]) -> [Prefix]? {
        let found = texts.compactMap(Prefix.init)
        return found.count == texts.count ? found : nil
    }

    private static func ports(_ texts: [String]) -> [ClosedRange<Int>]? {
        let found = texts.compactMap { text -> ClosedRange<Int>? in
            let ends = text.split(separator: ":", omittingEmptySubsequences: false)
                .map { Int($0) }
            guard let low = ends.first ?? nil, let high = ends.last ?? nil, low <= high else {
                return nil
            }
            return low...high
        }
        return found.count == texts.count ? found : nil
    }
}
