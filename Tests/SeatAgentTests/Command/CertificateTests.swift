import Protocol
import Testing

@testable import SeatAgent

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

    @Test("The text of a receipt is read back, also with other lines around it")
    func text() throws {
        var voyage = try Voyage()
        let commit = try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
        let receipt: JSON = [
            "flight": "XY123/2026-11-22/DUB", "agreed": "2026-11-20T10:12:00Z", "seats": [],
            "contract": "00", "certificates": [.string(Base64.encode(commit.bytes))],
        ]
        let lines = ReceiptText.lines(receipt)
        #expect(lines.allSatisfy { $0.count <= 80 })
        let text = "> " + lines.joined(separator: "\r\n") + "\r\nsent from my phone"
        let parsed = try ReceiptText.parse(text)
        #expect(parsed.certificates == [commit.bytes])
        #expect(parsed.flight?.text == "XY123/2026-11-22/DUB")
        let damaged = text.replacingFirst("AAA", by: "")
        #expect(throws: UserError.self) {
            let parsed = try ReceiptText.parse(damaged)
            _ = try CertificateCheck(parsed.certificates, primitives: voyage.primitives)
        }
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

extension String {
    fileprivate func replacingFirst(_ word: String, by other: String) -> String {
        guard let range = firstRange(of: word) else { return self + "x" }
        var text = self
        text.replaceSubrange(range, with: other)
        return text
    }
}
