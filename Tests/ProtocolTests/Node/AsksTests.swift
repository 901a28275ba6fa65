// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Asks that travel to the desk, and what comes back.
@Suite("Asks and the desk's answers") struct AsksTests {
    @Test("An ask of somebody who has gone home waits with others for the desk")
    func goneHome() throws {
        var world = try recCentre(4)
        world.kill(0)
        world.run(seconds: 1)
        let ask = try world.ask(1, for: 1, 0, 10)
        world.run(seconds: 2)
        world.kill(1)
        world.run(seconds: 60)
        #expect(world.asks(2) == [ask] && world.asks(3) == [ask])
        world.restart(0)
        world.run(seconds: 40)
        #expect(world.asks(0) == [ask])
        #expect(try world.serve(0) == 1)
        world.run(seconds: 2)
        #expect(world.hosts.allSatisfy { !$0.isUp || $0.node.openAsks.isEmpty })
        world.restart(1)
        world.run(seconds: 10)
        #expect(world.bookings(1, seenBy: 1) == [[1, 10]] && world.hosts[1].node.ownAsks == [])
        #expect(world.hosts[1].disk.stored.statements.isEmpty)
    }

    @Test("An ask reaches the desk through others, and so does its answer come back")
    func throughOthers() throws {
        var world = try recCentre(3)
        world.walls = [[0, 2]]
        world.cut()
        world.heal()
        for (one, other) in [(0, 1), (1, 2)] { world.feed(one, .typed(world.address(other))) }
        world.run(seconds: 5)
        #expect(world.link(from: 0, to: 2) == nil)
        let ask = try world.ask(2, for: 1, 0, 10, lasting: 600)
        world.run(seconds: 1)
        #expect(world.asks(0) == [ask])
        #expect(
            world.wish(0, .ledger(.answer(ask: ask, reason: 13, waiting: 2)))?.refusal == nil)
        world.run(seconds: 1)
        #expect(world.standing(2, ask) == .waiting(2) && world.asks(0) == [ask])
        world.run(seconds: 1)
        world.wish(0, .ledger(.answer(ask: ask, reason: 14, waiting: 0)))
        world.run(seconds: 1)
        #expect(world.standing(2, ask) == .refused(14))
        #expect(world.hosts.allSatisfy { $0.node.openAsks.isEmpty })
        #expect(world.hosts[2].notices.count { $0 == .ask(.answered(ask)) } == 2)
        // It is on both disks until its time is over, and known again after a start.
        for index in [0, 2] {
            world.kill(index)
            world.restart(index)
        }
        world.run(seconds: 45)
        #expect(world.standing(2, ask) == .refused(14) && world.isOneVenue)
        world.run(seconds: 600)
        #expect(world.hosts.allSatisfy { $0.disk.stored.statements.isEmpty })
        #expect(world.hosts[2].node.ownAsks == [])
        #expect(!world.hosts[2].notices.contains(.ask(.expired(ask))))
    }

    /// The own ask is on disk before anybody hears of it, and is said again after a death.
    @Test("An ask is on disk before it is sent")
    func durable() throws {
        var world = try recCentre(3)
        world.death = World.Death(
            host: 1, commit: world.hosts[1].commits + 1, afterWrites: false)
        _ = try? world.ask(1, for: 1, 0, 10)
        world.run(seconds: 1)
        #expect(!world.hosts[1].isUp && world.asks(0) == [])
        world.restart(1)
        world.run(seconds: 2)
        world.death = World.Death(
            host: 1, commit: world.hosts[1].commits + 1, afterWrites: true)
        _ = try? world.ask(1, for: 1, 0, 10)
        world.run(seconds: 1)
        #expect(!world.hosts[1].isUp && world.asks(0) == [])
        world.restart(1)
        world.run(seconds: 5)
        #expect(world.asks(0).count == 1 && world.hosts[1].node.ownAsks.count == 1)
        // An entry of the desk too.
        let seq = world.hosts[0].disk.ownSeq
        world.death = World.Death(
            host: 0, commit: world.hosts[0].commits + 1, afterWrites: false)
        _ = try? world.serve(0)
        #expect(!world.hosts[0].isUp && world.hosts[0].disk.ownSeq == seq)
        world.run(seconds: 1)
        #expect(world.bookings(1, seenBy: 2) == [])
    }

    @Test("What is taken back is nobody's business any more")
    func withdrawn() throws {
        var world = try recCentre(3)
        let ask = try world.ask(1, for: 1, 0, 10)
        world.run(seconds: 1)
        #expect(world.wish(2, .booking(.withdraw(ask)))?.refusal == .noSuchAsk)
        #expect(world.wish(1, .booking(.withdraw(ask)))?.refusal == nil)
        #expect(world.wish(1, .booking(.withdraw(ask)))?.refusal == .noSuchAsk)
        world.run(seconds: 1)
        #expect(world.hosts[1].node.ownAsks == [])
        #expect(world.hosts.allSatisfy { !$0.node.openAsks.map(\.id).contains(ask) })
        // The desk sees that somebody takes something back, and of what.
        let wishes = world.hosts[0].node.openAsks.map(\.ask.wish)
        #expect(wishes == [.withdraw(ask)])
        world.kill(1)
        world.restart(1)
        world.run(seconds: 5)
        #expect(world.hosts[1].node.ownAsks == [] && world.isOneVenue)
    }

    @Test("A booking is given back by an ask, and the close carries it")
    func givenBack() throws {
        var world = try recCentre(3)
        try world.ask(1, for: 1, 0, 10)
        world.run(seconds: 1)
        try world.serve(0)
        world.run(seconds: 1)
        let booking = try #require(
            world.hosts[1].node.bookView.bookings(of: world.key(1)).first)
        let until = UTCTime(seconds: world.now.utc.seconds + 600)
        let wish = BookingAsk.Wish.giveBack(booking.slot, to: nil)
        guard case .success(.asked(let id))? = world.wish(1, .booking(.ask(wish, until: until)))
        else {
            Issue.record("not asked")
            return
        }
        world.run(seconds: 1)
        #expect(try world.serve(0) == 1)
        world.run(seconds: 1)
        #expect(world.isOneVenue && world.bookings(1, seenBy: 2) == [])
        #expect(world.hosts[1].notices.contains(.ask(.closed(id, booking.token))))
        #expect(world.hosts[1].node.ownAsks == [] && world.asks(2) == [])
    }

    @Test("A place in the queue that the ledger notes is shown, and the ask stays for the desk")
    func noted() throws {
        var world = try recCentre(3)
        let ask = try world.ask(1, for: 1, 0, 10, waits: true)
        world.run(seconds: 1)
        world.wish(
            0,
            .ledger(
                .append([
                    .note(.member(number: 7, class: 0, key: world.key(1))),
                    .note(.waiting(ask: ask, place: 4)),
                ])))
        world.run(seconds: 1)
        #expect(world.standing(1, ask) == .waiting(4))
        world.kill(0)
        world.restart(0)
        world.run(seconds: 40)
        #expect(world.hosts[0].node.openAsks.map(\.waiting) == [4])
        try world.serve(0)
        world.run(seconds: 1)
        #expect(world.standing(1, ask) == nil && world.isOneVenue)
    }

    @Test("What cannot be asked is refused, and nothing is sent")
    func refused() throws {
        var world = try recCentre(2)
        let period = try SmallVenue.period(0, 10, 60)
        func wish(_ place: Int, _ count: Int, _ note: String, _ until: Int64) -> Refusal? {
            let wish = BookingAsk.Wish.book(
                place: place, period: period, count: count, waits: false, tag: nil, note: note)
            let until = UTCTime(seconds: world.now.utc.seconds + until)
            return world.wish(1, .booking(.ask(wish, until: until)))?.refusal
        }
        let before = world.traffic
        for place in [-1, 0, 4096] { #expect(wish(place, 1, "", 60) == .outsideOfVolume) }
        for count in [-1, 0, 1001] { #expect(wish(1, count, "", 60) == .outsideOfVolume) }
        #expect(wish(1, 1, String(repeating: "x", count: 201), 60) == .tooLong(200))
        #expect(wish(1, 1, "", 0) == .outsideOfVolume && wish(1, 1, "", -9) == .outsideOfVolume)
        world.rest()
        #expect(world.traffic == before)
        for _ in 0..<8 { #expect(wish(1, 1, "", 60) == nil) }
        #expect(wish(1, 1, "", 60) == .tooManyAsks)
        #expect(
            world.wish(1, .ledger(.answer(ask: .zero, reason: 1, waiting: 0)))?.refusal == .notDesk)
        #expect(
            world.wish(0, .ledger(.answer(ask: .zero, reason: 1, waiting: 0)))?.refusal
                == .noSuchAsk)
        world.run(seconds: 70)
        #expect(world.hosts.allSatisfy { $0.node.openAsks.isEmpty })
        #expect(
            world.hosts[1].notices.count {
                if case .ask(.expired) = $0 { true } else { false }
            } == 8)
        var flight = World()
        try flight.add("1A")
        #expect(flight.wish(0, .booking(.withdraw(.zero)))?.refusal == .noVenue)
    }

    @Test("A forged ask ends the link, and an answer by somebody else is nothing")
    func forged() throws {
        var world = try recCentre(3)
        let ask = try world.ask(1, for: 1, 0, 10)
        world.run(seconds: 1)
        let open = try #require(world.hosts[1].node.openAsks.first)
        let false1 = MadeUpAsks.answer(open.statement, until: 9999, by: FakeSigner(3))
        try world.say(.statement(false1), from: 2, to: 1)
        #expect(world.standing(1, ask) == .asked)
        let forged = VenueStatement(
            BookingAsk(nonce: 9, until: open.ask.until, wish: open.ask.wish),
            gathering: testFlight.id, by: FakeSigner(2))
        let link = try #require(world.link(from: 2, to: 0))
        try world.say(.statement(try #require(forged)), from: 2, to: 0)
        #expect(world.link(from: 2, to: 0) != link && world.asks(0) == [ask])
    }

    @Test("A newcomer hears of every ask and answer, and nobody tells it twice")
    func newcomer() throws {
        var world = try recCentre(3)
        var asks: [Bytes32] = []
        for hour in 8..<16 { asks.append(try world.ask(1, for: 3, 0, hour)) }
        for hour in 8..<12 { asks.append(try world.ask(2, for: 4, 1, hour)) }
        world.run(seconds: 1)
        for ask in asks.prefix(3) {
            world.wish(0, .ledger(.answer(ask: ask, reason: 9, waiting: 0)))
        }
        world.run(seconds: 1)
        try world.add("1A")
        world.run(seconds: 10)
        #expect(world.isOneVenue && world.asks(3).count == 9)
        let before = world.traffic
        world.run(seconds: 59)
        let sent = world.traffic.map { pair, bytes in bytes - (before[pair] ?? 0) }
        #expect(sent.allSatisfy { $0 < 16_000 }, "\(sent)")
    }

    @Test("200 asks of one turn are one transaction of the desk")
    func rush() throws {
        var world = try recCentre(2)
        let link = try #require(world.link(from: 1, to: 0))
        for number in 0..<200 {
            let ask = MadeUpAsks.book(FakeSigner(number, seed: 7), 1, until: 86_400)
            world.feed(0, .received(link, Message.venue(.statement(ask)).encode()))
        }
        #expect(world.asks(0).count == 200)
        let turns = world.hosts[0].turns.count
        #expect(try world.serve(0) == 200 && world.hosts[0].turns.count == turns + 1)
        // What could not be granted is asked still, and the other one hears of it by the digests.
        world.run(seconds: 70)
        #expect(world.asks(1).count == 197)
        #expect(world.isOneVenue && world.hosts[1].node.logs.seq(of: world.key(0)) == 202)
        #expect(world.hosts[1].node.bookView.book.mints.count == 3)
    }
}
