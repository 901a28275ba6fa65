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

    /// Called when bytes of the broker lie in the door: its other end is in this process, so that
    /// they can be read at once, without a turn of the loop.
    var onDelivered: () -> Void = {}

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
            try loop.watch(door, .read) { [weak self] ready in self?.doorIsReady(ready) }
        } catch {
            Glibc.close(door)
            isClosed = true
            socket.close()
            throw error
        }
        socket.onReady = { [weak self] in self?.carryDown() }
    }

    deinit { close() }

    /// Ends both, without a word. What the library said last goes out if the socket takes it now.
    func close() {
        guard !isClosed else { return }
        _ = readDoor()
        flushUp()
        isClosed = true
        loop.unwatch(door)
        Glibc.close(door)
        socket.close()
    }

    private func doorIsReady(_ ready: Readiness) {
        if ready.contains(.write), flushDown() { onDelivered() }
        carryUp()
    }

    /// Carries what the library wrote.
    func carryUp() {
        guard !isClosed else { return }
        let hasMore = readDoor()
        flushUp()
        settle(hasMore)
    }

    /// Carries what the broker sent.
    private func carryDown() {
        guard !isClosed else { return }
        flushUp()
        let hasMore = readBroker()
        if flushDown() { onDelivered() }
        settle(hasMore)
    }

    /// Says why it is over, or watches for what is needed next.
    private func settle(_ hasMore: Bool) {
        guard !isClosed else { return }
        if let trouble, down.isEmpty {
            close()
            return over(trouble)
        }
        watch()
        guard hasMore else { return }
        // The rest of a record lies in TLS, of which the kernel says nothing.
        loop.enqueue { [weak self] in
            self?.carryDown()
            self?.carryUp()
        }
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

    /// Whether more may have come from the library than there was space for.
    private func readDoor() -> Bool {
        guard let room = room(up) else { return false }
        switch syscalls.receive(door, room) {
        case .moved(let count):
            up.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count]))
            return count == room.count
        case .wouldBlock: return false
        case .ended, .failed:
            // The library gave up, and says itself why.
            fail(.closed)
            down = ByteQueue()
            return false
        }
    }

    private func flushUp() {
        guard trouble == nil, !up.isEmpty else { return }
        switch up.withFront(up.count, { socket.send($0) }) {
        case .moved(let count): up.drop(count)
        case .wouldBlock: break
        // What it said before is still to be read.
        case .ended, .failed: up = ByteQueue()
        }
    }

    /// Whether more may have come from the broker than there was space for.
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
            return count == room.count
        case .wouldBlock: return false
        case .ended: fail(.closed)
        case .failed(let error): fail(.of(error))
        }
        return false
    }

    /// Whether bytes went to the library.
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
