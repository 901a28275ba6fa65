// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let primitives = FakePrimitives()
private let gathering = MadeUpVenue.gathering.id
private let ada = FakeSigner(1)
private let tag = ThreadID(high: 1, low: 2)

private func time(_ seconds: Int64) -> UTCTime { UTCTime(seconds: seconds) }

/// A body of a stay, as anybody might write it.
private func body(
    kind: Int = 1, _ parts: [UInt8] = [1], place: [UInt8] = [2], booking: [UInt8] = [0xF6],
    since: [UInt8] = [5], until: [UInt8] = [0xF6], tag: [UInt8] = [0xF6]
) -> [UInt8] {
    [0x83, UInt8(kind)] + parts + [0x85] + place + booking + since + until + tag
}

/// A statement with such a body.
private func bytes(_ body: [UInt8]) -> [UInt8] {
    var writer = CBORWriter()
    writer.array(3)
    writer.value(ada.key)
    writer.bytes(body)
    writer.bytes(ada.sign(VenueStatement.toBeSigned(gathering: gathering, body: body)))
    return writer.bytes
}

private func code(_ body: [UInt8]) -> DecodeError.Code? {
    do throws(DecodeError) {
        _ = try VenueStatement(decoding: bytes(body))
        return nil
    } catch { return error.code }
}

@Suite struct StatementTests {
    @Test func whatIsWrittenIsRead() throws {
        let stays = [
            Stay(place: 1, since: time(0)), Stay(place: 4095, since: time(7), until: time(7)),
            Stay(
                place: 12, booking: Token(primitives.sha256([1])), since: time(1 << 40),
                until: time(.max), tag: tag),
        ]
        for stay in stays.compactMap({ $0 }) {
            for revision in [1, 4_294_967_295] {
                let made = try #require(
                    VenueStatement(stay, revision: revision, gathering: gathering, by: ada))
                let read = try VenueStatement(decoding: made.encoded)
                #expect(read == made && read.content == .stay(stay, revision: revision))
                #expect(read.encoded == made.encoded && read.body.count <= 80)
                #expect(read.isSigned(gathering: gathering, primitives: primitives))
            }
        }
        #expect(stays.count == 3 && !stays.contains(nil))
    }

    @Test func whatCannotBeWrittenIsNoStay() throws {
        for place in [0, -1, 4096] { #expect(Stay(place: place, since: time(1)) == nil) }
        #expect(Stay(place: 1, since: time(-1)) == nil)
        #expect(Stay(place: 1, since: time(9), until: time(8)) == nil)
        let stay = try #require(Stay(place: 1, since: time(9)))
        for revision in [0, -1, 4_294_967_296] {
            #expect(VenueStatement(stay, revision: revision, gathering: gathering, by: ada) == nil)
        }
    }

    @Test func otherBytesAreRefused() {
        #expect(code(body()) == nil)
        #expect(code(body(until: [5])) == nil && code(body(until: [4])) == .badValue)
        #expect(code(body([0])) == .tooSmall)
        #expect(code(body([0x1B, 0, 0, 0, 1, 0, 0, 0, 0])) == .tooLarge)
        #expect(code(body(place: [0])) == .tooSmall)
        #expect(code(body(place: [0x19, 0x10, 0x00])) == .tooLarge)
        #expect(code(body(place: [0x18, 2])) == .notShortest)
        #expect(code(body(booking: [0x41, 0])) == .tooSmall)
        #expect(code(body(since: [0xF6])) == .forbiddenForm)
        #expect(code(body(since: [0x20])) == .wrongType)
        #expect(code(body(tag: [0x41, 0])) == .tooSmall)
        #expect(code(body() + [0]) == .leftover)
        #expect(code(Array(body().dropLast())) == .truncated)
        #expect(code([0x82, 1, 1]) == .tooSmall)
        #expect(code([0x84] + body().dropFirst() + [0]) == .tooLarge)
        #expect(code([0x80]) == .tooSmall && code([0x81, 0xF6]) == .forbiddenForm)
        #expect(code([]) == .tooSmall)
        #expect(code([0x82, 0, 0x59, 0x01, 0xFD] + Array(repeating: 7, count: 509)) == .tooLarge)
    }

    /// What a later agent says is well formed, and says nothing.
    @Test func otherKindsSayNothing() throws {
        for later in [
            [0x81, 0], [0x82, 2, 0x81, 0x43, 1, 2, 3], body(kind: 3),
            [0x81, 0x1B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]] {
            let statement = try VenueStatement(decoding: bytes(later))
            #expect(statement.content == .later && statement.encoded == bytes(later))
        }
        #expect(code([0x82, 2, 0xF9, 0, 0]) == .forbiddenForm)
        #expect(code([0x81, 0, 0]) == .leftover)
        let deep = Array(repeating: 0x81 as UInt8, count: 8)
        #expect(code([0x82, 0] + deep.dropFirst() + [0]) == nil)
        #expect(code([0x82, 0] + deep + [0]) == .tooManyItems)
    }

    /// The signature binds gathering and body; the id author and body.
    @Test func aSignatureIsForOneGatheringAndThoseBytes() throws {
        let stay = try #require(Stay(place: 1, since: time(9)))
        let good = try #require(VenueStatement(stay, revision: 1, gathering: gathering, by: ada))
        #expect(good.isSigned(gathering: gathering, primitives: primitives))
        #expect(!good.isSigned(gathering: testFlight.id, primitives: primitives))
        let whole = good.encoded
        for place in [40, 45, 60, whole.count - 1, whole.count - 60] {
            var other = whole
            other[place] ^= 1
            guard let read = try? VenueStatement(decoding: other) else { continue }
            #expect(!read.isSigned(gathering: gathering, primitives: primitives), "\(place)")
        }
        // Nothing else that a key signs begins like it.
        let text = VenueStatement.toBeSigned(gathering: gathering, body: [1])
        #expect(text.starts(with: [0x83, 0x74] + Array("seatswap/1 statement".utf8)))
        #expect(!EntryCodec.toBeSigned([]).starts(with: text.prefix(2)))
        let other = try #require(
            VenueStatement(stay, revision: 1, gathering: gathering, by: FakeSigner(2)))
        #expect(other.body == good.body && other.id(primitives) != good.id(primitives))
        let later = try #require(
            VenueStatement(stay, revision: 1, gathering: testFlight.id, by: ada))
        #expect(later.id(primitives) == good.id(primitives))
    }

    @Test func aMarkIsSixtyEightBytes() throws {
        let mark = StayMark(author: ada.key, revision: 0x0102_0304, id: primitives.sha256([1]))
        #expect(mark.bytes.count == 68 && StayMark(mark.bytes) == mark)
        #expect(Array(mark.bytes[32..<36]) == [1, 2, 3, 4])
        #expect(StayMark(Array(mark.bytes.dropLast())) == nil && StayMark(mark.bytes + [0]) == nil)
        #expect(StayMark(ada.key.bytes + [0, 0, 0, 0] + mark.id.bytes) == nil)
    }
}
