// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let hour: Int64 = 3600
private func at(_ seconds: Int64) -> Moment { MadeUpVenue.moment(seconds) }

private func stay(_ place: Int, _ since: Int64, _ until: Int64? = nil) throws -> Stay {
    try #require(
        Stay(place: place, since: at(since).utc, until: until.map { at($0).utc }))
}

@Suite struct AttendanceTests {
    private func fresh() -> Attendance {
        Attendance(hours: MadeUpVenue.hours, at: MadeUpVenue.opens)
    }

    @Test func whoComesCountsUntilTheyLeave() throws {
        let (ada, bo) = (FakeSigner(1).key, FakeSigner(2).key)
        var there = fresh()
        there.set(try stay(1, 0), of: ada)
        there.set(try stay(1, 0), of: bo)
        #expect(there.count(at: 1) == 2 && there.people(at: 1) == [ada, bo])
        there.set(try stay(2, 60), of: bo)
        #expect(there.count(at: 1) == 1 && there.count(at: 2) == 1 && there.place(of: bo) == 2)
        there.set(try stay(2, 60, 90), of: bo)
        #expect(there.count(at: 2) == 0 && there.place(of: bo) == nil)
        there.set(nil, of: ada)
        #expect(there.places.isEmpty && there.people(at: 1) == [])
        #expect(there.count(at: -1) == 0 && there.count(at: 4096) == 0)
    }

    /// Place 2 closes after six hours and after twelve; others with the day.
    @Test func closingEndsWhatIsOpen() throws {
        let (ada, bo, cy) = (FakeSigner(1).key, FakeSigner(2).key, FakeSigner(3).key)
        var there = fresh()
        there.set(try stay(2, hour), of: ada)
        there.set(try stay(2, 6 * hour), of: bo)
        there.set(try stay(9, hour), of: cy)
        #expect(there.closes(for: ada) == at(6 * hour).utc)
        #expect(there.closes(for: bo) == at(12 * hour).utc)
        #expect(there.closes(for: cy) == at(24 * hour).utc)
        there.advance(to: at(hour).utc)
        #expect(there.count(at: 2) == 1 && there.count(at: 9) == 1)
        there.advance(to: at(6 * hour - 1).utc)
        #expect(there.count(at: 2) == 2 && there.nextTurn == at(6 * hour).utc)
        there.advance(to: at(6 * hour).utc)
        #expect(there.people(at: 2) == [bo])
        there.advance(to: at(12 * hour).utc)
        #expect(there.count(at: 2) == 0 && there.count(at: 9) == 1)
        there.advance(to: at(24 * hour).utc)
        #expect(there.places.isEmpty && there.nextTurn == nil)
        // A stay that begins at the hour of closing is one of the next opening.
        #expect(MadeUpVenue.hours.close(of: 2, after: at(6 * hour).utc) == at(12 * hour).utc)
        #expect(MadeUpVenue.hours.close(of: 2, after: at(12 * hour).utc) == at(24 * hour).utc)
        #expect(MadeUpVenue.hours.close(of: 2, after: at(-1).utc) == nil)
        #expect(MadeUpVenue.hours.close(of: 2, after: at(48 * hour).utc) == nil)
    }

    /// Clocks of two people differ by up to two minutes; what is said of later waits for its time.
    @Test func whatBeginsLaterCountsLater() throws {
        let (ada, bo) = (FakeSigner(1).key, FakeSigner(2).key)
        var there = fresh()
        there.set(try stay(1, Limits.clockAhead), of: ada)
        there.set(try stay(1, Limits.clockAhead + 1), of: bo)
        #expect(there.people(at: 1) == [ada] && there.nextTurn == at(1).utc)
        there.advance(to: at(1).utc)
        #expect(there.people(at: 1) == [ada, bo])
        // A clock that is set back and forward changes nothing else.
        there.advance(to: at(0).utc)
        #expect(there.people(at: 1) == [ada])
        there.advance(to: at(30 * hour).utc)
        #expect(there.places.isEmpty)
        there.advance(to: at(2).utc)
        #expect(there.people(at: 1) == [ada, bo] && there.nextTurn == at(10 * hour).utc)
    }

    @Test func hoursThatDoNotGrowAreNone() {
        let (one, two) = (UTCTime(seconds: 1), UTCTime(seconds: 2))
        #expect(StayHours(days: [one, two]) != nil && StayHours(days: [one]) == nil)
        #expect(StayHours(days: [two, one]) == nil && StayHours(days: [one, one]) == nil)
        #expect(StayHours(days: [one, two], closings: [1: [two, one]]) == nil)
    }

    /// Whatever came in whatever order, at whatever time: what counts is what a plain reading of
    /// the stays says.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func countsAreThoseOfAPlainReading(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var there = fresh()
        var stays: [PeerKey: Stay] = [:]
        var now: Int64 = 0
        for _ in 0..<400 {
            let author = FakeSigner(Int.random(in: 0..<25, using: &random), seed: seed).key
            let since = now + Int64.random(in: -3 * hour...hour, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: stays[author] = nil
            case 1, 2: now = max(0, now + Int64.random(in: -hour...2 * hour, using: &random))
            case 3: stays[author] = try stay(2, max(0, since), max(0, since) + 9)
            default: stays[author] = try stay(Int.random(in: 1...3, using: &random), max(0, since))
            }
            there.set(stays[author], of: author)
            there.advance(to: at(now).utc)
            for place in 1...3 {
                let people = stays.filter { isIn($0.value, place, at(now).utc) }.map(\.key)
                #expect(there.people(at: place) == people.sorted())
                #expect(there.count(at: place) == people.count)
            }
        }
    }

    private func isIn(_ stay: Stay, _ place: Int, _ now: UTCTime) -> Bool {
        guard stay.place == place, stay.until == nil,
            stay.since.seconds - Limits.clockAhead <= now.seconds
        else { return false }
        let day = MadeUpVenue.day
        let passed = stay.since.seconds - MadeUpVenue.opens.seconds
        guard passed < 2 * day else { return false }
        let closings = [1: [10], 2: [6, 12]][place] ?? []
        let next = closings.map { passed / day * day + hour * Int64($0) }.first { $0 > passed }
        let close = next ?? (passed / day + 1) * day
        return now.seconds - MadeUpVenue.opens.seconds < close
    }

    /// Whoever changes their stay without end fills no memory with turns of it.
    @Test func turnsOfOlderStaysGo() throws {
        var there = fresh()
        for number in 0..<2000 {
            there.set(try stay(1 + number % 3, 5), of: FakeSigner(1).key)
        }
        #expect(there.turnsKept <= 68 && there.places.count == 1)
        // The turn that means something is kept: the place closes.
        there.advance(to: UTCTime(seconds: MadeUpVenue.opens.seconds + 3 * MadeUpVenue.day))
        #expect(there.places.isEmpty && there.turnsKept == 0)
    }
}

/// F3: a library with as many people as a book has places for.
@Suite struct MadeUpPeopleTests {
    /// Everybody is met by one of five agents, who tell each other. All come and many leave; at the
    /// end all five count the same, and what the people said.
    @Test func f3FiveAgentsCountTheSameAmong4096People() {
        var agents = (0..<5).map { _ in Watcher() }
        let keys = (0..<5).map { FakeSigner(UInt8(200 + $0)).key }
        var wanted: [Int: Int] = [:]
        for number in 0..<4096 {
            let person = FakeSigner(number, seed: 3)
            let place = 3 + number % 7
            let leaves = number % 3 == 0
            for revision in 1...(leaves ? 2 : 1) {
                let said = MadeUpVenue.statement(
                    person, revision, at: place, since: 60, until: revision == 2 ? 90 : nil)
                agents[number % 5].take(said, from: person.key, at: at(60))
            }
            if !leaves { wanted[place, default: 0] += 1 }
        }
        var seconds: Int64 = 60
        var rounds = 0
        while !areEqual(&agents), rounds < 100 {
            rounds += 1
            seconds += 8
            for one in agents.indices {
                for other in agents.indices where other != one {
                    ask(&agents, one, other, keys[other], at(seconds))
                }
            }
        }
        let expected = wanted.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
        for agent in agents {
            #expect(agent.counts == expected && agent.book.count == 4096)
        }
        // Each learns of 3277 by hearsay, at once.
        #expect(rounds == 1)
    }

    private func areEqual(_ agents: inout [Watcher]) -> Bool {
        let first = agents[0].digests()
        return agents.indices.allSatisfy { agents[$0].digests() == first }
    }

    /// What `one` lacks of `other`, in the buckets in which they differ.
    private func ask(
        _ agents: inout [Watcher], _ one: Int, _ other: Int, _ teller: PeerKey, _ now: Moment
    ) {
        let (mine, theirs) = (agents[one].digests(), agents[other].digests())
        for bucket in mine.indices where mine[bucket] != theirs[bucket] {
            for list in agents[one].book.lists(of: bucket) {
                for said in agents[other].book.newer(than: list) {
                    agents[one].take(said, from: teller, at: now)
                }
            }
        }
    }
}
