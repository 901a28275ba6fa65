// SPDX-License-Identifier: Apache-2.0
/// Commands that the doctor suggests. Each works on the machine on which it is printed, and none
/// contains more than numbers from the network.
package struct Advice: Hashable, Sendable {
    let desk: DeskFacts

    /// A command that only root may run.
    func asRoot(_ command: String) -> String {
        if desk.isRoot { return command }
        return desk.hasSudo ? "sudo " + command : "su -c '\(command)'"
    }

    /// The same for a line that begins with `sudo` if necessary.
    func adapted(_ line: String) -> String {
        line.hasPrefix("sudo ") ? asRoot(String(line.dropFirst(5))) : line
    }

    /// Connects an interface, or shows how it is.
    func connect(_ interface: String) -> String {
        desk.hasNetworkManager
            ? "nmcli device connect \(interface)" : "ip -brief address show dev \(interface)"
    }

    /// Networks to join.
    var networks: String {
        desk.hasNetworkManager ? "nmcli device wifi list" : "ip -brief link"
    }

    /// Makes a network of one's own.
    var hotspot: String {
        desk.hasNetworkManager
            ? "nmcli device wifi hotspot ssid seatagent" : "seatagent help doctor"
    }

    /// Shows the rules of the firewall.
    var rules: String { asRoot("nft list ruleset") }

    /// Lets TCP or UDP to `port` pass if `place` drops it.
    func open(
        _ port: UInt16, _ transport: String, at place: FirewallPlace, in rules: [Ruleset]
    ) -> String {
        let names = rules.flatMap(\.chains)
        if names.contains(where: { $0.name.hasPrefix("ufw-") }), place.source != .nft {
            return asRoot("ufw allow \(port)/\(transport)")
        }
        if place.table == "firewalld" {
            return asRoot("firewall-cmd --add-port=\(port)/\(transport)")
        }
        // The administrator chose the names of tables; one that a shell could misread is not
        // printed.
        let isPlain = [place.family, place.table, place.chain].allSatisfy { name in
            name.utf8.allSatisfy {
                48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0 || [45, 46, 95].contains($0)
            }
        }
        guard isPlain else { return self.rules }
        switch place.source {
        case .nft:
            return asRoot(
                "nft insert rule \(place.family) \(place.table) \(place.chain) "
                    + "\(transport) dport \(port) accept")
        case .iptables, .ip6tables:
            let table = place.table == "filter" ? "" : "-t \(place.table) "
            return asRoot(
                "\(place.source.rawValue) \(table)-I \(place.chain) -p \(transport) "
                    + "--dport \(port) -j ACCEPT")
        }
    }
}
