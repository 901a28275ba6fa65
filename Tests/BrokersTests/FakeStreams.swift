// SPDX-License-Identifier: Apache-2.0
import Protocol
import System
import Testing

/// A server of NATS in the loop of the test, as bad as the test wants it.
final class FakeStreams {
    let port: UInt16
    private let loop: EventLoop
    private let calls = Syscalls()
    private let listener: Int32
    private var client: Int32?
    private var bytes: [UInt8] = []
    /// What is said to a client that is there, beside PONG.
    var answer: (_ subject: String, _ reply: String, _ body: String) -> String? = { _, reply, _ in
        FakeStreams.message(reply, FakeStreams.stream)
    }
    /// What is said after the login.
    var afterLogin = ""
    /// Whether it answers a PING.
    var isAlive = true

    /// A stream as it should be.
    static let stream =
        #"{"config":{"num_replicas":1,"max_age":345600000000000,"max_msgs_per_subject":1}}"#

    /// A message to the first subscription.
    static func message(_ subject: String, _ body: String) -> String {
        "MSG \(subject) 1 \(body.utf8.count)\r\n\(body)\r\n"
    }

    init(on loop: EventLoop) throws {
        self.loop = loop
        let address = Address(host: .loopback4, port: 0)
        listener = try calls.socket(address)
        try calls.bind(listener, address)
        try calls.listen(listener, 8)
        port = try #require(calls.localAddress(listener)).port
        try loop.watch(listener, .read) { [weak self] _ in self?.accept() }
    }

    deinit {
        loop.unwatch(listener)
        calls.close(listener)
        hangUp()
    }

    func say(_ text: String) {
        guard let client else { return }
        _ = Array(text.utf8).withUnsafeBytes { calls.send(client, $0) }
    }

    func hangUp() {
        guard let client else { return }
        loop.unwatch(client)
        calls.close(client)
        self.client = nil
    }

    private func accept() {
        guard let (client, _) = try? calls.accept(listener) else { return }
        hangUp()
        self.client = client
        try? loop.watch(client, .read) { [weak self] _ in self?.read() }
        say("INFO {\"server_id\":\"x\"}\r\n")
    }

    private func read() {
        guard let client else { return }
        guard case .moved(let count) = calls.receive(client, loop.scratch) else { return hangUp() }
        bytes += Array(UnsafeRawBufferPointer(loop.scratch).prefix(count))
        while let end = bytes.firstIndex(of: 0x0A) {
            let words = String(decoding: bytes[..<end], as: UTF8.self).split { $0.isWhitespace }
            guard let size = words.last.flatMap({ Int($0) }), words.first == "PUB" else {
                bytes.removeFirst(end + 1)
                heard(words)
                continue
            }
            guard bytes.count >= end + 1 + size + 2 else { return }
            let body = String(decoding: bytes[(end + 1)...].prefix(size), as: UTF8.self)
            bytes.removeFirst(end + 1 + size + 2)
            guard words.count == 4 else { continue }
            if let text = answer(String(words[1]), String(words[2]), body) { say(text) }
        }
    }

    private func heard(_ words: [Substring]) {
        switch words.first {
        case "CONNECT": say(afterLogin)
        case "PING" where isAlive: say("PONG\r\n")
        default: break
        }
    }
}
