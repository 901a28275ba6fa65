// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Errors that the simulator found, each played in its smallest form.
@Suite struct FoundBySimulationTests {
    /// Seed 544: a chat line that closes the gap before a vote in a certificate completes the
    /// contract, although it says nothing about seats itself.
    @Test func anEntryThatFillsAGapIsFolded() throws {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.run(seconds: 10)
        var a = try Writer.seated(8, "20A")
        var b = try Writer.seated(9, "20B")
        let (one, other) = (a.entries[1].id.token, b.entries[1].id.token)
        let contract = try require(
            Contract(
                flight: testFlight.id, coordinator: b.key,
                nonce: require(ThreadID(Array(repeating: 1, count: 16))),
                legs: [
                    Leg(token: one, producer: Producer(claim: one), from: a.key, to: b.key),
                    Leg(token: other, producer: Producer(claim: other), from: b.key, to: a.key),
                ], primitives: FakePrimitives()))
        let chat = try a.write(.chat(text: "one moment", replyTo: nil))
        let yes = try a.write(.vote(.yes(contract.id, slots: contract.slots(of: a.key))))
        let last = try b.write(.vote(.yes(contract.id, slots: contract.slots(of: b.key))))
        let votes = [yes, last].sorted { $0.author < $1.author }
        let claims = [a.entries[1], b.entries[1]].sorted { $0.id < $1.id }
        try b.write(.commit(Commit(contract: contract, votes: votes, claims: claims)))
        func tell(_ entries: [Entry]) throws {
            let link = try require(world.hosts[0].node.peers.all.first?.id)
            let batch = EntryBatch(kind: .push, entries: entries.map(\.bytes))
            world.feed(0, .received(link, Message.entries(batch).encode()))
        }
        try tell(Array(a.entries.prefix(2)) + b.entries)
        #expect(world.hosts[0].node.fold.contract(contract.id)?.complete == false)
        try tell([chat])
        #expect(world.hosts[0].node.fold.contract(contract.id)?.applied == true)
        let anew = Fold.fold(world.hosts[0].node.logs)
        #expect(world.hosts[0].node.mapDigest == anew.digest(FakePrimitives()))
    }

    /// Seed 2435: whoever leaves while a swap of theirs is being voted on says no first, as long as
    /// there is a log to say it in: else those who said yes wait for ever.
    @Test func whoeverLeavesEndsHisOwnSwaps() throws {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.run(seconds: 10)
        world.wish(1, .swap(take: try require(Seat("14C")), give: nil, note: "", expires: nil))
        world.rest()
        world.wish(0, .accept(1, override: false))
        for _ in 0..<40 where world.stage(1) != .prepared { _ = world.step() }
        #expect(world.stage(0) == .preparing && world.stage(1) == .prepared)
        world.wish(0, .leave(force: false))
        world.run(seconds: 60)
        #expect(world.stage(0) == .aborted && world.stage(1) == .aborted)
        #expect(world.hosts[1].disk.stored.locks.isEmpty)
        #expect(world.seats(1) == ["12A"] && world.seats(0).isEmpty)
    }

    /// Seed 207780008100: a claim that waited for the log to open, and the leave that came after
    /// it, are carried out in one moment; no seat may be left behind the end of the log.
    @Test func whoLeavesTakesAClaimOfTheSameMomentBack() throws {
        var world = World()
        try world.add("14C")
        world.run(seconds: 10)
        world.kill(0)
        world.restart(0)
        world.wish(0, .claim(try require(Seat("35D")), dependant: false))
        world.wish(0, .leave(force: false))
        #expect(world.seats(0) == ["14C"])
        world.run(seconds: 10)
        #expect(world.hosts[0].node.logs.log(of: world.key(0))?.isClosed == true)
        #expect(world.seats(0).isEmpty)
    }

    /// Found beside seed 207780030025: a PREPARE waits for the head that it names, and
    /// the entry that was lacking was a chat line; nobody looked again when it came,
    /// and the swap was aborted.
    @Test func aChatLineThatPrepareWaitsForLetsItGoOn() throws {
        var world = World()
        for seat in ["14C", "12A", "7F"] { try world.add(seat) }
        world.run(seconds: 10)
        world.wish(0, .say("one"))
        world.wish(0, .swap(take: try require(Seat("12A")), give: nil, note: "", expires: nil))
        world.rest()
        world.wish(1, .accept(1, override: false))
        world.run(seconds: 2)
        #expect(world.stage(0) == .committed && world.stage(1) == .committed)
    }

    /// An old copy of host 0's disk was put back; host 1 told that it knows
    /// more, and sends none of it.
    private func oldCopyBesideADeafPeer() throws -> World {
        var world = World()
        for seat in ["14C", "12A", "7F"] { try world.add(seat) }
        world.run(seconds: 10)
        let old = world.hosts[0].disk
        for text in ["one", "two"] { world.wish(0, .say(text)) }
        world.run(seconds: 2)
        for index in [0, 2] { world.kill(index) }
        world.hosts[0].disk = old
        world.deaf = 1
        world.restart(0)
        world.run(seconds: 1)
        #expect(world.hosts[0].node.records.isCatchingUp)
        return world
    }

    /// Seed 207780021097: the own log was asked for from one peer at a time, and one who was slow
    /// was all that was asked before the gate opened; then the next entry was a fork.
    @Test func theOwnLogIsFetchedFromAllWhoHaveMore() throws {
        var world = try oldCopyBesideADeafPeer()
        world.restart(2)
        world.run(seconds: 3)
        #expect(world.hosts[0].node.logs.seq(of: world.key(0)) == 4)
        world.run(seconds: 4)
        world.wish(0, .say("three"))
        world.run(seconds: 2)
        #expect(world.hosts[2].node.logs.seq(of: world.key(0)) == 5)
        #expect(world.hosts.allSatisfy { $0.node.logs.proofs.isEmpty })
    }

    /// Seed 207780030025: three disks were put back one after the other, and entries of one of the
    /// three went with them, but not a vote of theirs behind them, which the other party of a swap
    /// had logged. Their log must stay shut, and who wants to write is told so; it opens when
    /// somebody comes who has them.
    @Test func whoLostEntriesBeforeAVoteOfHisSaysSoAndForksNothing() throws {
        var world = World()
        for seat in ["14C", "12A", "7F"] { try world.add(seat) }
        world.run(seconds: 10)
        let old = world.hosts[0].disk
        world.wish(0, .say("one"))
        world.run(seconds: 2)
        world.wish(0, .swap(take: try require(Seat("12A")), give: nil, note: "", expires: nil))
        world.rest()
        world.wish(1, .accept(1, override: false))
        world.run(seconds: 2)
        #expect(world.stage(0) == .committed && world.stage(1) == .committed)
        for index in 0...2 { world.kill(index) }
        let me = world.key(0)
        world.hosts[0].disk = old
        world.hosts[1].disk.stored.entries.removeAll { $0.entry.author == me && $0.entry.seq > 2 }
        for index in 0...1 { world.restart(index) }
        world.run(seconds: 1)
        #expect(world.wish(0, .say("two")) == nil)
        world.run(seconds: 28)
        #expect(world.hosts[0].replies.values.allSatisfy { $0 != .failure(.logClosed) })
        world.run(seconds: 300)
        #expect(world.hosts[0].replies.values.contains(.failure(.logClosed)))
        #expect(world.wish(0, .say("three")) == .failure(.logClosed))
        #expect(world.hosts[0].node.logs.seq(of: me) == 2)

        world.restart(2)
        world.run(seconds: 20)
        #expect(world.hosts[0].node.logs.seq(of: me) == 5)
        let isWritten = (try? world.wish(0, .say("four"))?.get()) != nil
        #expect(isWritten)
        world.run(seconds: 2)
        #expect(world.agree && world.hosts.allSatisfy { $0.node.logs.seq(of: me) == 6 })
        #expect(world.hosts.allSatisfy { $0.node.logs.proofs.isEmpty })
    }

    /// The second of two is asked, has just started, and their yes waits for the own log.
    private func aYesThatWaits() throws -> World {
        var world = World()
        for seat in ["14C", "12A"] { try world.add(seat) }
        world.run(seconds: 10)
        world.wish(0, .swap(take: try require(Seat("12A")), give: nil, note: "", expires: 600))
        world.rest()
        world.kill(1)
        world.restart(1)
        world.run(seconds: 1)
        #expect(world.wish(1, .accept(1, override: false)) == nil)
        return world
    }

    /// Seed 35 with plans: a yes waited until the own log was complete, the user took it back
    /// meanwhile and was told that there was nothing to take back, and then it was signed.
    @Test func aYesThatWaitsIsTakenBack() throws {
        var world = try aYesThatWaits()
        #expect(world.wish(1, .accept(1, override: true)) == nil)
        #expect(world.wish(1, .cancel(1)) == .success(.request(1)))
        let refused = world.hosts[1].replies.values.count { $0 == .failure(.takenBack) }
        #expect(refused == 2)
        world.run(seconds: 30)
        #expect(world.stage(0) == .asking && world.stage(1) == .requested)
        // Nothing waits any more, so there is nothing to take back.
        #expect(world.wish(1, .cancel(1)) != .success(.request(1)))
        #expect(world.wish(1, .accept(1, override: false)) == .success(.request(1)))
        world.run(seconds: 5)
        #expect(world.stage(0) == .committed)
    }

    /// Seed 103065: a yes waited, an own request for the same said yes at once, and only the first
    /// of both was taken back.
    @Test func bothYesesToOneRequestAreTakenBack() throws {
        var world = try aYesThatWaits()
        let same = Intent.swap(take: try require(Seat("14C")), give: nil, note: "", expires: 600)
        #expect(world.wish(1, same) == .success(.request(1)))
        #expect(world.stage(1) == .agreed)
        #expect(world.wish(1, .cancel(1)) == .success(.request(1)))
        world.run(seconds: 30)
        #expect(world.stage(0) != .committed && world.stage(1) != .committed)
    }

    /// The same as 207780021097: while somebody says that there is more, nothing is
    /// written; but not for ever.
    @Test func theGateWaitsForWhoSaysThatThereIsMore() throws {
        var world = try oldCopyBesideADeafPeer()
        world.run(seconds: 28)
        let isShut = !world.hosts[0].node.canAppend
        #expect(isShut)
        world.run(seconds: 2)
        #expect(world.hosts[0].node.canAppend)
    }
}
