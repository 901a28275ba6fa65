// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Keys
@testable import Protocol
@testable import Text
@testable import Venues

/// The least venue, signed by a key that anybody can make: a vector, computed by
/// `Tests/EndToEnd/ed25519.py` and `cbor.py`.
enum SignedFiles {
    static let seed = Array(UInt8(0)..<32)
    static let text = "aoqqpp7tzyil4hlq3umoos6atft6jvrqtosq2xy53sdgiesvgg4a"
    static let words =
        #"{"classes":[{"name":"all"}],"hours":{"Mo-Su":"08:00-22:00"},"name":"Rec","places":"#
        + #"[{"count":5,"id":1,"mode":"counted","name":"Hall"}],"rules":{"join":"open"},"#
        + #""slug":"rec","version":1,"volume":"day","zone":"Europe/Dublin"}"#
    static let signature =
        "7kRNBxRDIGLHyiRx0iMYv8lArB6KN5B63eSpdRLflzs3FGUqH3sFDlgUHwJeGVmL0lThM0UG9u3skJB5KToPDA=="

    /// Real cryptography.
    static func primitives() throws -> SodiumPrimitives { try #require(SodiumPrimitives()) }

    /// An operator whose seed begins with that byte.
    static func key(_ first: UInt8 = 0) throws -> Identity {
        _ = try primitives()
        return try #require(Identity(seed: [first] + seed.dropFirst()))
    }

    /// The least venue with other members, signed.
    static func signed(
        _ more: [String: JSON] = [:], revision: Int = 3, by first: UInt8 = 0
    ) throws -> SignedVenue {
        let venue = try Venue(json: VenueFiles.least.adding(more))
        return try #require(SignedVenue(venue, revision: revision, by: try key(first)))
    }

    /// What is wrong with a signed file; empty for nothing.
    static func fault(_ json: JSON) throws -> String {
        let primitives = try primitives()
        do throws(FormFault) {
            _ = try SignedVenue(json: json, primitives: primitives)
            return ""
        } catch {
            return error.sentence
        }
    }
}

@Suite("Signed files of venues")
struct SignedVenueTests {
    @Test("The vector: one key, one line, one signature")
    func vector() throws {
        let signed = try SignedFiles.signed()
        #expect(signed.runBy.text == SignedFiles.text)
        #expect(signed.runBy.tag == "aoqq-pp7t-zyil4")
        #expect(String(decoding: signed.words, as: UTF8.self) == SignedFiles.words)
        #expect(Base64.encode(signed.signature) == SignedFiles.signature)
        let message = VenueSignature.toBeSigned(
            runBy: signed.runBy, revision: 3, words: signed.words)
        #expect(
            try SignedFiles.primitives().sha256(message).hex
                == "6cd2861ef128be40e47a718eddb3fff3d59f5b1143397737f3f61bfa1afc6dd2")
        #expect(
            signed.json == [
                "venue": VenueFiles.least, "operator": .string(SignedFiles.text), "revision": 3,
                "signature": .string(SignedFiles.signature),
            ])
        #expect(signed.link == VenueLink(slug: "rec", runBy: signed.runBy, kind: .day))
    }

    @Test("What is written is read, however people lay it out")
    func comesBack() throws {
        let signed = try SignedFiles.signed()
        let primitives = try SignedFiles.primitives()
        for text in [signed.json.line, signed.json.page(keys: ["operator"], width: 60)] {
            #expect(
                try VenueFile.read(Array(text.utf8), primitives: primitives) == .signed(signed))
        }
        #expect(
            try SignedVenue(
                words: signed.words, runBy: signed.runBy, revision: 3, signature: signed.signature,
                primitives: primitives) == signed)
    }

    @Test("Whatever is changed in it is noticed")
    func tampered() throws {
        let signed = try SignedFiles.signed()
        let wrong = "signature: it is not the operator's"
        for (member, value) in [
            ("revision", .int(4)), ("venue", VenueFiles.least.adding(["name": "Rec."])),
            ("venue", VenueFiles.least.adding(["slug": "rec2"])),
            ("operator", .string(try SignedFiles.signed(by: 9).runBy.text)),
        ] as [(String, JSON)] {
            #expect(try SignedFiles.fault(signed.json.adding([member: value])).hasPrefix(wrong))
        }
        for place in 0..<64 {
            var bytes = signed.signature
            bytes[place] ^= 1
            let json = signed.json.adding(["signature": .string(Base64.encode(bytes))])
            #expect(try SignedFiles.fault(json).hasPrefix(wrong), "\(place)")
        }
        // Another key's signature of the same words, and one of a key of small order.
        let other = try SignedFiles.signed(by: 7)
        #expect(
            try SignedFiles.fault(
                signed.json.adding(["signature": .string(Base64.encode(other.signature))])
            ).hasPrefix(wrong))
        let zero = String(repeating: "a", count: 52)
        let nothing = Base64.encode([UInt8](repeating: 0, count: 64))
        #expect(
            try SignedFiles.fault(
                signed.json.adding(["operator": .string(zero), "signature": .string(nothing)])
            ).hasPrefix(wrong))
    }

    @Test("A file in another form is refused for what is wrong with it")
    func form() throws {
        let signed = try SignedFiles.signed()
        func fault(_ member: String, _ value: JSON) throws -> String {
            try SignedFiles.fault(signed.json.adding([member: value]))
        }
        #expect(try SignedFiles.fault(signed.json) == "")
        #expect(try fault("note", "x").hasPrefix("the signed file: nothing is called note"))
        for number in [0, -1, 65_536] as [JSON] {
            #expect(try fault("revision", number).hasPrefix("revision: a whole number from 1"))
        }
        #expect(try fault("revision", 1.5 as JSON).hasPrefix("revision: a whole number"))
        for text in ["", "A", "====", SignedFiles.signature + "=", SignedFiles.signature + "AAAA"] {
            #expect(try fault("signature", .string(text)).hasPrefix("signature: "), "\(text)")
        }
        for text in [
            "", "a", SignedFiles.text.uppercased(), SignedFiles.text + "a",
            String(SignedFiles.text.dropLast()) + "b", "aoqqpp7-tzyil4h",
        ] {
            #expect(try fault("operator", .string(text)).hasPrefix("operator: "), "\(text)")
        }
        #expect(try fault("venue", .null) == "the venue: an object in { } is wanted")
        #expect(try fault("venue", VenueFiles.least.adding(["x": 1])).contains("called x"))
        let less = JSON.object(signed.json.members?.filter { $0.key != "venue" } ?? [:])
        #expect(try SignedFiles.fault(less) == "venue: it is missing")
        #expect(SignedVenue(signed.venue, revision: 0, by: try SignedFiles.key()) == nil)
        #expect(SignedVenue(signed.venue, revision: 65_536, by: try SignedFiles.key()) == nil)
    }

    @Test("A message has the one line, and not more than fits into one")
    func words() throws {
        let signed = try SignedFiles.signed()
        let primitives = try SignedFiles.primitives()
        func fault(_ words: [UInt8]) -> String {
            do throws(FormFault) {
                _ = try SignedVenue(
                    words: words, runBy: signed.runBy, revision: 3, signature: signed.signature,
                    primitives: primitives)
                return ""
            } catch {
                return error.sentence
            }
        }
        #expect(fault(signed.words) == "")
        #expect(fault(signed.words + [10]) == "the venue: it is not in the one form")
        #expect(fault(Array(signed.venue.text.utf8)).hasSuffix("the one form"))
        let long = [UInt8](repeating: 32, count: VenueLimits.bytes + 1)
        #expect(fault(long).hasSuffix("8192 are allowed"))
        #expect(fault([]).hasPrefix("line 1: "))
    }

    @Test("A file that is too long is not parsed")
    func limit() throws {
        let signed = try SignedFiles.signed()
        let blanks = [UInt8](repeating: 32, count: VenueLimits.file)
        #expect(throws: FormFault.self) {
            try VenueFile.read(
                Array(signed.json.line.utf8) + blanks, primitives: try SignedFiles.primitives())
        }
    }
}
