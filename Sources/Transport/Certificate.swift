// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The agent's own certificate: the wrapping around the key that TLS requires.
///
/// Self-signed X.509 v3, CN `seatswap`, serial 1, valid 2000 to 2049, Ed25519, no extensions
/// (docs/protocol.md section 4). The same seed gives the same bytes, so a certificate says nothing
/// that the key does not say.
package final class Certificate {
    /// Bytes of an Ed25519 seed (RFC 8032 5.1.5).
    package static let seedSize = 32

    /// The certificate, about 200 bytes of DER.
    package let der: [UInt8]
    /// The Ed25519 public key, 32 bytes: the passenger's identity.
    package let publicKey: [UInt8]

    /// `X509 *`, owned.
    let handle: OpaquePointer
    /// `EVP_PKEY *`, owned.
    let privateKey: OpaquePointer

    /// Makes the certificate of the key with this seed of 32 bytes, which the library copies.
    /// Throws ``TLSFailure/unusable(_:)``.
    package init(seed: UnsafeRawBufferPointer) throws(TLSFailure) {
        TLSContext.loadNoConfiguration()
        ERR_clear_error()
        guard seed.count == Self.seedSize,
            let key = EVP_PKEY_new_raw_private_key(
                EVP_PKEY_ED25519, nil, seed.bindMemory(to: UInt8.self).baseAddress, seed.count)
        else { throw .unusableFromErrorQueue("no key from this seed") }
        guard let certificate = X509_new() else {
            EVP_PKEY_free(key)
            throw .unusableFromErrorQueue("no certificate")
        }
        let filled = Self.fill(certificate, key: key)
        der = derBytes(certificate, i2d_X509)
        publicKey = Self.rawKey(key)
        handle = certificate
        privateKey = key
        guard filled, der.count <= PeerCertificate.sizeLimit, publicKey.count == 32 else {
            throw .unusableFromErrorQueue("the certificate cannot be made")
        }
    }

    /// The same from an array.
    package static func make(seed: [UInt8]) throws(TLSFailure) -> Certificate {
        try seed.withUnsafeBufferPointer { bytes throws(TLSFailure) in
            try Certificate(seed: UnsafeRawBufferPointer(bytes))
        }
    }

    deinit {
        X509_free(handle)
        EVP_PKEY_free(privateKey)
    }

    private static func fill(_ certificate: OpaquePointer, key: OpaquePointer) -> Bool {
        guard let name = X509_get_subject_name(certificate) else { return false }
        return X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1
            && ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), "20000101000000Z") == 1
            && ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), "20491231235959Z") == 1
            && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "seatswap", -1, -1, 0) == 1
            && X509_set_issuer_name(certificate, name) == 1
            && X509_set_pubkey(certificate, key) == 1
            // Ed25519 hashes by itself: no digest is named.
            && X509_sign(certificate, key, nil) > 0
    }

    private static func rawKey(_ key: OpaquePointer) -> [UInt8] {
        var raw = [UInt8](repeating: 0, count: 32)
        var count = raw.count
        return EVP_PKEY_get_raw_public_key(key, &raw, &count) == 1 ? raw : []
    }
}

/// The check of a peer's certificate. It ignores names, dates and signatures in it: only the key
/// counts, and TLS itself proves that the peer has it.
enum PeerCertificate {
    /// Bytes of DER; an honest one has about 200.
    static let sizeLimit = 1024

    /// The bytes before the 32 bytes of the key in the 44-byte SubjectPublicKeyInfo of an
    /// Ed25519 key (RFC 8410 4).
    static let keyPrefix: [UInt8] = [
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    /// The key of a chain of `count` certificates that begins with `certificate` (`X509 *`).
    static func check(
        _ certificate: OpaquePointer?, count: Int, ownKey: [UInt8], isBlocked: ([UInt8]) -> Bool
    ) throws(CertificateRefusal) -> [UInt8] {
        guard let certificate, count > 0 else { throw .none }
        guard count == 1 else { throw .several }
        guard i2d_X509(certificate, nil) <= sizeLimit else { throw .tooLarge }
        let info = derBytes(X509_get_X509_PUBKEY(certificate), i2d_X509_PUBKEY)
        guard info.count == keyPrefix.count + 32, info.starts(with: keyPrefix) else {
            throw .notEd25519
        }
        let key = Array(info.dropFirst(keyPrefix.count))
        guard key != ownKey else { throw .ownKey }
        guard !isBlocked(key) else { throw .blocked }
        return key
    }
}

/// The DER form that one of OpenSSL's `i2d` functions makes; empty when it cannot.
func derBytes(
    _ object: OpaquePointer?,
    _ encode: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) -> [UInt8] {
    let size = Int(encode(object, nil))
    guard size > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        var end = buffer.baseAddress
        count = max(0, Int(encode(object, &end)))
    }
}
