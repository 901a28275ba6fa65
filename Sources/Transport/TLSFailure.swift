// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Why a TLS connection did not come about or broke.
package enum TLSFailure: Error, Equatable, Sendable {
    /// We do not accept the peer's certificate.
    case refused(CertificateRefusal)
    /// The peer ended it with an alert of TLS, by its number (RFC 8446 6).
    case alert(UInt8)
    /// The peer does not speak `seatswap/1`.
    case wrongProtocolName
    /// More than 16 KiB came without a handshake, or too much chatter after it.
    case tooMuchHandshake
    /// The peer's bytes are not the TLS we speak: the library's reason, in its words.
    case broken(String)
    /// The library failed at a routine step: no memory, or a bad key of our own.
    case unusable(String)
}

/// Why a peer's certificate is not accepted (docs/protocol.md section 4).
package enum CertificateRefusal: Error, Equatable, Sendable {
    /// The peer sent none.
    case none
    /// The peer sent more than one.
    case several
    /// It has more than 1 KiB.
    case tooLarge
    /// Its key is not an Ed25519 key in the 44-byte form.
    case notEd25519
    /// It is our own: a connection to ourselves.
    case ownKey
    /// The passenger blocked this key.
    case blocked
}

extension TLSFailure {
    /// Empties the library's error queue of this thread and names the first entry.
    static func fromErrorQueue() -> TLSFailure {
        let code = ERR_get_error()
        ERR_clear_error()
        // A peer that just goes away leaves nothing in the queue.
        guard code != 0 else { return .broken("unexpected end") }
        let reason = ERR_GET_REASON(code)
        if ERR_GET_LIB(code) == ERR_LIB_SSL {
            // Alerts of the peer are reasons from 1000 up.
            if let alert = UInt8(exactly: reason - SSL_AD_REASON_OFFSET), reason >= 1000 {
                return .alert(alert)
            }
            if reason == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE { return .refused(.none) }
            if reason == SSL_R_NO_APPLICATION_PROTOCOL { return .wrongProtocolName }
        }
        guard let words = ERR_reason_error_string(code) else { return .broken("error \(code)") }
        return .broken(String(cString: words))
    }

    /// The same for a failure of our own doing.
    static func unusableFromErrorQueue(_ what: String) -> TLSFailure {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let words = ERR_reason_error_string(code) else { return .unusable(what) }
        return .unusable("\(what): \(String(cString: words))")
    }
}
