// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let primitives = FakePrimitives()
private let venue = LedgerVenue.fake
private let desk = FakeSigner(1)
private let ada = FakeSigner(101)
private let token = Token(primitives.sha256([7]))
private let slot = Slot(token: token, producer: Producer(claim: token))

/// A body of any type and bytes, as anybody might write it; what refuses it.
private func code(
    _ type: Int, _ body: [UInt8], _ codec: EntryCodec = venue.codec
) -> DecodeError.Code? {
    do throws(DecodeError) {
        // Its bytes go in as those of a later type do.
        _ = try codec.sign(
            .unknown(type: type, body: body[...]), flight: venue.gathering, seq: 2,
            previous: EntryID(.zero), by: desk)
        return nil
    } catch { return error.code }
}

/// The bytes of a body, and those with other ones at some place.
private func bytes(_ said: LedgerEntry) -> [UInt8] {
    var writer = CBORWriter()
    said.write(to: &writer)
    return writer.bytes
}

private func someTime(_ day: Int, _ from: Int, _ minutes: Int) -> Period? {
    VenueDay(number: day).flatMap { Period(day: $0, from: from, minutes: minutes) }
}

@Suite("What ledgers say, as bytes") struct LedgerEntryTests {
    @Test("All that is written is read")
    func round() throws {
        let day = try #require(someTime(9000, 600, 60))
        let rules = try SmallVenue.rules()
        let charter = try #require(
            Charter(
                epoch: 255, revision: 65_535, rules: rules, words: primitives.sha256([1]),
                before: [
                    Charter.Before(ledger: ada.key, seq: 32_768),
                    Charter.Before(ledger: desk.key, seq: 1),
                ], ledger: desk.key, gathering: venue.gathering, by: venue.runBy))
        #expect(charter.before.map(\.ledger) == [desk.key, ada.key])
        let ask = try #require(
            VenueStatement(
                BookingAsk(
                    nonce: .max, until: UTCTime(seconds: .max), wish: .giveBack(slot, to: nil)),
                gathering: venue.gathering, by: ada))
        var full = Grant(
            holder: ada.key, member: 65_535, place: 4095, period: day, count: 1000,
            due: Grant.Due(currency: "USD", amount: 4_294_967_295), flags: [.override, .blocked],
            ask: ask.id(primitives), replaces: [token, Token(.zero)],
            tag: ThreadID(high: 1, low: 2), note: "for Els")
        full.note = String(repeating: "é", count: 100)
        let bytes16 = ThreadID(high: 3, low: 4)
        let said: [LedgerEntry] = [
            .charter(charter), .grant(full),
            .grant(Grant(holder: ada.key, place: 1, period: day)),
            .close(try #require(LedgerClose(asked: ask, spent: true))),
            .close(LedgerClose(token, .early)),
            .note(.member(number: 65_535, class: 15, key: ada.key)),
            .note(.member(number: 1, class: 0, key: nil)),
            .note(.waiting(ask: .zero, place: 999)),
            .note(.paid(token, amount: 4_294_967_295, means: 7)), .note(.visit(token, .returned)),
            .note(.lot(bytes16, hash: primitives.sha256(bytes16.bytes))), .note(.lotOpens(.zero)),
        ]
        for one in said {
            let entry = try venue.codec.sign(
                .ledger(one), flight: venue.gathering, seq: 32_768, previous: EntryID(.zero),
                by: desk)
            #expect(entry.ledger == one && entry.body.type == one.type && !entry.body.matters)
            #expect(venue.codec.isWitnessed(entry))
            #expect(try venue.codec.decode(entry.bytes) == entry)
            #expect(code(one.type, bytes(one)) == nil)
            #expect(code(one.type, bytes(one) + [0]) == .leftover)
            for length in 0..<bytes(one).count {
                #expect(code(one.type, Array(bytes(one).prefix(length))) != nil)
            }
        }
    }

    @Test("Flights have no ledgers, venues no claims, retracts and vouches")
    func types() {
        let flight = EntryCodec(primitives)
        let good: [Int: [UInt8]] = [
            2: [0x82, 0x82, 1, 1, 0], 3: [0x82] + words(slot),
            9: [0x82, 0x58, 32] + ada.key.bytes + [0x82, 1, 1],
            13: bytes(.note(.lotOpens(.zero))), 15: [0x80], 1: [0x81, 0x61, 0x61],
        ]
        for (type, body) in good {
            #expect(code(type, body, flight) == (10...13 ~= type ? .badValue : nil))
            #expect(code(type, body) == ([2, 3, 9].contains(type) ? .badValue : nil))
        }
        for type in [8, 14] { #expect(code(type, [0x80]) == .badValue) }
        func seq(_ seq: Int, _ codec: EntryCodec) -> Bool {
            (try? codec.sign(
                .end, flight: venue.gathering, seq: seq, previous: EntryID(.zero), by: desk)) != nil
        }
        #expect(seq(4096, flight) && !seq(4097, flight))
        #expect(seq(32_768, venue.codec) && !seq(32_769, venue.codec))
    }

    private func words(_ slot: Slot) -> [UInt8] {
        [0x58, 32] + slot.token.bytes + [0x58, 32] + slot.producer.bytes
    }

    @Test("A period has a day, a minute of it and at most 31 days")
    func periods() throws {
        for (day, from, minutes) in [(0, 0, 1), (65_535, 1439, 44_640)] {
            let period = try #require(someTime(day, from, minutes))
            #expect(period.end - period.start == minutes && period.start >= 0)
        }
        #expect(someTime(65_535, 1439, 44_640)?.start == 94_371_839)
        for (day, from, minutes) in [
            (-1, 0, 1), (65_536, 0, 1), (0, -1, 1), (0, 1440, 1), (0, 0, 0), (0, 0, 44_641),
        ] { #expect(someTime(day, from, minutes) == nil) }
        let last = try #require(someTime(9000, 1439, 2))
        #expect(last.start == 9000 * 1440 + 1439 && last.end == 9001 * 1440 + 1)
    }

    @Test("Each number of a grant has its bounds")
    func grants() throws {
        let period: [UInt8] = [0x83, 0x19, 0x23, 0x28, 0, 1]
        func grant(
            member: [UInt8] = [0], place: [UInt8] = [1], period: [UInt8] = period,
            count: [UInt8] = [1], due: [UInt8] = [0xF6], flags: [UInt8] = [0],
            ask: [UInt8] = [0xF6], replaces: [UInt8] = [0x80], tag: [UInt8] = [0xF6],
            note: [UInt8] = [0x60]
        ) -> DecodeError.Code? {
            let parts = member + place + period + count + due + flags + ask + replaces + tag + note
            return code(11, [0x8B, 0x58, 32] + ada.key.bytes + parts)
        }
        #expect(grant() == nil)
        #expect(grant(member: [0x1A, 0, 1, 0, 0]) == .tooLarge)
        #expect(grant(place: [0]) == .tooSmall && grant(place: [0x19, 0x10, 0]) == .tooLarge)
        #expect(grant(count: [0]) == .tooSmall && grant(count: [0x19, 3, 0xE9]) == .tooLarge)
        #expect(grant(flags: [4]) == .tooLarge)
        #expect(grant(due: [0x82, 0x63, 0x55, 0x53, 0x44, 0]) == nil)
        #expect(grant(due: [0x82, 0x63, 0x75, 0x73, 0x64, 0]) == .badValue)
        #expect(grant(due: [0x82, 0x62, 0x55, 0x53, 0]) == .badValue)
        #expect(grant(due: [0x82, 0x64, 0x55, 0x53, 0x44, 0x44, 0]) == .tooLarge)
        #expect(
            grant(due: [0x82, 0x63, 0x55, 0x53, 0x44, 0x1B, 0, 0, 0, 1, 0, 0, 0, 0]) == .tooLarge)
        #expect(grant(ask: [0x58, 31] + Array(repeating: 1, count: 31)) != nil)
        #expect(grant(tag: [0x51] + Array(repeating: 1, count: 17)) != nil)
        #expect(grant(note: [0x78, 201] + Array(repeating: 0x61, count: 201)) == .tooLarge)
        #expect(grant(period: [0x82, 0, 1]) != nil)
        #expect(grant(period: [0x83, 0x1A, 0, 1, 0, 0, 0, 1]) == .tooLarge)
        #expect(grant(period: [0x83, 0, 0x19, 5, 0xA0, 1]) == .tooLarge)
        #expect(grant(period: [0x83, 0, 0, 0]) == .tooSmall)
        #expect(grant(period: [0x83, 0, 0, 0x19, 0xAE, 0x61]) == .tooLarge)
        let (one, two) = ([0x58, 32] + Token(.zero).bytes, [0x58, 32] + token.bytes)
        #expect(grant(replaces: [0x82] + one + two) == nil)
        #expect(grant(replaces: [0x82] + two + one) == .notSorted)
        #expect(grant(replaces: [0x82] + two + two) == .notSorted)
        #expect(grant(replaces: [0x89] + (0..<9).flatMap { _ in one }) == .tooLarge)
    }

    @Test("A close carries an ask for just its booking where the holder asked, and else none")
    func closes() throws {
        func ask(_ wish: BookingAsk.Wish, by signer: FakeSigner = ada) throws -> [UInt8] {
            let ask = BookingAsk(nonce: 1, until: UTCTime(seconds: 5), wish: wish)
            let said = try #require(VenueStatement(ask, gathering: venue.gathering, by: signer))
            return said.encoded
        }
        func close(_ reason: UInt8, _ ask: [UInt8]?) -> DecodeError.Code? {
            var writer = CBORWriter()
            writer.array(4)
            writer.value(token)
            writer.uint(Int(reason))
            writer.bool(false)
            if let ask { writer.bytes(ask) } else { writer.null() }
            return code(12, writer.bytes)
        }
        let right = try ask(.giveBack(slot, to: nil))
        let other = Slot(token: Token(.zero), producer: slot.producer)
        #expect(close(0, right) == nil && close(0, nil) == .badValue)
        for reason: UInt8 in 1...6 {
            #expect(close(reason, nil) == nil && close(reason, right) == .badValue)
        }
        #expect(close(7, nil) == .tooLarge)
        #expect(close(0, try ask(.giveBack(other, to: nil))) == .badValue)
        #expect(close(0, try ask(.giveBack(slot, to: ada.key))) == .badValue)
        #expect(close(0, try ask(.withdraw(token.raw))) == .badValue)
        #expect(close(0, Array(right.dropLast())) != nil)
        #expect(close(0, right + [0]) == .leftover)
        // A later holder gives back what a contract brought them.
        let moved = Slot(token: token, producer: Producer(contract: ContractID(.zero)))
        #expect(close(0, try ask(.giveBack(moved, to: nil))) == nil)
    }

    @Test("Notes have their kinds, and each its bounds")
    func notes() {
        let hash: [UInt8] = [0x58, 32] + token.bytes
        let wrong: [[UInt8]] = [
            [0x84, 0, 0, 0, 0xF6], [0x84, 0, 1, 16, 0xF6], [0x84, 0, 0x1A, 0, 1, 0, 0, 0, 0xF6],
            [0x83, 0, 1, 0], [0x83, 1] + hash + [0], [0x83, 1] + hash + [0x19, 3, 0xE8],
            [0x84, 2] + hash + [0, 8], [0x83, 3] + hash + [3], [0x82, 4] + hash,
            [0x82, 4, 0x4F] + Array(repeating: 1, count: 15), [0x82, 5, 0x41, 1],
            [0x82, 6] + hash, [0x83, 5] + hash + [0], [0x80], [0x81, 5],
        ]
        for body in wrong { #expect(code(13, body) != nil, "\(body)") }
    }
}
