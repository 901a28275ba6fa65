// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let primitives = FakePrimitives()
private let ada = FakeSigner(1).key
private let bo = FakeSigner(2).key

private func partyKeys(_ byte: UInt8, flight: FlightID = testFlight.id) throws -> PartyKeys {
    let secret = try #require(PartySecret(Array(repeating: byte, count: 10)))
    return PartyKeys(secret, flight: flight, primitives: primitives)
}

@Suite struct PartyKeysTests {
    /// A tag is its member's own: copied into another's wish it is nothing.
    @Test func aTagIsOfOneSecretOneFlightAndOneKey() throws {
        let other = FlightID(primitives.sha256([7]))
        let tags = [
            try partyKeys(1).tag(of: ada), try partyKeys(1).tag(of: bo),
            try partyKeys(2).tag(of: ada),
            try partyKeys(1, flight: other).tag(of: ada),
        ]
        #expect(Set(tags).count == 4)
        #expect(try partyKeys(1).tag(of: ada) == tags[0])
    }

    @Test func aLineIsOpenedWhereItWasSealed() throws {
        let line = PartyText(text: "meet me at the galley", time: UTCTime(seconds: 5))
        let keys = try partyKeys(1)
        let sealed = try #require(keys.sealed(line, by: ada, at: 3))
        #expect(sealed.nonce.count == 24 && Limits.sealedTalk.contains(sealed.sealed.count))
        #expect(keys.opened(sealed, by: ada, at: 3) == line)
        #expect(keys.opened(sealed, by: bo, at: 3) == nil)
        #expect(keys.opened(sealed, by: ada, at: 4) == nil)
        #expect(try partyKeys(2).opened(sealed, by: ada, at: 3) == nil)
        let elsewhere = try partyKeys(1, flight: FlightID(primitives.sha256([7])))
        #expect(elsewhere.opened(sealed, by: ada, at: 3) == nil)
    }

    /// A disk that is put back writes other words at the same place: with another nonce.
    @Test func noNonceIsUsedTwice() throws {
        let keys = try partyKeys(1)
        func nonce(_ text: String, _ key: PeerKey, _ seq: Int) -> [UInt8]? {
            keys.sealed(PartyText(text: text, time: UTCTime(seconds: 5)), by: key, at: seq)?.nonce
        }
        let all = [nonce("a", ada, 3), nonce("b", ada, 3), nonce("a", bo, 3), nonce("a", ada, 4)]
        #expect(Set(all).count == 4 && !all.contains(nil))
    }

    @Test func theLongestLineFits() throws {
        let text = String(repeating: "x", count: Limits.chatText)
        let line = PartyText(text: text, time: UTCTime(seconds: Int64.max))
        let sealed = try #require(try partyKeys(1).sealed(line, by: ada, at: 4096))
        #expect(Limits.sealedTalk.contains(sealed.sealed.count))
        #expect(try partyKeys(1).opened(sealed, by: ada, at: 4096) == line)
    }

    @Test func whatIsNoLineIsRefused() throws {
        let line = PartyText(text: "hi", time: UTCTime(seconds: 1)).encoded
        #expect(try PartyText(decoding: line).text == "hi")
        for wrong in [[], Array(line.dropLast()), line + [0], [0x83, 0x01, 0x60, 0x00], [0x82]] {
            #expect(throws: DecodeError.self) { try PartyText(decoding: wrong) }
        }
    }
}
