// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// One network interface of this machine.
package struct NetworkInterface: Equatable, Sendable {
    /// `wlp2s0`
    package let name: String
    /// The kernel's index, as in `fe80::1%3`.
    package let index: UInt32
    /// Switched on.
    package let isUp: Bool
    /// Has a carrier.
    package let isRunning: Bool
    /// `lo`.
    package let isLoopback: Bool
    /// Can do multicast, which mDNS needs.
    package let isMulticast: Bool
    /// A tunnel, a VPN: nobody aboard is behind it.
    package let isPointToPoint: Bool
    /// 4 or 16 bytes each in network order, sorted.
    package let addresses: [[UInt8]]

    /// Peers can be met here: up, with carrier, multicast, an address, no loopback, no tunnel.
    package var isUsable: Bool {
        isUp && isRunning && isMulticast && !isLoopback && !isPointToPoint && !addresses.isEmpty
    }

    /// All interfaces by index; empty if the kernel does not tell.
    package static func all() -> [NetworkInterface] {
        var head: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&head) == 0 else { return [] }
        defer { freeifaddrs(head) }
        var flags: [String: UInt32] = [:]
        var addresses: [String: [[UInt8]]] = [:]
        var entry = head
        while let current = entry?.pointee {
            entry = current.ifa_next
            let name = String(cString: current.ifa_name)
            flags[name] = UInt32(current.ifa_flags)
            if let address = bytes(of: current.ifa_addr) {
                addresses[name, default: []] += [address]
            }
        }
        return flags.compactMap { name, bits in
            let index = if_nametoindex(name)
            guard index != 0 else { return nil }
            return NetworkInterface(
                name: name, index: index, flags: bits, addresses: addresses[name] ?? [])
        }
        .sorted { $0.index < $1.index }
    }

    /// The interface as the kernel describes it.
    init(name: String, index: UInt32, flags: UInt32, addresses: [[UInt8]]) {
        func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
        self.name = name
        self.index = index
        isUp = has(IFF_UP)
        isRunning = has(IFF_RUNNING)
        isLoopback = has(IFF_LOOPBACK)
        isMulticast = has(IFF_MULTICAST)
        isPointToPoint = has(IFF_POINTOPOINT)
        self.addresses = addresses.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The address in `address`, 4 or 16 bytes in network order; `nil` for one of another family.
    package static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
        guard let address else { return nil }
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let value = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return withUnsafeBytes(of: value) { Array($0) }
        case AF_INET6:
            let value = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return withUnsafeBytes(of: value) { Array($0) }
        default:
            return nil
        }
    }
}

/// Equal as long as the network did not change: the same usable interfaces with the same IPv4 and
/// link-local addresses and the same IPv6 prefixes. A temporary IPv6 address that is replaced in
/// its /64 is no change.
package struct NetworkFingerprint: Equatable, Sendable {
    private struct Part: Equatable, Sendable {
        let index: UInt32
        let name: String
        let networks: [[UInt8]]
    }

    private let parts: [Part]

    /// The fingerprint of `interfaces`, or only of the one called `name`. A chosen interface
    /// counts also when it is the loopback.
    package init(of interfaces: [NetworkInterface], named name: String? = nil) {
        let meant = interfaces.filter { interface in
            name.map { $0 == interface.name && interface.isUp } ?? interface.isUsable
        }
        parts = meant.map {
            Part(index: $0.index, name: $0.name, networks: Self.networks($0.addresses))
        }
    }

    private static func networks(_ addresses: [[UInt8]]) -> [[UInt8]] {
        var networks: [[UInt8]] = []
        for address in addresses {
            let isGlobal = address.count == 16 && !address.starts(with: [0xfe, 0x80])
            let network = isGlobal ? Array(address.prefix(8)) : address
            if !networks.contains(network) { networks.append(network) }
        }
        return networks
    }
}
