// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Testing

@testable import SeatAgent
@testable import Transport
@testable import Keys

/// A TLS peer that keeps to none of our rules but those a test gives it: the library with its own
/// memory BIOs.
final class RawPeer {
    /// What it presents: certificates in order, the first with its key.
    struct Identity {
        let certificates: [OpaquePointer]
        let key: OpaquePointer
        /// Keeps borrowed pointers alive.
        var owners: [Certificate] = []
    }

    private let context: OpaquePointer
    let connection: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private(set) var isEstablished = false
    private(set) var hasFailed = false

    /// `adjust` gets the `SSL_CTX *` before the connection is made.
    init(
        _ role: TLSPipe.Role, _ identity: Identity?, protocolName: String? = "seatswap/1",
        adjust: (OpaquePointer) -> Void = { _ in }
    ) throws {
        context = try #require(SSL_CTX_new(TLS_method()))
        if let identity {
            SSL_CTX_use_certificate(context, identity.certificates[0])
            SSL_CTX_use_PrivateKey(context, identity.key)
            for extra in identity.certificates.dropFirst() {
                X509_up_ref(extra)
                SSL_CTX_ctrl(context, SSL_CTRL_EXTRA_CHAIN_CERT, 0, UnsafeMutableRawPointer(extra))
            }
        }
        if let protocolName {
            let list = [UInt8(protocolName.utf8.count)] + Array(protocolName.utf8)
            SSL_CTX_set_alpn_protos(context, list, UInt32(list.count))
        }
        adjust(context)
        connection = try #require(SSL_new(context))
        incoming = try #require(BIO_new(BIO_s_mem()))
        outgoing = try #require(BIO_new(BIO_s_mem()))
        SSL_set_bio(connection, incoming, outgoing)
        switch role {
        case .client: SSL_set_connect_state(connection)
        case .server: SSL_set_accept_state(connection)
        }
    }

    deinit {
        SSL_free(connection)
        SSL_CTX_free(context)
    }

    /// Goes on with the handshake and takes what came.
    @discardableResult
    func advance(_ bytes: [UInt8] = []) -> [UInt8] {
        if !bytes.isEmpty { BIO_write(incoming, bytes, Int32(bytes.count)) }
        ERR_clear_error()
        if !isEstablished {
            let result = SSL_do_handshake(connection)
            isEstablished = result == 1
            let error = SSL_get_error(connection, result)
            if !isEstablished && error != SSL_ERROR_WANT_READ { hasFailed = true }
        }
        guard isEstablished else { return [] }
        var plaintext: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = SSL_read(connection, &buffer, Int32(buffer.count))
            if count > 0 {
                plaintext += buffer[..<Int(count)]
                continue
            }
            if SSL_get_error(connection, count) == SSL_ERROR_SSL { hasFailed = true }
            return plaintext
        }
    }

    func write(_ bytes: [UInt8]) {
        SSL_write(connection, bytes, Int32(bytes.count))
    }

    func takeOutput() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = BIO_read(outgoing, &buffer, Int32(buffer.count))
            guard count > 0 else { return bytes }
            bytes += buffer[..<Int(count)]
        }
    }

    /// Passes bytes between this peer and a pipe until both are silent; throws what the pipe
    /// throws.
    func exchange(with pipe: TLSPipe) throws(TLSFailure) -> [UInt8] {
        var received: [UInt8] = []
        try pipe.start()
        for _ in 0..<16 {
            let out = pipe.takeOutput()
            advance(out)
            let back = takeOutput()
            if out.isEmpty && back.isEmpty { break }
            received += try pipe.feed(back)
        }
        return received
    }
}

extension RawPeer.Identity {
    /// As our own agents have it.
    static func honest(_ certificate: Certificate) -> RawPeer.Identity {
        RawPeer.Identity(
            certificates: [certificate.handle], key: certificate.privateKey,
            owners: [certificate])
    }

    /// A self-signed certificate with a key of another kind: "EC" or "RSA".
    static func other(_ algorithm: String) throws -> RawPeer.Identity {
        let maker = try #require(EVP_PKEY_CTX_new_from_name(nil, algorithm, nil))
        defer { EVP_PKEY_CTX_free(maker) }
        try #require(EVP_PKEY_keygen_init(maker) == 1)
        if algorithm == "EC" { EVP_PKEY_CTX_set_group_name(maker, "P-256") }
        var made: OpaquePointer?
        try #require(EVP_PKEY_generate(maker, &made) == 1)
        let key = try #require(made)
        let certificate = try #require(X509_new())
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        X509_gmtime_adj(X509_getm_notBefore(certificate), 0)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 3600)
        X509_set_pubkey(certificate, key)
        try #require(X509_sign(certificate, key, EVP_sha256()) > 0)
        return RawPeer.Identity(certificates: [certificate], key: key)
    }
}

extension TLSPipe {
    /// Takes any number of bytes and gives what they say.
    func feed(_ bytes: [UInt8]) throws(TLSFailure) -> [UInt8] {
        var plaintext: [UInt8] = []
        var start = 0
        repeat {
            let end = min(start + TLSPipe.feedLimit, bytes.count)
            try bytes[start..<end].withUnsafeBufferPointer { slice throws(TLSFailure) in
                try feed(UnsafeRawBufferPointer(slice), into: &plaintext)
            }
            start = end
        } while start < bytes.count
        return plaintext
    }

    func write(_ bytes: [UInt8]) throws(TLSFailure) {
        try bytes.withUnsafeBufferPointer { slice throws(TLSFailure) in
            try write(UnsafeRawBufferPointer(slice))
        }
    }
}
