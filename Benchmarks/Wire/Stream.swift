import Protocol

/// How much of the agent's way a stream takes.
enum Level: String {
    /// Frames that are ready, over the link; drawn as frames at the other end.
    case frames
    /// Each message is encoded, and decoded at the other end.
    case messages
    /// Each message goes through the sessions of both ends.
    case session
}

/// Messages one way, as many as the link takes; the other end says when all are there.
final class Stream {
    private let loop: EventLoop
    private let talk: Talk
    private let words: Words
    private let level: Level
    private let count: Int
    private let frame: [UInt8]
    private var sent = 0
    private var start: Instant?
    private var isDone = false

    init(_ remote: Address, _ count: Int, _ level: Level) throws {
        loop = try EventLoop()
        words = try Words()
        talk = try Place(loop, seed: 1).dial(remote)
        frame = words.sample.encode()
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
        while sent < count, talk.link.pending < Limits.inFlight {
            switch level {
            case .frames: talk.link.send(frame)
            case .messages: talk.link.send(words.sample.encode())
            case .session: talk.send(words.sample)
            }
            sent += 1
        }
    }
}
