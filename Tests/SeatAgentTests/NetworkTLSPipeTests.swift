// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Testing

@testable import SeatAgent
@testable import Transport

/// Two pipes and the bytes between them.
struct PipePair {
    let client: TLSPipe
    let server: TLSPipe

    init(
        _ clientSeed: UInt8 = 1, _ serverSeed: UInt8 = 2,
        clientBlocks: @escaping ([UInt8]) -> Bool = { _ in false },
        serverBlocks: @escaping ([UInt8]) -> Bool = { _ in false }
    ) throws {
        let clientContext = try TLSContext(
            certificate: .seeded(clientSeed), isBlocked: clientBlocks)
        let serverContext = try TLSContext(
            certificate: .seeded(serverSeed), isBlocked: serverBlocks)
        try self.init(clientContext, serverContext)
    }

    init(_ clientContext: TLSContext, _ serverContext: TLSContext) throws {
        client = try TLSPipe(context: clientContext, role: .client)
        server = try TLSPipe(context: serverContext, role: .server)
    }

    /// Passes bytes until both are silent.
    func exchange() throws {
        try client.start()
        for _ in 0..<16 {
            let out = client.takeOutput()
            let toClient = try server.feed(out)
            let back = server.takeOutput()
            let toServer = try client.feed(back)
            #expect(toClient.isEmpty && toServer.isEmpty)
            if out.isEmpty && back.isEmpty { break }
        }
    }
}

extension Certificate {
    static func seeded(_ byte: UInt8) throws -> Certificate {
        try .make(seed: [UInt8](repeating: byte, count: 32))
    }
}

@Suite struct NetworkTLSPipeTests {
    @Test func bothEndsLearnTheKeysAndTheSameExporter() throws {
        let pair = try PipePair()
        try pair.exchange()
        #expect(pair.client.isEstablished && pair.server.isEstablished)
        #expect(try pair.client.peerKey == Certificate.seeded(2).publicKey)
        #expect(try pair.server.peerKey == Certificate.seeded(1).publicKey)
        let exported = try pair.client.exporter()
        #expect(exported.count == 32)
        #expect(try pair.server.exporter() == exported)
    }

    @Test func theExporterDiffersForEveryConnection() throws {
        let (first, second) = (try PipePair(), try PipePair())
        try first.exchange()
        try second.exchange()
        #expect(try first.client.exporter() != second.client.exporter())
    }

    @Test func nothingIsExportedOrWrittenBeforeTheHandshake() throws {
        let pair = try PipePair()
        #expect(throws: TLSFailure.self) { try pair.client.exporter() }
        #expect(throws: TLSFailure.self) { try pair.client.write([1]) }
    }

    @Test func theHandshakeIsTheProfile() throws {
        let server = try RawPeer(.server, .honest(.seeded(2))) { context in
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
            SSL_CTX_set_cert_verify_callback(context, { _, _ in 1 }, nil)
            let choose: SSL_CTX_alpn_select_cb_func = { _, chosen, count, offered, _, _ in
                chosen?.pointee = offered.map { $0 + 1 }
                count?.pointee = offered?.pointee ?? 0
                return SSL_TLSEXT_ERR_OK
            }
            SSL_CTX_set_alpn_select_cb(context, choose, nil)
        }
        let client = try TLSPipe(context: TLSContext(certificate: .seeded(1)), role: .client)
        _ = try server.exchange(with: client)
        #expect(client.isEstablished && server.isEstablished)
        let connection = server.connection
        #expect(SSL_version(connection) == TLS1_3_VERSION)
        #expect(SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name) == nil)
        let suite = String(cString: SSL_CIPHER_get_name(SSL_get_current_cipher(connection)))
        // The raw server prefers nothing, so this is our order.
        #expect(suite == "TLS_AES_128_GCM_SHA256")
        #expect(SSL_session_reused(connection) == 0)
        // Tickets of a peer that keeps to no profile leave no trace.
        #expect(client.takeOutput().isEmpty)
    }

    @Test func onlyTheConnectionsUsedLastKeepTheirBuffers() throws {
        let here = try TLSContext(certificate: .seeded(1))
        let there = try TLSContext(certificate: .seeded(2))
        var pairs = try (0..<6).map { _ in try PipePair(here, there) }
        for pair in pairs { try pair.exchange() }
        // Twice around, so that each is among the last again after it was not.
        for pair in pairs + pairs {
            try pair.client.write([1, 2, 3])
            #expect(try pair.server.feed(pair.client.takeOutput()) == [1, 2, 3])
            #expect(here.warmCount <= TLSContext.mostWarm)
        }
        #expect(here.warmCount == TLSContext.mostWarm && there.warmCount == TLSContext.mostWarm)
        pairs.removeLast(3)
        #expect(here.warmCount == 1 && there.warmCount == 1)
        pairs = []
        #expect(here.warmCount == 0)
    }

    @Test func oneByteAtATime() throws {
        let pair = try PipePair()
        try pair.client.start()
        for _ in 0..<4 {
            for byte in pair.client.takeOutput() { _ = try pair.server.feed([byte]) }
            for byte in pair.server.takeOutput() { _ = try pair.client.feed([byte]) }
        }
        #expect(pair.client.isEstablished && pair.server.isEstablished)
        try pair.client.write([1, 2, 3])
        var received: [UInt8] = []
        for byte in pair.client.takeOutput() { received += try pair.server.feed([byte]) }
        #expect(received == [1, 2, 3])
    }

    @Test func dataThatComesWithTheFinishedIsNotLost() throws {
        let pair = try PipePair()
        try pair.client.start()
        _ = try pair.server.feed(pair.client.takeOutput())
        _ = try pair.client.feed(pair.server.takeOutput())
        #expect(pair.client.isEstablished && !pair.server.isEstablished)
        let early = [UInt8](repeating: 7, count: 40_000)
        try pair.client.write(early)
        // Certificate, Finished and 40 kB in one piece: more than a stranger may send.
        #expect(try pair.server.feed(pair.client.takeOutput()) == early)
        #expect(pair.server.isEstablished)
    }

    @Test func aMebibyteInBothDirections() throws {
        let pair = try PipePair()
        try pair.exchange()
        let sent = (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 / 251) }
        try pair.client.write(sent)
        try pair.server.write(sent.reversed())
        #expect(try pair.server.feed(pair.client.takeOutput()) == sent)
        #expect(try pair.client.feed(pair.server.takeOutput()) == sent.reversed())
    }

    @Test func aWriteFillsRecords() throws {
        let pair = try PipePair()
        try pair.exchange()
        try pair.client.write([UInt8](repeating: 1, count: 65_536))
        // Four records: 5 bytes of header, 1 of type, 16 of tag each.
        #expect(pair.client.outputCount == 65_536 + 4 * 22)
    }

    @Test func goodbyeIsSeen() throws {
        let pair = try PipePair()
        try pair.exchange()
        try pair.client.write([1])
        pair.client.close()
        #expect(try pair.server.feed(pair.client.takeOutput()) == [1])
        #expect(pair.server.peerClosed)
        #expect(throws: TLSFailure.self) { try pair.client.write([2]) }
    }

    @Test func outputLeavesInTheSizesTheSocketTakes() throws {
        let pair = try PipePair()
        try pair.exchange()
        try pair.client.write([5, 6, 7])
        var taken: [UInt8] = []
        while pair.client.outputCount > 0 {
            let outcome = pair.client.sendOutput { bytes in
                taken += bytes.prefix(2)
                return .moved(min(2, bytes.count))
            }
            #expect(outcome != .wouldBlock)
        }
        #expect(try pair.server.feed(taken) == [5, 6, 7])
        try pair.client.write([8])
        let waiting = pair.client.outputCount
        #expect(pair.client.sendOutput { _ in .wouldBlock } == .wouldBlock)
        #expect(pair.client.outputCount == waiting)
    }
}
