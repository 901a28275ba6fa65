// SPDX-License-Identifier: Apache-2.0
import Protocol
import Rendezvous
import Testing

@testable import Brokers

/// What the DNS says, hostile servers among them.
@Suite("Brokers in the DNS") struct ServiceRecordsTests {
    private static let question = "_seatmeet._tcp.meet.test"

    private func broker(_ host: String, _ port: UInt16) throws -> MeetBroker {
        try #require(MeetBroker(host: host, port: port))
    }

    private func answer(_ targets: [(String, UInt16)]) -> DNSAnswer {
        var answer = DNSAnswer(to: Self.question, records: targets.count)
        for (name, port) in targets { answer.add(port: port, target: DNSAnswer.name(name)) }
        return answer
    }

    @Test func recordsAreRead() throws {
        let read = ServiceRecords.brokers(
            in: answer([("M1.meet.test", 8883), ("m2.meet.test", 443)]).bytes)
        #expect(read == [try broker("m1.meet.test", 8883), try broker("m2.meet.test", 443)])
        #expect(ServiceRecords.brokers(in: answer([]).bytes) == [])
    }

    @Test func aNameMayPointBackwards() throws {
        var answer = DNSAnswer(to: Self.question, records: 2)
        // "meet.test" stands in the question, behind the head and two labels.
        answer.add(port: 8883, target: [2] + Array("m1".utf8) + [0xC0, 12 + 10 + 5])
        answer.add(port: 1, target: [1, 0x61, 0xC0, 12], type: 5, length: 10)
        let read = ServiceRecords.brokers(in: answer.bytes)
        #expect(read == [try broker("m1.meet.test", 8883)])
    }

    @Test func whatIsNoHostIsLeftOut() {
        var answer = DNSAnswer(to: Self.question, records: 6)
        answer.add(port: 8883, target: [0])
        answer.add(port: 0, target: DNSAnswer.name("m1.meet.test"))
        answer.add(port: 1, target: DNSAnswer.name("127.0.0.1"))
        answer.add(port: 1, target: DNSAnswer.name("a/b.test"))
        answer.add(port: 1, target: [3, 0x61, 0, 0x62, 0])
        answer.add(port: 1, target: [2, 0xC3, 0xA9, 0])
        #expect(ServiceRecords.brokers(in: answer.bytes) == [])
    }

    /// The C library reads the first two as addresses.
    @Test(arguments: ["0x7f.1", "0x7f000001", "m1.0x7f", "m1.meet.1"])
    func whatEndsInANumberIsNoName(_ name: String) {
        #expect(ServiceRecords.brokers(in: answer([(name, 8883)]).bytes) == [])
    }

    @Test func aDotInALabelMakesNoTwoLabels() {
        var answer = DNSAnswer(to: Self.question, records: 2)
        for label in ["m1.test", "0x7f.1"] {
            answer.add(port: 8883, target: [UInt8(label.utf8.count)] + Array(label.utf8) + [0])
        }
        #expect(ServiceRecords.brokers(in: answer.bytes) == [])
    }

    @Test func whatBreaksARuleIsNoAnswer() {
        let good = answer([("m1.meet.test", 8883)]).bytes
        for count in good.indices {
            #expect(ServiceRecords.brokers(in: Array(good[..<count])) == nil, "\(count) bytes")
        }
        func changed(_ place: Int, _ value: UInt8) -> [UInt8] {
            var bytes = good
            bytes[place] = value
            return bytes
        }
        // A question, an error, two questions.
        for bytes in [changed(2, 1), changed(3, 0x83), changed(5, 2)] {
            #expect(ServiceRecords.brokers(in: bytes) == nil)
        }
        // A target that goes on behind its record, and one that ends before.
        for length in [5, 6, 19, 21] {
            var bad = DNSAnswer(to: Self.question, records: 1)
            bad.add(port: 1, target: DNSAnswer.name("m1.meet.test"), length: length)
            #expect(ServiceRecords.brokers(in: bad.bytes) == nil, "\(length)")
        }
    }

    @Test func pointersComeToAnEnd() {
        var itself = DNSAnswer(to: Self.question, records: 1)
        let place = UInt8(itself.bytes.count + 12 + 6)
        itself.add(port: 1, target: [0xC0, place])
        #expect(ServiceRecords.brokers(in: itself.bytes) == nil)
        var around = DNSAnswer(to: Self.question, records: 1)
        around.add(port: 1, target: [1, 0x61, 0xC0, place])
        #expect(ServiceRecords.brokers(in: around.bytes) == nil)
        var head = DNSAnswer(to: Self.question, records: 1)
        head.add(port: 1, target: [0xC0, 2])
        #expect(ServiceRecords.brokers(in: head.bytes) == nil)
        var long = DNSAnswer(to: Self.question, records: 1)
        long.add(port: 1, target: DNSAnswer.name(String(repeating: "abcdefg.", count: 32) + "a"))
        #expect(ServiceRecords.brokers(in: long.bytes) == nil)
    }

    @Test func manyAreTakenInPart() {
        let many = answer((0..<200).map { ("m\($0).meet.test", 8883) })
        #expect(ServiceRecords.brokers(in: many.bytes)?.count == MeetLimits.pool)
    }

    @Test func madeUpBytesNeverTrap() {
        var random = SeededRandom(seed: .zero)
        let good = answer([("m1.meet.test", 8883), ("m2.meet.test", 443)]).bytes
        for _ in 0..<20_000 {
            var bytes = good
            for _ in 0..<(1 + Int(random.next() % 4)) {
                let place = Int(random.next() % UInt64(bytes.count))
                bytes[place] = UInt8(truncatingIfNeeded: random.next())
            }
            _ = ServiceRecords.brokers(in: bytes)
        }
    }
}
