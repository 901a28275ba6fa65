// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Many people in one venue, and peers who make more of them than there are.
@Suite struct StayCrowdTests {
    /// F3 in the core, among 4096 made-up people: counts are right, and two who know the same send
    /// each other digests and nothing else.
    @Test func twoCountFourThousand() throws {
        var world = try library(2)
        for index in 0..<2 { try world.fill(index, crowd(4096), from: 1 - index) }
        #expect(world.counts == Array(repeating: [[1, 1366], [2, 1365], [3, 1365]], count: 2))
        let before = world.traffic
        world.run(seconds: 130)
        let sent = world.traffic.map { pair, bytes in bytes - (before[pair] ?? 0) }
        // Two rounds of 64 digests each way, and what keeps the logs in order.
        #expect(sent.allSatisfy { $0 < 12_000 }, "\(sent)")
        #expect(world.come(0, to: 2) == nil)
        world.run(seconds: 1)
        #expect(world.counts == Array(repeating: [[1, 1366], [2, 1366], [3, 1365]], count: 2))
    }

    /// A newcomer with one neighbour knows a full library within seconds.
    @Test func aNewcomerLearnsOfFourThousand() throws {
        var world = try library(2)
        try world.fill(0, crowd(4096), from: 1)
        world.kill(1)
        world.restart(1)
        world.run(seconds: 20)
        #expect(world.counts == Array(repeating: [[1, 1366], [2, 1365], [3, 1365]], count: 2))
    }

    /// What a newcomer learns is no news to those who told it, and to nobody else either: they hear
    /// of it by the digests.
    @Test func whatIsOldIsNotPushed() throws {
        var world = try library(2)
        let people = crowd(600)
        for index in 0..<2 { try world.fill(index, people, from: 1 - index) }
        try world.add("1A")
        world.run(seconds: 45)
        #expect(world.known(2) == 600)
        let statement = Message.venue(.statement(people[0])).encode().count
        for other in 0..<2 {
            #expect(world.traffic[[2, other]] ?? 0 < 300 * statement)
            #expect(world.traffic[[other, 2]] ?? 0 < 1200 * statement)
        }
        // Somebody who has only the newcomer hears of all the same.
        world.walls = [[0, 3], [1, 3]]
        try world.add("1A")
        world.run(seconds: 20)
        #expect(world.known(3) == 600)
    }

    /// 600 keys that come before a victim's in its bucket hide nobody, however late the victim.
    @Test func groundKeysHideNobody() throws {
        var world = try library(2)
        let made = (0..<600).map {
            MadeUpVenue.statement(MadeUpVenue.ground(4, $0), 1, at: 1, since: 0)
        }
        for index in 0..<2 { try world.fill(index, made, from: 1 - index) }
        let victim = FakeSigner(7)
        let stay = MadeUpVenue.statement(victim, 1, at: 2, since: 0)
        try world.fill(0, [stay], from: 1)
        world.run(seconds: 65)
        #expect(world.hosts[1].node.place(of: victim.key) == 2)
        // And whoever comes then.
        try world.add("1A")
        world.run(seconds: 10)
        #expect(world.hosts[2].node.place(of: victim.key) == 2)
        #expect(world.known(2) == 601)
    }

    /// A peer who fills the book keeps a share of it, and nobody out who is linked.
    @Test func aLiarWhoCameFirstGivesPlacesBack() throws {
        var world = try library(3)
        let false1 = (0..<4096).map {
            MadeUpVenue.statement(FakeSigner($0, seed: 6), 1, at: 1, since: 0)
        }
        try world.fill(0, false1, from: 1)
        let people = crowd(500)
        try world.fill(0, people, from: 2)
        let known = people.count { world.hosts[0].node.place(of: $0.author) != nil }
        #expect(known == 500 && world.known(0) == 4096)
        #expect(world.come(2, to: 3) == nil)
        world.run(seconds: 1)
        #expect(world.hosts[0].node.place(of: world.key(2)) == 3)
        #expect(world.counts[0].map { $0[1] }.reduce(0, +) == world.known(0))
    }

    /// What came as an answer is told to others by the digests, ten seconds later.
    @Test func whatWasAnsweredIsToldByTheDigests() throws {
        func at(_ seconds: Int64) -> Moment { MadeUpVenue.moment(seconds) }
        var stays = Stays(
            own: nil, hours: MadeUpVenue.hours, gathering: MadeUpVenue.gathering.id,
            signer: FakeSigner(1), primitives: FakePrimitives(), at: at(0))
        let (teller, other) = (LinkID(1), LinkID(2))
        for (id, number) in [(teller, 2), (other, 3)] as [(LinkID, UInt8)] {
            _ = stays.handle(.connected(id, FakeSigner(number).key), at: at(0))
            _ = stays.handle(.opened(id), at: at(0))
        }
        func said(_ effects: PartEffects, on link: LinkID) -> [VenueMessage] {
            effects.sessions.compactMap { id, event in
                guard id == link else { return nil }
                switch event {
                case .send(.venue(let message)), .passOn(.venue(let message), _): return message
                default: return nil
                }
            }
        }
        let digests = Array(repeating: FakePrimitives().sha256([1]), count: 64)
        let lists = stays.handle(.digests(digests, from: teller), at: at(1))
        #expect(said(lists, on: teller).count == Limits.stayLists)
        let one = MadeUpVenue.statement(MadeUpVenue.ground(4, 1), 1, at: 1, since: 0)
        let kept = stays.handle(.statement(one, from: teller), at: at(2))
        #expect(stays.book.count == 1 && said(kept, on: other) == [])
        #expect(said(stays.handle(.tick, at: at(11)), on: other) == [])
        guard case .digests? = said(stays.handle(.tick, at: at(12)), on: other).first else {
            Issue.record("nobody else hears of it")
            return
        }
        // News of somebody whose bucket was not asked for goes on at once.
        let news = MadeUpVenue.statement(FakeSigner(255), 1, at: 1, since: 0)
        let pushed = stays.handle(.statement(news, from: other), at: at(13))
        #expect(said(pushed, on: teller) == [.statement(news)])
    }

    // MARK: Peers who ask without end

    /// Lists that always claim to lack everything are answered twice over, and then slowly.
    @Test func listsWithoutEndAreAnsweredAtAPace() throws {
        var world = try library(2)
        // All in one bucket, so that each list asks for all of them.
        let made = (0..<600).map {
            MadeUpVenue.statement(MadeUpVenue.ground(4, $0), 1, at: 1, since: 0)
        }
        try world.fill(0, made, from: 1)
        let before = world.traffic[[0, 1]] ?? 0
        let list = try StayList(bucket: 1, [])
        for _ in 0..<40 {
            try world.say(.marks(list), from: 1, to: 0)
            world.rest()
        }
        let statement = Message.venue(.statement(made[0])).encode().count
        let most = Limits.stayAnswers * statement
        let sent = (world.traffic[[0, 1]] ?? 0) - before
        #expect(sent <= most, "\(sent) of \(most)")
        let later = world.traffic[[0, 1]] ?? 0
        world.now.instant = world.now.instant + .seconds(10)
        for _ in 0..<40 {
            try world.say(.marks(list), from: 1, to: 0)
            world.rest()
        }
        let more = (world.traffic[[0, 1]] ?? 0) - later
        #expect(more <= 10 * Limits.stayAnswersPerSecond * statement, "\(more)")
    }

    /// Digests that differ each time are answered with lists at a pace, whatever is in a bucket.
    @Test func digestsWithoutEndAreAnsweredAtAPace() throws {
        var world = try library(2)
        let made = (0..<4000).map {
            MadeUpVenue.statement(MadeUpVenue.ground(4, $0), 1, at: 1, since: 0)
        }
        try world.fill(0, made, from: 1)
        world.run(seconds: 5)
        let before = world.traffic[[0, 1]] ?? 0
        // Only the bucket with all of them differs, so that each turn is about it.
        var book = try #require(world.hosts[0].node.venue?.stays.book)
        var digests = book.digests(FakePrimitives())
        for second in 0..<30 as Range<UInt8> {
            digests[1] = FakePrimitives().sha256([second])
            try world.say(.digests(digests), from: 1, to: 0)
            world.run(seconds: 1)
        }
        let sent = (world.traffic[[0, 1]] ?? 0) - before
        let most = 71 * (Limits.stayListed + 512 + 30 * Limits.stayListedPerSecond) + 30_000
        #expect(sent <= most, "\(sent) of \(most)")
    }

    /// Whoever lists a part hears of that part alone, and a peer who never answers costs nothing.
    @Test func onlyThePartThatWasListedIsAnswered() throws {
        var world = try library(2)
        let made = (0..<20).map {
            MadeUpVenue.statement(MadeUpVenue.ground(4, $0), 1, at: 1, since: 0)
        }
        try world.fill(0, made, from: 1)
        world.watched = []
        let keys = made.map(\.author)
        try world.say(
            .marks(try StayList(bucket: 1, after: keys[4], last: keys[9], [])), from: 1, to: 0)
        let link = try #require(world.link(from: 1, to: 0))
        let bytes = (world.watched ?? []).flatMap(\.effects.sends).filter { $0.link == link }
            .flatMap(\.bytes)
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        var said: [PeerKey] = []
        while let frame = try decoder.next() {
            if case .venue(.statement(let one))? = try Message.decode(
                frame, rules: .venue)
            {
                said.append(one.author)
            }
        }
        #expect(said == Array(keys[5...9]))
    }

    // MARK: Other hours

    /// Newer words: a place closes earlier, another day begins, and back again.
    @Test func otherHoursAreCountedAtOnceAndEverywhereTheSame() throws {
        var world = try library(3)
        #expect(world.come(0, to: 1) == nil && world.come(1, to: 2) == nil)
        world.run(seconds: 60)
        #expect(world.counts == Array(repeating: [[1, 1], [2, 1]], count: 3))
        func time(_ seconds: Int64) -> UTCTime {
            UTCTime(seconds: MadeUpVenue.opens.seconds + seconds)
        }
        // Place 1 closed half a minute ago by the new words, and its user may come again.
        let early = try #require(
            StayHours(days: [time(-60), time(86_400)], closings: [1: [time(30), time(600)]]))
        for index in 0..<3 { world.feed(index, .hours(early)) }
        #expect(world.counts == Array(repeating: [[2, 1]], count: 3))
        #expect(world.hosts[0].node.venueView?.isIn == false)
        #expect(world.hosts[0].notices.last == .attendance)
        #expect(world.leave(0) == .staysNowhere && world.come(0, to: 1) == nil)
        world.run(seconds: 5)
        #expect(world.counts == Array(repeating: [[1, 1], [2, 1]], count: 3))
        // A day that begins only now: what was before is on none of its days.
        let late = try #require(StayHours(days: [time(65), time(86_400)]))
        for index in 0..<3 { world.feed(index, .hours(late)) }
        #expect(world.counts == Array(repeating: [], count: 3))
        #expect(world.hosts.map { $0.node.venueView?.known } == [0, 0, 0])
        world.feed(0, .hours(MadeUpVenue.hours))
        #expect(world.hosts[0].node.venueView?.isIn == true)
        for index in 1..<3 { world.feed(index, .hours(MadeUpVenue.hours)) }
        world.run(seconds: 90)
        #expect(world.counts == Array(repeating: [[1, 1], [2, 1]], count: 3))
    }
}
