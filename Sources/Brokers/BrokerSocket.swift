// SPDX-License-Identifier: Apache-2.0
import Protocol
import System

/// The socket to a broker: TCP, and TLS over it where there is some.
final class BrokerSocket {
    private let loop: EventLoop
    private let syscalls = Syscalls()
    private let descriptor: Int32
    private var interest: Readiness = []
    private var isClosed = false
    private var tls: ClientTLS?
    /// Called in each turn in which it is ready for what is wanted.
    var onReady: () -> Void = {}

    /// A connection that is being made. Throws what the kernel said at once.
    init(to remote: Address, on loop: EventLoop) throws(SystemError) {
        self.loop = loop
        descriptor = try syscalls.socket(remote)
        // The keep-alive finds a silent broker; unsent bytes may wait as long.
        syscalls.prepare(descriptor, 60_000)
        do throws(SystemError) {
            try syscalls.connect(descriptor, remote)
            try loop.watch(descriptor, .write) { [weak self] _ in self?.onReady() }
            interest = .write
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// How the attempt to connect went.
    func takeError() -> SystemError? { syscalls.takeError(descriptor) }

    /// Whether TLS could be readied.
    func secure(_ trust: ClientTrust, names: [String], protocolName: String?) -> Bool {
        tls = ClientTLS(trust, over: descriptor, names: names, protocolName: protocolName)
        return tls != nil
    }

    /// Goes on with the handshake; done at once without TLS.
    func shake() -> ClientTLS.Step {
        guard let tls else { return .done }
        let step = tls.shake()
        if case .waits = step { want(.read) }
        return step
    }

    /// Seconds until the broker's certificate ends; `nil` without TLS.
    var certificateLife: Int64? { tls?.certificateLife }

    func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        tls?.receive(buffer) ?? syscalls.receive(descriptor, buffer)
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        tls?.send(bytes) ?? syscalls.send(descriptor, bytes)
    }

    /// What the loop shall tell of it; TLS may want more.
    func want(_ wanted: Readiness) {
        guard !isClosed else { return }
        let all = tls?.wantsWrite == true ? wanted.union(.write) : wanted
        guard all != interest else { return }
        interest = all
        // It is watched, so the kernel can only be out of memory: the keep-alive ends it then.
        try? loop.modify(descriptor, all)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        tls?.close()
        tls = nil
        loop.unwatch(descriptor)
        syscalls.close(descriptor)
    }
}
