// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// Brokers that hold boxes back, and what finds them out (docs/meet.md section 9).
@Suite("Witnesses and audits") struct MeetWitnessTests {
    private func line(_ text: String) -> EntryBody {
        .chat(ChatLine(text: text, replyTo: nil, time: MeetWorld.start, after: []))
    }

    private func world(_ agents: Int, brokers: Int = 1) -> MeetWorld {
        var world = MeetWorld(brokers: brokers)
        world.hasTunnels = true
        world.hasSessions = true
        for _ in 0..<agents { _ = world.join() }
        world.run(40)
        return world
    }

    /// What an agent says is not given on, nor is its part; then something comes that shows it.
    private func hidePart(of number: Int, _ world: inout MeetWorld) {
        world.brokers[0].hidden = ["l", "e"]
        world.append(line("hidden"), to: number)
        world.run(10)
        world.brokers[0].hidden = ["l"]
        world.append(line("heard"), to: number)
    }

    @Test func whatTheBoxHidesIsAskedOfItsAuthor() throws {
        var world = world(3)
        hidePart(of: 2, &world)
        world.run(40)
        #expect(world.known(2, by: 0) == 1)
        #expect(world.sessions.isEmpty)
        world.run(60)
        #expect(world.known(2, by: 0) == 3 && world.known(2, by: 1) == 3)
        // One question each.
        #expect(world.sessions.count == 2)
        #expect(world.agents[0].meeting.status(at: world.now).behind == 0)
    }

    /// Who has gone is asked of those whose card shows more of them.
    @Test func whatTheBoxHidesIsAskedOfAWitness() throws {
        var world = world(3)
        world.stop(0)
        world.append(line("while 0 is away"), to: 2)
        world.run(30)
        #expect(world.known(2, by: 1) == 2)
        world.stop(2)
        // Neither their new card nor their part is given any more.
        let box = world.box(of: 2)
        world.brokers[0].hidden = [box]
        world.run(1000)
        world.start(0)
        world.run(300)
        #expect(world.known(2, by: 0) == 2)
        #expect(world.sessions.map { [$0.0, $0.1] } == [[0, 1]])
    }

    @Test func aBoxThatStaysBehindIsSaidAfterTenMinutes() throws {
        var world = world(2)
        world.hasSessions = false
        hidePart(of: 1, &world)
        world.run(500)
        #expect(world.agents[0].meeting.status(at: world.now).behind == 0)
        world.run(300)
        #expect(world.agents[0].meeting.status(at: world.now).behind == 1)
        world.brokers[0].hidden = []
        world.run(700)
        #expect(world.known(1, by: 0) == 3)
        #expect(world.agents[0].meeting.status(at: world.now).behind == 0)
    }

    @Test func aLiarCostsAQuestionAMinuteAtMost() {
        let keys = (1...200).map { FakeSigner(UInt8($0)).key }
        var witnesses = MeetWitnesses()
        var now = Instant.zero + .seconds(1000)
        for key in keys {
            witnesses.shows(4096, of: key, by: keys[0], known: 0, at: now)
            witnesses.shows(4096, of: key, by: key, known: 0, at: now)
        }
        // Of one writer eight count, of all together 64.
        #expect(witnesses.authors.count == 64)
        var asked = 0
        for _ in 0..<3600 {
            now = now + .seconds(1)
            if witnesses.due(at: now, { _ in true }) != nil { asked += 1 }
        }
        #expect((50...60).contains(asked), "\(asked)")
        for _ in 0..<6 {
            now = now + .seconds(3600)
            _ = witnesses.due(at: now) { _ in true }
        }
        #expect(witnesses.authors.isEmpty && witnesses.nextDeadline == nil)
    }

    @Test func theAuthorIsAskedFirstAndThenTheWriter() {
        let (ada, bo) = (FakeSigner(1).key, FakeSigner(2).key)
        var witnesses = MeetWitnesses()
        var now = Instant.zero + .seconds(1000)
        witnesses.shows(5, of: ada, by: bo, known: 3, at: now)
        #expect(witnesses.due(at: now) { _ in true } == nil)
        now = now + .seconds(60)
        #expect(witnesses.due(at: now) { _ in true } == ada)
        now = now + .seconds(120)
        #expect(witnesses.due(at: now) { _ in true } == bo)
        // Nobody is there: that is no question.
        now = now + .seconds(3600)
        #expect(witnesses.due(at: now) { _ in false } == nil)
        witnesses.compare(at: now) { _ in 4 }
        #expect(witnesses.authors == [ada] && witnesses.behind(at: now, isFull: false) == 0)
        witnesses.compare(at: now) { _ in 5 }
        #expect(witnesses.authors.isEmpty)
    }

    @Test func aForkedLogIsNotAskedFor() {
        let (ada, bo) = (FakeSigner(1).key, FakeSigner(2).key)
        var witnesses = MeetWitnesses()
        witnesses.shows(5, of: ada, by: bo, known: 3, at: .zero)
        witnesses.compare(at: .zero) { _ in nil }
        #expect(witnesses.authors.isEmpty)
    }

    @Test func eachAgentComparesWithSomebodyTwoToSixTimesAnHour() throws {
        var world = world(4)
        world.run(3 * 3600)
        for number in 0..<4 {
            let own = world.sessions.count { $0.0 == number }
            #expect((6...18).contains(own), "\(own)")
        }
        // Not the same one each time.
        #expect(Set(world.sessions.filter { $0.0 == 0 }.map(\.1)).count > 1)
    }

    @Test func whoIsLinkedAnywayIsNotAudited() throws {
        var world = world(2)
        let keys = world.agents.map(\.signer.key)
        for number in 0..<2 {
            world.feed(.tunnel(.linked([keys[1 - number]])), to: number)
        }
        world.run(2 * 3600)
        #expect(world.sessions.isEmpty)
    }

    @Test func aBrokerThatShowsTwoGroupsDifferentBoxesIsFoundOut() throws {
        var world = world(4)
        world.brokers[0].faults = [.forks]
        for number in 0..<4 { world.append(line("in my group"), to: number) }
        world.run(200)
        #expect(world.known(2, by: 0) == 2 && world.known(3, by: 1) == 2)
        #expect(world.known(1, by: 0) == 1 && world.known(2, by: 3) == 1)
        world.run(3 * 3600)
        for reader in 0..<4 {
            for author in 0..<4 { #expect(world.known(author, by: reader) == 2) }
        }
    }

    @Test func theFirstWhoShowsItIsAskedUntilSomebodyShowsMore() {
        let (ada, bo, cy) = (FakeSigner(1).key, FakeSigner(2).key, FakeSigner(3).key)
        var witnesses = MeetWitnesses()
        var now = Instant.zero + .seconds(1000)
        witnesses.shows(5, of: ada, by: bo, known: 3, at: now)
        witnesses.shows(5, of: ada, by: cy, known: 3, at: now)
        for expected in [ada, bo] {
            now = now + .seconds(200)
            #expect(witnesses.due(at: now) { _ in true } == expected)
        }
        witnesses.shows(6, of: ada, by: cy, known: 3, at: now)
        for expected in [ada, cy] {
            now = now + .seconds(3600)
            #expect(witnesses.due(at: now) { _ in true } == expected)
        }
    }

    /// How much there is of the own log nobody else knows better, nor of theirs than they.
    @Test func aCardWitnessesOfThirdPassengersOnly() {
        var world = world(2)
        let (me, bo) = (world.agents[0].signer.key, world.agents[1].signer.key)
        let third = FakeSigner(9).key
        var card = MeetFormTests.card()
        (card.author, card.length) = (bo, 1)
        card.items = [me, bo, third].sorted().map {
            FrontierItem(author: $0, seq: 99, head8: 1, fork: 0)
        }
        world.agents[0].meeting.witness(card, at: world.now.instant)
        #expect(world.agents[0].meeting.witnesses.authors == [third])
    }

    @Test func onlyWhoIsThereAndNotLinkedIsAskedForWhatIsLacking() {
        var world = MeetWorld(brokers: 1)
        world.hasTunnels = true
        _ = world.join()
        let (now, peer) = (world.now, FakeSigner(9).key)
        let later = Moment(
            instant: now.instant + .seconds(60), utc: UTCTime(seconds: now.utc.seconds + 60))
        for (age, isLinked, isAsked) in [
            (839, false, true), (840, false, false), (839, true, false), (840, true, false),
        ] as [(Int64, Bool, Bool)] {
            var meeting = world.agents[0].meeting
            meeting.homes[0].up(reading: [], at: now.instant)
            meeting.tunnels?.linked = isLinked ? [peer] : []
            let card = MeetFormTests.card { card in
                card.author = peer
                card.made = UTCTime(seconds: now.utc.seconds - age)
                card.until = UTCTime(seconds: now.utc.seconds + 1000)
            }
            _ = meeting.passengers.take(card, in: MeetEpoch(at: now.utc), at: now)
            meeting.witness(card, at: now.instant)
            #expect(meeting.witnesses.authors == [peer])
            meeting.runErrands(at: later)
            #expect(meeting.errands.all == (isAsked ? [peer] : []), "\(age)")
        }
    }

    @Test func anAuditWaitsUntilABrokerIsThere() throws {
        var world = world(2)
        let due = try require(world.agents[0].meeting.audit.due)
        world.kill(0, comesBack: false)
        world.run(3600)
        #expect(due < world.now.instant)
        #expect(world.agents[0].meeting.audit.due == due)
        world.brokers[0].isUp = true
        world.run(200)
        #expect(try require(world.agents[0].meeting.audit.due) > world.now.instant)
    }
}
