// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Testing

@testable import SeatAgent
@testable import Transport
@testable import Keys

@Suite struct NetworkTLSRefusalTests {
    private func server() throws -> TLSPipe {
        try TLSPipe(context: TLSContext(certificate: .seeded(2)), role: .server)
    }

    private func client() throws -> TLSPipe {
        try TLSPipe(context: TLSContext(certificate: .seeded(1)), role: .client)
    }

    @Test func anHonestRawClientIsAccepted() throws {
        let pipe = try server()
        let peer = try RawPeer(.client, .honest(.seeded(1)))
        _ = try peer.exchange(with: pipe)
        #expect(pipe.isEstablished)
        #expect(try pipe.peerKey == Certificate.seeded(1).publicKey)
    }

    @Test(arguments: ["seatswap/2", "h2", "seatswap/", "seatswap/10"])
    func anotherProtocolName(name: String) throws {
        let pipe = try server()
        let peer = try RawPeer(.client, .honest(.seeded(1)), protocolName: name)
        #expect(throws: TLSFailure.wrongProtocolName) { try peer.exchange(with: pipe) }
        peer.advance(pipe.takeOutput())
        #expect(peer.hasFailed)
    }

    @Test func aClientWithoutProtocolName() throws {
        let pipe = try server()
        let peer = try RawPeer(.client, .honest(.seeded(1)), protocolName: nil)
        #expect(throws: TLSFailure.wrongProtocolName) { try peer.exchange(with: pipe) }
        #expect(!pipe.isEstablished)
    }

    @Test func aServerWithoutProtocolName() throws {
        let pipe = try client()
        let peer = try RawPeer(.server, .honest(.seeded(2)), protocolName: nil)
        #expect(throws: TLSFailure.wrongProtocolName) { try peer.exchange(with: pipe) }
        #expect(!pipe.isEstablished)
    }

    @Test func olderTLS() throws {
        let pipe = try server()
        let old = try RawPeer(.client, .honest(.seeded(1))) {
            _ = SSL_CTX_ctrl($0, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        }
        #expect(throws: TLSFailure.broken("unsupported protocol")) {
            try old.exchange(with: pipe)
        }
    }

    @Test func anotherGroup() throws {
        let pipe = try server()
        let peer = try RawPeer(.client, .honest(.seeded(1))) { context in
            "P-256".withCString {
                _ = SSL_CTX_ctrl(
                    context, SSL_CTRL_SET_GROUPS_LIST, 0, UnsafeMutableRawPointer(mutating: $0))
            }
        }
        #expect(throws: TLSFailure.broken("no suitable key share")) {
            try peer.exchange(with: pipe)
        }
    }

    @Test func anotherSuite() throws {
        let pipe = try server()
        let peer = try RawPeer(.client, .honest(.seeded(1))) {
            SSL_CTX_set_ciphersuites($0, "TLS_AES_256_GCM_SHA384")
        }
        #expect(throws: TLSFailure.broken("no shared cipher")) { try peer.exchange(with: pipe) }
    }

    @Test func noCertificate() throws {
        let pipe = try server()
        let peer = try RawPeer(.client, nil)
        #expect(throws: TLSFailure.refused(.none)) { try peer.exchange(with: pipe) }
    }

    @Test(arguments: ["EC", "RSA"]) func aClientWithAnotherKindOfKey(algorithm: String) throws {
        let pipe = try server()
        let peer = try RawPeer(.client, .other(algorithm))
        // It has nothing to sign with that we take, so it presents nothing.
        #expect(throws: TLSFailure.refused(.none)) { try peer.exchange(with: pipe) }
    }

    @Test(arguments: ["EC", "RSA"]) func aServerWithAnotherKindOfKey(algorithm: String) throws {
        let pipe = try client()
        let peer = try RawPeer(.server, .other(algorithm))
        #expect(throws: TLSFailure.alert(40)) { try peer.exchange(with: pipe) }
    }

    @Test func twoCertificates() throws {
        let own = try Certificate.seeded(1)
        let more = try Certificate.seeded(3)
        let both = RawPeer.Identity(
            certificates: [own.handle, more.handle], key: own.privateKey, owners: [own, more])
        let pipe = try server()
        let peer = try RawPeer(.client, both)
        #expect(throws: TLSFailure.refused(.several)) { try peer.exchange(with: pipe) }
    }

    @Test func ourOwnKey() throws {
        let pair = try PipePair(5, 5)
        #expect(throws: TLSFailure.refused(.ownKey)) { try pair.exchange() }
    }

    @Test func whoIsRefusedIsToldByAnAlert() throws {
        let pipe = try server()
        let peer = try RawPeer(.client, .honest(.seeded(2)))
        #expect(throws: TLSFailure.refused(.ownKey)) { try peer.exchange(with: pipe) }
        peer.advance(pipe.takeOutput())
        #expect(peer.hasFailed)
    }

    @Test func aServerTakesABlockedKeyAndTellsNothing() throws {
        let blocked = try Certificate.seeded(1).publicKey
        let pair = try PipePair(serverBlocks: { $0 == blocked })
        try pair.exchange()
        #expect(pair.server.isEstablished && pair.client.isEstablished)
        #expect(pair.server.peerKey == blocked)
    }

    @Test func aClientHangsUpOnABlockedKeyWithoutAWord() throws {
        let blocked = try Certificate.seeded(2).publicKey
        let pair = try PipePair(clientBlocks: { $0 == blocked })
        try pair.client.start()
        _ = try pair.server.feed(pair.client.takeOutput())
        #expect(throws: TLSFailure.refused(.blocked)) {
            try pair.client.feed(pair.server.takeOutput())
        }
        #expect(pair.client.outputCount == 0)
    }

    @Test func garbage() throws {
        #expect(throws: TLSFailure.self) { try server().feed(Array("GET / HTTP/1.1\r\n".utf8)) }
        #expect(throws: TLSFailure.self) { try client().feed([UInt8](repeating: 0xff, count: 64)) }
    }

    @Test func aDeadPipeStaysDead() throws {
        let pipe = try server()
        #expect(throws: TLSFailure.self) { try pipe.feed(Array("GET / HTTP/1.1\r\n".utf8)) }
        #expect(throws: TLSFailure.self) { try pipe.feed([22]) }
    }

    @Test func aTruncatedHandshakeIsNotEstablished() throws {
        let pair = try PipePair()
        try pair.client.start()
        let hello = pair.client.takeOutput()
        _ = try pair.server.feed(Array(hello.dropLast()))
        #expect(pair.server.outputCount == 0 && !pair.server.isEstablished)
        _ = try pair.server.feed(Array(hello.suffix(1)))
        #expect(pair.server.outputCount > 0)
    }

    @Test func aChangedByteEndsIt() throws {
        let pair = try PipePair()
        try pair.exchange()
        try pair.client.write([1, 2, 3])
        var record = pair.client.takeOutput()
        record[record.count - 1] ^= 1
        #expect(throws: TLSFailure.self) { try pair.server.feed(record) }
    }

    @Test func aHandshakeHasALimit() throws {
        let pipe = try server()
        // The head of a ClientHello of 65 kB, and then its body without end.
        var body = [UInt8](repeating: 0, count: 16_384)
        body.replaceSubrange(0..<4, with: [1, 0, 0xff, 0xff])
        let record = [22, 3, 1, 0x40, 0] + body
        #expect(throws: TLSFailure.tooMuchHandshake) { try pipe.feed(record + record) }
        #expect(!pipe.isEstablished)
    }

    @Test func keyUpdatesAreAnsweredButNotForEver() throws {
        let pipe = try server()
        let peer = try RawPeer(.client, .honest(.seeded(1)))
        _ = try peer.exchange(with: pipe)
        SSL_key_update(peer.connection, SSL_KEY_UPDATE_REQUESTED)
        peer.write([1])
        #expect(try pipe.feed(peer.takeOutput()) == [1])
        try pipe.write([2])
        #expect(peer.advance(pipe.takeOutput()) == [2])
        #expect(throws: TLSFailure.tooMuchHandshake) {
            for _ in 0..<1000 {
                SSL_key_update(peer.connection, SSL_KEY_UPDATE_REQUESTED)
                peer.write([1])
                _ = try pipe.feed(peer.takeOutput())
            }
        }
        #expect(pipe.outputCount < 8 * 1024)
    }
}
