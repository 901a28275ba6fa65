// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let codec = EntryCodec(FakePrimitives())

/// Signs a body of any type and bytes; what refuses it.
private func fault(_ type: Int, _ body: [UInt8]) -> DecodeError.Code? {
    do throws(DecodeError) {
        let entry = try codec.sign(
            .unknown(type: type, body: body[...]), flight: testFlight.id, seq: 2,
            previous: EntryID(.zero), by: FakeSigner(1))
        return entry.body.type == type ? nil : .badValue
    } catch { return error.code }
}

@Suite("Entries of later agents, wishes and sealed talk") struct LaterEntryTests {
    @Test("Types 18 to 31 are any array; 8, 10 to 14 and 32 do not exist")
    func types() {
        for type in 18...31 { #expect(fault(type, [0x80]) == nil) }
        for type in [8, 10, 11, 12, 13, 14] { #expect(fault(type, [0x80]) == .badValue) }
        #expect(fault(32, [0x80]) == .tooLarge)
        #expect(fault(255, [0x80]) == .tooLarge)
        for type in [16, 17] { #expect(fault(type, [0x80]) != nil) }
    }

    @Test("What is not known is read as strictly as what is known")
    func strict() {
        func unknown(_ body: [UInt8]) -> DecodeError.Code? { fault(20, body) }
        #expect(unknown([0x83, 0x00, 0x41, 0x07, 0xA2, 0x00, 0xF4, 0x01, 0xF5]) == nil)
        // No array; not the shortest form; indefinite; negative; a tag; a float; undefined.
        #expect(unknown([0xA0]) == .wrongType)
        #expect(unknown([0x81, 0x18, 0x17]) == .notShortest)
        #expect(unknown([0x9F, 0xFF]) == .forbiddenForm)
        #expect(unknown([0x81, 0x9F, 0xFF]) == .forbiddenForm)
        #expect(unknown([0x81, 0x20]) == .forbiddenForm)
        #expect(unknown([0x81, 0xC0, 0x60]) == .forbiddenForm)
        #expect(unknown([0x81, 0xF9, 0, 0]) == .forbiddenForm)
        #expect(unknown([0x81, 0xF7]) == .forbiddenForm)
        #expect(unknown([0x81, 0x62, 0xC3, 0x28]) == .badText)
        #expect(unknown([0x81, 0xA2, 0x01, 0x00, 0x01, 0x00]) == .keyOrder)
        #expect(unknown([0x81, 0xA2, 0x01, 0x00, 0x00, 0x00]) == .keyOrder)
        #expect(unknown([0x81, 0xA1, 0x61, 0x61, 0x00]) == .wrongType)
        #expect(unknown([0x82, 0x00]) == .truncated)
        #expect(unknown([0x81, 0x42, 0x00]) == .truncated)
        #expect(unknown([0x80, 0x00]) == .leftover)
    }

    @Test("Eight arrays and maps may be inside each other, the payload is the first")
    func depth() {
        func nested(_ count: Int, _ head: [UInt8]) -> [UInt8] {
            [0x81] + (2..<count).flatMap { _ in head } + [0x80]
        }
        #expect(fault(18, nested(7, [0x81])) == nil)
        #expect(fault(18, nested(8, [0x81])) == .tooManyItems)
        #expect(fault(18, nested(7, [0xA1, 0x00])) == nil)
        #expect(fault(18, nested(8, [0xA1, 0x00])) == .tooManyItems)
        #expect(fault(18, nested(5000, [0x81])) == .tooManyItems)
        let many = [0x99, 0x10, 0x00] + [UInt8](repeating: 0, count: 4096)
        #expect(fault(18, many) == .tooManyItems)
    }

    @Test("They count in the caps, are kept, and say nothing to the fold")
    func kept() throws {
        var writer = try Writer.seated(1, "14C")
        var logs = LogSet()
        for entry in writer.entries {
            let came = logs.insert(entry.bytes, flight: testFlight.id, codec: codec)
            #expect(came == .added(entry))
        }
        let before = Fold.fold(logs).digest(FakePrimitives())
        let later = try writer.write(.unknown(type: 31, body: [0x81, 0x61, 0x61]))
        #expect(
            logs.insert(later.bytes, flight: testFlight.id, codec: codec) == .added(later))
        #expect(logs.log(of: writer.key)?.entries.last?.bytes == later.bytes)
        #expect(Fold.fold(logs).digest(FakePrimitives()) == before && !later.body.matters)
    }

    @Test("The blocks of a set are sorted, apart and within the cabin")
    func sets() throws {
        func wish(_ blocks: [[Int]]) -> DecodeError.Code? {
            var body = CBORWriter()
            body.array(5)
            body.array(0)
            body.array(1)
            body.array(blocks.count)
            for block in blocks {
                body.array(block.count)
                for number in block { body.uint(number) }
            }
            body.uint(1)
            body.bytes([UInt8](repeating: 0, count: 16))
            body.text("")
            return fault(16, body.bytes)
        }
        #expect(wish([[1, 1, 255]]) == nil)
        #expect(wish([[67_108_863, 1, 255]]) == nil)
        #expect(wish([[67_108_864, 1, 255]]) == .tooLarge)
        #expect(wish([[0, 1, 255]]) == .tooSmall)
        #expect(wish([[1, 0, 5]]) == .tooSmall && wish([[1, 5, 256]]) == .tooLarge)
        #expect(wish([[1, 5, 4]]) == .badValue)
        #expect(wish([[1, 1, 5], [1, 6, 9]]) == nil)
        #expect(wish([[1, 1, 5], [2, 1, 5]]) == nil)
        #expect(wish([[2, 1, 5], [1, 1, 5]]) == .badValue)
        #expect(wish([[1, 6, 9], [1, 1, 5]]) == .badValue)
        #expect(wish([[1, 1, 5], [1, 5, 9]]) == .badValue)
        #expect(wish([[3, 1, 9], [4, 2, 3], [2, 5, 5]]) == .badValue)
        #expect(wish([]) == .tooSmall)
        #expect(wish((1...16).map { [1, $0, $0] }) == nil)
        #expect(wish((1...17).map { [1, $0, $0] }) == .tooLarge)
        let seat = try require(Seat("12C"))
        #expect(SeatSet(seat).contains(seat) && SeatSet.all.contains(seat))
        let front = try require(SeatSet(before: 12))
        let last = try require(Seat("11Z"))
        #expect(!front.contains(seat) && front.contains(last))
        #expect(SeatSet(before: 1) == nil)
    }

    @Test("Sealed talk has a nonce of 24 bytes and 17 to 2200 more")
    func sealed() {
        func talk(_ nonce: Int, _ count: Int) -> DecodeError.Code? {
            var body = CBORWriter()
            body.array(2)
            body.bytes([UInt8](repeating: 1, count: nonce))
            body.bytes([UInt8](repeating: 2, count: count))
            return fault(17, body.bytes)
        }
        #expect(talk(24, 17) == nil && talk(24, 2200) == nil)
        #expect(talk(24, 16) == .tooSmall && talk(24, 2201) == .tooLarge)
        #expect(talk(23, 17) == .tooSmall && talk(25, 17) == .tooLarge)
    }

    @Test("The wishes of an agent in no party have one tag, and keep who may ask")
    func tags() throws {
        var world = World()
        try world.add("14C")
        world.run(seconds: 6)
        world.wish(0, .offer(ranks: [.all], note: "n"))
        world.run(seconds: 6)
        world.wish(0, .withdrawOffer)
        world.run(seconds: 6)
        world.wish(0, .offer(ranks: [], note: ""))
        let log = try require(world.hosts[0].node.logs.log(of: world.key(0)))
        let wishes = log.entries.compactMap { entry -> Wish? in
            if case .wish(let wish) = entry.body { wish } else { nil }
        }
        #expect(wishes.map(\.offered.count) == [1, 0, 1] && wishes[1].ranks.isEmpty)
        #expect(Set(wishes.map(\.tag)).count == 1)
        #expect(wishes.allSatisfy { $0.asks == .alike })
        #expect(world.hosts[0].node.passenger(world.key(0))?.wish == wishes[2])
    }
}
