// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Testing

@testable import SeatAgent
@testable import Transport
@testable import Keys

@Suite struct NetworkCertificateTests {
    @Test func fields() throws {
        let certificate = try Certificate.seeded(9)
        defer { withExtendedLifetime(certificate) {} }
        let handle = certificate.handle
        #expect(certificate.der.count <= 1024)
        #expect(X509_get_version(handle) == 2)
        #expect(X509_get_ext_count(handle) == 0)
        #expect(ASN1_INTEGER_get(X509_get0_serialNumber(handle)) == 1)
        let subject = try #require(X509_get_subject_name(handle))
        #expect(X509_NAME_entry_count(subject) == 1)
        #expect(X509_NAME_cmp(subject, X509_get_issuer_name(handle)) == 0)
        var text = [CChar](repeating: 0, count: 32)
        X509_NAME_get_text_by_NID(subject, NID_commonName, &text, 32)
        let name = text.prefix { $0 != 0 }.map { UInt8($0) }
        #expect(String(decoding: name, as: UTF8.self) == "seatswap")
        // Self-signed, by the key it names.
        #expect(X509_verify(handle, certificate.privateKey) == 1)
        #expect(X509_get_signature_nid(handle) == NID_ED25519)
    }

    @Test func dates() throws {
        let certificate = try Certificate.seeded(9)
        defer { withExtendedLifetime(certificate) {} }
        for (time, expected) in [
            (X509_get0_notBefore(certificate.handle), "000101000000Z"),
            (X509_get0_notAfter(certificate.handle), "491231235959Z"),
        ] {
            let bytes = try #require(ASN1_STRING_get0_data(time))
            let buffer = UnsafeBufferPointer(start: bytes, count: Int(ASN1_STRING_length(time)))
            // UTCTime, as RFC 5280 wants it for dates before 2050.
            #expect(ASN1_STRING_type(time) == V_ASN1_UTCTIME)
            #expect(String(decoding: buffer, as: UTF8.self) == expected)
        }
    }

    @Test func theSeedAloneDecides() throws {
        #expect(try Certificate.seeded(9).der == Certificate.seeded(9).der)
        #expect(try Certificate.seeded(9).der != Certificate.seeded(8).der)
    }

    @Test func theKeyIsTheOneOfRFC8032() throws {
        // RFC 8032 7.1, test 1.
        let seed: [UInt8] = [
            0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec,
            0x2c, 0xc4, 0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03,
            0x1c, 0xae, 0x7f, 0x60,
        ]
        let key = try Certificate.make(seed: seed).publicKey
        #expect(key.prefix(4) == [0xd7, 0x5a, 0x98, 0x01])
        #expect(key.suffix(4) == [0xf7, 0x07, 0x51, 0x1a])
    }

    @Test(arguments: [0, 31, 33, 64]) func onlySeedsOf32Bytes(count: Int) {
        #expect(throws: TLSFailure.self) {
            try Certificate.make(seed: [UInt8](repeating: 1, count: count))
        }
    }

    @Test func thePeersKeyComesOut() throws {
        let certificate = try Certificate.seeded(4)
        defer { withExtendedLifetime(certificate) {} }
        let key = try PeerCertificate.check(
            certificate.handle, count: 1, ownKey: [], isBlocked: { _ in false })
        #expect(key == certificate.publicKey)
    }

    @Test func refusals() throws {
        let handle = try Certificate.seeded(4)
        defer { withExtendedLifetime(handle) {} }
        func check(
            _ certificate: OpaquePointer?, _ count: Int, own: [UInt8] = [], blocked: Bool = false
        ) -> CertificateRefusal? {
            do throws(CertificateRefusal) {
                _ = try PeerCertificate.check(
                    certificate, count: count, ownKey: own, isBlocked: { _ in blocked })
                return nil
            } catch {
                return error
            }
        }
        #expect(check(nil, 0) == CertificateRefusal.none)
        #expect(check(handle.handle, 2) == .several)
        #expect(check(handle.handle, 1, own: handle.publicKey) == .ownKey)
        #expect(check(handle.handle, 1, blocked: true) == .blocked)
        #expect(try check(RawPeer.Identity.other("EC").certificates[0], 1) == .notEd25519)
        #expect(try check(RawPeer.Identity.other("RSA").certificates[0], 1) == .notEd25519)
    }

    @Test func aLargeCertificateIsRefused() throws {
        let certificate = try Certificate.seeded(4)
        defer { withExtendedLifetime(certificate) {} }
        let large = try #require(X509_dup(certificate.handle))
        defer { X509_free(large) }
        let name = X509_get_subject_name(large)
        for _ in 0..<20 {
            let text = [UInt8](repeating: 0x61, count: 60)
            X509_NAME_add_entry_by_txt(name, "OU", MBSTRING_ASC, text, 60, -1, 0)
        }
        try #require(X509_sign(large, certificate.privateKey, nil) > 0)
        #expect(throws: CertificateRefusal.tooLarge) {
            try PeerCertificate.check(large, count: 1, ownKey: [], isBlocked: { _ in false })
        }
    }
}
