// SPDX-License-Identifier: Apache-2.0
extension NetworkInterface {
    /// What it is for, by its name and flags.
    package enum Kind: Hashable, Sendable {
        case loopback
        /// A VPN.
        case tunnel
        /// Of containers and virtual machines on this machine.
        case container
        /// A network that others can be on.
        case network
    }

    /// What an interface of this name is for.
    package static func kind(of name: String, isLoopback: Bool, isPointToPoint: Bool) -> Kind {
        func begins(_ starts: [String]) -> Bool { starts.contains { name.hasPrefix($0) } }
        if isLoopback { return .loopback }
        let tunnels = [
            "tun", "tap", "wg", "tailscale", "ppp", "zt", "nordlynx", "proton", "mullvad", "ipsec",
            "vpn", "gpd", "cscotun", "outline",
        ]
        let containers = [
            "docker", "br-", "veth", "virbr", "vnet", "lxc", "lxd", "podman", "cni", "flannel",
            "cali", "kube", "incus", "vboxnet", "vmnet",
        ]
        if begins(tunnels) || isPointToPoint { return .tunnel }
        return begins(containers) ? .container : .network
    }
}
