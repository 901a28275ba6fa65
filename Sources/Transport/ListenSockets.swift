// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
package import System

/// Why the agent cannot listen.
package enum ListenError: Error, Equatable, Sendable {
    /// There is no such interface, or it has no address now.
    case noAddress(interface: String)
    /// The kernel refuses: the port is in use, or needs other rights.
    case system(SystemError, port: UInt16)
}

/// Sockets that listen on IPv4 and IPv6, on one port; the kernel keeps what comes
/// until somebody takes it.
///
/// Closes them at its end, unless they were taken.
package final class ListenSockets {
    /// Connections that the kernel keeps waiting, per address.
    private static let backlog: Int32 = 64
    /// Tries to find a port that is free for all addresses, when the kernel chooses.
    private static let portTries = 16

    /// The port, also when the kernel chose it.
    package let port: UInt16
    /// What it listens on.
    package let addresses: [Address]
    private var descriptors: [Int32]
    private let syscalls: Syscalls

    /// Listens on `port`, 0 for any free one; on all addresses or on those that `interface` has
    /// now (`lo`: 127.0.0.1 and ::1). After a change of the network make new ones.
    package init(
        port: UInt16, interface: String? = nil, syscalls: Syscalls = Syscalls()
    ) throws(ListenError) {
        let hosts = try Self.hosts(interface, syscalls)
        let sockets = try Self.open(hosts, port, syscalls)
        self.syscalls = syscalls
        addresses = sockets.map { $0.address }
        descriptors = sockets.map { $0.descriptor }
        self.port = addresses.first?.port ?? port
    }

    deinit { for descriptor in descriptors { syscalls.close(descriptor) } }

    /// The descriptors, for whoever closes them from now on.
    func take() -> [Int32] {
        defer { descriptors = [] }
        return descriptors
    }

    private static func hosts(
        _ interface: String?, _ syscalls: Syscalls
    ) throws(ListenError) -> [Address.Host] {
        guard let interface else { return [.any4, .any6] }
        if interface == "lo" { return [.loopback4, .loopback6] }
        let found = syscalls.addresses(interface).map { $0.host }
        guard !found.isEmpty else { throw .noAddress(interface: interface) }
        return found
    }

    private typealias Socket = (descriptor: Int32, address: Address)

    private static func open(
        _ hosts: [Address.Host], _ port: UInt16, _ syscalls: Syscalls
    ) throws(ListenError) -> [Socket] {
        var last = SystemError(code: EADDRNOTAVAIL)
        for _ in 0..<(port == 0 ? portTries : 1) {
            do throws(SystemError) {
                return try openAll(hosts, port, syscalls)
            } catch {
                last = error
                // With a port of the kernel's choice, IPv4 had it free and IPv6 has not.
                if error.code != EADDRINUSE { break }
            }
        }
        throw .system(last, port: port)
    }

    /// Opens all sockets on one port. A machine without IPv6 or without IPv4 uses the other.
    private static func openAll(
        _ hosts: [Address.Host], _ port: UInt16, _ syscalls: Syscalls
    ) throws(SystemError) -> [Socket] {
        var sockets: [Socket] = []
        var missing = SystemError(code: EADDRNOTAVAIL)
        for host in hosts {
            do throws(SystemError) {
                let wanted = Address(host: host, port: sockets.first?.address.port ?? port)
                sockets.append(try openOne(wanted, syscalls))
            } catch {
                missing = error
                if error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL { continue }
                for socket in sockets { syscalls.close(socket.descriptor) }
                throw error
            }
        }
        guard !sockets.isEmpty else { throw missing }
        return sockets
    }

    private static func openOne(
        _ address: Address, _ syscalls: Syscalls
    ) throws(SystemError) -> Socket {
        let descriptor = try syscalls.socket(address)
        do throws(SystemError) {
            try syscalls.bind(descriptor, address)
            try syscalls.listen(descriptor, backlog)
            return (descriptor, syscalls.localAddress(descriptor) ?? address)
        } catch {
            syscalls.close(descriptor)
            throw error
        }
    }
}
