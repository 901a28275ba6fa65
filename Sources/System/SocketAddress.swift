// SPDX-License-Identifier: Apache-2.0
package import Glibc

extension Address {
    /// The address family of the socket it needs.
    package var family: Int32 {
        switch host {
        case .v4: AF_INET
        case .v6: AF_INET6
        }
    }

    /// Lends the kernel's form of the address to `body`.
    package func withSocketAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var storage = sockaddr_storage()
        let size: Int
        switch host {
        case .v4(let number):
            let four = sockaddr_in(
                sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian,
                sin_addr: in_addr(s_addr: number.bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
            size = MemoryLayout<sockaddr_in>.size
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: four, as: sockaddr_in.self) }
        case .v6(_, _, let scope):
            var six = sockaddr_in6()
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            six.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &six.sin6_addr) { $0.copyBytes(from: host.bytes) }
            size = MemoryLayout<sockaddr_in6>.size
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: six, as: sockaddr_in6.self) }
        }
        return withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
        }
    }

    /// Reads the kernel's form; nothing for a family other than IPv4 and IPv6.
    init?(_ storage: sockaddr_storage) {
        switch Int32(storage.ss_family) {
        case AF_INET:
            let four = withUnsafeBytes(of: storage) { $0.load(as: sockaddr_in.self) }
            self.init(
                host: .v4(UInt32(bigEndian: four.sin_addr.s_addr)),
                port: UInt16(bigEndian: four.sin_port))
        case AF_INET6:
            let six = withUnsafeBytes(of: storage) { $0.load(as: sockaddr_in6.self) }
            let bytes = withUnsafeBytes(of: six.sin6_addr) { Array($0) }
            self.init(
                host: Host(bytes: bytes, scope: six.sin6_scope_id),
                port: UInt16(bigEndian: six.sin6_port))
        default:
            return nil
        }
    }

    /// Lets `call` fill in an address; nothing when it fails or the family is another one.
    package static func filled(
        by call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> (result: Int32, address: Address?) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
        }
        return (result, result < 0 ? nil : Address(storage))
    }

    /// The addresses that `interface` has now, with port 0.
    static func all(of interface: String) -> [Address] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [Address] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard String(cString: entry.ifa_name) == interface, let raw = entry.ifa_addr else {
                continue
            }
            let family = Int32(raw.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { continue }
            let size =
                family == AF_INET
                ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: raw, count: size))
            }
            if let address = Address(storage) { found.append(address) }
        }
        return found
    }
}
