// SPDX-License-Identifier: Apache-2.0
import Protocol
import System
import Transport

/// Bytes that go through a tunnel and come back, one message at a time.
enum Echo {
    /// Passengers: who asks, and who answers.
    private static let asker = 1
    private static let answerer = 2

    /// Returns what comes, until it is ended.
    static func answer(_ url: String) throws {
        let shared = try Shared()
        let guest = try Guest(answerer, at: url, shared)
        guest.onBytes = { link, bytes in link.send(bytes) }
        guest.start(try shared.log(answerer))
        try guest.wait(seconds: 100) { false }
    }

    /// A tunnel sends 100 frames at once and 10 a second after that: `count` is at most 80.
    static func ping(_ url: String, _ count: Int) throws {
        let shared = try Shared()
        let guest = try Guest(asker, at: url, shared)
        let message = [UInt8](repeating: 7, count: Shore.messageSize)
        let warmUp = 3
        var (times, came, began) = ([Int64](), 0, Instant.zero)
        guest.onOpen = { link in
            began = SystemClock.now()
            link.send(message)
        }
        guest.onBytes = { link, bytes in
            came += bytes.count
            guard came % message.count == 0 else { return }
            times.append((SystemClock.now() - began).nanoseconds)
            guard times.count < count + warmUp else { return }
            began = SystemClock.now()
            link.send(message)
        }
        let start = SystemClock.now()
        guest.start(try shared.log(asker))
        guest.need(try shared.signer(answerer).key)
        try guest.wait(seconds: 60) { !times.isEmpty }
        report("opened", Double((SystemClock.now() - start).nanoseconds) / 1e6, "ms")
        try guest.wait(seconds: 30) { times.count == count + warmUp }
        let sorted = times.dropFirst(warmUp).sorted()
        report("round_trip", Double(sorted[sorted.count / 2]) / 1000, "us")
    }
}
