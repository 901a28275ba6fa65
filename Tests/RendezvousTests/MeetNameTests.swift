// SPDX-License-Identifier: Apache-2.0
import Keys
import Protocol
import ProtocolTestKit
import Testing

@testable import Rendezvous

/// Epochs, topics, seals and pools (docs/meet.md sections 1, 2 and 5).
@Suite("Names of the meeting point") struct MeetNameTests {
    private let primitives: SodiumPrimitives
    private let keys: MeetKeys
    private let names: MeetNames
    private let box: MeetBox

    init() throws {
        primitives = try require(SodiumPrimitives())
        keys = MeetKeys(
            FlightKey(auth: primitives.sha256([7]), primitives: primitives), primitives: primitives)
        names = keys.names(in: MeetEpoch(number: 20_780))
        box = keys.box(of: FakeSigner(1).key, in: names.epoch)
    }

    // MARK: Epochs

    @Test func epochsAtMidnightAndAtTheEndsOfTime() {
        func epoch(_ seconds: Int64) -> UInt32 { MeetEpoch(at: UTCTime(seconds: seconds)).number }
        #expect([-1, 0, 86_399, 86_400].map(epoch) == [0, 0, 0, 1])
        #expect(epoch(.min) == 0)
        #expect(epoch(.max) == UInt32.max)
        #expect(epoch(Int64(UInt32.max) * 86_400 - 1) == UInt32.max - 1)
        let last = MeetEpoch(number: .max)
        #expect(last.next == last)
        #expect(last.begins.seconds == Int64(UInt32.max) * 86_400)
        #expect(last.bytes == [255, 255, 255, 255])
        #expect(MeetEpoch(number: 0x0102_0304).bytes == [1, 2, 3, 4])
        #expect(MeetEpoch(number: 0).previous == MeetEpoch(number: 0))
        #expect(MeetEpoch(number: 0).read.map(\.number) == [0])
        #expect(MeetEpoch(number: 2).read.map(\.number) == [2, 1, 0])
        #expect(MeetEpoch(number: 9).read.map(\.number) == [9, 8, 7, 6])
    }

    @Test func neighboursAreFollowedAroundMidnight() {
        let midnight = 20_780 * 86_400 as Int64
        func followed(_ later: Int64) -> [UInt32] {
            MeetEpoch.followed(at: UTCTime(seconds: midnight + later)).map(\.number)
        }
        #expect(followed(-601) == [20_779])
        #expect(followed(-600) == [20_779, 20_780])
        #expect(followed(599) == [20_779, 20_780])
        #expect(followed(600) == [20_780])
        #expect(MeetEpoch.followed(at: UTCTime(seconds: 0)).map(\.number) == [0])
    }

    // MARK: Topics

    @Test func topicsAreReadBackAndNothingElseIs() throws {
        for number in 0..<200 {
            let key = PeerKey(primitives.sha256([UInt8(number)]))
            let box = keys.box(of: key, in: names.epoch)
            let inbox = keys.inbox(of: key, in: names.epoch)
            #expect(MeetBox(box.text) == box)
            #expect(MeetBucket(box.bucket.text) == box.bucket)
            let topics: [MeetTopic] =
                [.card(box), .live, .letters(inbox: inbox, lane: box), .tunnel(inbox: inbox)]
                + (0..<4).map { .part(box, $0) }
            for topic in topics {
                let text = topic.text(in: names)
                #expect(text.utf8.count <= MeetTopic.longest)
                #expect(text.utf8.count { $0 == 0x2F } <= 6)
                #expect(MeetTopic(text, in: names) == topic)
                #expect(MeetTopic(text, in: keys.names(in: names.epoch.next)) == nil)
                #expect(MeetTopic(text + "/", in: names) == nil)
                #expect(MeetTopic(text + "a", in: names) == nil)
                #expect(MeetTopic(String(text.dropLast()), in: names) == nil)
                #expect(MeetTopic(text.uppercased(), in: names) == nil)
                // Anything in the place of any character is nothing, or another topic.
                for place in text.indices {
                    for other in ["", "/", "+", "#", "é", "\0", "1"] {
                        let bent = text.replacingCharacters(at: place, with: other)
                        let read = MeetTopic(bent, in: names)
                        #expect(read.map { $0.text(in: names) == bent } ?? true, "\(bent)")
                    }
                }
            }
        }
        for bucket in MeetBucket.all where bucket != box.bucket {
            let text = "\(names.prefix)/c/\(bucket.text)/\(box.text)"
            #expect(MeetTopic(text, in: names) == nil)
        }
    }

    /// A filter names just the topics that it is said to.
    @Test func filtersAreNarrow() {
        let filters: [MeetFilter] = [
            .cards(box.bucket), .logs(box.bucket), .card(box), .log(box), .live,
            .letters(inbox: box), .tunnels(inbox: box),
        ]
        for filter in filters {
            let words = filter.text(in: names).split(separator: "/")
            #expect(words.prefix(4).allSatisfy { $0 != "+" && $0 != "#" })
            #expect(!words.contains("#"))
        }
    }

    @Test func bucketsAreFilledAlike() {
        var counts = [Int](repeating: 0, count: 16)
        for number in 0..<4096 {
            let key = PeerKey(primitives.sha256(UInt64(number).bytes))
            counts[keys.box(of: key, in: names.epoch).bucket.number] += 1
        }
        #expect(counts.allSatisfy { (180...340).contains($0) }, "\(counts)")
    }

    // MARK: Seals

    @Test func whatWasSealedOpensNowhereElse() throws {
        let plain = try require(MeetPlain.live([[1, 2, 3]]).encoded)
        let nonce = [UInt8](repeating: 9, count: 24)
        let payload = try require(
            SealedPayload.seal(
                plain, for: .card(box), in: names, nonce: nonce, primitives: primitives))
        func open(_ bytes: [UInt8], _ topic: MeetTopic, _ names: MeetNames) -> [UInt8]? {
            SealedPayload.open(bytes, from: topic, in: names, primitives: primitives)
        }
        #expect(payload.count == 512)
        #expect(open(payload, .card(box), names) == plain)
        #expect(open(payload, .part(box, 0), names) == nil)
        #expect(open(payload, .card(box), keys.names(in: names.epoch.next)) == nil)
        for place in [0, 1, 24, 25, 300, 511] {
            var bent = payload
            bent[place] ^= 1
            #expect(open(bent, .card(box), names) == nil, "byte \(place)")
        }
        for size in [0, 1, 41, 511, 513, 16_385] {
            #expect(open([UInt8](repeating: 1, count: size), .card(box), names) == nil)
        }
        for size in [0, 470, 472] {
            let other = [UInt8](repeating: 0, count: size)
            #expect(
                SealedPayload.seal(
                    other, for: .live, in: names, nonce: nonce, primitives: primitives) == nil)
        }
        #expect(
            SealedPayload.seal(plain, for: .live, in: names, nonce: [1], primitives: primitives)
                == nil)
    }

    // MARK: Pools

    private func pool(_ count: Int) -> [MeetBroker] {
        (0..<count).compactMap { MeetBroker(host: "m\($0).example.org", port: 8883) }
    }

    private func homes(_ number: Int, _ brokers: [MeetBroker]) -> [MeetBroker] {
        let name = Base32.encode(primitives.sha256(UInt64(number).bytes).bytes.prefix(16))
        return MeetPool.homes(of: name, among: brokers, primitives: primitives)
    }

    @Test func flightsAreSpreadOverAPool() {
        let (five, six) = (pool(5), pool(6))
        var first: [MeetBroker: Int] = [:]
        var second: [MeetBroker: Int] = [:]
        var moved = 0
        for number in 0..<10_000 {
            let homes = homes(number, five)
            #expect(homes.count == 2 && homes[0] != homes[1])
            first[homes[0], default: 0] += 1
            second[homes[1], default: 0] += 1
            let later = self.homes(number, six)
            // Nothing moves but to the broker that joined.
            #expect(
                later.filter { $0 != six[5] } == Array(homes.prefix(later.contains(six[5]) ? 1 : 2))
            )
            if later.contains(six[5]) { moved += 1 }
        }
        for broker in five {
            #expect((1800...2200).contains(first[broker] ?? 0), "\(first)")
            #expect((1800...2200).contains(second[broker] ?? 0), "\(second)")
        }
        // Two of six.
        #expect((3000...3667).contains(moved), "\(moved)")
    }

    @Test func aPoolIsASetOfBrokers() throws {
        let five = pool(5)
        for number in 0..<100 {
            #expect(homes(number, five.reversed() + five) == homes(number, five))
            #expect(homes(number, Array(five.prefix(1))) == Array(five.prefix(1)))
            #expect(homes(number, []).isEmpty)
            // Of a huge list the first 64 by name count.
            let many = pool(300)
            #expect(homes(number, many) == homes(number, Array(many.sorted().prefix(64))))
        }
        let named = try require(MeetBroker(host: "M1.Example.ORG.", port: 1))
        #expect(named.host == "m1.example.org")
        for host in ["", ".", "a b", "m\u{130}", "é", String(repeating: "a", count: 254)] {
            #expect(MeetBroker(host: host, port: 1) == nil, "\(host)")
        }
        #expect(MeetBroker(host: "a", port: 0) == nil)
    }
}

extension String {
    fileprivate func replacingCharacters(at place: Index, with other: String) -> String {
        self[..<place] + other + self[index(after: place)...]
    }
}
