// SPDX-License-Identifier: Apache-2.0
import Protocol
import System
import Transport

/// One message there and back at a time.
final class Ping {
    private let loop: EventLoop
    private let talk: Talk
    private let words: Words
    private let count: Int
    private let warmUp: Int
    private var times: [Int64] = []
    private var start = Instant.zero

    init(_ remote: Address, _ count: Int) throws {
        loop = try EventLoop()
        words = try Words()
        talk = try Place(loop, seed: 1).dial(remote)
        self.count = count
        warmUp = count / 50
        times.reserveCapacity(count + warmUp)
    }

    func run() throws {
        talk.onOpen = { [unowned self] in send() }
        talk.onMessage = { [unowned self] _ in
            times.append((SystemClock.now() - start).nanoseconds)
            if times.count < count + warmUp { send() }
        }
        loop.nextDeadline = { [unowned self] in talk.nextDeadline }
        loop.onDeadline = { [unowned self] _ in talk.tick() }
        while times.count < count + warmUp {
            loop.turn()
            if let end = talk.end { throw Trouble.ended(end) }
        }
        report("round_trip", medianMicroseconds(Array(times.dropFirst(warmUp))), "us")
        talk.link.close()
        while talk.end == nil { loop.turn() }
    }

    private func send() {
        start = SystemClock.now()
        talk.send(words.sample)
    }
}
