// SPDX-License-Identifier: Apache-2.0
import System
import Transport

/// The bytes to and from a server of NATS: writes what there is and reads operations, all without
/// waiting. Who does not read is not read from.
final class NATSWire {
    private let socket: BrokerSocket
    private let loop: EventLoop
    /// Gets what the server says, in order.
    private let take: (NATSReader.Operation) -> Void
    private let over: (BrokerTrouble) -> Void
    private var reader = NATSReader()
    private var out = ByteQueue()
    private var isPlanned = false
    private var isClosed = false

    /// Reads in one turn, so that a fast server leaves time to others.
    private static let roundsPerTurn = 4

    /// Takes an open socket over. `over` is called once, unless it is closed before.
    init(
        _ socket: BrokerSocket, loop: EventLoop, take: @escaping (NATSReader.Operation) -> Void,
        over: @escaping (BrokerTrouble) -> Void
    ) {
        self.socket = socket
        self.loop = loop
        self.take = take
        self.over = over
        socket.onReady = { [weak self] in self?.turn() }
        socket.want(.read)
    }

    deinit { close() }

    /// Ends it. What was said last goes out if the socket takes it now.
    func close() {
        guard !isClosed else { return }
        _ = flush()
        isClosed = true
        socket.close()
    }

    /// Says something, at the end of this turn of the loop.
    func send(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        bytes.withUnsafeBytes { out.append($0) }
        plan()
    }

    private func plan() {
        guard !isPlanned else { return }
        isPlanned = true
        loop.enqueue { [weak self] in
            self?.isPlanned = false
            self?.turn()
        }
    }

    private func turn() {
        var rounds = 0
        var isBusy = true
        while isBusy, rounds < Self.roundsPerTurn, !isClosed {
            let isFlushed = flush()
            // What it says is answered: while it takes nothing, nothing more is read.
            isBusy = out.count < BrokerLimits.buffer && read() || isFlushed
            rounds += 1
        }
        guard !isClosed else { return }
        var wanted: Readiness = out.count < BrokerLimits.buffer ? .read : []
        if !out.isEmpty { wanted.insert(.write) }
        socket.want(wanted)
        // The rest of a record lies in TLS, of which the kernel says nothing.
        if isBusy { plan() }
    }

    /// Whether bytes went.
    private func flush() -> Bool {
        guard !isClosed, !out.isEmpty else { return false }
        switch out.withFront(out.count, { socket.send($0) }) {
        case .moved(let count):
            out.drop(count)
            return true
        case .wouldBlock: return false
        // What it said before is still to be read.
        case .ended, .failed:
            out = ByteQueue()
            return false
        }
    }

    /// Whether bytes came.
    private func read() -> Bool {
        guard !isClosed else { return false }
        switch socket.receive(loop.scratch) {
        case .moved(let count):
            let all = UnsafeRawBufferPointer(loop.scratch)
            reader.append(UnsafeRawBufferPointer(rebasing: all[..<count]))
            do throws(NATSReader.Fault) {
                while !isClosed, let operation = try reader.next() { take(operation) }
            } catch {
                fail(.malformed)
            }
            return !isClosed
        case .wouldBlock: return false
        case .ended: fail(.closed)
        case .failed(let error): fail(.of(error))
        }
        return false
    }

    private func fail(_ trouble: BrokerTrouble) {
        close()
        over(trouble)
    }
}
