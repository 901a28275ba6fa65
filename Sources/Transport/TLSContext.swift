// SPDX-License-Identifier: Apache-2.0
import COpenSSL
package import System

/// What all TLS connections of this agent have in common: the profile of docs/protocol.md section
/// 4, the own certificate and the local block list. Serves both roles.
package final class TLSContext {
    /// The name of protocol version 1 in ALPN.
    package static let protocolName = "seatswap/1"

    /// The own certificate.
    package let certificate: Certificate
    /// Whether the passenger blocked this key of 32 bytes; asked once per handshake of a client.
    package let isBlocked: ([UInt8]) -> Bool
    /// Where the secrets of all connections are written; `nil` for nowhere.
    package let keyLog: KeyLogFile?

    /// `SSL_CTX *`, owned.
    let handle: OpaquePointer
    /// `BIO_METHOD *`, owned.
    let method: OpaquePointer
    /// Room for one decrypted record, used within one call of one pipe.
    let record: UnsafeMutableRawBufferPointer

    /// Connections that keep their buffers between records, the last one used at the end.
    private var warm: [OpaquePointer] = []
    private var lastUsed: OpaquePointer?
    /// How many do: to make and free buffers costs a twelfth of what TLS takes for a short record,
    /// but hundreds of quiet links must stay small.
    static let mostWarm = 4
    /// How many do now, for tests.
    var warmCount: Int { warm.count }

    private static let suites = "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256"
    /// Bytes of a peer's certificate message: enough to see that there is more than one
    /// certificate, too little to fill memory.
    private static let certificateMessageLimit = 4 * 1024

    /// A context for this certificate. Throws ``TLSFailure/unusable(_:)``.
    package init(
        certificate: Certificate, keyLog: KeyLogFile? = nil,
        isBlocked: @escaping ([UInt8]) -> Bool = { _ in false }
    ) throws(TLSFailure) {
        Self.loadNoConfiguration()
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_method()) else {
            throw .unusableFromErrorQueue("no TLS")
        }
        guard let method = MemoryBIO.makeMethod() else {
            SSL_CTX_free(context)
            throw .unusableFromErrorQueue("no BIO")
        }
        self.certificate = certificate
        self.isBlocked = isBlocked
        self.keyLog = keyLog
        self.method = method
        handle = context
        record = .allocate(byteCount: 16 * 1024, alignment: 64)
        guard applyProfile(), applyIdentity() else {
            throw .unusableFromErrorQueue("the TLS profile is refused")
        }
        if keyLog != nil { SSL_CTX_set_keylog_callback(handle, logSecret) }
    }

    deinit {
        SSL_CTX_free(handle)
        BIO_meth_free(method)
        record.deallocate()
    }

    /// Whether the library is asked for the secrets of connections.
    package var logsSecrets: Bool { SSL_CTX_get_keylog_callback(handle) != nil }

    /// The whole profile is in this file: no setting of the machine or the environment counts.
    static func loadNoConfiguration() {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
    }

    /// A connection moves a record. It keeps its buffers until ``mostWarm`` others did.
    func used(_ connection: OpaquePointer) {
        guard connection != lastUsed else { return }
        lastUsed = connection
        if let place = warm.firstIndex(of: connection) {
            warm.remove(at: place)
        } else {
            copenssl_keep_buffers(connection)
        }
        warm.append(connection)
        if warm.count > Self.mostWarm { copenssl_release_buffers(warm.removeFirst()) }
    }

    /// A connection is about to be freed.
    func gone(_ connection: OpaquePointer) {
        if lastUsed == connection { lastUsed = nil }
        warm.removeAll { $0 == connection }
    }

    private func applyProfile() -> Bool {
        copenssl_set_options(handle)
        copenssl_set_max_cert_list(handle, Self.certificateMessageLimit)
        SSL_CTX_set_verify(handle, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        SSL_CTX_set_cert_verify_callback(handle, judgePeer, nil)
        SSL_CTX_set_alpn_select_cb(handle, chooseProtocol, nil)
        let names = Self.protocolList
        return copenssl_only_tls13(handle) == 1
            && SSL_CTX_set_ciphersuites(handle, Self.suites) == 1
            && copenssl_set_groups(handle, "X25519") == 1
            && copenssl_set_sigalgs(handle, "ed25519") == 1
            && SSL_CTX_set_num_tickets(handle, 0) == 1
            && SSL_CTX_set_max_early_data(handle, 0) == 1
            // This one call of the library answers 0 for success.
            && SSL_CTX_set_alpn_protos(handle, names, UInt32(names.count)) == 0
    }

    private func applyIdentity() -> Bool {
        SSL_CTX_use_certificate(handle, certificate.handle) == 1
            && SSL_CTX_use_PrivateKey(handle, certificate.privateKey) == 1
            && SSL_CTX_check_private_key(handle) == 1
    }

    /// The list of one name as ALPN writes it (RFC 7301 3.1).
    fileprivate static let protocolList =
        [UInt8(protocolName.utf8.count)] + Array(protocolName.utf8)
}

// Free functions: a closure could be taken for isolated code and trap when C calls it.

/// Replaces the library's own verification as a whole.
private func judgePeer(_ store: OpaquePointer?, _: UnsafeMutableRawPointer?) -> Int32 {
    let connection = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
    guard let connection, let owner = copenssl_owner(OpaquePointer(connection)) else { return 0 }
    let pipe = Unmanaged<TLSPipe>.fromOpaque(owner).takeUnretainedValue()
    let count = Int(copenssl_chain_count(store))
    if pipe.judge(X509_STORE_CTX_get0_cert(store), count: count) { return 1 }
    // One alert for every reason.
    X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED)
    return 0
}

/// A secret as a line of the key log format of NSS, for the file.
private func logSecret(_ connection: OpaquePointer?, _ line: UnsafePointer<CChar>?) {
    guard let connection, let line, let owner = copenssl_owner(connection) else { return }
    let pipe = Unmanaged<TLSPipe>.fromOpaque(owner).takeUnretainedValue()
    pipe.keyLog?.write(line: line)
}

/// The server's half of ALPN; a client that offers nothing is caught after the handshake.
private func chooseProtocol(
    _: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenCount: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?,
    _ offeredCount: UInt32, _: UnsafeMutableRawPointer?
) -> Int32 {
    let name = Array(TLSContext.protocolName.utf8)
    let list = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    var position = 0
    while position < list.count {
        let start = position + 1
        let end = start + Int(list[position])
        guard end <= list.count else { break }
        if list[start..<end].elementsEqual(name), let base = list.baseAddress {
            // The answer points into the offer, which outlives this call.
            chosen?.pointee = base + start
            chosenCount?.pointee = UInt8(name.count)
            return SSL_TLSEXT_ERR_OK
        }
        position = end
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
