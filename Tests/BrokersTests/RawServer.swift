// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System
import Testing

/// A server in the loop of the test that says the same to everybody and hears nothing.
final class RawServer {
    let port: UInt16
    private let loop: EventLoop
    private let calls = Syscalls()
    private let listener: Int32
    private var clients: [Int32] = []
    private(set) var accepted = 0

    /// Says `words` to everybody, and hangs up then where that is said.
    init(on loop: EventLoop, saying words: [UInt8], thenEnds: Bool = false) throws {
        self.loop = loop
        let address = Address(host: .loopback4, port: 0)
        listener = try calls.socket(address)
        try calls.bind(listener, address)
        try calls.listen(listener, 8)
        port = try #require(calls.localAddress(listener)).port
        try loop.watch(listener, .read) { [weak self] _ in
            guard let self, let (client, _) = try? calls.accept(listener) else { return }
            accepted += 1
            clients.append(client)
            say(words[...], to: client, thenEnds: thenEnds)
        }
    }

    /// Goes on when the socket takes more.
    private func say(_ words: ArraySlice<UInt8>, to client: Int32, thenEnds: Bool) {
        var rest = words
        switch words.withUnsafeBytes({ calls.send(client, $0) }) {
        case .moved(let count): rest = words.dropFirst(count)
        case .wouldBlock: break
        default: return
        }
        guard !rest.isEmpty else {
            if thenEnds { calls.endWriting(client) }
            return
        }
        try? loop.watch(client, .write) { [weak self] _ in
            self?.loop.unwatch(client)
            self?.say(rest, to: client, thenEnds: thenEnds)
        }
    }

    deinit {
        loop.unwatch(listener)
        for socket in clients + [listener] { calls.close(socket) }
    }
}
