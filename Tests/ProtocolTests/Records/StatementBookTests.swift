// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let primitives = FakePrimitives()
private func at(_ seconds: Int64) -> Moment { MadeUpVenue.moment(seconds) }

private func stay(
    _ signer: FakeSigner, _ revision: Int, at place: Int = 1, since: Int64 = 10,
    until: Int64? = nil
) -> VenueStatement {
    MadeUpVenue.statement(signer, revision, at: place, since: since, until: until)
}

@Suite struct StatementBookTests {
    @Test func aHigherRevisionReplacesAndAnEqualOneOnlyBySmallerID() {
        let ada = FakeSigner(1)
        let both = [stay(ada, 2, at: 1), stay(ada, 2, at: 2)].sorted {
            $0.id(primitives) < $1.id(primitives)
        }
        for (order, kept) in [([both[0], both[1]], 0), ([both[1], both[0]], 0)] {
            var watcher = Watcher()
            for statement in order { watcher.take(statement, from: ada.key, at: at(20)) }
            #expect(watcher.book.statements == [both[kept]])
            #expect(watcher.take(stay(ada, 1), from: ada.key, at: at(20)) == .known)
            #expect(watcher.take(stay(ada, 3), from: ada.key, at: at(20)) == .welcome)
            #expect(watcher.book.statements == [stay(ada, 3)] && watcher.book.count == 1)
        }
    }

    /// X1, as far as statements go: any set of them, in any order, cut into any parts that reach
    /// different agents who then tell each other what is newer, gives equal books and counts.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func x1AnyOrderAndSplitGivesEqualBooks(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // In every second run authors number their stays as time goes on.
        let isHonest = seed % 2 == 0
        let all = stays(seed, isHonest: isHonest, &random)
        let now = at(Int64.random(in: 0..<2 * MadeUpVenue.day, using: &random))
        var watchers = (0..<4).map { _ in Watcher() }
        for statement in all.shuffled(using: &random) {
            for place in watchers.indices where Bool.random(using: &random) || place == 3 {
                watchers[place].take(statement, from: statement.author, at: at(0))
            }
        }
        for place in watchers.indices { watchers[place].advance(to: now) }
        gossip(&watchers, at: now)
        let digests = watchers[3].digests()
        for place in watchers.indices {
            #expect(watchers[place].digests() == digests)
            #expect(watchers[place].book.statements == watchers[3].book.statements)
            #expect(watchers[place].counts == watchers[3].counts)
        }
        #expect(watchers[3].book.count <= 60)
        guard isHonest else { return }
        // Of each author what is kept is what the rule says of the whole set.
        for statement in watchers[3].book.statements {
            let rivals = all.filter { $0.author == statement.author && isOfNow($0, now) }
            #expect(rivals.allSatisfy { $0 == statement || !replaces($0, statement) })
        }
    }

    /// Some statements of each of sixty people, some of them of no day of the volume.
    private func stays(
        _ seed: UInt64, isHonest: Bool, _ random: inout SeededRandom
    ) -> [VenueStatement] {
        var all: [VenueStatement] = []
        for author in 0..<60 {
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let revision = Int.random(in: 1...3, using: &random)
                let day =
                    isHonest ? (revision > 1 ? 1 : 0) : Int64.random(in: 0...1, using: &random)
                let since = day * MadeUpVenue.day + Int64.random(in: -9..<80_000, using: &random)
                let left = Bool.random(using: &random)
                all.append(
                    stay(
                        FakeSigner(author, seed: seed), revision,
                        at: Int.random(in: 1...3, using: &random),
                        since: isHonest ? max(since, day * MadeUpVenue.day) : since,
                        until: left ? since + 5000 : nil))
            }
        }
        return all
    }

    private func isOfNow(_ statement: VenueStatement, _ now: Moment) -> Bool {
        guard case .stay(let stay, _) = statement.content,
            let over = MadeUpVenue.hours.dayEnd(after: stay.since)
        else { return false }
        return now.utc < over
    }

    private func replaces(_ one: VenueStatement, _ other: VenueStatement) -> Bool {
        guard case .stay(_, let first) = one.content, case .stay(_, let second) = other.content
        else { return false }
        return StayMark(author: one.author, revision: first, id: one.id(primitives))
            .replaces(StayMark(author: other.author, revision: second, id: other.id(primitives)))
    }

    /// Everybody asks everybody for what is newer where digests differ.
    private func gossip(_ watchers: inout [Watcher], at now: Moment) {
        for _ in 0..<2 {
            for one in watchers.indices {
                for other in watchers.indices where one != other {
                    let (mine, theirs) = (watchers[one].digests(), watchers[other].digests())
                    for bucket in mine.indices where mine[bucket] != theirs[bucket] {
                        for list in watchers[one].book.lists(of: bucket, atMost: 2) {
                            for statement in watchers[other].book.newer(than: list) {
                                watchers[one].take(statement, from: statement.author, at: now)
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func staysAreOfADayOfTheVolumeAndGoWithIt() {
        let (ada, bo) = (FakeSigner(1), FakeSigner(2))
        let day = MadeUpVenue.day
        var watcher = Watcher()
        #expect(watcher.take(stay(ada, 1, since: -1), from: ada.key, at: at(0)) == .nothing)
        #expect(watcher.take(stay(ada, 1, since: 2 * day), from: ada.key, at: at(0)) == .nothing)
        #expect(watcher.take(stay(ada, 1, since: 0), from: ada.key, at: at(day)) == .nothing)
        #expect(watcher.take(stay(ada, 1, since: 0), from: ada.key, at: at(0)) == .welcome)
        #expect(watcher.take(stay(bo, 1, since: day), from: bo.key, at: at(0)) == .welcome)
        watcher.advance(to: at(day - 1))
        #expect(watcher.book.count == 2 && watcher.book.stay(of: ada.key)?.place == 1)
        watcher.advance(to: at(day))
        #expect(watcher.book.count == 1 && watcher.book.stay(of: ada.key) == nil)
        #expect(watcher.book.statements.map(\.author) == [bo.key])
        watcher.advance(to: at(2 * day))
        var empty = Watcher()
        #expect(watcher.book.count == 0 && watcher.digests() == empty.digests())
    }

    @Test func whatOthersSayInALaterVersionIsNothing() throws {
        let ada = FakeSigner(1)
        var writer = CBORWriter()
        writer.array(3)
        writer.value(ada.key)
        writer.bytes([0x81, 2])
        writer.bytes(Array(repeating: 0, count: 64))
        var watcher = Watcher()
        let later = try VenueStatement(decoding: writer.bytes)
        #expect(watcher.take(later, from: ada.key, at: at(0)) == .nothing)
        #expect(watcher.book.count == 0)
    }

    @Test func eightChangesAtOnceThenOneInFiveSeconds() {
        let ada = FakeSigner(1)
        var watcher = Watcher()
        for revision in 1...8 {
            #expect(watcher.take(stay(ada, revision), from: ada.key, at: at(0)) == .welcome)
        }
        let next = stay(ada, 9)
        #expect(
            watcher.take(next, from: ada.key, at: at(0)) == .later(.zero + Limits.stayPace))
        #expect(watcher.take(next, from: ada.key, at: at(5)) == .welcome)
        #expect(
            watcher.take(stay(ada, 10), from: ada.key, at: at(6)) == .later(.zero + .seconds(10)))
        // Others do not wait for them.
        let bo = FakeSigner(2)
        #expect(watcher.take(stay(bo, 1), from: bo.key, at: at(6)) == .welcome)
    }

    @Test func bucketsAreCutByTheFirstSixBits() {
        var watcher = Watcher()
        let empty = watcher.digests()
        #expect(empty.count == 64 && Set(empty).count == 1)
        for first in [0, 3, 4, 252, 255] as [UInt8] {
            watcher.take(stay(FakeSigner(first), 1), from: FakeSigner(first).key, at: at(0))
        }
        let digests = watcher.digests()
        #expect(digests.indices.filter { digests[$0] != empty[$0] } == [0, 1, 63])
        let lists = (0..<64).map { watcher.book.lists(of: $0) }
        #expect(lists.allSatisfy { $0.count == 1 && $0[0].after == nil && $0[0].last == nil })
        #expect(lists[0][0].marks.map(\.author) == [FakeSigner(0).key, FakeSigner(3).key])
        #expect(watcher.book.lists(of: 64) == [] && watcher.book.list(of: -1) == nil)
        var text = Array("seatswap/1 statements".utf8) + [0x81, 0x58, 68]
        text += lists[1][0].marks[0].bytes
        #expect(digests[1] == primitives.sha256(text))
        #expect(empty[0] == primitives.sha256(Array("seatswap/1 statements".utf8) + [0x80]))
    }

    /// Whoever makes up keys that come first in somebody's bucket hides nobody.
    @Test func listsCoverABucketWhateverIsInIt() throws {
        var (watcher, other) = (Watcher(), Watcher())
        let gossip = FakeSigner(9).key
        let made = (0..<1100).map { MadeUpVenue.ground(4, $0) }
        for one in made {
            watcher.take(stay(one, 1), from: gossip, at: at(0))
            other.take(stay(one, 1), from: gossip, at: at(0))
        }
        let victim = stay(FakeSigner(7), 1)
        other.take(victim, from: gossip, at: at(0))
        let lists = watcher.book.lists(of: 1)
        #expect(lists.map(\.marks.count) == [512, 512, 76])
        #expect(lists.map(\.after) == [nil, made[511].key, made[1023].key])
        #expect(lists.map(\.last) == [made[511].key, made[1023].key, nil])
        #expect(lists.map { other.book.newer(than: $0) } == [[], [], [victim]])
        // A part that ends where nobody is says nothing of who comes behind.
        let part = try StayList(bucket: 1, after: made[1098].key, last: made[1099].key, [])
        #expect(other.book.newer(than: part).map(\.author) == [made[1099].key])
    }
}
