// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Ledgers among several agents: how they begin, travel, and survive.
@Suite("Ledgers that travel") struct LedgersTests {
    @Test("A desk's log begins with genesis and charter, and nobody else has one")
    func begins() throws {
        let world = try recCentre(3)
        for host in world.hosts {
            #expect(host.node.logs.logs.map(\.author) == [world.key(0)])
            #expect(host.node.logs.log(of: world.key(0))?.isLedger == true)
            let desk = try #require(host.node.desk)
            #expect(desk.key == world.key(0) && desk.epoch == 1 && desk.isHeard)
            #expect(desk.isMe == (host.node.me == world.key(0)) && desk.rivals == [])
        }
        // Both of them in one transaction.
        let turn = try #require(world.hosts[0].turns.first { !$0.isEmpty })
        #expect(turn.count == 2)
    }

    @Test("What a desk grants in one turn is one transaction, and reaches all")
    func grants() throws {
        var world = try recCentre(4)
        for index in 1..<4 { try world.ask(index, for: 5, 0, 10) }
        world.run(seconds: 1)
        #expect(world.hosts.allSatisfy { $0.node.openAsks.count == 3 })
        let turns = world.hosts[0].turns.count
        #expect(try world.serve(0) == 3)
        #expect(world.hosts[0].turns.count == turns + 1)
        world.run(seconds: 2)
        #expect(world.isOneVenue && world.hosts.allSatisfy { $0.node.openAsks.isEmpty })
        for index in 1..<4 {
            #expect(world.bookings(index, seenBy: 2) == [[5, 10]])
            #expect(world.hosts[index].node.ownAsks.isEmpty)
            let told = world.hosts[index].notices.contains {
                if case .ask(.granted) = $0 { true } else { false }
            }
            #expect(told && world.hosts[index].notices.contains(.book))
            #expect(world.hosts[index].disk.stored.statements.isEmpty)
        }
        // Who only asks has no log.
        #expect(world.hosts[3].node.logs.logs.count == 1)
    }

    @Test("Whoever comes later, or comes back, has the whole ledger and no gap")
    func comesLater() throws {
        var world = try recCentre(2)
        var entries: [LedgerEntry] = []
        for number in 1...400 {
            entries.append(.note(.member(number: number, class: number % 2, key: nil)))
        }
        #expect(world.wish(0, .ledger(.append(entries)))?.refusal == nil)
        try world.ask(1, for: 1, 1, 9)
        world.run(seconds: 1)
        try world.serve(0)
        world.run(seconds: 1)
        world.kill(0)
        try world.add("1A")
        world.run(seconds: 20)
        #expect(world.hosts[2].node.logs.seq(of: world.key(0)) == 403)
        #expect(world.bookings(1, seenBy: 2) == [[1, 9]])
        world.kill(1)
        world.restart(1)
        world.run(seconds: 10)
        #expect(world.isOneVenue && world.hosts[1].node.bookView.book.members.count == 400)
        // Its own disk too: it goes on where it was, and forks nothing.
        world.restart(0)
        world.run(seconds: 40)
        try world.ask(1, for: 1, 1, 12)
        world.run(seconds: 1)
        #expect(try world.serve(0) == 1)
        world.run(seconds: 2)
        #expect(world.isOneVenue && world.bookings(1, seenBy: 2) == [[1, 9], [1, 12]])
        #expect(world.hosts[0].node.logs.proofs.isEmpty)
    }

    @Test("An entry that nobody would take is not written, nor is any behind it")
    func badEntries() throws {
        var world = try recCentre(2)
        let period = try SmallVenue.period(0, 10, 60)
        let good = LedgerEntry.grant(Grant(holder: world.key(1), place: 1, period: period))
        let again = LedgerEntry.charter(try world.charter(of: 0))
        #expect(world.wish(0, .ledger(.append([good, again, good])))?.refusal == .badEntry(1))
        #expect(world.hosts[0].node.logs.seq(of: world.key(0)) == 3)
        // Nobody else writes a ledger.
        #expect(world.wish(1, .ledger(.append([good])))?.refusal == .badEntry(0))
        let other = LedgerEntry.charter(try world.charter(of: 0, revision: 2))
        #expect(world.wish(1, .ledger(.append([other])))?.refusal == .badEntry(0))
        var flight = World()
        try flight.add("1A")
        #expect(flight.wish(0, .ledger(.append([good])))?.refusal == .noVenue)
    }

    @Test("A later charter is written at the next start, and an older one is not")
    func laterCharter() throws {
        var world = try recCentre(2)
        for (revision, seq) in [(2, 3), (1, 3), (3, 4)] {
            world.kill(0)
            let charter = try world.charter(of: 0, revision: revision, castles: 3 + revision)
            world.hosts[0].setup.venue?.charter = charter
            world.restart(0)
            world.run(seconds: 40)
            #expect(world.hosts[1].node.logs.seq(of: world.key(0)) == seq)
        }
        #expect(world.hosts[1].node.bookView.rules?.capacity(of: 2) == 6)
    }

    // MARK: What is wrong

    @Test("A5: two desks of one epoch: one counts everywhere, and all are told")
    func ofTwoDesksOneCountsEverywhere() throws {
        var world = try recCentre(3)
        try world.addDesk()
        world.run(seconds: 5)
        let trouble = Trouble.ledger(
            .twoDesks(counts: world.key(0), rival: world.key(3), epoch: 1))
        for host in world.hosts {
            #expect(host.node.desk?.key == world.key(0) && host.node.desk?.rivals == [world.key(3)])
            #expect(host.notices.count { $0 == .trouble(trouble) } == 1)
        }
        // Once more after a start, since it is still so.
        world.hosts[1].notices = []
        world.kill(1)
        world.restart(1)
        world.run(seconds: 2)
        #expect(world.hosts[1].notices.contains(.trouble(trouble)))
        // The next epoch goes on from the one that did not count.
        let rescued = Charter.Before(ledger: world.key(3), seq: 2)
        try world.addDesk(epoch: 2, before: [rescued])
        world.run(seconds: 5)
        for host in world.hosts { #expect(host.node.desk?.key == world.key(4)) }
    }

    @Test("A4: a desk that signs two ledgers is shown to all, and counts up to there")
    func aDeskThatForksCountsUpToThere() throws {
        var world = try recCentre(3)
        try world.ask(1, for: 1, 0, 9)
        world.run(seconds: 1)
        let copy = world.hosts[0].disk
        try world.serve(0)
        world.run(seconds: 1)
        world.kill(0)
        world.cut()
        world.hosts[0].disk = copy
        world.heal()
        world.walls = [[0, 1]]
        world.hosts[2].isUp = false
        world.restart(0)
        world.run(seconds: 40)
        let period = try SmallVenue.period(0, 9, 60)
        let other = LedgerEntry.grant(Grant(holder: world.key(2), place: 1, period: period))
        #expect(world.wish(0, .ledger(.append([other])))?.refusal == nil)
        world.walls = []
        world.restart(2)
        world.feed(1, .typed(world.address(0)))
        world.run(seconds: 60)
        for index in 1..<3 {
            let desk = try #require(world.hosts[index].node.desk)
            #expect(desk.fork == 3, "host \(index)")
            let trouble = Trouble.ledger(.forked(world.key(0), from: 3))
            #expect(world.hosts[index].notices.contains(.trouble(trouble)))
            #expect(world.hosts[index].node.bookView.book.mints.isEmpty)
        }
    }

    @Test("A7: a grant that mints nothing is told once, and not again after a start")
    func void() throws {
        var world = try recCentre(2)
        let period = try SmallVenue.period(0, 9, 60)
        let grant = LedgerEntry.grant(Grant(holder: world.key(1), place: 1, period: period))
        world.wish(0, .ledger(.append([grant, grant])))
        world.run(seconds: 2)
        let void = try #require(world.hosts[1].node.bookView.book.voids.first)
        let trouble = Notice.trouble(.ledger(.void(void.id)))
        for host in world.hosts { #expect(host.notices.count { $0 == trouble } == 1) }
        world.hosts[1].notices = []
        world.kill(1)
        world.restart(1)
        world.run(seconds: 2)
        #expect(!world.hosts[1].notices.contains(trouble))
        #expect(world.hosts[1].node.ledgerTroubles == [.void(void.id)])
    }

    @Test("A desk that is gone is away after a while, and here again when it comes back")
    func away() throws {
        var world = try recCentre(3)
        world.hosts[1].notices = []
        world.kill(0)
        world.run(seconds: 70)
        #expect(world.hosts[1].node.desk?.isHeard == false)
        #expect(world.hosts[1].notices.contains(.desk))
        world.restart(0)
        world.run(seconds: 5)
        #expect(world.hosts[1].node.desk?.isLinked == true)
        // Linked with somebody whom I am linked with: it is about.
        world.walls = [[0, 2]]
        world.cut()
        world.heal()
        for (one, other) in [(0, 1), (1, 2)] { world.feed(one, .typed(world.address(other))) }
        world.run(seconds: 60)
        let desk = try #require(world.hosts[2].node.desk)
        #expect(!desk.isLinked && desk.isHeard)
    }

    // MARK: Strangers

    @Test("Strangers who fill all places for authors keep no ledger out")
    func strangersKeepNoLedgerOut() throws {
        var world = try recCentre(2)
        world.run(seconds: 2)
        let period = try SmallVenue.period(0, 9, 60)
        let grant = LedgerEntry.grant(Grant(holder: world.key(1), place: 1, period: period))
        world.wish(0, .ledger(.append([grant])))
        world.run(seconds: 1)
        world.kill(0)
        // A newcomer who knows as many strangers as they may know by hearsay.
        var stored = Stored()
        for number in 0..<Limits.authors - Limits.authorsKept {
            let log = try require(
                try? LedgerVenue.fake.codec.sign(
                    .genesis(name: "s", agent: ""), flight: MadeUpVenue.gathering.id, seq: 1,
                    previous: nil, by: FakeSigner(number, seed: 8)))
            stored.entries.append(SeenEntry(entry: log, seen: world.now.utc))
        }
        try world.add("1A", start: false)
        world.hosts[2].node = Node(world.hosts[2].setup, stored, at: world.now)
        for event in [
            NodeEvent.networks(world.networks(2)), .labelled("2"), .started,
            .typed(world.address(1)),
        ] { world.feed(2, event) }
        world.run(seconds: 5)
        #expect(world.bookings(1, seenBy: 2) == [[1, 9]])
        // Another stranger's log finds no place there.
        world.wish(1, .say("hello"))
        world.run(seconds: 5)
        #expect(world.hosts[2].node.logs.logs.count == Limits.authors - Limits.authorsKept + 2)
    }

    @Test("A ledger has no share that could run out, and takes nothing of others' shares")
    func aLedgerHasNoShareThatCouldRunOut() throws {
        var world = try recCentre(2)
        world.hosts[1].setup.bounds.logs = Shares.Bounds(
            base: 16_384, pool: 0, stranger: 1, linked: 1, needed: 1, favoured: 16_384)
        world.kill(1)
        world.restart(1)
        world.run(seconds: 2)
        let line = DeskNote.member(number: 1, class: 0, key: world.key(1))
        let entries = Array(repeating: LedgerEntry.note(line), count: 300)
        world.wish(0, .ledger(.append(entries)))
        world.run(seconds: 5)
        let log = try #require(world.hosts[1].node.logs.log(of: world.key(0)))
        #expect(log.seq == 302 && log.size > 3 * 16_384)
        #expect(world.hosts[1].node.leftOut.logs == 0)
    }
}
