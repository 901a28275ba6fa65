// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System
import Transport

/// Connections with all that belongs to them, both ends on one loop: dial, TLS, HELLO both ways,
/// and the end of it.
final class Handshakes {
    private let loop: EventLoop
    private let client: Place
    private let server: Place
    private var accepted: [Talk] = []

    static func run(_ count: Int) throws {
        let one = try Handshakes()
        let listener = try one.server.listen { [unowned one] talk in one.accepted.append(talk) }
        let remote = Address(host: .loopback4, port: listener.port)
        for _ in 0..<count / 50 { try one.shake(remote) }
        var times: [Int64] = []
        var spent: [Int64] = []
        for _ in 0..<count {
            let start = SystemClock.now()
            let before = processorTime()
            try one.shake(remote)
            spent.append(processorTime() - before)
            times.append((SystemClock.now() - start).nanoseconds)
        }
        report("handshake", medianMicroseconds(times), "us")
        report("processor", medianMicroseconds(spent), "us")
    }

    private init() throws {
        loop = try EventLoop()
        client = try Place(loop, seed: 1)
        server = try Place(loop, seed: 2)
    }

    /// Until both are open and then until both are gone.
    private func shake(_ remote: Address) throws {
        accepted = []
        let talk = client.dial(remote)
        try turn { talk.isOpen && accepted.first?.isOpen == true }
        talk.link.abort()
        accepted.first?.link.abort()
        try turn { talk.end != nil && accepted.allSatisfy { $0.end != nil } }
    }

    private func turn(until done: () -> Bool) throws {
        for _ in 0..<1000 {
            if done() { return }
            loop.turn(waitingAtMost: .milliseconds(100))
        }
        throw Trouble.late
    }
}

/// Nanoseconds of processor that this process has taken.
private func processorTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
