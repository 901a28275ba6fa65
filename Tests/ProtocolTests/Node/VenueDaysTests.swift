// SPDX-License-Identifier: Apache-2.0
import Foundation
import ProtocolTestKit
import Testing

@testable import Protocol

/// A random day in a venue: people come and go, agents die at any commit, the network is parted,
/// an operator signs newer words, and a liar forges stays and makes people up.
private struct VenueDay {
    var world: World
    var random: SeededRandom
    private let seed: UInt64
    private let people = 4
    /// Where each said last that they are, by number; a liar is the last host and says nothing.
    private var inside: [Int: Int] = [:]
    private var made = 0
    private var revision = 0
    private(set) var stays = 0

    private var liar: Int { people }

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        world = World()
        world.venue = MadeUpVenue.setup()
        for _ in 0...people { try world.add("1A") }
        world.run(seconds: 1)
    }

    private mutating func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func step() throws {
        switch chance(14) {
        case 0...5: move(chance(people))
        case 6: part()
        case 7: heal()
        case 8: dieAndCome(chance(people))
        case 9: dieWhileSaying(chance(people))
        case 10: try forge(to: chance(people))
        case 11: try makeUp(to: chance(people))
        case 12: hours(for: [chance(people)])
        default: world.run(seconds: Int64(1 + chance(9)))
        }
    }

    // MARK: People

    private mutating func move(_ who: Int) {
        guard world.hosts[who].isUp else { return }
        if world.hosts[who].node.venueView?.isIn == true {
            guard world.leave(who) == nil else { return }
            inside[who] = nil
        } else {
            let place = 1 + chance(3)
            guard world.come(who, to: place) == nil else { return }
            inside[who] = place
            stays += 1
        }
    }

    /// The process dies between two things that it does.
    private mutating func dieAndCome(_ who: Int) {
        world.kill(who)
        restart(who)
    }

    private mutating func restart(_ who: Int) {
        world.restart(who)
        let view = world.hosts[who].node.venueView
        inside[who] = view?.isIn == true ? view?.stay?.place : nil
    }

    /// It dies while it writes down what its user says: before, or after it is durable.
    private mutating func dieWhileSaying(_ who: Int) {
        world.death = World.Death(
            host: who, commit: world.hosts[who].commits + 1, afterWrites: chance(2) == 0,
            sendsLeave: chance(2) == 0)
        move(who)
        world.rest()
        world.death = nil
        if !world.hosts[who].isUp { restart(who) }
    }

    // MARK: Network

    private mutating func part() {
        world.cut()
        world.walls = []
        let side = (0...people).map { _ in chance(2) }
        for one in 0...people {
            for other in 0..<one where side[one] != side[other] {
                world.walls.append([other, one])
            }
        }
        meet()
    }

    private mutating func heal() {
        world.walls = []
        meet()
    }

    /// They find each other where nothing is between.
    private mutating func meet() {
        world.heal()
        for one in 0...people {
            for other in 0..<one { world.feed(one, .typed(world.address(other))) }
        }
        world.run(seconds: 1)
    }

    // MARK: Lies

    /// A stay of somebody else, with a signature that is not theirs.
    private mutating func forge(to host: Int) throws {
        guard world.link(from: liar, to: host) != nil,
            let stay = Stay(place: 3, since: world.now.utc)
        else { return }
        let victim = FakeSigner(UInt8(chance(people) + 1))
        let other = try #require(
            VenueStatement(stay, revision: 4_000_000_000, gathering: testFlight.id, by: victim))
        try world.say(.statement(other), from: liar, to: host)
    }

    /// People who are nobody, with keys that come before everybody's in their bucket.
    private mutating func makeUp(to host: Int) throws {
        for _ in 0..<8 where world.link(from: liar, to: host) != nil {
            made += 1
            let since = world.now.utc.seconds - MadeUpVenue.opens.seconds
            let one = MadeUpVenue.statement(
                MadeUpVenue.ground(UInt8(4 * chance(3)), made), 1, at: 1, since: since)
            try world.say(.statement(one), from: liar, to: host)
        }
    }

    // MARK: Words

    /// Newer words have a place close earlier or later, while somebody may be there.
    private mutating func hours(for hosts: [Int]) {
        revision += 1
        for host in hosts { world.feed(host, .hours(newest)) }
        forgetWhoWasClosedOut()
    }

    /// When the second place closes by the newest words, in seconds since the venue opened.
    private var closing: Int64 { 20 + Int64(revision * 37 % 90) }

    private var newest: StayHours {
        let start = MadeUpVenue.opens.seconds
        let closing = UTCTime(seconds: start + self.closing)
        let days = [start, start + MadeUpVenue.day].map { UTCTime(seconds: $0) }
        return StayHours(days: days, closings: revision == 0 ? [:] : [2: [closing]])
            ?? MadeUpVenue.hours
    }

    /// Whoever their own agent does not count any more did not say where they are since.
    private mutating func forgetWhoWasClosedOut() {
        for who in inside.keys.sorted() where world.hosts[who].node.venueView?.isIn != true {
            inside[who] = nil
        }
    }

    // MARK: The end

    mutating func recover() {
        for host in world.hosts.indices where !world.hosts[host].isUp { restart(host) }
        // The liar goes, and with them whoever holds a grudge against their address.
        world.kill(liar)
        heal()
        hours(for: Array(0..<people))
        world.run(seconds: 75)
        hours(for: Array(0..<people))
        world.run(seconds: 1)
        // Clocks have whole seconds: within one, all have seen that a place closed.
        while (0...1).contains(world.now.utc.seconds - MadeUpVenue.opens.seconds - closing) {
            world.run(seconds: 1)
        }
        forgetWhoWasClosedOut()
    }

    func check() {
        let all = world.counts
        #expect(Set(all).count == 1, "seed \(seed): \(all)")
        let books = world.hosts.prefix(people).map { $0.node.venue?.stays.book.statements ?? [] }
        #expect(Set(books).count == 1, "seed \(seed): books differ")
        let count = all.first.map { $0.map { $0[1] }.reduce(0, +) } ?? 0
        var placed = 0
        for one in books.first ?? [] {
            let places = Set(world.hosts.prefix(people).map { $0.node.place(of: one.author) })
            #expect(places.count == 1, "seed \(seed): \(one.author.shortTag) at \(places)")
            placed += world.hosts[0].node.place(of: one.author) == nil ? 0 : 1
        }
        // Nobody is counted twice, and nobody who is not there.
        #expect(placed == count, "seed \(seed): \(count) counted, \(placed) there")
        for who in 0..<people {
            for seer in 0..<people {
                let seen = world.hosts[seer].node.place(of: world.key(who))
                #expect(seen == inside[who], "seed \(seed): \(seer) sees \(who)")
            }
        }
    }
}

@Suite struct VenueDaysTests {
    /// After it all everybody counts the same, nobody is at two places, and what somebody said of
    /// themselves survived every death.
    @Test func whateverHappensAVenueAgrees() throws {
        // Eight in every run; more when asked: SEATAGENT_LIVES=400.
        let lives = ProcessInfo.processInfo.environment["SEATAGENT_LIVES"].flatMap { UInt64($0) }
        var stays = 0
        for seed in 1...(lives ?? 8) {
            var day = try VenueDay(seed: seed)
            for _ in 0..<25 { try day.step() }
            day.recover()
            day.check()
            stays += day.stays
        }
        #expect(stays > 0)
    }
}
