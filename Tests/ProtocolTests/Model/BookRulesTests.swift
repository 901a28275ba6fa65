// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let primitives = FakePrimitives()
private let venue = LedgerVenue.fake

@Suite("Rules and charters") struct BookRulesTests {
    /// Parts of rules as bytes; what refuses the whole.
    private func code(
        days: [UInt8] = [1, 3], units: [UInt8] = [0x82, 0x82, 0, 1, 0x82, 5, 2],
        places: [UInt8] = [0x81, 0x84, 7, 0, 0, 0x82, 0x82, 0, 1, 0x82, 5, 2],
        classes: [UInt8] = [0x81, 0x81, 0x83, 0xF6, 0, 0], swaps: [UInt8] = [2],
        head: UInt8 = 0x86
    ) -> DecodeError.Code? {
        do throws(DecodeError) {
            let bytes = [head] + days + units + places + classes + swaps
            let rules = try BookRules(decoding: bytes)
            return rules.encoded == bytes ? nil : .leftover
        } catch { return error.code }
    }

    @Test("Rules have one form, and each number its bounds")
    func bounds() {
        #expect(code() == nil)
        #expect(code(days: [3, 3]) == nil && code(days: [3, 2]) == .badValue)
        #expect(code(days: [0, 0x1A, 0, 1, 0, 0]) == .tooLarge)
        #expect(code(head: 0x87) != nil && code(swaps: [3]) == .tooLarge)
        #expect(code(swaps: [2, 0]) == .leftover && code(swaps: []) == .truncated)
        #expect(code(units: [0x80]) == .tooSmall)
        #expect(code(units: [0x82, 0x82, 5, 2, 0x82, 0, 1]) == .notSorted)
        #expect(code(units: [0x82, 0x82, 5, 2, 0x82, 5, 1]) == .notSorted)
        #expect(code(units: [0x82, 0x82, 0, 0, 0x82, 5, 2]) == .tooSmall)
        #expect(code(units: [0x82, 0x82, 0, 1, 0x82, 5, 0x1A, 0, 1, 0, 0]) == .tooLarge)
        #expect(code(units: [0x82, 0x82, 0, 1, 0x82, 0x19, 0x10, 0, 1]) == .tooLarge)
        #expect(code(units: [0x82, 0x82, 0, 1, 0x82, 6, 2]) == .badValue)
        #expect(code(places: [0x80]) == .tooSmall)
        func place(_ parts: [UInt8]) -> DecodeError.Code? {
            code(places: [0x81, 0x84] + parts)
        }
        #expect(place([0, 0, 0, 0x81, 0x82, 0, 1]) == .tooSmall)
        #expect(place([0x19, 0x10, 0, 0, 0, 0x81, 0x82, 0, 1]) == .tooLarge)
        #expect(place([1, 0x18, 63, 0, 0x81, 0x82, 0, 1]) == nil)
        #expect(place([1, 0x18, 64, 0, 0x81, 0x82, 0, 1]) == .tooLarge)
        #expect(place([1, 0, 0x19, 0x27, 0x60, 0x81, 0x82, 0, 1]) == nil)
        #expect(place([1, 0, 0x19, 0x27, 0x61, 0x81, 0x82, 0, 1]) == .tooLarge)
        #expect(place([1, 0, 0, 0x80]) == .tooSmall)
        #expect(place([1, 0, 0, 0x81, 0x82, 0, 0]) == .tooSmall)
        #expect(place([1, 0, 0, 0x82, 0x82, 5, 1, 0x82, 0, 1]) == .notSorted)
        #expect(place([1, 0, 0, 0x82, 0x82, 5, 1, 0x82, 5, 1]) == .notSorted)
        #expect(place([1, 0, 0, 0x89] + (0..<9).flatMap { [0x82, $0, 1] }) == .tooLarge)
        let one: [UInt8] = [0, 0, 0x81, 0x82, 0, 1]
        #expect(code(places: [0x82, 0x84, 1] + one + [0x84, 2] + one) == nil)
        #expect(code(places: [0x82, 0x84, 2] + one + [0x84, 1] + one) == .notSorted)
        #expect(code(classes: [0x80]) == .tooSmall && code(classes: [0x81, 0x80]) == nil)
        #expect(code(classes: [0x91] + Array(repeating: 0x80, count: 17)) == .tooLarge)
        #expect(code(classes: [0x81, 0x81, 0x83, 0x18, 64, 0, 0]) == .tooLarge)
        #expect(code(classes: [0x81, 0x81, 0x83, 0, 0x19, 0xAE, 0x61, 0]) == .tooLarge)
        #expect(code(classes: [0x81, 0x81, 0x83, 0, 0, 0x19, 1, 0]) == .tooLarge)
        let nine = (0..<9).flatMap { _ in [0x83, 0xF6, 0, 0] as [UInt8] }
        #expect(code(classes: [0x81, 0x89] + nine) == .tooLarge)
        do throws(DecodeError) {
            _ = try BookRules(decoding: [])
            Issue.record("no rules")
        } catch {}
    }

    @Test("The largest rules that a venue may have fit into a charter")
    func largest() throws {
        let (first, last) = (try SmallVenue.day(0), try SmallVenue.day(65_535))
        func rules(_ count: Int, _ uses: Int) -> BookRules? {
            BookRules(
                first: first, last: last,
                units: (3840..<3840 + count).map { BookRules.Unit(number: $0, capacity: 65_535) },
                places: (3840..<3840 + count).map { number in
                    BookRules.Place(
                        number: number, group: 63, turnover: 10_080,
                        uses: (0..<uses).map {
                            BookRules.Use(unit: 3840 + (count == 1 ? 0 : $0), amount: 1)
                        })
                }, classes: [[BookRules.Quota(group: 63, minutes: 44_640, bookings: 255)]],
                swaps: .classes)
        }
        let most = try #require(rules(256, 1))
        #expect(most.encoded.count < 6144 && most.capacity(of: 4095) == 65_535)
        #expect(most.place(4095)?.turnover == 10_080 && most.place(1) == nil)
        #expect(most.capacity(of: 1) == 0)
        #expect(rules(257, 1) == nil && rules(256, 8) == nil)
        let charter = try #require(
            Charter(
                epoch: 1, revision: 1, rules: most, words: .zero, ledger: FakeSigner(1).key,
                gathering: venue.gathering, by: venue.runBy))
        #expect(charter.ruleBytes == most.encoded)
    }

    @Test("The operator signs each word of a charter, for one ledger of one gathering")
    func signature() throws {
        func charter(
            epoch: Int = 1, revision: Int = 1, castles: Int = 3, words: Bytes32 = .zero,
            before: [Charter.Before] = []
        ) throws -> Charter? {
            Charter(
                epoch: epoch, revision: revision, rules: try SmallVenue.rules(castles: castles),
                words: words, before: before, ledger: FakeSigner(1).key,
                gathering: venue.gathering, by: venue.runBy)
        }
        let (one, two) = (FakeSigner(1).key, FakeSigner(2).key)
        let good = try #require(try charter())
        func holds(_ charter: Charter, _ gathering: FlightID, _ ledger: PeerKey) -> Bool {
            charter.isSigned(
                runBy: OperatorKey(venue.runBy.key.raw), gathering: gathering, ledger: ledger,
                primitives: primitives)
        }
        #expect(holds(good, venue.gathering, one))
        #expect(!holds(good, venue.gathering, two) && !holds(good, testFlight.id, one))
        let others = [
            try charter(epoch: 2), try charter(revision: 2), try charter(castles: 4),
            try charter(words: primitives.sha256([1])),
            try charter(before: [Charter.Before(ledger: two, seq: 2)]),
        ]
        let signed = Set(
            (others + [good]).compactMap {
                $0?.toBeSigned(gathering: venue.gathering, ledger: one)
            })
        #expect(signed.count == 6 && signed.allSatisfy { $0.starts(with: [0x88, 0x72]) })
        let same = Charter.Before(ledger: two, seq: 2)
        let nine = (1...9).map { Charter.Before(ledger: FakeSigner($0).key, seq: 2) }
        for wrong in [
            try charter(epoch: 0), try charter(epoch: 256), try charter(revision: 0),
            try charter(revision: 65_536), try charter(before: [same, same]),
            try charter(before: [Charter.Before(ledger: two, seq: 0)]),
            try charter(before: [Charter.Before(ledger: two, seq: 32_769)]),
            try charter(before: nine),
        ] { #expect(wrong == nil) }
        #expect(try charter(before: Array(nine.dropLast())) != nil)
    }
}

@Suite("Asks of the desk") struct BookingAskTests {
    private let ada = FakeSigner(101)
    private let token = Token(primitives.sha256([7]))

    private var slot: Slot { Slot(token: token, producer: Producer(claim: token)) }

    @Test("All that is asked is read back, and an id tells two equal ones apart")
    func round() throws {
        let period = try SmallVenue.period(0, 10, 60)
        let wishes: [BookingAsk.Wish] = [
            .book(place: 1, period: period, count: 1, waits: false, tag: nil, note: ""),
            .book(
                place: 4095, period: period, count: 1000, waits: true,
                tag: ThreadID(high: 1, low: 2), note: String(repeating: "x", count: 200)),
            .giveBack(slot, to: nil), .giveBack(slot, to: ada.key),
            .move(slot, place: 2, period: period), .withdraw(token.raw),
        ]
        for wish in wishes {
            let ask = BookingAsk(nonce: 5, until: UTCTime(seconds: 9), wish: wish)
            let said = try #require(VenueStatement(ask, gathering: venue.gathering, by: ada))
            #expect(said.ask == ask && said.content == .ask(ask) && said.body.count <= 512)
            let read = try VenueStatement(decoding: said.encoded)
            #expect(read == said && read.ask == ask)
            #expect(read.isSigned(gathering: venue.gathering, primitives: primitives))
            let again = BookingAsk(nonce: 6, until: UTCTime(seconds: 9), wish: wish)
            let other = try #require(VenueStatement(again, gathering: venue.gathering, by: ada))
            #expect(other.id(primitives) != said.id(primitives))
        }
    }

    @Test("What nobody would read cannot be asked")
    func refused() throws {
        let period = try SmallVenue.period(0, 10, 60)
        func book(_ place: Int, _ count: Int, _ note: String = "", until: Int64 = 0) -> Bool {
            let ask = BookingAsk(
                nonce: 1, until: UTCTime(seconds: until),
                wish: .book(
                    place: place, period: period, count: count, waits: true, tag: nil, note: note))
            return VenueStatement(ask, gathering: venue.gathering, by: ada) != nil
        }
        #expect(book(1, 1) && !book(0, 1) && !book(4096, 1) && !book(1, 0) && !book(1, 1001))
        #expect(!book(1, 1, String(repeating: "x", count: 201)) && !book(1, 1, until: -1))
    }

    @Test("A body of kind 0 that is no ask is kept, and says nothing")
    func noAsk() throws {
        for body: [UInt8] in [
            [0x81, 0], [0x84, 0, 0x48, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0x82, 3, 0x41, 1],
            [0x84, 0, 0x47, 1, 2, 3, 4, 5, 6, 7, 0, 0x82, 3, 0x58, 32] + token.bytes,
            [0x84, 0, 0x48, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0x82, 4, 0x58, 32] + token.bytes,
        ] {
            var writer = CBORWriter()
            writer.array(3)
            writer.value(ada.key)
            writer.bytes(body)
            writer.bytes(Array(repeating: 1, count: 64))
            let said = try VenueStatement(decoding: writer.bytes)
            #expect(said.content == .later && said.ask == nil)
        }
        let good: [UInt8] = [0x84, 0, 0x48, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0x82, 3, 0x58, 32]
        #expect((try? BookingAsk(body: good + token.bytes)) != nil)
        #expect((try? BookingAsk(body: good + token.bytes + [0])) == nil)
    }
}
