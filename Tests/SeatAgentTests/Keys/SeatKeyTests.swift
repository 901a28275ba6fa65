// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Keys

/// The text in which a key goes along to another computer (docs/page.md section 8).
@Suite("A key that is taken along") struct SeatKeyTests {
    private let phrase = Array("correct horse battery".utf8)

    /// Trying a passphrase costs next to nothing here.
    private func cost() throws -> SealingCost {
        try #require(SealingCost(passes: 1, kibibytes: 8))
    }

    private func seat(floor: Int = 7) throws -> SeatKey {
        _ = try #require(SodiumPrimitives())
        return SeatKey(
            seed: Array(0..<32), auth: SodiumPrimitives.random32(),
            flight: try #require(FlightName("XY123/2026-11-22/DUB")), isGated: true, floor: floor,
            name: "Zoë", seats: "14B,14C")
    }

    private func text(_ seat: SeatKey) throws -> String {
        let salt = SodiumPrimitives.random(SealingKey.saltCount)
        let seal = SealedSeatKey(passphrase: phrase, salt: salt, cost: try cost())
        return try #require(seal?.text(of: seat))
    }

    private func fault(_ text: String, _ phrase: [UInt8]? = nil) throws -> SealedSeatKey.Fault? {
        let cost = try cost()
        do throws(SealedSeatKey.Fault) {
            _ = try SealedSeatKey.open(text, passphrase: phrase ?? self.phrase, cost: cost)
            return nil
        } catch {
            return error
        }
    }

    @Test("It opens as it was, also when it was broken into lines")
    func roundTrip() throws {
        let (seat, cost) = (try seat(), try cost())
        let text = try text(seat)
        #expect(text.utf8.count < 300)
        #expect(try SealedSeatKey.open(text, passphrase: phrase, cost: cost) == seat)
        let lines =
            " " + text.prefix(40) + "\r\n" + text.dropFirst(40).prefix(70) + "\n"
            + text.dropFirst(110) + "\n"
        #expect(try SealedSeatKey.open(lines, passphrase: phrase, cost: cost) == seat)
        // The same key gives another text each time.
        #expect(try self.text(seat) != text)
    }

    @Test("At the cost that counts it opens with its passphrase alone")
    func realCost() throws {
        let seat = try seat()
        let text = try #require(SealedSeatKey(passphrase: phrase)?.text(of: seat))
        #expect(try SealedSeatKey.open(text, passphrase: phrase) == seat)
        #expect(throws: SealedSeatKey.Fault.passphrase) {
            try SealedSeatKey.open(text, passphrase: Array("correct horse batterz".utf8))
        }
    }

    @Test("Whatever is changed is found: a slip, and what somebody made fit")
    func changed() throws {
        let text = try text(try seat())
        #expect(try fault(text, Array("correct horse batterz".utf8)) == .passphrase)
        #expect(try fault(text, []) == .passphrase)
        let characters = Array(text)
        for place in 9..<characters.count {
            var other = characters
            other[place] = other[place] == "A" ? "B" : "A"
            #expect(try fault(String(other)) == .damaged, "\(place)")
            #expect(try fault(String(characters[..<place])) == .damaged, "\(place)")
        }
        // With a sum that fits: of the salt, of the nonce, of each part of what is sealed.
        let body = try SealedSeatKey.check(text)
        for place in body.indices {
            var other = body
            other[place] ^= 0x10
            #expect(try fault(SealedSeatKey.text(ofBody: other)) == .passphrase, "\(place)")
        }
        for count in 0..<body.count {
            let said = try fault(SealedSeatKey.text(ofBody: Array(body.prefix(count))))
            #expect(said == (count > 40 ? .passphrase : .damaged), "\(count)")
        }
    }

    @Test("Other texts and later versions are told apart")
    func others() throws {
        let text = try text(try seat())
        let later = "seatkey2:" + text.dropFirst(9)
        #expect(try fault(later) == .version && fault("seatkey10:abc") == .version)
        let none = ["", "hello", "seatkey", "seatkey:", "seatkeyX:a", "SEATKEY1:a", "seatkey1"]
        for other in none {
            #expect(try fault(other) == .other, "\(other)")
        }
        for bad in ["seatkey1:", "seatkey1:!!", "seatkey1:====", text + "é", text + text] {
            #expect(try fault(bad) == .damaged, "\(bad)")
        }
        let long = "seatkey1:" + String(repeating: "A", count: 1 << 20)
        #expect(try fault(long) == .damaged)
    }

    @Test("What is sealed is read as strictly as what is not")
    func inside() throws {
        // A log of no entry, or a longer one than there can be, has left nothing to continue.
        for floor in [0, Limits.entriesPerAuthor + 1, 1 << 31] {
            #expect(try fault(text(try seat(floor: floor))) == .damaged, "\(floor)")
        }
        #expect(try fault(text(try seat(floor: Limits.entriesPerAuthor))) == nil)
    }

    @Test("A flight in small letters is another encoding of the same key, and refused")
    func oneEncoding() throws {
        let plain = try seat().plain
        #expect(SeatKey(plain: plain)?.plain == plain)
        let small = plain.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        let start = 64 + 4 + 1 + 1
        let bent = Array(plain[..<start] + small[start..<start + 20] + plain[(start + 20)...])
        #expect(SeatKey(plain: bent) == nil)
    }
}
