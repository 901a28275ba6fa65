// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

@testable import Keys
@testable import Text
@testable import Web

@Suite("What pages send")
struct PageSessionsTests {
    private let start = PageSessions.id(200)

    private func call(_ number: UInt64, id: UInt8, session: PageID? = nil) -> PageCall {
        PageCall(session: session ?? start, number: number, id: .id(id), text: Array("{}".utf8))
    }

    private func key(_ number: UInt8) throws -> Bytes32 {
        try #require(Bytes32([UInt8](repeating: number, count: 32)))
    }

    // MARK: Numbers

    @Test("Each number is taken once, up to 63 behind the highest one")
    func window() {
        var window = NumberWindow()
        let numbers: [(UInt64, Bool)] = [
            (0, false), (5, true), (5, false), (3, true), (3, false), (68, true), (5, false),
            (4, false), (6, true), (7, true), (68, false), (1 << 40, true), (68, false),
            ((1 << 40) - 63, true), ((1 << 40) - 64, false), (.max, true), (.max, false),
            (.max - 1, true),
        ]
        for (number, isNew) in numbers { #expect(window.take(number) == isNew, "\(number)") }
        #expect(window.highest == .max)
        // Beside a set of all that came.
        var random = SeededRandom(seed: 3)
        var (other, came, highest) = (NumberWindow(), Set<UInt64>(), UInt64(0))
        for _ in 0..<20_000 {
            let low = highest > 80 ? highest - 80 : 0
            let number = UInt64.random(in: low...highest + 3, using: &random)
            let isNew = number > 0 && number + 64 > highest && !came.contains(number)
            #expect(other.take(number) == isNew)
            if isNew { came.insert(number) }
            highest = max(highest, isNew ? number : 0)
        }
    }

    // MARK: Bytes

    @Test("A request is read as it was written, and one that is cut is none")
    func wire() throws {
        let pair = try #require(PageKey(seed: [UInt8](repeating: 7, count: 32)))
        let page = try #require(PageKey(seed: [UInt8](repeating: 9, count: 32)))
        let asked = call(0x0102_0304_0506_0708, id: 4)
        let nonce = [UInt8](repeating: 1, count: SealedBody.nonceCount)
        let box = try #require(page.seal(asked.bytes, for: pair.key, nonce: nonce))
        let wire = page.key.bytes + nonce + box
        let body = try #require(SealedBody(wire))
        #expect(body.key == page.key && body.nonce == nonce)
        let plain = try #require(pair.open(body.box, from: body.key, nonce: body.nonce))
        #expect(PageCall(plain) == asked && asked.bytes[17..<25].elementsEqual(1...8))
        #expect(SealedBody(Array(wire.prefix(32 + 24 + 16 + 40))) == nil)
        #expect(SealedBody([UInt8](repeating: 0, count: 65_537)) == nil)
        let zeros = [UInt8](repeating: 0, count: 40)
        #expect(PageCall([1] + zeros.dropLast()) == nil)
        #expect(PageCall([1] + zeros)?.text == [])
        // What the server says is no question, whatever else stands in it.
        #expect(PageCall([2] + zeros) == nil && PageCall([3] + zeros) == nil)
        #expect(BoxKind.reply(to: asked.id, [9]) == [2] + asked.id.bytes + [9])
        #expect(
            BoxKind.event(of: start, 258, [9]) == [3] + start.bytes + [0, 0, 0, 0, 0, 0, 1, 2, 9])
        // A bit that was changed anywhere, or another key.
        for index in wire.indices {
            var changed = wire
            changed[index] ^= 1
            let body = try #require(SealedBody(changed))
            #expect(pair.open(body.box, from: body.key, nonce: body.nonce) == nil, "\(index)")
        }
        #expect(page.open(box, from: page.key, nonce: nonce) == nil)
    }

    @Test("Pairs are those of NaCl's own example")
    func example() throws {
        let alice = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"
        let bob = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"
        let one = try #require(bytes(hexadecimal: alice).flatMap { PageKey(seed: $0) })
        let other = try #require(bytes(hexadecimal: bob).flatMap { PageKey(seed: $0) })
        #expect(
            hexadecimal(one.key.bytes)
                == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
        #expect(
            hexadecimal(other.key.bytes)
                == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        #expect(PageKey(seed: [1]) == nil)
        let nonce = [UInt8](repeating: 5, count: 24)
        #expect(one.seal([], for: other.key, nonce: []) == nil)
        // A key of small order seals nothing.
        #expect(one.seal([1], for: .zero, nonce: nonce) == nil)
        let box = try #require(one.seal([1, 2, 3], for: other.key, nonce: nonce))
        #expect(other.open(box, from: one.key, nonce: nonce) == [1, 2, 3])
    }

    // MARK: Questions

    @Test("A question is done once, and asked again it has the answer that it had")
    func again() throws {
        var sessions = PageSessions(session: start)
        let page = try key(1)
        #expect(
            sessions.take(call(9, id: 1, session: .unknown), from: page) == .hello(highest: 0))
        let first = call(1, id: 7)
        #expect(sessions.take(first, from: page) == .new(first))
        // Whoever listens sends it again, and the page asks again before there is an answer.
        #expect(sessions.take(first, from: page) == .repeated)
        #expect(sessions.take(call(2, id: 7), from: page) == .busy)
        sessions.answer(.id(7), of: page, with: [42], keeps: true)
        #expect(sessions.take(call(3, id: 7), from: page) == .again([42]))
        #expect(sessions.take(first, from: page) == .repeated)
        // The same id of another page is another question.
        #expect(sessions.take(first, from: try key(2)) == .new(first))
        // What changes nothing may be asked anew.
        let look = call(4, id: 8)
        #expect(sessions.take(look, from: page) == .new(look))
        sessions.answer(.id(8), of: page, with: [1], keeps: false)
        #expect(sessions.take(call(5, id: 8), from: page) == .new(call(5, id: 8)))
        #expect(
            sessions.take(call(1, id: 1, session: .unknown), from: page) == .hello(highest: 5))
        // Another start of the server.
        #expect(sessions.take(call(6, id: 9, session: .id(1)), from: page) == .otherStart)
        var next = PageSessions(session: .id(201))
        #expect(next.take(first, from: page) == .otherStart)
    }

    @Test("Of one page 64 answers and 256 KiB are kept, and what is being answered")
    func room() throws {
        var sessions = PageSessions(session: start)
        let page = try key(1)
        _ = sessions.take(call(1, id: 0), from: page)
        for id in 1...70 as ClosedRange<UInt8> {
            _ = sessions.take(call(UInt64(id) + 1, id: id), from: page)
            sessions.answer(.id(id), of: page, with: [id], keeps: true)
        }
        #expect(sessions.take(call(101, id: 0), from: page) == .busy)
        #expect(sessions.take(call(102, id: 70), from: page) == .again([70]))
        #expect(sessions.take(call(103, id: 6), from: page) == .new(call(103, id: 6)))
        let large = [UInt8](repeating: 1, count: PageSessions.answerBytes)
        sessions.answer(.id(6), of: page, with: large, keeps: true)
        #expect(sessions.take(call(104, id: 6), from: page) == .again(large))
        #expect(sessions.take(call(105, id: 70), from: page) == .new(call(105, id: 70)))
        // As many as are kept are answered at once, and none of them is begun twice.
        var busy = PageSessions(session: start)
        for id in 1...64 as ClosedRange<UInt8> {
            let next = call(UInt64(id), id: id)
            #expect(busy.take(next, from: page) == .new(next))
        }
        #expect(busy.take(call(65, id: 65), from: page) == .busy)
        #expect(busy.take(call(66, id: 1), from: page) == .busy)
        busy.answer(.id(1), of: page, with: [1], keeps: true)
        #expect(busy.take(call(67, id: 65), from: page) == .new(call(67, id: 65)))
    }

    @Test("Strangers with many keys push out each other, and nobody who is somebody")
    func strangers() throws {
        var sessions = PageSessions(session: start)
        let guest = try key(1)
        sessions.keep(guest)
        let first = call(1, id: 1)
        #expect(sessions.take(first, from: guest) == .new(first))
        for number in 0..<2000 {
            let made = [UInt8(number / 256), UInt8(number % 256)]
            let stranger = try #require(Bytes32([UInt8](repeating: 2, count: 30) + made))
            #expect(sessions.take(first, from: stranger) == .new(first))
        }
        #expect(sessions.take(first, from: guest) == .repeated)
        #expect(sessions.count == PageSessions.most + 1)
        // What was heard of somebody who has gone is of no use to anybody.
        sessions.forget(guest)
        #expect(sessions.take(first, from: guest) == .repeated)
        #expect(sessions.take(call(2, id: 1), from: guest) == .new(call(2, id: 1)))
    }

    // MARK: Events

    @Test("A page goes on behind the last event that it saw, or reads everything anew")
    func events() {
        var events = PageEvents()
        #expect(events.after(0)?.isEmpty == true && events.after(1) == nil)
        for number in 1...600 as ClosedRange<UInt16> {
            events.add([UInt8(number / 256), UInt8(number % 256)])
        }
        #expect(events.last == 600 && events.after(600)?.isEmpty == true)
        #expect(events.after(598)?.map(\.number) == [599, 600])
        #expect(events.after(598)?.last?.text == [2, 88])
        #expect(events.after(88)?.count == 512 && events.after(87) == nil)
        #expect(events.after(601) == nil)
        // Long ones push out more, and one that is too long by itself is not kept.
        events.add([UInt8](repeating: 0, count: PageEvents.bytes - 1))
        #expect(events.after(600)?.count == 1 && events.after(598) == nil)
        events.add([UInt8](repeating: 0, count: PageEvents.bytes + 1))
        #expect(events.after(601) == nil && events.after(602)?.isEmpty == true)
    }
}

extension PageID {
    static func id(_ number: UInt8) -> PageID {
        PageID([UInt8](repeating: number, count: PageID.count)) ?? .unknown
    }
}

extension PageSessions {
    static func id(_ number: UInt8) -> PageID { .id(number) }
}
