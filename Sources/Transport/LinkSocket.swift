// SPDX-License-Identifier: Apache-2.0
import Protocol
import System

/// The socket of one link: its descriptor, what the loop watches it for, and the calls on it.
final class LinkSocket {
    private let environment: LinkEnvironment
    private let descriptor: Int32
    private var interest: Readiness = []
    private var writingEnded = false
    private var isClosed = false

    private var syscalls: Syscalls { environment.syscalls }

    /// Takes over a descriptor.
    init(_ descriptor: Int32, in environment: LinkEnvironment) {
        self.descriptor = descriptor
        self.environment = environment
        let timeout = environment.limits.userTimeout.nanoseconds / 1_000_000
        environment.syscalls.prepare(descriptor, Int32(clamping: timeout))
    }

    /// A socket that connects to `remote`.
    static func connecting(
        to remote: Address, in environment: LinkEnvironment
    ) throws(SystemError) -> LinkSocket {
        let socket = LinkSocket(try environment.syscalls.socket(remote), in: environment)
        do throws(SystemError) {
            try environment.syscalls.connect(socket.descriptor, remote)
            return socket
        } catch {
            socket.close()
            throw error
        }
    }

    func watch(
        _ wanted: Readiness, _ handler: @escaping EventLoop.Handler
    ) throws(SystemError) {
        try environment.loop.watch(descriptor, wanted, sharing: true, handler)
        interest = wanted
    }

    /// Asks the kernel only when something changes: most turns change nothing.
    func want(_ wanted: Readiness) throws(SystemError) {
        guard wanted != interest, !isClosed else { return }
        try environment.loop.modify(descriptor, wanted)
        interest = wanted
    }

    /// Says whether it is read before others who cost as much.
    func favour(_ isFavoured: Bool) {
        guard !isClosed else { return }
        environment.loop.favour(descriptor, isFavoured)
    }

    var localAddress: Address? { syscalls.localAddress(descriptor) }

    func takeError() -> SystemError? { syscalls.takeError(descriptor) }

    /// Reads its share of a turn into the scratch space of the loop.
    func receive() -> Transfer { syscalls.receive(descriptor, environment.loop.share) }

    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer { syscalls.send(descriptor, bytes) }

    func endWriting() {
        guard !writingEnded else { return }
        writingEnded = true
        syscalls.endWriting(descriptor)
    }

    func resetOnClose() { syscalls.resetOnClose(descriptor) }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        environment.loop.unwatch(descriptor)
        syscalls.close(descriptor)
    }

    deinit { close() }
}
