// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")

private func secret(_ seed: UInt8) throws -> PartySecret {
    try #require(PartySecret(Array(FakePrimitives().sha256([seed]).bytes.prefix(10))))
}

private func fault(_ code: String) -> PartySecret.CodeFault? {
    do throws(PartySecret.CodeFault) {
        _ = try PartySecret(code: code)
        return nil
    } catch {
        return error
    }
}

private func fault(link: String) -> SeatLink.Fault? {
    do throws(SeatLink.Fault) {
        _ = try SeatLink(link)
        return nil
    } catch {
        return error
    }
}

@Suite struct PartySecretTests {
    @Test func everyCodeComesBack() throws {
        for seed in UInt8.min...UInt8.max {
            let secret = try secret(seed)
            #expect(secret.code.count == 21 && secret.plain.count == 17)
            #expect(try PartySecret(code: secret.code) == secret)
            #expect(try PartySecret(code: secret.plain.uppercased()) == secret)
        }
        let zero = try #require(PartySecret(Array(repeating: 0, count: 10)))
        #expect(zero.code == "aaaa-aaaa-aaaa-aaaa-a")
        #expect(PartySecret([1, 2, 3]) == nil)
    }

    @Test func spacesAndLookAlikesDoNotMatter() throws {
        let secret = try secret(7)
        let spoken = secret.code.replacing("-", with: " ")
            .replacing("o", with: "0").replacing("i", with: "1").replacing("b", with: "8")
        #expect(try PartySecret(code: " \(spoken)\n") == secret)
    }

    @Test func anyOneWrongCharacterIsASlip() throws {
        let plain = Array(try secret(3).plain)
        for place in plain.indices {
            for letter in alphabet where letter != plain[place] {
                var wrong = plain
                wrong[place] = letter
                #expect(fault(String(wrong)) == .slip, "\(String(wrong))")
            }
        }
    }

    @Test func whatIsNoCodeIsRefusedForWhatItIs() throws {
        let code = try secret(3).code
        #expect(fault("") == .count(0))
        #expect(fault(code + "a") == .count(18))
        #expect(fault(String(code.dropLast(2))) == .count(16))
        #expect(fault(code.replacing("-", with: "\u{202E}")) == .character("\u{202E}"))
        #expect(fault("9" + code.dropFirst()) == .character("9"))
    }
}

@Suite struct SeatLinkTests {
    @Test func linksComeBack() throws {
        let flight = try #require(FlightName("XY123/2026-11-22/DUB"))
        let next = NextParty(
            secret: try secret(1), removed: FakeSigner(4).key,
            proof: Array(repeating: 9, count: 16))
        let links: [SeatLink] = [
            .party(try secret(1), flight: nil), .party(try secret(2), flight: flight),
            .nextParty(next),
        ]
        for link in links { #expect(try SeatLink(link.text) == link, "\(link.text)") }
        let zero = try #require(PartySecret(Array(repeating: 0, count: 10)))
        #expect(
            SeatLink.party(zero, flight: flight).text
                == "seatagent:party?v=1&k=aaaaaaaaaaaaaaaaa&f=XY123/2026-11-22/DUB")
    }

    @Test func everyPartStandsOnceAndInItsPlace() throws {
        let code = try secret(1).plain
        let good = "seatagent:party?v=1&k=\(code)&f=XY123/2026-11-22/DUB"
        #expect(fault(link: good) == nil)
        for text in [
            "seatagent:party?k=\(code)&v=1", "seatagent:party?v=1&k=\(code)&k=\(code)",
            "seatagent:party?v=1&k=\(code)&", "seatagent:party?v=1&k=\(code)&f=",
            "seatagent:party?v=1&k=\(code)&x=1", "seatagent:party?v=1", "seatagent:party",
            "seatagent:party?", "seatagent:party?v=1&k=\(code)&f=xy123/2026-11-22/dub",
            "seatagent:party?v=1&k=\(code)&f=XY0123/2026-11-22/DUB",
            "seatagent:party?v=1&k=\(code.uppercased())", good + " ", good + "#",
            "seatagent:party?v=1&k=\(try secret(1).code)",
            "seatagent:party-next?v=1&k=\(code)&x=aa&p=aa",
        ] {
            #expect(fault(link: text) == .form, "\(text)")
        }
    }

    @Test func whatItIsNotForIsSaid() throws {
        let code = try secret(1).plain
        #expect(fault(link: "https://example.org/?v=1") == .notALink)
        #expect(fault(link: "SEATAGENT:party?v=1&k=\(code)") == .notALink)
        #expect(fault(link: "") == .notALink)
        #expect(fault(link: "seatagent:place?v=1&k=\(code)") == .purpose)
        #expect(fault(link: "seatagent:party?v=2&secret=1") == .version)
        #expect(fault(link: "seatagent:party?v=1&k=aaaa") == .code(.count(4)))
        #expect(fault(link: "seatagent:party?v=1&k=abaaaaaaaaaaaaaaa") == .code(.slip))
        let long = "seatagent:party?v=1&k=" + String(repeating: "a", count: 300)
        #expect(fault(link: long) == .tooLong)
    }
}

@Suite struct VenueLinkTests {
    private static let key = String(repeating: "a", count: 52)

    @Test(arguments: ["rec", "dreamland/gent"], Volume.Kind.allCases)
    func aSignComesBack(slug: String, kind: Volume.Kind) throws {
        let runBy = try #require(OperatorKey(FakeSigner(7).key.bytes))
        let link = SeatLink.venue(
            try #require(VenueLink(slug: slug, runBy: runBy, kind: kind)))
        #expect(link.text == "seatagent:venue?n=\(slug)&k=\(runBy.text)&p=\(kind.rawValue)")
        #expect(try SeatLink(link.text) == link)
        #expect(runBy.tag == PeerKey(runBy.raw).tag && runBy.tag.count == 15)
    }

    @Test func aSignHasOneSpelling() {
        let good = "seatagent:venue?n=rec&k=\(Self.key)&p=month"
        #expect(fault(link: good) == nil)
        for text in [
            "seatagent:venue?k=\(Self.key)&n=rec&p=month", good + "&", good + " ", good + "&p=day",
            "seatagent:venue?n=rec&k=\(Self.key)", "seatagent:venue?n=rec&p=month",
            "seatagent:venue?n=Rec&k=\(Self.key)&p=month", "seatagent:venue?n=&k=\(Self.key)&p=day",
            "seatagent:venue?n=-r&k=\(Self.key)&p=month", good + "s",
            "seatagent:venue?n=rec&k=\(Self.key.uppercased())&p=month",
            "seatagent:venue?n=rec&k=\(Self.key.dropLast())b&p=month", "seatagent:venue?",
            "seatagent:venue?n=a%2Fb&k=\(Self.key)&p=month", "seatagent:venue",
        ] {
            #expect(fault(link: text) == .form, "\(text)")
        }
        #expect(fault(link: "seatagent:venue?v=2&n=rec") == .version)
        #expect(fault(link: good + String(repeating: "x", count: 300)) == .tooLong)
    }
}
