// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Transport

/// Carries bytes between a broker and the library's door. Each way at most
/// ``BrokerLimits/buffer`` bytes wait: who does not read is not read from.
final class BrokerPump {
    private let socket: BrokerSocket
    private let door: Int32
    private let loop: EventLoop
    private let over: (BrokerTrouble) -> Void
    private let syscalls = Syscalls()
    private var gate = PacketGate()
    private var up = ByteQueue()
    private var down = ByteQueue()
    private var doorInterest: Readiness = .read
    /// Why nothing more comes from the broker.
    private var trouble: BrokerTrouble?
    private var isClosed = false

    /// Rounds in one turn, so that a fast broker leaves time to others.
    private static let roundsPerTurn = 4

    /// Takes both over. `over` is called once, when what the broker sent last went to the library.
    init(
        _ socket: BrokerSocket, door: Int32, loop: EventLoop,
        over: @escaping (BrokerTrouble) -> Void
    ) throws(SystemError) {
        self.socket = socket
        self.door = door
        self.loop = loop
        self.over = over
        do throws(SystemError) {
            try loop.watch(door, .read) { [weak self] _ in self?.turn() }
        } catch {
            Glibc.close(door)
            isClosed = true
            socket.close()
            throw error
        }
        socket.onReady = { [weak self] in self?.turn() }
    }

    deinit { close() }

    /// Ends both, without a word. What the library said last goes out if the socket takes it now.
    func close() {
        guard !isClosed else { return }
        _ = readDoor()
        _ = flushUp()
        isClosed = true
        loop.unwatch(door)
        Glibc.close(door)
        socket.close()
    }

    /// Carries what there is.
    func turn() {
        guard !isClosed else { return }
        var rounds = 0
        var isBusy = true
        while isBusy, rounds < Self.roundsPerTurn {
            let moves = [readDoor(), flushUp(), readBroker(), flushDown()]
            isBusy = moves.contains(true)
            rounds += 1
        }
        if let trouble, down.isEmpty {
            close()
            return over(trouble)
        }
        watch()
        // The rest of a record lies in TLS, of which the kernel says nothing.
        if isBusy { loop.enqueue { [weak self] in self?.turn() } }
    }

    private func watch() {
        var wanted: Readiness = trouble == nil && down.count < BrokerLimits.buffer ? .read : []
        if !up.isEmpty, trouble == nil { wanted.insert(.write) }
        socket.want(wanted)
        var inside: Readiness = up.count < BrokerLimits.buffer ? .read : []
        if !down.isEmpty { inside.insert(.write) }
        guard inside != doorInterest else { return }
        doorInterest = inside
        try? loop.modify(door, inside)
    }

    /// Whether bytes came from the library.
    private func readDoor() -> Bool {
        guard let room = room(up) else { return false }
        switch syscalls.receive(door, room) {
        case .moved(let count):
            up.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count]))
            return true
        case .wouldBlock: return false
        case .ended, .failed:
            // The library gave up, and says itself why.
            fail(.closed)
            down = ByteQueue()
            return false
        }
    }

    private func flushUp() -> Bool {
        guard trouble == nil, !up.isEmpty else { return false }
        switch up.withFront(up.count, { socket.send($0) }) {
        case .moved(let count):
            up.drop(count)
            return true
        case .wouldBlock: return false
        // What it said before is still to be read.
        case .ended, .failed:
            up = ByteQueue()
            return false
        }
    }

    private func readBroker() -> Bool {
        guard trouble == nil, let room = room(down) else { return false }
        switch socket.receive(room) {
        case .moved(let count):
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count])
            guard gate.passes(bytes) else {
                fail(.malformed)
                return false
            }
            down.append(bytes)
            return true
        case .wouldBlock: return false
        case .ended: fail(.closed)
        case .failed(let error): fail(.of(error))
        }
        return false
    }

    private func flushDown() -> Bool {
        guard !down.isEmpty else { return false }
        switch down.withFront(down.count, { syscalls.send(door, $0) }) {
        case .moved(let count):
            down.drop(count)
            return true
        case .wouldBlock: return false
        case .ended, .failed:
            fail(.closed)
            down = ByteQueue()
            return false
        }
    }

    private func fail(_ reason: BrokerTrouble) { trouble = trouble ?? reason }

    /// As much as one of the two may still take.
    private func room(_ queue: ByteQueue) -> UnsafeMutableRawBufferPointer? {
        let most = min(loop.scratch.count, BrokerLimits.buffer - queue.count)
        return most > 0 ? UnsafeMutableRawBufferPointer(rebasing: loop.scratch[..<most]) : nil
    }
}
