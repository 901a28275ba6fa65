// SPDX-License-Identifier: Apache-2.0
import Protocol
package import System

/// What a server says to a request.
package struct HTTPAnswer: Hashable, Sendable {
    /// The number of RFC 9110 section 15.
    package var status: UInt32
    /// The media type.
    package var type: String
    /// What is said.
    package var body: [UInt8]
    /// Whether `body` is as gzip made it.
    package var isPacked = false
    /// What is sent in place of `body`.
    package var file: HTTPFile?
    /// Whether the browser may keep it, and asks before it uses it again.
    package var tag: String?

    /// An answer.
    package init(status: UInt32 = 200, type: String, body: [UInt8]) {
        self.status = status
        self.type = type
        self.body = body
    }

    /// An answer in a line of plain text: for errors, of which nothing is secret.
    package static func plain(_ status: UInt32, _ line: String) -> HTTPAnswer {
        HTTPAnswer(status: status, type: "text/plain; charset=utf-8", body: Array("\(line)\n".utf8))
    }
}

/// A file that is sent as it lies there, a piece at a time.
package struct HTTPFile: Hashable, Sendable {
    /// Open for reading; the answer takes a copy of it.
    let descriptor: Int32
    /// Bytes that are sent.
    let size: Int
    /// What the browser calls it: letters, digits, dots and lines.
    let name: String
}

/// A request and what is said to it, now or later. It belongs to the thread of its server.
package final class HTTPExchange {
    /// `GET`, `POST` and so on, as it came.
    package let method: String
    /// The path, without what stands behind a `?`.
    package let path: String
    /// The head `Host`.
    package let host: String?
    /// The head `Origin`, which browsers send with each POST.
    package let origin: String?
    /// The head `If-None-Match`.
    package let match: String?
    /// Whether the browser can unpack gzip.
    package let unpacks: Bool
    /// Where it comes from.
    package let from: Address.Host?
    /// Bytes of a body at most; a longer one is cut off before it is read.
    package static let most = 65_536

    /// What came with it.
    package private(set) var body: [UInt8] = []
    /// Called once, when the connection needs nothing more, or has gone.
    package var onEnd: () -> Void = {}

    /// What the server does when there is something to send.
    var onReady: () -> Void = {}
    /// Whether somebody was told of it.
    var isServed = false
    /// Whether the library waits until it is resumed.
    var isSuspended = false
    private(set) var reply: HTTPReply?

    init(
        method: String, path: String, host: String?, origin: String?, match: String?,
        unpacks: Bool, from: Address.Host?
    ) {
        self.method = method
        self.path = path
        self.host = host
        self.origin = origin
        self.match = match
        self.unpacks = unpacks
        self.from = from
    }

    /// Takes a part of the body; whether it is not too long yet.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= Self.most else { return false }
        body.append(contentsOf: bytes)
        return true
    }

    /// Says it all.
    package func answer(_ answer: HTTPAnswer) {
        guard reply == nil else { return }
        reply = .whole(answer)
        onReady()
    }

    /// Begins a stream of lines, which goes on until it is ended or the reader goes.
    package func stream() -> HTTPFeed {
        let feed = HTTPFeed()
        feed.onReady = { [weak self] in self?.onReady() }
        guard reply == nil else { return feed }
        reply = .feed(feed)
        onReady()
        return feed
    }

    /// The server ends: whoever waits is told, and streams end.
    func end() {
        switch reply {
        case .feed(let feed)?: feed.end()
        case .whole?: onReady()
        case nil: answer(.plain(503, "the page is not served any more"))
        }
    }
}

/// What is sent.
enum HTTPReply {
    case whole(HTTPAnswer)
    case feed(HTTPFeed)
}

/// What is written to a reader who may be slow.
package final class HTTPFeed {
    /// Bytes that wait for a reader, at most; a slower one is cut off.
    package static let most = 1 << 19

    private var waiting: [UInt8] = []
    private(set) var isOver = false
    var onReady: () -> Void = {}

    /// Writes; `false` if the reader is too slow, and the stream has ended.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        guard !isOver else { return false }
        guard waiting.count + bytes.count <= Self.most else {
            waiting.removeAll()
            end()
            return false
        }
        waiting += bytes
        onReady()
        return true
    }

    /// Ends it, once what waits was read.
    package func end() {
        isOver = true
        onReady()
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Moves as much as fits into `room`; how much it was.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, waiting.count)
        waiting[..<count].withUnsafeBytes { room.copyMemory(from: $0) }
        waiting.removeFirst(count)
        return count
    }
}
