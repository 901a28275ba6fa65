// SPDX-License-Identifier: Apache-2.0
import CMicroHTTP
import Glibc
package import Protocol
package import System
import Web

/// A server of HTTP or HTTPS in the thread of a loop, over libmicrohttpd.
///
/// It reads heads and bodies, keeps the limits below, and hands each request to `serve`. Whoever
/// sends nothing whole in ``HTTPServer/patience`` is cut off, in a handshake of TLS too.
package final class HTTPServer {
    /// Connections at once.
    package static let connections: UInt32 = 256
    /// Connections of one address of the network at once: a browser opens six,
    /// and two guests may share an address.
    package static let connectionsOfAddress: UInt32 = 16
    /// The same on loopback, where all browsers of this computer have one address.
    package static let connectionsOfLoopback: UInt32 = 64
    /// Connections that begin in a second, of one address and in all, where each costs a handshake
    /// of TLS.
    package static let (handshakesOfAddress, handshakes) = (16, 256)
    /// How long a request may take to come, and an answer to be read without a byte moving.
    package static let patience = TimeSpan.seconds(10)

    /// Bytes of a connection's memory, in which its head has to fit.
    private static let memory = 16 * 1024

    /// The port on which it listens.
    package private(set) var port: UInt16 = 0
    private let loop: EventLoop
    private let serve: (HTTPExchange) -> Void
    private var daemon: OpaquePointer?
    private var descriptor: Int32 = -1
    private var isRunning = false
    private var isStopping = false
    private var isWanted = false
    private var sweep: TimerToken?
    private var beginsOfAddress = CallRate<Address.Host>(most: handshakesOfAddress)
    private var begins = CallRate<Bool>(most: handshakes)
    /// Requests that go on, with their connections.
    private var exchanges: [ObjectIdentifier: (exchange: HTTPExchange, connection: OpaquePointer)] =
        [:]
    /// Connections on which no whole request has come yet, and since when.
    private var silent: [OpaquePointer: (socket: Int32, since: Instant)] = [:]

    /// Whether a server may have a certificate.
    package static var canEncrypt: Bool { micro_can_encrypt() }

    /// Listens at `address`; port 0 takes a free one. It speaks HTTPS if it has a certificate.
    /// Throws what the kernel said.
    package init(
        _ address: Address, with certificate: PageCertificate? = nil, loop: EventLoop,
        serve: @escaping (HTTPExchange) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.serve = serve
        let limits = micro_limits(
            connections: Self.connections,
            of_address: address.host.isLoopback
                ? Self.connectionsOfLoopback : Self.connectionsOfAddress,
            idle_seconds: UInt32(Self.patience.nanoseconds / 1_000_000_000), memory: Self.memory)
        let own = Unmanaged.passUnretained(self).toOpaque()
        let calls = micro_calls(
            admit: certificate == nil ? nil : Self.onAccept, serve: Self.onRequest,
            done: Self.onDone, connected: Self.onConnection)
        daemon = address.withSocketAddress { socket, _ in
            guard let certificate else {
                return micro_start(socket, limits, micro_identity(), calls, own)
            }
            return certificate.withIdentity { micro_start(socket, limits, $0, calls, own) }
        }
        guard let daemon else { throw SystemError.last }
        port = micro_port(daemon)
        descriptor = micro_descriptor(daemon)
        try loop.watch(descriptor, .read) { [unowned self] _ in run() }
        sweepLater()
    }

    /// Ends all connections.
    package func stop() {
        guard let daemon else { return }
        if let sweep { loop.cancel(sweep) }
        loop.unwatch(descriptor)
        isStopping = true
        // The library must not end while a connection waits.
        for (_, open) in exchanges { open.exchange.end() }
        MHD_run(daemon)
        self.daemon = nil
        MHD_stop_daemon(daemon)
        exchanges.removeAll()
    }

    deinit { stop() }

    /// When the library wants to be called, whatever comes.
    package var deadline: Instant? {
        var milliseconds = UInt64()
        guard let daemon, MHD_get_timeout(daemon, &milliseconds) == .YES else { return nil }
        // From when the turn began, or what is due at once would never be.
        return loop.now + .milliseconds(Int64(min(milliseconds, 60_000)))
    }

    /// Lets the library do what is due. What it starts may want it again, so that it is not called
    /// within itself.
    package func run() {
        guard let daemon, !isRunning else {
            isWanted = true
            return
        }
        isRunning = true
        repeat {
            isWanted = false
            MHD_run(daemon)
        } while isWanted
        isRunning = false
    }

    // MARK: What the library calls

    private static let onAccept: MHD_AcceptPolicyCallback = { own, address, _ in
        guard let own else { return .NO }
        let server = Unmanaged<HTTPServer>.fromOpaque(own).takeUnretainedValue()
        let now = server.loop.clock()
        guard let host = host(address), server.beginsOfAddress.take(host, at: now),
            server.begins.take(true, at: now)
        else { return .NO }
        return .YES
    }

    private static let onRequest: MHD_AccessHandlerCallback = {
        own, connection, path, method, _, bytes, count, memory in
        guard let own, let connection, let path, let method, let count, let memory else {
            return .NO
        }
        let server = Unmanaged<HTTPServer>.fromOpaque(own).takeUnretainedValue()
        guard let known = memory.pointee else {
            return server.begin(
                connection, String(cString: method), String(cString: path), memory)
        }
        let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
        guard count.pointee == 0 else {
            let part = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
            count.pointee = 0
            return exchange.append(part) ? .YES : .NO
        }
        return server.complete(exchange, connection)
    }

    private static let onDone: MHD_RequestCompletedCallback = { own, connection, memory, _ in
        guard let own, let connection, let known = memory?.pointee else { return }
        memory?.pointee = nil
        let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue()
        let server = Unmanaged<HTTPServer>.fromOpaque(own).takeUnretainedValue()
        server.exchanges[ObjectIdentifier(exchange)] = nil
        // The next request on it has as much time as the first.
        server.silent[connection] = (micro_socket(connection), server.loop.clock())
        exchange.onReady = {}
        exchange.onEnd()
        exchange.onEnd = {}
    }

    private static let onConnection: MHD_NotifyConnectionCallback = { own, connection, _, change in
        guard let own, let connection else { return }
        let server = Unmanaged<HTTPServer>.fromOpaque(own).takeUnretainedValue()
        if change == .CONNECTION_NOTIFY_STARTED {
            server.silent[connection] = (micro_socket(connection), server.loop.clock())
        } else {
            server.silent[connection] = nil
        }
    }

    /// A head came.
    private func begin(
        _ connection: OpaquePointer, _ method: String, _ path: String,
        _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
        func head(_ name: String) -> String? {
            MHD_lookup_connection_value(connection, .HEADER_KIND, name)
                .map { String(cString: $0) }
        }
        let exchange = HTTPExchange(
            method: method, path: path, host: head("Host"), origin: head("Origin"),
            match: head("If-None-Match"),
            unpacks: head("Accept-Encoding")?.contains("gzip") ?? false,
            from: Self.host(micro_peer(connection)))
        memory.pointee = Unmanaged.passRetained(exchange).toOpaque()
        exchanges[ObjectIdentifier(exchange)] = (exchange, connection)
        let length = head("Content-Length").map { Int($0) ?? .max } ?? 0
        guard length <= HTTPExchange.most else {
            exchange.isServed = true
            exchange.answer(.plain(413, "a body has at most \(HTTPExchange.most) bytes"))
            return complete(exchange, connection)
        }
        return .YES
    }

    /// All of a request came, or its answer is there.
    private func complete(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> MHD_Result {
        silent[connection] = nil
        if !exchange.isServed {
            exchange.isServed = true
            if isStopping { exchange.end() } else { serve(exchange) }
        }
        switch exchange.reply {
        case .whole(let answer)?: return send(answer, on: connection)
        case .feed(let feed)?:
            exchange.onReady = { [weak self, weak exchange] in
                guard let exchange else { return }
                self?.resume(exchange, connection)
            }
            return send(feed, of: exchange, on: connection)
        case nil:
            exchange.onReady = { [weak self, weak exchange] in
                guard let exchange else { return }
                self?.resume(exchange, connection)
            }
            exchange.isSuspended = true
            MHD_suspend_connection(connection)
            return .YES
        }
    }

    private func resume(_ exchange: HTTPExchange, _ connection: OpaquePointer) {
        guard exchange.isSuspended else { return }
        exchange.isSuspended = false
        MHD_resume_connection(connection)
        // At the end of the turn: whoever writes may write more.
        loop.enqueue { [weak self] in self?.run() }
    }

    // MARK: Sending

    private func send(_ answer: HTTPAnswer, on connection: OpaquePointer) -> MHD_Result {
        guard let response = Self.response(answer) else { return .NO }
        defer { MHD_destroy_response(response) }
        for (name, value) in PageHeads.of(answer) { MHD_add_response_header(response, name, value) }
        return MHD_queue_response(connection, answer.status, response)
    }

    private static func response(_ answer: HTTPAnswer) -> OpaquePointer? {
        guard let file = answer.file else {
            var body = answer.body
            return MHD_create_response_from_buffer(body.count, &body, .RESPMEM_MUST_COPY)
        }
        // The library closes the copy when the answer is sent.
        let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { return nil }
        let response = MHD_create_response_from_fd64(UInt64(file.size), copy)
        if response == nil { close(copy) }
        return response
    }

    /// What the library asks while it sends a stream: the feed, and how to wait for more of it.
    private final class Reading {
        let feed: HTTPFeed
        let connection: OpaquePointer
        weak var exchange: HTTPExchange?

        init(_ feed: HTTPFeed, _ exchange: HTTPExchange, _ connection: OpaquePointer) {
            self.feed = feed
            self.exchange = exchange
            self.connection = connection
        }
    }

    private func send(
        _ feed: HTTPFeed, of exchange: HTTPExchange, on connection: OpaquePointer
    ) -> MHD_Result {
        let reading = Unmanaged.passRetained(Reading(feed, exchange, connection))
        let response = MHD_create_response_from_callback(
            UInt64.max, 4096,
            { own, _, room, count in
                guard let own, let room else { return -1 }
                let reading = Unmanaged<Reading>.fromOpaque(own).takeUnretainedValue()
                let feed = reading.feed
                guard feed.isEmpty else {
                    return feed.read(into: UnsafeMutableRawBufferPointer(start: room, count: count))
                }
                guard !feed.isOver, let exchange = reading.exchange else { return -1 }
                exchange.isSuspended = true
                MHD_suspend_connection(reading.connection)
                return 0
            }, reading.toOpaque(),
            { own in own.map { Unmanaged<Reading>.fromOpaque($0).release() } })
        guard let response else {
            reading.release()
            return .NO
        }
        defer { MHD_destroy_response(response) }
        let heads =
            PageHeads.always + [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
            ]
        for (name, value) in heads { MHD_add_response_header(response, name, value) }
        return MHD_queue_response(connection, 200, response)
    }

    // MARK: Who says nothing

    private func sweepLater() {
        sweep = loop.schedule(at: loop.clock() + .seconds(1)) { [weak self] in
            self?.cutSilent()
            self?.sweepLater()
        }
    }

    /// Cuts off whoever has not sent a whole request in time, however slowly they send.
    private func cutSilent() {
        let now = loop.clock()
        for (_, connection) in silent where now - connection.since > Self.patience {
            shutdown(connection.socket, Int32(SHUT_RDWR))
        }
    }

    private static func host(_ address: UnsafePointer<sockaddr>?) -> Address.Host? {
        guard let address else { return nil }
        return Address.filled { storage, _ in
            let size =
                Int32(address.pointee.sa_family) == AF_INET
                ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            memcpy(storage, address, size)
            return 0
        }.address?.host
    }
}

/// What stands above each answer (docs/page.md section 4).
enum PageHeads {
    static let always = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                + "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// What stands above this one.
    static func of(_ answer: HTTPAnswer) -> [(String, String)] {
        var heads = always + [("Content-Type", answer.type)]
        if let file = answer.file {
            heads.append(("Content-Disposition", "attachment; filename=\"\(file.name)\""))
        }
        if answer.isPacked { heads.append(("Content-Encoding", "gzip")) }
        if let tag = answer.tag {
            heads += [("ETag", tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")]
        } else {
            heads.append(("Cache-Control", "no-store"))
        }
        return heads
    }
}
