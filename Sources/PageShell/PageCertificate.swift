// SPDX-License-Identifier: Apache-2.0
import CMicroHTTP
import Keys
package import Protocol
package import System
package import Text

/// The certificate of a page over HTTPS, which nobody has signed, and its key
/// (docs/page.md section 7): on P-256, for addresses of this computer.
package struct PageCertificate: Hashable, Sendable {
    /// How long one is good for: browsers refuse those of more than 398 days.
    package static let life = TimeSpan.seconds(397 * 86_400)
    /// A phone's clock may be behind by so much.
    private static let slack: Int64 = 2 * 86_400
    /// One that ends sooner is made anew, since a poster hangs for a while.
    private static let renewal: Int64 = 30 * 86_400

    /// The certificate, as the server reads it.
    package let certificate: String
    /// Its secret key, as the server reads it.
    package let key: String
    /// The DER form, whose SHA-256 browsers show.
    package let der: [UInt8]
    /// What it is for: addresses of 4 or 16 bytes, in the order in which it has them.
    package let addresses: [[UInt8]]
    /// From when until when it is good.
    package let begin, end: UTCTime

    /// A new one with a new key. Throws `no-start` with what the library said.
    package init(for hosts: [Address.Host], at now: UTCTime) throws(UserError) {
        do throws(LibraryFault) {
            let key = try X509Key()
            let body = try X509Body()
            try body.fill(hosts.map(\.bytes), at: now.seconds - Self.slack)
            try body.sign(with: key)
            // Read anew: what was only filled in does not tell its addresses.
            try self.init(key: key.pem, certificate: body.pem)
        } catch {
            throw UserError(
                .noStart, "no certificate can be made", why: error.text,
                advice: "seatagent host on")
        }
    }

    private init(key: String, certificate: String) throws(LibraryFault) {
        let key = try X509Key(pem: key)
        let body = try X509Body(pem: certificate)
        guard try body.belongs(to: key) else {
            throw LibraryFault(text: "the certificate is for another key")
        }
        self.certificate = try body.pem
        self.key = try key.pem
        der = try body.der
        (begin, end) = body.times
        addresses = body.addresses
    }

    /// One that was kept, as ``file`` has it; `nil` if it cannot be used.
    package init?(file: [UInt8]) {
        let text = String(decoding: file, as: UTF8.self)
        guard let border = text.firstRange(of: "-----BEGIN CERTIFICATE-----") else { return nil }
        do throws(LibraryFault) {
            try self.init(
                key: String(text[..<border.lowerBound]),
                certificate: String(text[border.lowerBound...]))
        } catch {
            return nil
        }
    }

    /// The SHA-256 of the DER form: what browsers call its fingerprint.
    package var digest: [UInt8] { SodiumPrimitives()?.sha256(der).bytes ?? [] }

    /// What is kept in a private file: key and certificate in PEM.
    package var file: [UInt8] { Array((key + certificate).utf8) }

    /// Whether a page at these addresses may be served with it for a while.
    package func fits(_ hosts: [Address.Host], at now: UTCTime) -> Bool {
        addresses == hosts.map(\.bytes) && begin <= now
            && now.seconds < end.seconds - Self.renewal
    }

    /// The one in the file `path`, or a new one, which is then kept there. Throws `file` where it
    /// cannot be, or as ``init(for:at:)`` does.
    package static func kept(
        _ path: String, for hosts: [Address.Host], at now: UTCTime
    ) throws(UserError) -> PageCertificate {
        // A key that others could read is none.
        if PrivateFile.isPrivate(path), let file = try? PrivateFile.read(path, limit: sizeLimit),
            let kept = PageCertificate(file: file), kept.fits(hosts, at: now)
        {
            return kept
        }
        let new = try PageCertificate(for: hosts, at: now)
        try PrivateFile.write(new.file, to: path, durably: true)
        return new
    }

    /// Bytes of a file: an honest one has about 1000.
    private static let sizeLimit = 16 * 1024
}

extension PageCertificate {
    /// What is spoken with it: TLS 1.3 and 1.2 with what browsers of the last ten years have, and
    /// nothing is resumed.
    private static let priorities =
        "NONE:+VERS-TLS1.3:+VERS-TLS1.2:+ECDHE-ECDSA:+AES-128-GCM:+CHACHA20-POLY1305:"
        + "+AES-256-GCM:+AEAD:+SIGN-ECDSA-SECP256R1-SHA256:+SIGN-ECDSA-SHA256:+GROUP-X25519:"
        + "+GROUP-SECP256R1:+CTYPE-X509:+COMP-NULL:%SERVER_PRECEDENCE:%NO_TICKETS"

    /// Hands it to the library that serves with it.
    func withIdentity<Result>(_ body: (micro_identity) -> Result) -> Result {
        certificate.withCString { certificate in
            key.withCString { key in
                Self.priorities.withCString { priorities in
                    body(
                        micro_identity(
                            certificate: certificate, key: key, priorities: priorities))
                }
            }
        }
    }
}
