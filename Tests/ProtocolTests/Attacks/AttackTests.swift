// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Rows of docs/protocol.md section 26 that no other test stands for, against the real core.
@Suite struct AttackTests {
    private let codec = EntryCodec(FakePrimitives())
    private let t0 = Instant.zero

    /// A9: nine seats for one key, all of them disputes at most: tokens, and so
    /// swaps, stay what they are.
    @Test func a9BotClaimsNineSeatsAndNoMore() throws {
        let ada = try Writer.seated(1, "1A")
        let bo = try Writer.seated(2, "2A")
        var bot = Writer(3)
        try bot.write(.genesis(name: "bot", agent: "test"))
        for row in 1...9 {
            try bot.write(.claim(seat: try require(Seat("\(row)A")), dependant: false))
        }
        var logs = LogSet.of(ada.entries + bo.entries + bot.entries)
        let tenth = try bot.write(.claim(seat: try require(Seat("10A")), dependant: false))
        let refused = logs.insert(tenth.bytes, flight: testFlight.id, codec: codec)
        #expect(refused == .refused(.caps))
        let fold = Fold.fold(logs)
        #expect(fold.held(by: ada.key).map(\.seat.text) == ["1A"])
        #expect(fold.held(by: bot.key).count == Limits.liveClaims)
        let view = SeatView(fold)
        let seat = try require(Seat("1A"))
        #expect(view.place(seat)?.holding == .disputed([ada.key, bot.key].sorted()))
        let only = try require(Seat("9A"))
        #expect(view.place(only)?.holding == .held(bot.key))
    }

    /// A14: two encodings of one payload, NaN, a big number, a key twice: refused, never repaired.
    @Test func a14OtherEncodingsAreRefused() throws {
        let ada = try Writer.seated(1, "1A")
        let entry = ada.entries[0]
        let bytes = entry.bytes
        var reader = CBORReader(bytes.span.bytes)
        try reader.array(4)
        let head = try reader.bytes(0...64)
        _ = try reader.map(0...0)
        let payload = try reader.bytes(1...Limits.entry)
        let signature = try reader.bytes(64...64)
        // [1, ...] with 1 as 18 01, as a float that is no number, and as a big number.
        for first in [[0x18, 0x01], [0xF9, 0x7E, 0x00], [0xC2, 0x41, 0x01]] as [[UInt8]] {
            #expect(payload[1] == 1)
            var writer = CBORWriter(capacity: 256)
            writer.array(4)
            writer.bytes(head)
            writer.map(0)
            writer.bytes([payload[0]] + first + Array(payload.dropFirst(2)))
            writer.bytes(signature)
            var logs = LogSet()
            let result = logs.insert(writer.bytes, flight: testFlight.id, codec: codec)
            guard case .refused(.form) = result else {
                Issue.record("taken: \(result)")
                continue
            }
        }
        // A key twice: {0: .., 0: ..} in the place of HELLO's map.
        let twice: [UInt8] = [0, 0, 0, 6, 0, 0xA2, 0x00, 0x01, 0x00, 0x01]
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(twice)
        let frame = try #require(try decoder.next())
        #expect(throws: Message.Fault.self) { try Message.decode(frame) }
    }

    /// A15: a point of small order in a signature is refused before any library is asked: here one
    /// that says yes to everything.
    @Test func a15MixedOrderSignaturesAreRefusedBeforeTheLibrary() throws {
        let lenient = EntryCodec(FakePrimitives())
        let writer = FakeSigner(1)
        let entry = try lenient.sign(
            .genesis(name: "ada", agent: "test"), flight: testFlight.id, seq: 1, previous: nil,
            by: writer)
        var logs = LogSet()
        let small: [[UInt8]] = [
            Array(repeating: 0, count: 32), [1] + Array(repeating: 0, count: 31),
            [0xEC] + Array(repeating: 0xFF, count: 30) + [0x7F],
        ]
        for point in small {
            var bytes = entry.bytes
            let start = bytes.count - 64
            bytes.replaceSubrange(start..<start + 32, with: point)
            let result = logs.insert(bytes, flight: testFlight.id, codec: lenient)
            #expect(result == .refused(.signature), "\(point)")
        }
    }

    /// 5.6, long log: entry 4097 and the byte after 4 MiB are refused by everybody alike.
    @Test func longLogsEndAtTheirCaps() throws {
        let lenient = EntryCodec(FakePrimitives())
        func fill(_ text: String) throws -> (count: Int, fault: EntryFault?) {
            var logs = LogSet()
            for number in 0...Limits.entriesPerAuthor {
                do throws(EntryFault) {
                    _ = try logs.appendOwn(
                        number == 0
                            ? .genesis(name: "ada", agent: "test")
                            : .chat(text: text, replyTo: nil),
                        flight: testFlight.id, signer: FakeSigner(key: FakeSigner(1).key),
                        codec: lenient)
                } catch {
                    return (number, error)
                }
            }
            return (Limits.entriesPerAuthor + 1, nil)
        }
        let many = try fill("x")
        #expect(many.count == Limits.entriesPerAuthor && many.fault == .caps)
        let large = try fill(String(repeating: "x", count: Limits.chatText))
        #expect(large.fault == .caps)
        #expect(large.count * Limits.chatText < Limits.bytesPerAuthor)
        #expect((large.count + 1) * (Limits.chatText + 256) > Limits.bytesPerAuthor)
    }

    /// Fast log: delayed, not dropped.
    @Test func fastLogsAreDelayedNotDropped() {
        var bucket = TokenBucket(
            perSecond: Limits.entriesPerSecond, burst: Limits.entryBurst, at: t0)
        #expect(bucket.take(Limits.entryBurst, at: t0) == nil)
        let until = bucket.take(Limits.entriesPerSecond, at: t0)
        #expect(until == t0 + .milliseconds(1001))
    }

    /// Eclipse: one neighbour fills their share of the address book with their own addresses, and
    /// still at least every other dial goes elsewhere.
    @Test func oneTalkerDoesNotChooseOurNeighbours() {
        let talker = FakeSigner(200).key
        for seed in 1...50 {
            var random = SeededRandom(seed: UInt64(seed))
            var dialer = Dialer(FakeSigner(1).key)
            dialer.networks = wholeTen
            dialer.labelled("0000")
            for number in 0..<30 {
                let place = PeerAddress(host: "10.0.0.\(number + 1)", port: 1)
                dialer.found("1\(number)", [place], random: &random, at: t0)
            }
            for number in 0..<Limits.hintsPerPeer {
                let digest = FakePrimitives().sha256([UInt8(number & 255), UInt8(number >> 8)])
                let place = PeerAddress(host: "10.6.6.\(number)", port: 1)
                dialer.heard(
                    of: PeerKey(digest), at: [place], from: talker, random: &random, now: t0)
            }
            dialer.plan = .some(Limits.outbound, needed: [])
            let dials = dialer.tick(random: &random, at: t0 + .seconds(10))
            #expect(dials.count == Limits.outbound)
            let his = dials.count { $0.address.host.hasPrefix("10.6.") }
            #expect(his <= Limits.outbound / 2, "seed \(seed): \(his)")
        }
    }
}
