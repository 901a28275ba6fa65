// SPDX-License-Identifier: Apache-2.0
import Glibc
import Interfaces
import Protocol

/// One address of one interface, with the length of its network's prefix.
package struct InterfaceNetwork: Hashable {
    let interface: String
    let isLoopback: Bool
    /// A tunnel, a VPN: nobody aboard is behind it.
    let isPointToPoint: Bool
    let prefix: NetworkPrefix
}

extension InterfaceNetwork {
    /// Those of all interfaces that are up, as the kernel tells.
    package static func all() -> [InterfaceNetwork] {
        var head: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&head) == 0 else { return [] }
        defer { freeifaddrs(head) }
        var found: [InterfaceNetwork] = []
        var next = head
        while let entry = next?.pointee {
            next = entry.ifa_next
            func has(_ flag: Int) -> Bool { entry.ifa_flags & UInt32(flag) != 0 }
            guard has(IFF_UP),
                let own = NetworkInterface.bytes(of: entry.ifa_addr).flatMap({
                    HostAddress(bytes: $0)
                }),
                let mask = NetworkInterface.bytes(of: entry.ifa_netmask)
            else { continue }
            found.append(
                InterfaceNetwork(
                    interface: String(cString: entry.ifa_name), isLoopback: has(IFF_LOOPBACK),
                    isPointToPoint: has(IFF_POINTOPOINT),
                    prefix: NetworkPrefix(
                        own: own, length: mask.reduce(0) { $0 + $1.nonzeroBitCount })))
        }
        return found
    }
}

extension OwnNetworks {
    /// The networks of an agent that uses `interface`, or all of them: then those where others may
    /// be, and loopback where there is nothing else.
    package init(of found: [InterfaceNetwork], interface: String?) {
        if let interface {
            self.init(found.filter { $0.interface == interface }.map(\.prefix))
            return
        }
        let shared = found.filter { !$0.isLoopback && !$0.isPointToPoint }
        let used = shared.isEmpty ? found.filter(\.isLoopback) : shared
        self.init(used.map(\.prefix))
    }
}
