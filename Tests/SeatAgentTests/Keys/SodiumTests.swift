// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import SeatAgent
@testable import Transport
@testable import Keys

private func unhex(_ text: String) throws -> [UInt8] {
    let read = bytes(hexadecimal: text)
    return try #require(read)
}

@Suite struct SodiumTests {
    /// FIPS 180-4, "abc".
    @Test func sha256() throws {
        let primitives = try #require(SodiumPrimitives())
        #expect(
            primitives.sha256(Array("abc".utf8)).hex
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    /// A label and what stands behind it are hashed as one message.
    @Test func hashedInTwoParts() throws {
        let primitives = try #require(SodiumPrimitives())
        for count in [0, 1, 50, 51, 200] {
            let bytes = [UInt8](repeating: 7, count: count)
            let whole = primitives.sha256(Array("seatswap/1 id".utf8) + bytes)
            #expect(primitives.sha256("seatswap/1 id", bytes.span.bytes) == whole)
        }
    }

    /// RFC 4231, test case 2, and RFC 5869, test case 1.
    @Test func hmacAndHKDF() throws {
        let primitives = try #require(SodiumPrimitives())
        let mac = primitives.hmacSHA256(
            key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        #expect(mac.hex == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let output = primitives.hkdfSHA256(
            salt: try unhex("000102030405060708090a0b0c"),
            material: Array(repeating: 0x0B, count: 22),
            info: try unhex("f0f1f2f3f4f5f6f7f8f9"), count: 42)
        #expect(
            hexadecimal(output)
                == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
                + "34007208d5b887185865")
    }

    /// RFC 8032, section 7.1, test 2.
    @Test func ed25519() throws {
        let primitives = try #require(SodiumPrimitives())
        let seed = try unhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
        let identity = try #require(Identity(seed: seed))
        #expect(
            identity.key.hex == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        let signature = identity.sign([0x72])
        #expect(
            hexadecimal(signature)
                == "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
        #expect(SignatureShape.isCanonical(signature: signature, key: identity.key))
        #expect(primitives.verify(signature, [0x72], by: identity.key))
        #expect(!primitives.verify(signature, [0x73], by: identity.key))
        #expect(Identity(seed: [1, 2, 3]) == nil)
    }

    @Test func argon2id() throws {
        let primitives = try #require(SodiumPrimitives())
        let name = FlightName.practice
        let one = try #require(FlightKey(name, primitives: primitives))
        #expect(FlightKey(name, primitives: primitives) == one)
        #expect(FlightKey(name, code: "abcdef", primitives: primitives) != one)
        #expect(primitives.argon2id([1], salt: [1, 2]) == nil)
    }
}
