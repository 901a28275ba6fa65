// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Glibc
import System
package import Text

/// Whom this agent believes that a host is itself: the system's roots, or those of a file.
package final class ClientTrust {
    /// `SSL_CTX *`, owned.
    fileprivate let handle: OpaquePointer

    /// Throws `usage` if the file has no certificates.
    package init(roots: String?) throws(UserError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw UserError(.failed, "there is no TLS on this machine")
        }
        handle = context
        guard copenssl_ordinary_client(context) == 1 else {
            throw UserError(.failed, "there is no TLS 1.2 on this machine")
        }
        guard let roots else {
            // Where there are none, no broker is trusted, and its trouble says so.
            SSL_CTX_set_default_verify_paths(context)
            return
        }
        guard SSL_CTX_load_verify_locations(context, roots, nil) == 1 else {
            ERR_clear_error()
            throw UserError(
                .usage, "rendezvous.ca: \(roots) has no certificates that can be read",
                why: "it should be a file of roots in PEM, as the operator gives it",
                advice: "openssl x509 -noout -subject -in \(ShellWord.quoted(roots))")
        }
    }

    deinit { SSL_CTX_free(handle) }
}

/// TLS of a client over an open socket (RFC 8446; docs/meet.md section 5).
final class ClientTLS {
    /// How far the handshake is.
    enum Step {
        case done
        case waits
        case failed(BrokerTrouble)
    }

    private let trust: ClientTrust
    /// `SSL *`, owned.
    private let connection: OpaquePointer
    /// The library waits for the socket to take bytes, whatever it was asked for.
    private(set) var wantsWrite = false

    /// `names` are those of which the certificate must have one; the first is asked for.
    /// `protocolName` is offered by ALPN (RFC 7301). `nil` where there is no memory.
    init?(_ trust: ClientTrust, over descriptor: Int32, names: [String], protocolName: String?) {
        ERR_clear_error()
        guard let connection = SSL_new(trust.handle) else { return nil }
        self.trust = trust
        self.connection = connection
        let isAddress = names.first.map { (try? Address.Host(parsing: $0)) != nil } ?? false
        guard let first = names.first, SSL_set_fd(connection, descriptor) == 1,
            SSL_set1_host(connection, first) == 1,
            names.dropFirst().allSatisfy({ SSL_add1_host(connection, $0) == 1 }),
            isAddress || copenssl_set_server_name(connection, first) == 1
        else { return nil }
        let name = protocolName.map { [UInt8($0.utf8.count)] + Array($0.utf8) } ?? []
        if !name.isEmpty, SSL_set_alpn_protos(connection, name, UInt32(name.count)) != 0 {
            return nil
        }
        SSL_set_connect_state(connection)
    }

    deinit { SSL_free(connection) }

    func shake() -> Step {
        ERR_clear_error()
        let result = SSL_do_handshake(connection)
        if result == 1 {
            wantsWrite = false
            return .done
        }
        switch SSL_get_error(connection, result) {
        case SSL_ERROR_WANT_READ: wantsWrite = false
        case SSL_ERROR_WANT_WRITE: wantsWrite = true
        case SSL_ERROR_SYSCALL where errno == 0: return .failed(.closed)
        case SSL_ERROR_SYSCALL: return .failed(.of(SystemError.last))
        default: return .failed(reason())
        }
        return .waits
    }

    /// Seconds until the certificate at the other end is over; `nil` before there is one.
    var certificateLife: Int64? {
        guard let certificate = SSL_get1_peer_certificate(connection) else { return nil }
        defer { X509_free(certificate) }
        var (days, seconds): (Int32, Int32) = (0, 0)
        // Without a first time it counts from now.
        let end = X509_get0_notAfter(certificate)
        guard ASN1_TIME_diff(&days, &seconds, nil, end) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }

    func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        ERR_clear_error()
        return outcome(SSL_read(connection, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        ERR_clear_error()
        return outcome(SSL_write(connection, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    /// Says that nothing more comes, if the socket takes that at once.
    func close() {
        ERR_clear_error()
        _ = SSL_shutdown(connection)
        // It complains of a handshake that is not over; nobody else is to find that.
        ERR_clear_error()
    }

    private func outcome(_ result: Int32) -> Transfer {
        wantsWrite = false
        if result > 0 { return .moved(Int(result)) }
        switch SSL_get_error(connection, result) {
        case SSL_ERROR_WANT_READ: return .wouldBlock
        case SSL_ERROR_WANT_WRITE:
            wantsWrite = true
            return .wouldBlock
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: return .failed(SystemError(code: ECONNRESET))
        }
    }

    private func reason() -> BrokerTrouble {
        switch SSL_get_verify_result(connection) {
        case Int(X509_V_OK): break
        case Int(X509_V_ERR_HOSTNAME_MISMATCH), Int(X509_V_ERR_IP_ADDRESS_MISMATCH):
            return .otherHost
        case Int(X509_V_ERR_CERT_HAS_EXPIRED): return .expired
        case Int(X509_V_ERR_CERT_NOT_YET_VALID): return .notYetValid
        default: return .untrusted
        }
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let words = ERR_reason_error_string(code) else { return .closed }
        return .tls(String(cString: words))
    }
}
