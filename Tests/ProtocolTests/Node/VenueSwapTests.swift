// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Swaps of bookings among several agents (docs/protocol.md section 32).
@Suite("Swaps in a venue") struct VenueSwapTests {
    @Test("S1: two of one class swap while the desk is off, and it sees the same when it is back")
    func withoutDesk() throws {
        var hall = try RecSwaps(3, swaps: .classes, classes: [0, 0, 1])
        #expect(hall.world.hosts[1].node.logs.log(of: hall.world.key(1)) == nil)
        hall.world.kill(0)
        hall.world.run(seconds: 1)
        #expect(hall.ask(1, for: 2)?.refusal == nil)
        hall.world.rest()
        #expect(hall.record(2)?.stage == .requested)
        #expect(hall.accept(2) == nil)
        hall.world.run(seconds: 5)
        for index in 1...3 { #expect(hall.holders(seenBy: index) == [2, 1, 3]) }
        // With nobody there who could have seen more, it is final.
        for index in 1...2 { #expect(hall.record(index)?.isFinal == true) }
        // A log begins with a genesis, and has a yes and the certificate.
        let log = try #require(hall.world.hosts[3].node.logs.log(of: hall.world.key(1)))
        #expect(log.seq == 3 && hall.world.hosts[3].node.logs.log(of: hall.world.key(3)) == nil)
        // A guest is of another class: nobody asks, and nobody would say yes.
        let moves = [
            TokenMove(token: hall.tokens[2], to: hall.world.key(3)),
            TokenMove(token: hall.tokens[3], to: hall.world.key(1)),
        ]
        let wish = Intent.exchange(moves, note: "", expires: nil, override: true)
        guard case .swap(.check(.notAllowed))? = hall.world.wish(1, wish)?.refusal else {
            Issue.record("a guest may not")
            return
        }
        hall.world.restart(0)
        hall.world.run(seconds: 60)
        #expect(hall.isSettled && hall.holders(seenBy: 0) == [2, 1, 3])
    }

    @Test("While the desk is linked, a swap is final once it has the commit")
    func finalWithDesk() throws {
        var hall = try RecSwaps(3)
        hall.ask(1, for: 2)
        hall.world.rest()
        #expect(hall.accept(2) == nil)
        var wasSeen = false
        for _ in 0..<200 {
            guard hall.world.step() else {
                hall.world.run(seconds: 1)
                continue
            }
            for index in 1...2 where hall.record(index)?.isFinal == true {
                let key = hall.world.key(index)
                #expect(hall.world.hosts[0].node.logs.seq(of: key) == 3)
                wasSeen = true
            }
        }
        #expect(wasSeen && hall.isSettled && hall.holders(seenBy: 0) == [2, 1, 3])
    }

    @Test("The desk tells both at once that it has their commits, whoever brought them")
    func deskConfirms() throws {
        for people in 2...4 {
            var hall = try RecSwaps(people)
            hall.ask(1, for: 2)
            hall.world.rest()
            #expect(hall.accept(2) == nil)
            // The next round with the desk is 15 s away.
            hall.world.run(seconds: 3)
            #expect(hall.record(1)?.isFinal == true && hall.record(2)?.isFinal == true)
        }
    }

    @Test("A desk that hangs keeps a swap from being final until its link is gone")
    func deskHangs() throws {
        var hall = try RecSwaps(3)
        // It hears nothing more, and its links stand.
        hall.world.hosts[0].isUp = false
        hall.ask(1, for: 2)
        hall.world.rest()
        #expect(hall.accept(2) == nil)
        hall.world.run(seconds: 5)
        #expect(hall.record(1)?.stage == .committed && hall.record(1)?.isFinal == false)
        hall.world.run(seconds: 120)
        #expect(!hall.world.hosts[1].node.isLinked(hall.world.key(0)))
        #expect(hall.record(1)?.isFinal == true && hall.record(2)?.isFinal == true)
    }

    @Test("S2: a ring of three, of whom each dies once at each of their commits")
    func ring() throws {
        var whole = try RecSwaps(3)
        whole.exchange(1, [1, 2, 3])
        whole.world.rest()
        let asked = whole
        let before = asked.world.hosts.map(\.commits)
        play(&whole)
        #expect(whole.isSettled && whole.holders(seenBy: 0) == [3, 1, 2])
        var outcomes: [Bool: Int] = [:]
        for host in 1...3 {
            for commit in before[host] + 1...whole.world.hosts[host].commits {
                for isDone in [false, true] {
                    var hall = asked
                    hall.world.death = World.Death(
                        host: host, commit: commit, afterWrites: isDone, sendsLeave: isDone)
                    play(&hall)
                    hall.world.run(seconds: 10)
                    hall.world.restart(host)
                    hall.world.run(seconds: 50)
                    let words = "host \(host) commit \(commit) \(isDone)"
                    let holders = hall.holders(seenBy: 0)
                    #expect(hall.isSettled, "\(words)")
                    #expect(holders == [3, 1, 2] || holders == [1, 2, 3], "\(words)")
                    outcomes[holders == [3, 1, 2], default: 0] += 1
                }
            }
        }
        #expect((outcomes[true] ?? 0) > 3 && (outcomes[false] ?? 0) > 3)
    }

    /// Both who were asked for a ring say yes.
    private func play(_ hall: inout RecSwaps) {
        hall.accept(2)
        hall.accept(3)
        hall.world.run(seconds: 2)
    }

    // MARK: Checks

    @Test("Bookings that have begun are not swapped, whatever the user says")
    func begun() throws {
        var hall = try RecSwaps(2, clock: VenueClock(first: 0))
        #expect(hall.ask(1, for: 2)?.refusal == nil)
        // Booking 1 begins at ten.
        hall.world.now.utc = UTCTime(seconds: RecSwaps.opens.seconds + 2 * 3600)
        hall.world.rest()
        let fault = Refusal.swap(.check(.begun(hall.tokens[1])))
        #expect(hall.accept(2, override: true) == fault)
        #expect(hall.ask(2, for: 1, override: true)?.refusal == fault)
        hall.world.run(seconds: 5)
        #expect(hall.holders(seenBy: 0) == [1, 2])
    }

    @Test("Unequal minutes, and what is not paid, need the user's word")
    func unequal() throws {
        var hall = try RecSwaps(2, minutes: [60, 90])
        #expect(hall.ask(1, for: 2)?.refusal == .swap(.check(.unequal)))
        #expect(hall.ask(1, for: 2, override: true)?.refusal == nil)
        hall.world.rest()
        #expect(hall.accept(2) == .swap(.check(.unequal)) && hall.accept(2, override: true) == nil)
        hall.world.run(seconds: 5)
        #expect(hall.isSettled && hall.holders(seenBy: 0) == [2, 1])

        let due = Grant.Due(currency: "USD", amount: 1000)
        var other = try RecSwaps(2, due: due)
        let fault = Refusal.swap(.check(.unpaid(other.tokens[2])))
        #expect(other.ask(1, for: 2)?.refusal == fault)
        let paid = LedgerEntry.note(.paid(other.tokens[2], amount: 1000, means: 0))
        #expect(other.world.wish(0, .ledger(.append([paid])))?.refusal == nil)
        other.world.run(seconds: 2)
        #expect(other.ask(1, for: 2)?.refusal == nil)
        other.world.rest()
        #expect(other.accept(2) == .swap(.check(.unpaid(other.tokens[1]))))
        #expect(other.accept(2, override: true) == nil)
        other.world.run(seconds: 5)
        #expect(other.holders(seenBy: 0) == [2, 1])
    }

    @Test("What the desk was asked to end is not swapped, and what is promised is not given back")
    func giveBack() throws {
        var hall = try RecSwaps(3)
        let slot = Slot(token: hall.tokens[1], producer: Producer(claim: hall.tokens[1]))
        let until = UTCTime(seconds: hall.world.now.utc.seconds + 100)
        let give = Intent.booking(.ask(.giveBack(slot, to: nil), until: until))
        guard case .success(.asked(let id))? = hall.world.wish(1, give) else {
            Issue.record("not asked")
            return
        }
        let fault = Refusal.swap(.check(.asked(hall.tokens[1])))
        #expect(hall.ask(1, for: 2)?.refusal == fault)
        // The desk may have heard of it, and not that it is taken back.
        hall.world.wish(1, .booking(.withdraw(id)))
        #expect(hall.ask(1, for: 2)?.refusal == fault)
        hall.world.run(seconds: 101)
        #expect(hall.ask(1, for: 2)?.refusal == nil)
        hall.world.rest()
        hall.world.cut()
        #expect(hall.accept(2) == nil)
        let theirs = Slot(token: hall.tokens[2], producer: Producer(claim: hall.tokens[2]))
        let later = UTCTime(seconds: hall.world.now.utc.seconds + 100)
        let other = Intent.booking(.ask(.giveBack(theirs, to: nil), until: later))
        #expect(hall.world.wish(2, other)?.refusal == .bound)
        hall.world.heal()
        hall.world.run(seconds: 60)
        #expect(hall.isSettled && hall.holders(seenBy: 0) == [2, 1, 3])
        // What one got one may give back.
        let got = try #require(hall.world.hosts[2].node.bookView.booking(hall.tokens[1])).slot
        let last = UTCTime(seconds: hall.world.now.utc.seconds + 100)
        let back = Intent.booking(.ask(.giveBack(got, to: nil), until: last))
        #expect(hall.world.wish(2, back)?.refusal == nil)
        hall.world.run(seconds: 1)
        #expect(try hall.world.serve(0) == 1)
        hall.world.run(seconds: 2)
        #expect(hall.world.hosts[3].node.bookView.booking(hall.tokens[1])?.isLive == false)
        #expect(hall.isSettled)
    }

    @Test("A booking that ends takes the requests for it along")
    func ends() throws {
        var hall = try RecSwaps(2)
        hall.ask(1, for: 2)
        hall.world.rest()
        #expect(hall.record(2)?.stage == .requested)
        let close = LedgerEntry.close(LedgerClose(hall.tokens[2], .desk))
        hall.world.wish(0, .ledger(.append([close])))
        hall.world.run(seconds: 3)
        for index in 1...2 {
            let record = try #require(hall.record(index))
            #expect(record.stage == .withdrawn && record.lost?.why == .givenUp)
        }
    }

    @Test("In a venue nobody claims anew what is stranded: only its desk ends it")
    func stranded() throws {
        var hall = try RecSwaps(2)
        hall.ask(1, for: 2)
        hall.world.rest()
        // The asked dies as the asker has said yes.
        hall.world.death = World.Death(
            host: 2, commit: hall.world.hosts[2].commits + 1, afterWrites: true, sendsLeave: true)
        hall.accept(2)
        hall.world.run(seconds: 200)
        let record = try #require(hall.record(1))
        #expect(record.stage == .prepared && record.isStuck)
        #expect(hall.world.wish(1, .force(record.number))?.refusal == .swap(.onlyDesk(record)))
        let tenure = hall.world.hosts[0].node.fold.openVotes.first
        #expect(tenure?.author == hall.world.key(1) && tenure?.slot.token == hall.tokens[1])
        hall.world.restart(2)
        hall.world.run(seconds: 60)
        #expect(hall.isSettled)
    }
}
