// SPDX-License-Identifier: Apache-2.0
@testable import Agent
import Protocol
import Testing

@testable import SeatAgent
@testable import Text
@testable import Transport

@Suite("Receipts")
struct CertificateTests {
    private func bad(_ certificates: [[UInt8]], _ voyage: Voyage) -> String? {
        do throws(UserError) {
            _ = try CertificateCheck(certificates, primitives: voyage.primitives)
            return nil
        } catch {
            #expect(error.code == .badCertificate)
            return error.why
        }
    }

    @Test("A swap between two proves its seats, keys and signatures")
    func simple() throws {
        var voyage = try Voyage()
        let commit = try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
        let check = try CertificateCheck([commit.bytes], primitives: voyage.primitives)
        #expect(check.moves.map(\.seat.text) == ["12A", "14C"])
        #expect(check.moves.map(\.to) == [voyage.ada.key, voyage.bo.key])
        #expect(check.flight == voyage.flight.id)
        #expect(check.signatures == 5)
        #expect(check.earlier == 0)
    }

    @Test("A second swap needs the certificate of the first, and says so")
    func ancestry() throws {
        var voyage = try Voyage()
        let first = try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
        let second = try voyage.swap([("12A", voyage.cy), ("20F", voyage.ada)], nonce: 2)
        let check = try CertificateCheck(
            [second.bytes, first.bytes], primitives: voyage.primitives)
        #expect(check.moves.map(\.seat.text) == ["12A", "20F"])
        #expect(check.earlier == 1)
        #expect(bad([second.bytes], voyage)?.contains("came to a seat") == true)
        guard case .commit(let commit) = second.body else { return }
        let found = ControlDesk.certificates(for: commit.contract, voyage.logs, voyage.fold)
        #expect(found.map(\.id) == [second.id, first.id])
    }

    @Test("No changed byte goes unnoticed")
    func tampering() throws {
        var voyage = try Voyage()
        let commit = try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
        for index in commit.bytes.indices {
            var changed = commit.bytes
            changed[index] ^= 1
            #expect(bad([changed], voyage) != nil, "byte \(index)")
        }
        #expect(bad([], voyage) == "it is empty")
        let claim = try #require(voyage.logs.log(of: voyage.bo.key)?.entry(at: 2))
        #expect(bad([claim.bytes], voyage) == "it holds a record that is no certificate")
    }

    @Test("Base64 is read only as it is written")
    func base64() {
        for count in 0..<50 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        #expect(Base64.encode([0xFB, 0xFF]) == "+/8=")
        for text in ["A", "AA", "AAA", "AA=A", "A===", "AB==", "AA==AAAA", "A A=", "AAA\u{E9}"] {
            #expect(Base64.decode(text) == nil, "\(text)")
        }
    }
}
