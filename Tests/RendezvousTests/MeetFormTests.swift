// SPDX-License-Identifier: Apache-2.0
import Keys
import Protocol
import ProtocolTestKit
import Testing

@testable import Rendezvous

/// What is sealed, and how it is read (docs/meet.md sections 2 and 4).
@Suite("Forms of the meeting point") struct MeetFormTests {
    private static let author = FakeSigner(1).key
    private static let entries: [[UInt8]] = [[1], [2, 3], [UInt8](repeating: 4, count: 300)]

    static func card(_ change: (inout MeetCard) -> Void = { _ in }) -> MeetCard {
        var card = MeetCard(
            flight: FlightID(.zero), author: author, boxKey: .zero, made: UTCTime(seconds: 1000),
            until: UTCTime(seconds: 2000), length: 3, head8: 7, parts: 1, logs: .zero, items: [],
            stamp: [UInt8](repeating: 0, count: 8))
        change(&card)
        return card
    }

    private static func letters(_ sealed: Int) -> MeetPlain {
        .letters(
            MeetLetters(
                sender: author, made: UTCTime(seconds: 5), until: UTCTime(seconds: 6),
                sealed: [UInt8](repeating: 1, count: sealed)))
    }

    private static let plains: [MeetPlain] = [
        .card(SignedCard(card(), by: FakeSigner(1))),
        .part(author: author, number: 3, entries: entries), .live(entries), letters(42),
        letters(16_000),
    ]

    @Test(arguments: Self.plains)
    func whateverIsReadIsWrittenTheSame(_ plain: MeetPlain) throws {
        let bytes = try require(plain.encoded)
        #expect(SealedPayload.plainSizes.contains(bytes.count))
        #expect(try MeetPlain(decoding: bytes) == plain)
        // Cut short anywhere it is nothing.
        for count in 0..<min(bytes.count, 600) {
            #expect(throws: DecodeError.self) {
                try MeetPlain(decoding: Array(bytes.prefix(count)))
            }
        }
        #expect(throws: DecodeError(.leftover)) { try MeetPlain(decoding: bytes + [0]) }
        // Nor with any of its first bytes one bit off, or it is something else that is well formed.
        for place in 0..<min(bytes.count, 200) {
            var bent = bytes
            bent[place] ^= 1
            guard let read = try? MeetPlain(decoding: bent) else { continue }
            #expect(read != plain, "byte \(place)")
        }
    }

    @Test func whatIsTooLongIsNotWritten() {
        #expect(MeetPlain.live([[UInt8](repeating: 0, count: 16_340)]).encoded == nil)
        #expect(MeetPlain.live([[UInt8](repeating: 0, count: 15_000)]).encoded?.count == 16_343)
    }

    @Test(
        arguments: [
            ([0x82, 3, 0x80], DecodeError.Code.tooSmall),
            ([0x84, 3, 0x81, 0x41, 7, 0x40], .badValue),
            ([0x83, 0, 0x81, 0x41, 7, 0x40], .tooSmall),
            ([0x83, 5, 0x81, 0x41, 7, 0x40], .tooLarge),
            ([0x83, 3, 0x80, 0x40], .tooSmall), ([0x83, 3, 0x81, 0x40, 0x40], .tooSmall),
            ([0x83, 3, 0x81, 0x41, 7, 0x41, 1], .badValue),
            ([0x83, 3, 0x81, 0x41, 7, 0x58, 1, 0], .notShortest),
            ([0x83, 3, 0x81, 0x41, 7, 0x60], .wrongType),
            ([0x83, 3, 0x81, 0x41, 7, 0x41], .truncated),
            ([0x83, 3, 0x98, 65], .tooLarge), ([0x83, 3, 0x81, 0x59, 0x3A, 0x99], .tooLarge),
            ([0x83, 3, 0x81, 0x41, 7, 0x40, 0], .leftover), ([0x9F, 3], .forbiddenForm),
        ] as [([UInt8], DecodeError.Code)])
    func eachWrongFormIsRefusedForItsReason(_ bytes: [UInt8], _ code: DecodeError.Code) {
        #expect(throws: DecodeError(code)) { try MeetPlain(decoding: bytes) }
    }

    /// No head makes the reader set aside what is not there.
    @Test func hugeCountsAreRefusedAtTheirHead() {
        let head: [UInt8] = [0x83, 3, 0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(throws: DecodeError(.tooLarge)) { try MeetPlain(decoding: head) }
        let bytes: [UInt8] = [0x83, 3, 0x81, 0x5B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(throws: DecodeError(.tooLarge)) { try MeetPlain(decoding: bytes) }
    }

    @Test func listsOfLettersAreReadBack() throws {
        let all = MeetLetter.Kind.allCases.map {
            MeetLetter($0, [UInt8](repeating: 1, count: 4096))
        }
        for count in 1...all.count {
            let list = Array(all.prefix(count))
            #expect(try MeetLetter.decode(MeetLetter.encode(list)) == list)
        }
        let nine = [MeetLetter](repeating: MeetLetter(.decline, [1]), count: 9)
        #expect(throws: DecodeError(.tooLarge)) { try MeetLetter.decode(MeetLetter.encode(nine)) }
        #expect(throws: DecodeError(.badValue)) {
            try MeetLetter.decode([0x81, 0x82, 0x18, 26, 0x41, 1])
        }
    }

    // MARK: Padding

    /// Every length there is: the whole has the smallest size that it can have, and ends in zeros.
    @Test func everyLengthIsPadded() throws {
        let sizes = SealedPayload.plainSizes
        var skipped: [Int] = []
        for count in 1...16_343 {
            var writer = CBORWriter(capacity: count)
            writer.raw([UInt8](repeating: 0xFF, count: count))
            let whole = MeetPadding.close(writer)
            let nearest = sizes.first { $0 > count }
            if whole?.count != nearest {
                skipped.append(count)
                #expect(whole?.count == sizes.first { $0 > (nearest ?? 0) })
            }
            guard let whole, count % 37 == 0 || whole.count - count < 300 else { continue }
            var reader = CBORReader(whole.span.bytes)
            _ = try? reader.bytes(0...0)
            let pad = Array(whole[count...])
            var rest = CBORReader(pad.span.bytes)
            #expect(throws: Never.self, "\(count)") {
                try MeetPadding.read(&rest)
                try rest.finish()
            }
        }
        #expect(skipped == sizes.flatMap { [$0 - 258, $0 - 25] })
    }
}
