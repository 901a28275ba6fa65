// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Foundation
import Protocol
import Testing

@testable import PageShell
@testable import System
@testable import Text
@testable import Web

@Suite("The certificate of a page over HTTPS")
struct PageCertificateTests {
    private let now = UTCTime(seconds: 1_800_000_000)
    private let host = Address.Host.v4(0x0A2A_0001)

    private func later(_ days: Int64) -> UTCTime { UTCTime(seconds: now.seconds + days * 86_400) }

    /// What another library than the one that made it reads.
    private func withOpenSSL(
        _ certificate: PageCertificate, _ body: (OpaquePointer) throws -> Void
    ) throws {
        try certificate.der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            let read = try #require(d2i_X509(nil, &start, bytes.count))
            defer { X509_free(read) }
            try body(read)
        }
    }

    @Test("Browsers take it: P-256, signed by itself, for this address, at most 397 days")
    func fields() throws {
        let six = Address.Host.v6(high: 0xFD00 << 48, low: 1, scope: 0)
        let made = try PageCertificate(for: [host, six], at: now)
        #expect(made.addresses == [host.bytes, six.bytes])
        try withOpenSSL(made) { read in
            let key = try #require(X509_get0_pubkey(read))
            #expect(EVP_PKEY_get_bits(key) == 256 && EVP_PKEY_get_base_id(key) == EVP_PKEY_EC)
            #expect(X509_verify(read, key) == 1)
            #expect(X509_check_ip_asc(read, "10.42.0.1", 0) == 1)
            #expect(X509_check_ip_asc(read, "fd00::1", 0) == 1)
            #expect(X509_check_ip_asc(read, "10.42.0.2", 0) == 0)
            #expect(X509_check_ca(read) == 0)
            #expect(X509_check_purpose(read, X509_PURPOSE_SSL_SERVER, 0) == 1)
            var (days, seconds) = (Int32(), Int32())
            let (begin, end) = (X509_get0_notBefore(read), X509_get0_notAfter(read))
            #expect(ASN1_TIME_diff(&days, &seconds, begin, end) == 1)
            // With both ends that is 397 days.
            #expect(days == 396 && seconds == 86_399)
            #expect(made.begin < now && now < made.end)
        }
        // No two are alike, and nobody can see that they are of one computer.
        #expect(try PageCertificate(for: [host, six], at: now).der != made.der)
    }

    @Test("It stays until the address changes, a month before its end, and while its file is whole")
    func kept() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("seatagent-\(UUID().uuidString)").path
        try PrivateFile.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/https.pem"
        func kept(_ host: Address.Host, _ days: Int64) throws -> PageCertificate {
            try PageCertificate.kept(path, for: [host], at: later(days))
        }
        let first = try kept(host, 0)
        #expect(try PrivateFile.read(path) == first.file)
        for days: Int64 in [0, 1, 364] { #expect(try kept(host, days) == first, "\(days)") }
        #expect(first.digest.count == 32)
        let other = try kept(.v4(0x0A2A_0002), 0)
        #expect(other.digest != first.digest)
        #expect(try kept(.v4(0x0A2A_0002), 365) != other)
        // A clock that was set back: no browser would take one of the future.
        #expect(try kept(.v4(0x0A2A_0002), 300).begin < later(300))
        let last = try kept(host, 0)
        let (key, body) = (last.key, last.certificate)
        for broken in ["", key, body, body + key, key + first.certificate, key + body.dropLast(40)]
        {
            #expect(PageCertificate(file: Array(broken.utf8)) == nil)
            try PrivateFile.write(Array(broken.utf8), to: path)
            #expect(try kept(host, 0).der != last.der)
        }
        #expect(PageCertificate(file: last.file) == last)
        // One that is too long to be read, and one that others could read.
        try PrivateFile.write([UInt8](repeating: 65, count: 20_000), to: path)
        let shown = try kept(host, 0)
        #expect(try kept(host, 0) == shown)
        #expect(chmod(path, 0o640) == 0)
        #expect(try kept(host, 0).der != shown.der)
    }

    @Test("Its mark is the start of the SHA-256 as browsers show it, and seven words for 70 bits")
    func mark() throws {
        let list = try #require(CodeWords(Array((0..<1024).map { "w\($0)\n" }.joined().utf8)))
        let digest: [UInt8] =
            [0x00, 0x40, 0x20, 0x0C, 0xFF, 0xFA, 0x05, 0x07, 0xC0]
            + .init(
                repeating: 9, count: 23)
        let mark = try #require(CertificateMark(digest: digest, list: list))
        #expect(mark.start == "00 40 20 0C FF FA 05 07")
        #expect(mark.words == ["w1", "w2", "w3", "w255", "w1000", "w80", "w496"])
        #expect(CertificateMark(digest: Array(digest.dropLast()), list: list) == nil)
    }
}
