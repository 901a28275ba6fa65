// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
package import System

/// Takes connections on IPv4 and IPv6, on one port, and hands them out as links in their
/// handshake.
package final class Listener {
    /// The port, also when the kernel chose it.
    package let port: UInt16
    /// What it listens on.
    package let addresses: [Address]

    private let environment: LinkEnvironment
    private let onLink: (PeerLink) -> Void
    private var descriptors: [Int32]
    private var gate: AcceptGate
    /// Those in the gate.
    private var strangers: [AcceptGate.Ticket: PeerLink] = [:]
    private var pause: TimerToken?

    /// Listens on `port`, 0 for any free one; on all addresses or on those that `interface` has
    /// now (`lo`: 127.0.0.1 and ::1). After a change of the network make a new one.
    ///
    /// `onLink` gets each connection and sets its handler before it returns.
    package convenience init(
        port: UInt16, interface: String? = nil, in environment: LinkEnvironment, seed: UInt64,
        onLink: @escaping (PeerLink) -> Void
    ) throws(ListenError) {
        let sockets = try ListenSockets(
            port: port, interface: interface, syscalls: environment.syscalls)
        try self.init(sockets, in: environment, seed: seed, onLink: onLink)
    }

    /// Takes connections from `sockets`, those too that wait there already. The stranger to replace
    /// is chosen at random from `seed`, which nobody else knows.
    package init(
        _ sockets: ListenSockets, in environment: LinkEnvironment, seed: UInt64,
        onLink: @escaping (PeerLink) -> Void
    ) throws(ListenError) {
        self.environment = environment
        self.onLink = onLink
        addresses = sockets.addresses
        descriptors = sockets.take()
        port = sockets.port
        let limits = environment.limits
        gate = AcceptGate(
            perPlace: limits.unprovenPerPlace, total: limits.unproven,
            settled: limits.unprovenOld, seed: seed)
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

    /// Stops taking connections. Links already handed out go on.
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
        let (ticket, replaced) = gate.admit(remote.host, at: environment.loop.now)
        if let replaced { strangers.removeValue(forKey: replaced)?.replace() }
        let link = PeerLink.accepted(
            descriptor, from: remote, in: environment,
            onGate: { [weak self] step in self?.heard(step, ticket) })
        // Over already where the kernel refused to watch it.
        if gate.holds(ticket) { strangers[ticket] = link }
        onLink(link)
    }

    private func heard(_ step: PeerLink.GateStep, _ ticket: AcceptGate.Ticket) {
        switch step {
        case .spoke: gate.spoke(ticket)
        case .left:
            gate.release(ticket)
            strangers[ticket] = nil
        }
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
}
