// SPDX-License-Identifier: Apache-2.0
import CGnuTLS
import Glibc
import Keys
import Protocol

/// What GnuTLS said.
struct LibraryFault: Error {
    let text: String

    static func check(_ code: Int32) throws(LibraryFault) {
        guard code < 0 else { return }
        throw LibraryFault(text: gnutls_strerror(code).map { String(cString: $0) } ?? "\(code)")
    }
}

/// Bytes that one of the library's `export2` functions made.
private func exported(
    _ make: (UnsafeMutablePointer<gnutls_datum_t>) -> Int32
) throws(LibraryFault) -> [UInt8] {
    var made = gnutls_datum_t()
    try LibraryFault.check(make(&made))
    defer { free(made.data) }
    return Array(UnsafeBufferPointer(start: made.data, count: Int(made.size)))
}

/// Hands a text to one of the library's `import` functions.
private func imported(
    _ text: String, _ read: (UnsafePointer<gnutls_datum_t>) -> Int32
) throws(LibraryFault) {
    var bytes = Array(text.utf8)
    let code = bytes.withUnsafeMutableBufferPointer { bytes in
        var given = gnutls_datum_t(data: bytes.baseAddress, size: UInt32(bytes.count))
        return read(&given)
    }
    try LibraryFault.check(code)
}

/// A secret key on P-256.
final class X509Key {
    let handle: gnutls_x509_privkey_t

    private init(empty: Void) throws(LibraryFault) {
        var made: gnutls_x509_privkey_t?
        try LibraryFault.check(gnutls_x509_privkey_init(&made))
        guard let made else { throw LibraryFault(text: "no memory") }
        handle = made
    }

    convenience init() throws(LibraryFault) {
        try self.init(empty: ())
        try LibraryFault.check(
            gnutls_x509_privkey_generate(handle, GNUTLS_PK_ECDSA, cgnutls_p256_bits(), 0))
    }

    convenience init(pem: String) throws(LibraryFault) {
        try self.init(empty: ())
        try imported(pem) { gnutls_x509_privkey_import(handle, $0, GNUTLS_X509_FMT_PEM) }
    }

    deinit { gnutls_x509_privkey_deinit(handle) }

    var pem: String {
        get throws(LibraryFault) {
            let bytes = try exported {
                gnutls_x509_privkey_export2_pkcs8(
                    handle, GNUTLS_X509_FMT_PEM, nil, UInt32(GNUTLS_PKCS_PLAIN.rawValue), $0)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// What tells it from other keys.
    var number: [UInt8] {
        get throws(LibraryFault) {
            var (room, count) = ([UInt8](repeating: 0, count: 64), 64)
            try LibraryFault.check(gnutls_x509_privkey_get_key_id(handle, 0, &room, &count))
            return Array(room.prefix(count))
        }
    }
}

/// A certificate that is made or read.
final class X509Body {
    let handle: gnutls_x509_crt_t

    init() throws(LibraryFault) {
        var made: gnutls_x509_crt_t?
        try LibraryFault.check(gnutls_x509_crt_init(&made))
        guard let made else { throw LibraryFault(text: "no memory") }
        handle = made
    }

    convenience init(pem: String) throws(LibraryFault) {
        try self.init()
        try imported(pem) { gnutls_x509_crt_import(handle, $0, GNUTLS_X509_FMT_PEM) }
    }

    deinit { gnutls_x509_crt_deinit(handle) }

    /// Everything but the key. Browsers look at the addresses and at what it may be used for; no
    /// name is in it but the program's.
    func fill(_ addresses: [[UInt8]], at begin: Int64) throws(LibraryFault) {
        let serial = Self.serial()
        try LibraryFault.check(gnutls_x509_crt_set_version(handle, 3))
        try LibraryFault.check(gnutls_x509_crt_set_serial(handle, serial, serial.count))
        let name = "seatagent"
        try LibraryFault.check(
            gnutls_x509_crt_set_dn_by_oid(
                handle, GNUTLS_OID_X520_COMMON_NAME, 0, name, UInt32(name.utf8.count)))
        try LibraryFault.check(gnutls_x509_crt_set_activation_time(handle, Int(begin)))
        // Both ends count.
        let life = PageCertificate.life.nanoseconds / 1_000_000_000 - 1
        try LibraryFault.check(gnutls_x509_crt_set_expiration_time(handle, Int(begin + life)))
        for address in addresses {
            try LibraryFault.check(
                gnutls_x509_crt_set_subject_alt_name(
                    handle, GNUTLS_SAN_IPADDRESS, address, UInt32(address.count),
                    UInt32(GNUTLS_FSAN_APPEND)))
        }
        try LibraryFault.check(gnutls_x509_crt_set_basic_constraints(handle, 0, -1))
        try LibraryFault.check(
            gnutls_x509_crt_set_key_usage(handle, UInt32(GNUTLS_KEY_DIGITAL_SIGNATURE)))
        try LibraryFault.check(
            gnutls_x509_crt_set_key_purpose_oid(handle, GNUTLS_KP_TLS_WWW_SERVER, 0))
    }

    /// Sixteen random bytes that are a positive number.
    private static func serial() -> [UInt8] {
        var bytes = SodiumPrimitives.random(16)
        bytes[0] = bytes[0] & 0x7f | 0x40
        return bytes
    }

    func sign(with key: X509Key) throws(LibraryFault) {
        try LibraryFault.check(gnutls_x509_crt_set_key(handle, key.handle))
        try LibraryFault.check(
            gnutls_x509_crt_sign2(handle, handle, key.handle, GNUTLS_DIG_SHA256, 0))
    }

    func belongs(to key: X509Key) throws(LibraryFault) -> Bool {
        var (room, count) = ([UInt8](repeating: 0, count: 64), 64)
        try LibraryFault.check(gnutls_x509_crt_get_key_id(handle, 0, &room, &count))
        return try Array(room.prefix(count)) == key.number
    }

    var pem: String {
        get throws(LibraryFault) {
            let bytes = try exported { gnutls_x509_crt_export2(handle, GNUTLS_X509_FMT_PEM, $0) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    var der: [UInt8] {
        get throws(LibraryFault) {
            try exported { gnutls_x509_crt_export2(handle, GNUTLS_X509_FMT_DER, $0) }
        }
    }

    var times: (UTCTime, UTCTime) {
        (
            UTCTime(seconds: Int64(gnutls_x509_crt_get_activation_time(handle))),
            UTCTime(seconds: Int64(gnutls_x509_crt_get_expiration_time(handle)))
        )
    }

    var addresses: [[UInt8]] {
        var found: [[UInt8]] = []
        while true {
            var (room, count) = ([UInt8](repeating: 0, count: 256), 256)
            let kind = gnutls_x509_crt_get_subject_alt_name(
                handle, UInt32(found.count), &room, &count, nil)
            guard kind == Int32(GNUTLS_SAN_IPADDRESS.rawValue) else { return found }
            found.append(Array(room.prefix(count)))
        }
    }
}
