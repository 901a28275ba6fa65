// SPDX-License-Identifier: Apache-2.0

/// What a server of NATS says before TLS: one line, of which nothing is believed, since anybody on
/// the way could have written it.
struct NATSGreeting {
    private var count = 0

    private static let begin = Array("INFO {".utf8)

    /// Whether the line is whole with these bytes; `nil` for anything else than such a line alone.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        for (place, byte) in bytes.enumerated() {
            if count < Self.begin.count, byte != Self.begin[count] { return nil }
            count += 1
            guard count <= NATSLimits.greeting else { return nil }
            // A server waits for its client here: what follows at once is somebody else's.
            if byte == 0x0A { return place == bytes.count - 1 ? true : nil }
        }
        return false
    }
}

/// What a server of NATS may send.
enum NATSLimits {
    /// Bytes of a line,
    static let line = 4096
    /// and of the one that says what the server is, with all machines of its cluster.
    static let greeting = 32 * 1024
    /// Bytes of a message that is kept here: the largest body in Base64, inside JSON.
    static let message = 24 * 1024
    /// Bytes of a message that is let pass unread: what a server takes from anybody by itself.
    static let passed = 1_100_000
    /// Characters of a subject.
    static let subject = 256
}

/// One message of a server.
struct NATSMessage: Hashable {
    var subject: String
    /// The number of the subscription that it is for.
    var number: Int
    /// The status in its header: 503 where nobody answers.
    var status: Int?
    /// `nil` where it is too large to be kept.
    var body: [UInt8]?
}

/// Takes the bytes of a server of NATS apart. They are a stranger's: lengths are looked at before
/// anything is kept.
struct NATSReader {
    /// One thing that a server says.
    enum Operation: Hashable {
        case ping
        case pong
        /// Nothing that matters: what the server is, or that it took something.
        case note
        /// What it complains of, without quotes.
        case complaint(String)
        case message(NATSMessage)
    }

    /// It breaks the rules.
    struct Fault: Error {}

    private struct Head {
        var message: NATSMessage
        var header: Int
        var size: Int
    }

    private var bytes: [UInt8] = []
    private var start = 0
    private var head: Head?
    /// Bytes of a large message that are still to come.
    private var passing = 0

    /// Adds what came; to be called when ``next()`` has nothing more.
    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.removeSubrange(..<start)
        start = 0
        bytes.append(contentsOf: more)
    }

    /// The next operation; `nil` until more has come.
    mutating func next() throws(Fault) -> Operation? {
        if head != nil { return try body() }
        guard let line = try line() else { return nil }
        let words = line.split(separator: 0x20, maxSplits: 1)
        let rest = words.count > 1 ? words[1] : []
        switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
        case "PING": return .ping
        case "PONG": return .pong
        case "+OK", "INFO": return .note
        case "-ERR": return .complaint(Self.complaint(rest))
        case "MSG": head = try Self.head(rest, hasHeader: false)
        case "HMSG": head = try Self.head(rest, hasHeader: true)
        default: throw Fault()
        }
        if let size = head?.size, size > NATSLimits.message { passing = size + 2 }
        return try body()
    }

    /// The next line without its end; `nil` until it is whole.
    private mutating func line() throws(Fault) -> ArraySlice<UInt8>? {
        let rest = bytes[start...]
        let isLong = rest.first == UInt8(ascii: "I")
        let most = isLong ? NATSLimits.greeting : NATSLimits.line
        guard let end = rest.prefix(most).firstIndex(of: 0x0A) else {
            guard rest.count < most else { throw Fault() }
            return nil
        }
        guard end > start, bytes[end - 1] == 0x0D else { throw Fault() }
        defer { start = end + 1 }
        return bytes[start..<end - 1]
    }

    private mutating func body() throws(Fault) -> Operation? {
        guard var found = head else { return nil }
        guard passing == 0 else {
            let taken = min(passing, bytes.count - start)
            passing -= taken
            start += taken
            guard passing == 0 else { return nil }
            head = nil
            return .message(found.message)
        }
        let end = start + found.size
        guard bytes.count >= end + 2 else { return nil }
        guard bytes[end] == 0x0D, bytes[end + 1] == 0x0A else { throw Fault() }
        found.message.status = try Self.status(bytes[start..<start + found.header])
        found.message.body = Array(bytes[start + found.header..<end])
        start = end + 2
        head = nil
        return .message(found.message)
    }

    // MARK: Words of a line

    /// Subject, number, perhaps where to answer, perhaps bytes of the header, bytes of all.
    private static func head(
        _ rest: ArraySlice<UInt8>, hasHeader: Bool
    ) throws(Fault) -> Head {
        let words = rest.split(separator: 0x20)
        let least = hasHeader ? 4 : 3
        guard (least...least + 1).contains(words.count), words[0].count <= NATSLimits.subject,
            words[0].allSatisfy({ (0x21...0x7E).contains($0) }),
            let number = Self.number(words[1]), let size = Self.number(words[words.count - 1]),
            size <= NATSLimits.passed,
            let header = hasHeader ? self.number(words[words.count - 2]) : 0, header <= size
        else { throw Fault() }
        let subject = String(decoding: words[0], as: UTF8.self)
        let message = NATSMessage(subject: subject, number: number, status: nil, body: nil)
        return Head(message: message, header: header, size: size)
    }

    /// Digits alone, and few.
    static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard (1...9).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// `NATS/1.0 503 ...` and lines behind it; `nil` where there is no status.
    private static func status(_ header: ArraySlice<UInt8>) throws(Fault) -> Int? {
        guard !header.isEmpty else { return nil }
        guard header.starts(with: "NATS/1.0".utf8) else { throw Fault() }
        let rest = header.dropFirst(8)
        guard rest.first == 0x20 else { return nil }
        return number(rest.dropFirst().prefix(3))
    }

    private static func complaint(_ rest: ArraySlice<UInt8>) -> String {
        var words = rest
        if words.first == 0x27 { words.removeFirst() }
        if words.last == 0x27 { words.removeLast() }
        return String(decoding: words, as: UTF8.self)
    }
}
