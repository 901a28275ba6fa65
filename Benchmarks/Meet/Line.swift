// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System

/// One connection of an agent to the broker: over TCP without TLS, as quick as the loop turns.
final class Line {
    /// What the broker said, one packet at a time; `nil` is the end of the connection.
    var hear: (Heard?) -> Void = { _ in }
    private let world: World
    private let socket: Int32
    private var reader = PacketReader()
    private var out: [UInt8] = []
    private var isOpen = true
    private var isBlocked = true
    private var lastSaid: Instant

    /// Starts to connect; `nil` where the machine gives no socket.
    init?(_ world: World, name: String) {
        self.world = world
        lastSaid = SystemClock.now()
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard socket >= 0 else { return nil }
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(world.port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 || errno == EINPROGRESS else {
            Glibc.close(socket)
            return nil
        }
        say(Packet.connect(name: name, keepAlive: Self.silence))
        do {
            try world.loop.watch(socket, [.read, .write]) { [weak self] in self?.ready($0) }
        } catch {
            Glibc.close(socket)
            return nil
        }
    }

    /// Seconds of silence after which the agent's library says that it is there.
    private static let silence = 25

    /// Sends a packet with the others of this turn, at ``flush()``.
    func say(_ packet: [UInt8]) { out += packet }

    /// Says that the agent is there, if it said nothing for as long as it has to.
    func keepAlive(at now: Instant) {
        guard lastSaid + .seconds(Int64(Self.silence)) <= now else { return }
        say(Packet.ping)
        flush()
    }

    /// Writes what was said, as far as the kernel takes it.
    func flush() {
        guard isOpen, !isBlocked, !out.isEmpty else { return }
        let flags = Int32(MSG_NOSIGNAL)
        let count = out.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, flags) }
        if count < 0, errno != EAGAIN { return end() }
        lastSaid = world.loop.now
        world.counts.bytesIn += max(count, 0)
        out.removeFirst(max(count, 0))
        isBlocked = !out.isEmpty
        if isBlocked { try? world.loop.modify(socket, [.read, .write]) }
    }

    /// Ends it without a word to ``hear``.
    func close() {
        guard isOpen else { return }
        isOpen = false
        hear = { _ in }
        world.loop.unwatch(socket)
        Glibc.close(socket)
    }

    private func end() {
        let hear = hear
        close()
        world.counts.lost += 1
        hear(nil)
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.write), isBlocked {
            isBlocked = false
            try? world.loop.modify(socket, [.read])
            flush()
        }
        guard isOpen, !readiness.isDisjoint(with: [.read, .hangUp]) else { return }
        let count = recv(socket, world.loop.scratch.baseAddress, world.loop.scratch.count, 0)
        guard count > 0 else {
            if count == 0 || errno != EAGAIN { end() }
            return
        }
        world.counts.bytesOut += count
        reader.take(UnsafeRawBufferPointer(rebasing: world.loop.scratch[..<count]))
        while isOpen, let heard = reader.next() { hear(heard) }
        flush()
    }
}
