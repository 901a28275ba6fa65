// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Passengers who are never online together, and what they leave for each other (docs/meet.md
/// section 4).
@Suite struct LetterTests {
    /// Two who know each other's seats and cannot reach each other; the second one is away.
    private func world() throws -> World {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.cut()
        world.run(seconds: 10)
        for (reader, author) in [(0, 1), (1, 0)] {
            let log = world.hosts[author].node.logs.log(of: world.key(author))?.entries ?? []
            world.feed(reader, .mailed(log.map(\.bytes)))
        }
        world.run(seconds: 2)
        world.kill(1)
        return world
    }

    private func asks(_ world: inout World, seconds: Int = 3600) throws {
        let take = try require(Seat("12A"))
        world.wish(
            0,
            .swap(
                take: take, give: nil, note: "please", expires: seconds, override: false,
                from: nil, unverified: true))
        #expect(world.stage(0) == .asking)
    }

    /// What one leaves for another, as it comes out of a list.
    private func letters(_ world: World, from: Int, to: Int) throws -> Mail {
        let mail = world.hosts[from].node.mail(at: world.now) ?? []
        let made = world.now.utc
        let letters = mail.first { $0.peer == world.key(to) }?.letters ?? []
        let read = try letters.map {
            try Letter(
                kind: $0.kind, $0.payload(made: made), made: made,
                until: UTCTime(seconds: made.seconds + 345_600))
        }
        return Mail(world.key(from), read)
    }

    /// One goes away after that, and the other comes.
    private func handOver(_ world: inout World, from: Int, to: Int) throws {
        let mail = try letters(world, from: from, to: to)
        world.kill(from)
        world.restart(to)
        world.run(seconds: 10)
        world.feed(to, .lettered(mail))
        world.run(seconds: 1)
    }

    private func entries(_ world: World, _ host: Int) -> Int {
        world.hosts[host].node.logs.seq(of: world.key(host))
    }

    @Test func anAskAndAnAnswerByLetterBindOnceBothAreOnline() throws {
        var world = try world()
        try asks(&world)
        try handOver(&world, from: 0, to: 1)
        #expect(world.stage(1) == .requested)
        #expect(world.hosts[1].node.swaps.records.last?.note == "please")
        let count = entries(world, 1)
        #expect(world.wish(1, .accept(1, override: false)) == .success(.request(1)))
        world.run(seconds: 60)
        // The yes waits: a letter is no word in a session.
        #expect(world.stage(1) == .agreed && entries(world, 1) == count)
        try handOver(&world, from: 1, to: 0)
        let record = try require(world.hosts[0].node.swaps.records.last)
        #expect(record.stage == .asking)
        #expect(world.hosts[0].node.wouldDo(record) == record.expires)
        #expect(world.holder("12A", seenBy: 0) == 1)
        world.heal()
        world.restart(1)
        world.run(seconds: 60)
        #expect(world.stage(0) == .committed && world.stage(1) == .committed)
        #expect(world.holder("12A", seenBy: 0) == 0 && world.holder("14C", seenBy: 1) == 1)
        // Nothing is left for anybody after that, and each lane is named to be cleared.
        for host in 0..<2 {
            let mail = try require(world.hosts[host].node.mail(at: world.now))
            #expect(mail == [Mail(world.key(1 - host), [])])
        }
    }

    /// As if the link came before the asker may append: the yes waits for their ASK.
    @Test func anAskByLetterIsNoneOfTheSession() throws {
        var world = try world()
        try asks(&world)
        let ask = try letters(world, from: 0, to: 1)
        try handOver(&world, from: 0, to: 1)
        world.wish(1, .accept(1, override: false))
        // Whatever head it bears.
        for case .message(.swap(.ask(var ask))) in ask.letters.map(\.body) {
            ask.head = LogHead(author: world.key(0), seq: 2, id: EntryID(.zero))
            let letter = Letter(.message(.swap(.ask(ask))), until: UTCTime(seconds: .max))
            world.feed(1, .lettered(Mail(world.key(0), [letter])))
        }
        guard case .coordinator(let machine) = world.hosts[1].node.swaps.threads[0],
            case .agreed(let request) = machine.state
        else {
            Issue.record("the yes is gone")
            return
        }
        #expect(request.head == nil)
    }

    @Test func aRequestEndsWhenItsLetterSays() throws {
        var world = try world()
        try asks(&world, seconds: 600)
        let end = try require(world.hosts[0].node.swaps.records.last).expires
        let mail = try letters(world, from: 0, to: 1)
        world.kill(0)
        world.run(seconds: 300)
        world.restart(1)
        world.run(seconds: 10)
        world.feed(1, .lettered(mail))
        #expect(world.hosts[1].node.swaps.records.last?.expires == end)
        // One that is over is nothing.
        world.run(seconds: 400)
        #expect(world.stage(1) == .expired)
        var other = try self.world()
        try asks(&other, seconds: 60)
        let late = try letters(other, from: 0, to: 1)
        other.run(seconds: 61)
        other.restart(1)
        other.run(seconds: 10)
        other.feed(1, .lettered(late))
        #expect(other.hosts[1].node.swaps.records.isEmpty)
    }

    @Test func whatIsTakenBackOrDeclinedIsSaidByLetter() throws {
        var world = try world()
        try asks(&world)
        try handOver(&world, from: 0, to: 1)
        world.kill(1)
        world.restart(0)
        world.run(seconds: 10)
        world.wish(0, .cancel(1))
        try handOver(&world, from: 0, to: 1)
        #expect(world.stage(1) == .withdrawn)

        var other = try self.world()
        try asks(&other)
        try handOver(&other, from: 0, to: 1)
        other.wish(1, .decline(1, note: "my child sits there"))
        try handOver(&other, from: 1, to: 0)
        #expect(other.stage(0) == .declined)
        #expect(other.hosts[0].node.swaps.records.last?.ending == "my child sits there")
    }

    @Test func aNoWithoutANoteLeavesNothing() throws {
        var world = try world()
        try asks(&world)
        try handOver(&world, from: 0, to: 1)
        world.wish(1, .decline(1, note: ""))
        #expect(try letters(world, from: 1, to: 0).letters.isEmpty)
    }

    /// The logs, which lie there too, tell it and why.
    @Test func whereTheSeatIsGivenUpNoLetterSaysThatTheRequestIsOver() throws {
        var world = try world()
        try asks(&world)
        #expect(try letters(world, from: 0, to: 1).letters.count == 1)
        world.wish(0, .release(try require(Seat("14C"))))
        #expect(world.stage(0) == .withdrawn)
        #expect(world.hosts[0].node.swaps.records.last?.lost != nil)
        #expect(try letters(world, from: 0, to: 1).letters.isEmpty)
    }

    @Test func aYesThatIsTakenBackIsNotShownAnyMore() throws {
        var world = try world()
        try asks(&world)
        try handOver(&world, from: 0, to: 1)
        world.wish(1, .accept(1, override: false))
        try handOver(&world, from: 1, to: 0)
        let record = try require(world.hosts[0].node.swaps.records.last)
        #expect(world.hosts[0].node.wouldDo(record) != nil)
        world.feed(0, .lettered(Mail(world.key(1), [])))
        #expect(world.hosts[0].node.wouldDo(record) == nil && world.stage(0) == .asking)
    }

    @Test func aStandingAnswerIsToExactlyOneRequest() throws {
        var world = try world()
        try asks(&world)
        let record = try require(world.hosts[0].node.swaps.records.last)
        let good = StandingAnswer(
            thread: record.thread, revision: 1, contract: record.contract.id,
            until: record.expires)
        func wouldDo(_ answer: StandingAnswer, from peer: PeerKey) -> UTCTime? {
            world.feed(0, .lettered(Mail(peer, [Letter(.standing(answer), until: answer.until)])))
            return world.hosts[0].node.wouldDo(record)
        }
        #expect(wouldDo(good, from: world.key(1)) == record.expires)
        var other = good
        other.revision = 2
        #expect(wouldDo(other, from: world.key(1)) == nil)
        other = good
        other.contract = ContractID(.zero)
        #expect(wouldDo(other, from: world.key(1)) == nil)
        other = good
        other.thread = ThreadID(high: 1, low: 2)
        #expect(wouldDo(other, from: world.key(1)) == nil)
        #expect(wouldDo(good, from: FakeSigner(9).key) == nil)
        // Not for longer than the request stands.
        other = good
        other.until = UTCTime(seconds: .max)
        #expect(wouldDo(other, from: world.key(1)) == record.expires)
        #expect(world.stage(0) == .asking)
    }

    @Test func aMessageByLetterIsShownOnce() throws {
        var world = try world()
        let text = "are you there?"
        world.wish(0, .message(to: world.key(1), text))
        try handOver(&world, from: 0, to: 1)
        world.heal()
        world.restart(0)
        world.run(seconds: 60)
        let shown = world.hosts[1].notices.count {
            if case .message(let message) = $0 { message.text == text } else { false }
        }
        #expect(shown == 1)
        #expect(world.hosts[0].node.talk.outbox.messages.last?.state == .acknowledged)
        #expect(try letters(world, from: 0, to: 1).letters.isEmpty)
    }

    @Test func whoIsBlockedIsNotRead() throws {
        var world = try world()
        try asks(&world)
        world.wish(0, .message(to: world.key(1), "hello"))
        let mail = try letters(world, from: 0, to: 1)
        #expect(mail.letters.count == 2)
        world.kill(0)
        world.restart(1)
        world.run(seconds: 10)
        world.wish(1, .block(world.key(0), true))
        world.feed(1, .lettered(mail))
        #expect(world.hosts[1].node.swaps.records.isEmpty)
        #expect(world.hosts[1].node.talk.outbox.messages.isEmpty)
    }

    @Test func nothingIsReadOrLeftWhileASessionIsOpen() throws {
        var world = try world()
        try asks(&world)
        let mail = try letters(world, from: 0, to: 1)
        world.heal()
        world.restart(1)
        world.run(seconds: 60)
        #expect(world.hosts[0].node.mail(at: world.now) == [Mail(world.key(1), [])])
        world.wish(1, .decline(1, note: ""))
        world.feed(1, .lettered(mail))
        #expect(world.stage(1) == .declined)
    }

    /// Section 16: no more than eight are open, by whichever way they come.
    @Test func manyRequestsByLetterAreMetBySilence() throws {
        var world = try world()
        try asks(&world)
        let mail = try letters(world, from: 0, to: 1)
        world.kill(0)
        world.restart(1)
        world.run(seconds: 10)
        let contract = try require(world.hosts[0].node.swaps.records.last).contract
        for number in 0..<20 {
            for case .message(.swap(.ask(var ask))) in mail.letters.map(\.body) {
                let other = try require(
                    Contract(
                        flight: contract.flight, coordinator: contract.coordinator,
                        nonce: ThreadID(high: 8, low: UInt64(number)), legs: contract.legs,
                        primitives: FakePrimitives()))
                ask.thread = ThreadID(high: 7, low: UInt64(number))
                ask.contract = other.bytes
                let letter = Letter(
                    .message(.swap(.ask(ask))), until: UTCTime(seconds: world.now.utc.seconds + 60))
                world.feed(1, .lettered(Mail(world.key(0), [letter])))
            }
        }
        #expect(world.hosts[1].node.swaps.records.count == 8)
    }

    @Test func nothingThatBindsGoesByLetter() throws {
        let (made, until) = (UTCTime(seconds: 1000), UTCTime(seconds: 5000))
        let head = LogHead(author: FakeSigner(1).key, seq: 1, id: EntryID(.zero))
        let thread = ThreadID(high: 1, low: 2)
        let ready = Ready(thread: thread, contract: ContractID(.zero), head: head)
        let query = Message.swap(.query(ContractID(.zero)))
        for message in [Message.swap(.ready(ready)), query, .ping(1), .directAck(id: thread)] {
            #expect(throws: DecodeError.self) {
                try Letter(
                    kind: Int(message.type.rawValue), Array(message.encode().dropFirst(5)),
                    made: made, until: until)
            }
        }
        let ask = Ask(thread: thread, contract: [1], note: "", expires: 60, head: head)
        let bytes = Letter(.message(.swap(.ask(ask))), until: UTCTime(seconds: 1500))
            .payload(made: made)
        // Its seconds count from when the list was made, and it ends with the list.
        #expect(try Letter(kind: 48, bytes, made: made, until: until).until.seconds == 1500)
        let short = UTCTime(seconds: 1200)
        #expect(try Letter(kind: 48, bytes, made: made, until: short).until == short)
        #expect(throws: DecodeError.self) {
            try Letter(kind: 304, bytes, made: made, until: until)
        }
        #expect(throws: DecodeError.self) {
            try Letter(kind: 48, bytes + [0], made: made, until: until)
        }
        // The largest number traps nothing.
        let last = UTCTime(seconds: .max)
        #expect(try Letter(kind: 48, bytes, made: last, until: last).until < made)
    }
}
