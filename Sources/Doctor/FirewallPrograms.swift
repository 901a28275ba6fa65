// SPDX-License-Identifier: Apache-2.0
import Protocol
import System

/// Runs the programs that show the firewall's rules. They change nothing.
struct FirewallPrograms {
    /// `PATH`.
    let path: String

    private static let patience = TimeSpan.seconds(2)

    /// All rules for IPv4, or for IPv6 if there is no IPv4.
    func facts(hasIPv4: Bool) -> FirewallFacts {
        let tables = iptables(hasIPv4: hasIPv4)
        let nft = ProgramOutput.find("nft", path: path)
        if tables == nil, nft == nil { return .noProgram }
        var rules = tables?.compactMap(\.self) ?? []
        var isReadable = tables.map { !$0.contains(nil) } ?? true
        if let nft {
            let output = run([nft, "-j", "list", "ruleset"])
            let hasTables = !rules.isEmpty
            let parsed = output.flatMap { NftRules.parse($0, withoutIptables: hasTables) }
            if let parsed { rules.append(parsed) } else { isReadable = false }
        }
        return isReadable ? .rules(rules) : .unreadable
    }

    /// The output of each program, `nil` for one that fails; `nil` altogether if there is none.
    private func iptables(hasIPv4: Bool) -> [Ruleset?]? {
        let source = hasIPv4 ? Ruleset.Source.iptables : .ip6tables
        let kind = source.rawValue
        guard let program = ProgramOutput.find("\(kind)-save", path: path) else { return nil }
        var programs = [program]
        // The older kind is asked only if it is in use: asking would load it into the kernel.
        let used = (try? PrivateFile.read("/proc/net/ip\(hasIPv4 ? "" : "6")_tables_names")) ?? nil
        if let used, !used.isEmpty,
            let legacy = ProgramOutput.find("\(kind)-legacy-save", path: path)
        {
            programs.append(legacy)
        }
        return programs.map { program in
            run([program]).map { output in
                let text = String(decoding: output, as: UTF8.self)
                return IptablesRules.parse(text, source: source)
                    ?? Ruleset(chains: [], source: source)
            }
        }
    }

    private func run(_ arguments: [String]) -> [UInt8]? {
        ProgramOutput.of(arguments, deadline: SystemClock.now() + Self.patience)
    }
}
