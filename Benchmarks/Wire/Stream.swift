// SPDX-License-Identifier: Apache-2.0
import Protocol
import System
import Transport

/// How much of the agent's way a stream takes.
enum Level: String {
    /// Frames of 100 bytes that mean nothing, made and drawn.
    case frames
    /// Each message is encoded, and decoded at the other end.
    case messages
    /// Each message goes through the sessions of both ends.
    case session
}

/// Messages one way, as many as the link takes; the other end says when all are there.
final class Stream {
    /// Bytes of a record, and more than a frame has.
    private static let piece = 16 * 1024
    private static let most = Wire.messageSize + 28
    /// How much may be on its way: the session hears of a quarter of it late.
    private static let onItsWay = Limits.inFlight / 4 * 3

    private let loop: EventLoop
    private let talk: Talk
    private let words: Words
    private let level: Level
    private let count: Int
    private let type: UInt8
    private let payload: [UInt8]
    private var sent = 0
    private var start: Instant?
    private var isDone = false

    init(_ remote: Address, _ count: Int, _ level: Level) throws {
        loop = try EventLoop()
        words = try Words()
        talk = try Place(loop, seed: 1).dial(remote)
        type = words.sample.type.rawValue
        payload = [UInt8](repeating: 7, count: Wire.messageSize)
        self.level = level
        self.count = count
    }

    func run() throws {
        talk.onOpen = { [unowned self] in
            talk.send(words.message("stream \(level.rawValue) \(count)"))
        }
        talk.onMessage = { [unowned self] _ in
            guard let start else {
                self.start = SystemClock.now()
                return pump()
            }
            isDone = true
            let time = SystemClock.now() - start
            report("one_way", Double(count) / Double(time.nanoseconds) * 1000, "M/s")
        }
        talk.onDrained = { [unowned self] in if start != nil { pump() } }
        while !isDone {
            loop.turn()
            if let end = talk.end { throw Trouble.ended(end) }
        }
        talk.link.close()
        while talk.end == nil { loop.turn() }
    }

    private func pump() {
        while sent < count, talk.link.pending < Self.onItsWay {
            switch level {
            case .frames: gather { Frame(type: type, payload: payload).append(to: &$0) }
            case .messages: gather { words.sample.encode(onto: &$0) }
            case .session:
                talk.send(words.sample)
                sent += 1
            }
        }
    }

    /// As many as a record of TLS has room for, handed to the link together, as a session hands
    /// over what one event made.
    private func gather(_ add: (inout [UInt8]) -> Void) {
        var piece: [UInt8] = []
        piece.reserveCapacity(Self.piece)
        while sent < count, piece.count + Self.most <= Self.piece {
            add(&piece)
            sent += 1
        }
        talk.link.send(piece)
    }
}
