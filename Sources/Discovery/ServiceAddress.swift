// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Where a peer accepts connections: a numeric address, a port and the interface of ours on which
/// it was seen.
package struct ServiceAddress: Hashable, Sendable {
    /// The address in network order: 4 bytes (IPv4) or 16 bytes (IPv6).
    package let bytes: [UInt8]
    /// The TCP port, never 0.
    package let port: UInt16
    /// The index of our interface. IPv6 link-local addresses mean nothing without it.
    package let interface: UInt32

    /// Nil if no connection can go there: wrong length, port 0, unspecified, multicast, broadcast,
    /// an IPv4 address dressed as IPv6, or a loopback address said on another interface.
    package init?(bytes: [UInt8], port: UInt16, interface: UInt32) {
        guard port != 0, Self.canBeDialled(bytes, interface: interface) else { return nil }
        self.bytes = bytes
        self.port = port
        self.interface = interface
    }

    /// True for 16 bytes, false for 4.
    package var isIPv6: Bool { bytes.count == 16 }

    /// True for fe80::/10 and 169.254.0.0/16.
    package var isLinkLocal: Bool {
        bytes.starts(with: [169, 254]) && !isIPv6
            || isIPv6 && bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
    }

    /// True for 127.0.0.0/8 and ::1.
    package var isLoopback: Bool { Self.isLoopback(bytes) }

    /// Numeric text without the port: `10.77.0.2`, `fd00::1`, or with the scope where it is
    /// needed: `fe80::1%3` (RFC 4007; `getaddrinfo` and `if_indextoname` take the number).
    package var host: String {
        isIPv6 && isLinkLocal ? "\(numericText)%\(interface)" : numericText
    }

    private var numericText: String {
        let family = isIPv6 ? AF_INET6 : AF_INET
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) {
            guard
                inet_ntop(family, bytes, $0.baseAddress, socklen_t($0.count)) != nil,
                let text = $0.baseAddress
            else { return "" }
            return String(cString: text)
        }
    }

    private static func canBeDialled(_ bytes: [UInt8], interface: UInt32) -> Bool {
        switch bytes.count {
        case 4:
            guard bytes[0] != 0, bytes[0] < 224 else { return false }
        case 16:
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff
            guard bytes[0] != 0xff, !isMapped, bytes.contains(where: { $0 != 0 }) else {
                return false
            }
        default:
            return false
        }
        // Linux gives `lo` the index 1 in every network namespace. A peer elsewhere must not be
        // able to send us to our own services.
        return !isLoopback(bytes) || interface == 1
    }

    private static func isLoopback(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4
            ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }
}

extension ServiceAddress: Comparable {
    /// The order in which to dial: IPv4, routable IPv6, link-local, loopback; then by bytes.
    package static func < (left: ServiceAddress, right: ServiceAddress) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.bytes != right.bytes { return left.bytes.lexicographicallyPrecedes(right.bytes) }
        return (left.interface, left.port) < (right.interface, right.port)
    }

    private var rank: Int {
        if isLoopback { return 3 }
        if isLinkLocal { return 2 }
        return isIPv6 ? 1 : 0
    }
}

extension ServiceAddress: CustomStringConvertible {
    /// `10.77.0.2:4000` or `[fe80::1%3]:4000`.
    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
