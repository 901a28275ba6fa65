// SPDX-License-Identifier: Apache-2.0
package import Protocol
import System

/// One TLS connection over a circuit or a tunnel: as ``PeerLink``, with messages of the
/// core in place of a socket.
///
/// The relay in between sees what a router would see. Events come only in the loop's own turns.
package final class CircuitLink {
    /// What carries the sealed bytes.
    package enum Way: Hashable, Sendable {
        /// Another passenger's agent: a circuit of the core.
        case circuit(CircuitID)
        /// A broker: the tunnel with this number.
        case tunnel(Int)
    }

    /// Its way.
    package let way: Way
    /// Client where this agent asked for the circuit.
    package let role: TLSPipe.Role
    /// Receives every event; released after `closed`.
    package var handler: ((LinkEvent) -> Void)?

    private let environment: LinkEnvironment
    private let pipe: TLSPipe
    /// Gives sealed bytes to the core.
    private let give: ([UInt8]) -> Void
    /// Bytes given and not on their way yet.
    private var waiting = 0
    /// Sealed bytes that came while reading rests.
    private var unread: [UInt8] = []
    private var isPaused = false
    private var isOver = false
    private var timer: TimerToken?

    /// A connection over `way`. Throws when TLS cannot be begun.
    package init(
        _ way: Way, role: TLSPipe.Role, in environment: LinkEnvironment,
        give: @escaping ([UInt8]) -> Void
    ) throws(TLSFailure) {
        self.way = way
        self.role = role
        self.environment = environment
        self.give = give
        pipe = try TLSPipe(context: environment.context, role: role)
    }

    /// Begins the handshake, which has its time.
    package func begin() {
        let loop = environment.loop
        timer = loop.schedule(at: loop.clock() + environment.limits.handshakeTime) { [weak self] in
            self?.finish(.handshakeTimeout)
        }
        attempt { () throws(TLSFailure) in try pipe.start() }
    }

    /// Sealed bytes of the other end.
    package func take(_ bytes: [UInt8]) {
        guard !isOver else { return }
        unread += bytes
        if !isPaused { readAll() }
    }

    /// This many of the bytes given left for the relay.
    package func took(_ count: Int) {
        guard !isOver else { return }
        waiting = max(0, waiting - count)
        if pipe.isEstablished { handler?(.drained(pending: waiting)) }
    }

    /// Plaintext for the other end.
    package func send(_ bytes: [UInt8]) {
        attempt { () throws(TLSFailure) in
            var failure: TLSFailure?
            bytes.withUnsafeBytes { raw in
                do throws(TLSFailure) { try pipe.write(raw) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// Stops or resumes reading; what comes meanwhile waits, bounded by what a relay carries.
    package func pause(_ paused: Bool) {
        isPaused = paused
        if !paused { readAll() }
    }

    /// Says good-bye and ends it.
    package func close() {
        guard !isOver else { return }
        pipe.close()
        flush()
        finish(.closedHere)
    }

    /// Ends it at once.
    package func abort() { finish(.aborted) }

    private func readAll() {
        let bytes = unread
        unread = []
        for start in stride(from: 0, to: bytes.count, by: TLSPipe.feedLimit) {
            let piece = bytes[start..<min(start + TLSPipe.feedLimit, bytes.count)]
            read(Array(piece))
        }
    }

    private func read(_ bytes: [UInt8]) {
        guard !isOver else { return }
        let was = pipe.isEstablished
        var plaintext: [UInt8] = []
        attempt { () throws(TLSFailure) in
            var failure: TLSFailure?
            bytes.withUnsafeBytes { raw in
                do throws(TLSFailure) {
                    try pipe.feed(raw, into: &plaintext)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            if !was, pipe.isEstablished {
                let exporter = try pipe.exporter()
                if let timer { environment.loop.cancel(timer) }
                timer = nil
                handler?(.established(peerKey: pipe.peerKey, exporter: exporter))
            }
        }
        if !isOver, !plaintext.isEmpty { handler?(.received(plaintext)) }
        if !isOver, pipe.peerClosed { finish(.closedByPeer) }
    }

    /// Does one step of TLS and sends its output, even if the step fails.
    private func attempt(_ step: () throws(TLSFailure) -> Void) {
        guard !isOver else { return }
        do throws(TLSFailure) {
            try step()
            flush()
        } catch {
            flush()
            finish(.tls(error))
        }
    }

    private func flush() {
        let bytes = pipe.takeOutput()
        guard !bytes.isEmpty else { return }
        waiting += bytes.count
        give(bytes)
    }

    private func finish(_ end: LinkEnd) {
        guard !isOver else { return }
        isOver = true
        if let timer { environment.loop.cancel(timer) }
        timer = nil
        let handler = handler
        self.handler = nil
        handler?(.closed(end))
    }
}
