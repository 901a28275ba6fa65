import Glibc
import Protocol

/// Why no connection can be taken.
package enum ListenError: Error, Equatable, Sendable {
    /// There is no such interface, or it has no address now.
    case noAddress(interface: String)
    /// The kernel refuses: the port is taken, or not ours to take.
    case system(SystemError, port: UInt16)
}

/// Takes connections on IPv4 and IPv6, on one port, and hands them out as links in their
/// handshake.
package final class Listener {
    /// Connections that the kernel keeps waiting, per address.
    private static let backlog: Int32 = 64
    /// Tries to find a port that is free for all addresses, when the kernel chooses.
    private static let portTries = 16

    /// The port, also when the kernel chose it.
    package let port: UInt16
    /// What it listens on.
    package let addresses: [Address]

    private let environment: LinkEnvironment
    private let onLink: (PeerLink) -> Void
    private var descriptors: [Int32]
    private var gate: AcceptGate
    private var pause: TimerToken?

    /// Listens on `port`, 0 for any free one; on all addresses or on those that `interface` has
    /// now (`lo`: 127.0.0.1 and ::1). After a change of the network make a new one.
    ///
    /// `onLink` gets each connection and sets its handler before it returns.
    package init(
        port: UInt16, interface: String? = nil, in environment: LinkEnvironment,
        onLink: @escaping (PeerLink) -> Void
    ) throws(ListenError) {
        let hosts = try Self.hosts(interface, environment.syscalls)
        let sockets = try Self.open(hosts, port, environment.syscalls)
        self.environment = environment
        self.onLink = onLink
        addresses = sockets.map { $0.address }
        descriptors = sockets.map { $0.descriptor }
        self.port = addresses.first?.port ?? port
        gate = AcceptGate(
            perAddress: environment.limits.unprovenPerAddress, total: environment.limits.unproven)
        do throws(SystemError) {
            for descriptor in descriptors {
                try environment.loop.watch(descriptor, .read) { [weak self] _ in
                    self?.acceptSome(descriptor)
                }
            }
        } catch {
            close()
            throw .system(error, port: port)
        }
    }

    deinit { close() }

    /// Takes no more connections. Those that were handed out go on.
    package func close() {
        if let pause { environment.loop.cancel(pause) }
        pause = nil
        for descriptor in descriptors {
            environment.loop.unwatch(descriptor)
            environment.syscalls.close(descriptor)
        }
        descriptors = []
    }

    // MARK: Taking connections

    private func acceptSome(_ descriptor: Int32) {
        for _ in 0..<environment.limits.acceptsPerTurn {
            do throws(SystemError) {
                guard descriptors.contains(descriptor),
                    let (accepted, remote) = try environment.syscalls.accept(descriptor)
                else { return }
                take(accepted, remote)
            } catch {
                // No descriptor or no memory: the waiting connection would wake us for ever.
                pauseAccepting()
                return
            }
        }
    }

    private func take(_ descriptor: Int32, _ remote: Address) {
        guard gate.admit(remote.host) else {
            environment.syscalls.resetOnClose(descriptor)
            environment.syscalls.close(descriptor)
            return
        }
        let link = PeerLink.accepted(descriptor, from: remote, in: environment) { [weak self] in
            self?.gate.release(remote.host)
        }
        onLink(link)
    }

    private func pauseAccepting() {
        guard pause == nil else { return }
        let end = environment.loop.clock() + environment.limits.acceptPause
        pause = environment.loop.schedule(at: end) { [weak self] in
            self?.pause = nil
            self?.watchAll(.read)
        }
        watchAll([])
    }

    private func watchAll(_ interest: Readiness) {
        do throws(SystemError) {
            for descriptor in descriptors {
                try environment.loop.modify(descriptor, interest)
            }
        } catch {
            // The kernel lacks memory even for this: try again after another pause.
            pauseAccepting()
        }
    }

    // MARK: Opening sockets

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

    /// All sockets on one port. A machine without IPv6, or without IPv4, does with the other.
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
