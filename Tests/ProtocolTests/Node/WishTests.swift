// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What a passenger says of their wish, how often, and what of it stays with them
/// (docs/protocol.md sections 8 and 16).
@Suite struct WishTests {
    private func pair() throws -> World {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.run(seconds: 10)
        return world
    }

    private func set(_ columns: Int, _ first: Int, _ last: Int) throws -> SeatSet {
        try require(SeatSet([SeatSet.Block(columns: columns, first: first, last: last)]))
    }

    // MARK: One field at a time

    @Test("Each command changes what it says and nothing else")
    func fields() throws {
        var world = try pair()
        let rank = try set(33, 3, 9)
        let all = WishChange(
            words: "w", offer: .all, ranks: [rank], asks: .anything, note: "legs")
        world.wish(0, .wish(all))
        world.run(seconds: 6)
        world.wish(0, .wish(WishChange(asks: .nothing)))
        world.run(seconds: 6)
        world.wish(0, .withdrawOffer)
        world.run(seconds: 6)
        let gone = try #require(world.wishes(0).last)
        #expect(gone.offered.isEmpty && gone.ranks.isEmpty && gone.note == "")
        #expect(gone.asks == .nothing)
        world.wish(0, .wish(WishChange(offer: .all)))
        world.run(seconds: 6)
        let back = try #require(world.wishes(0).last)
        #expect(back.ranks == [rank] && back.note == "legs" && back.asks == .nothing)
        #expect(world.hosts[0].node.ownWish.words == "w")
        #expect(world.wish(0, .wish(WishChange(offer: .all))) == .success(.done))
        #expect(world.wishes(0).count == 4)
    }

    @Test("What is not one's own is not offered, nor twice taken back")
    func refusals() throws {
        var world = try pair()
        let other = try require(Seat("12A"))
        #expect(
            world.wish(0, .wish(WishChange(offer: .seats([other]))))
                == .failure(.notYours(other)))
        #expect(world.wish(0, .withdrawOffer) == .failure(.alreadySo))
        let long = String(repeating: "w", count: Limits.wishWords + 1)
        #expect(
            world.wish(0, .wish(WishChange(words: long)))
                == .failure(.tooLong(Limits.wishWords)))
        #expect(world.wishes(0).isEmpty && world.hosts[0].disk.stored.wish == nil)
    }

    // MARK: Pace

    @Test("One wish in five seconds is written, and the last of several counts")
    func pace() throws {
        var world = try pair()
        for row in 1...9 {
            let rank = SeatSet(try require(Seat(row: row, column: 0)))
            let reply = world.wish(0, .wish(WishChange(offer: .all, ranks: [rank])))
            if row == 1 {
                guard case .success(.entry) = reply else { throw DecodeError(.badValue) }
            } else {
                guard case .success(.later(let seconds)) = reply else {
                    throw DecodeError(.badValue)
                }
                #expect(1...6 ~= seconds)
            }
        }
        #expect(world.wishes(0).count == 1)
        world.run(seconds: 4)
        #expect(world.wishes(0).count == 1)
        world.run(seconds: 2)
        let last = SeatSet(try require(Seat("9A")))
        #expect(world.wishes(0).count == 2 && world.wishes(0).last?.ranks == [last])
        world.run(seconds: 60)
        #expect(world.wishes(0).count == 2)
        #expect(world.hosts[1].node.passenger(world.key(0))?.wish?.ranks == [last])
    }

    @Test("A wish that waits is written after a restart, and one that others know is not")
    func restart() throws {
        var world = try pair()
        world.wish(0, .offer(ranks: [.all], note: ""))
        world.wish(0, .wish(WishChange(asks: .anything)))
        world.kill(0)
        world.restart(0)
        world.run(seconds: 20)
        #expect(world.wishes(0).map(\.asks) == [.alike, .anything])
        world.kill(0)
        world.restart(0)
        world.run(seconds: 20)
        #expect(world.wishes(0).count == 2)
    }

    @Test("64 wishes are written: the last takes back, and others do not use them up")
    func most() throws {
        var world = try pair()
        func rank(_ round: Int) throws -> WishChange {
            WishChange(
                offer: .all, ranks: [try set(1 + round, 1, 9)], isRenewal: round < 40)
        }
        for round in 0..<40 {
            world.wish(0, .wish(try rank(round)))
            world.run(seconds: 6)
        }
        #expect(world.wishes(0).count == Limits.wishesRenewed)
        // Kept all the same.
        #expect(world.hosts[0].node.ownWish.ranks == [try set(40, 1, 9)])
        // A renewal that is refused leaves the user's own, which waits its five seconds.
        for round in [41, 42, 39] { world.wish(0, .wish(try rank(round))) }
        world.run(seconds: 6)
        #expect(world.wishes(0).count == Limits.wishesRenewed + 2)
        for round in 40..<90 {
            let reply = world.wish(0, .wish(try rank(round)))
            world.run(seconds: 6)
            let isRefused = world.wishes(0).count == Limits.wishesPerLog - 1
            if isRefused, round > 80 { #expect(reply == .failure(.tooManyWishes)) }
        }
        #expect(world.wishes(0).count == Limits.wishesPerLog - 1)
        let before = world.hosts[0].node.ownWish
        world.wish(0, .wish(try rank(95)))
        #expect(world.hosts[0].node.ownWish == before)
        // Whom the user hears, and what stays here, is not the log's to refuse.
        #expect(world.wish(0, .wish(WishChange(asks: .nothing))) == .success(.done))
        #expect(world.hosts[0].node.ownWish.asks == .nothing)
        #expect(world.wish(0, .wish(WishChange(isPrivate: true))) == .success(.done))
        #expect(world.hosts[0].node.ownWish.isPrivate)
        #expect(world.wishes(0).count == Limits.wishesPerLog - 1)
        world.wish(0, .withdrawOffer)
        world.run(seconds: 6)
        #expect(world.wishes(0).count == Limits.wishesPerLog)
        #expect(world.hosts[1].node.passenger(world.key(0))?.wish == nil)
    }

    // MARK: What stays on the device

    @Test("No byte that is sent holds the ranks, the words or the note of a private wish")
    func noByteHoldsAPrivateWish() throws {
        let rank = try set(0x155, 3, 11)
        let words = "quiet-corner"
        for isPrivate in [true, false] {
            var world = try pair()
            try world.add("20F")
            world.run(seconds: 10)
            world.watched = []
            world.wish(
                0,
                .wish(
                    WishChange(
                        words: words, offer: .all, ranks: [rank], note: "near-mum",
                        isPrivate: isPrivate)))
            world.run(seconds: 30)
            world.wish(1, .swap(take: try require(Seat("14C")), give: nil, note: "", expires: 90))
            world.run(seconds: 10)
            world.kill(0)
            world.restart(0)
            world.run(seconds: 120)
            #expect(world.hosts[0].node.ownWish.isPrivate == isPrivate)
            #expect(world.hosts[2].node.passenger(world.key(0))?.wish?.offered.count == 1)
            let sent = world.watched?.filter { $0.host == 0 }.flatMap(\.effects.sends) ?? []
            var writer = CBORWriter()
            EntryCodec.write(rank, to: &writer)
            // Without the head of the list of blocks: wherever the block may stand.
            let traces = [Array(writer.bytes.dropFirst()), Array("near-mum".utf8)]
            for trace in traces {
                #expect(sent.contains { holds($0.bytes, trace) } == !isPrivate)
            }
            #expect(!sent.contains { holds($0.bytes, Array(words.utf8)) })
            #expect(world.stage(0) == (isPrivate ? .declined : .expired))
        }
    }

    private func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard bytes.count >= part.count else { return false }
        return (0...(bytes.count - part.count)).contains { start in
            bytes[start..<(start + part.count)].elementsEqual(part)
        }
    }

    @Test("The own wish outlives a start; what others know makes one where there is none")
    func kept() throws {
        var world = try pair()
        let change = WishChange(
            words: "w", offer: .all, ranks: [try set(1, 1, 9), .all], asks: .nothing, note: "n",
            isPrivate: true)
        world.wish(0, .wish(change))
        let own = world.hosts[0].node.ownWish
        #expect(try OwnWish(own.encode()) == own && own.ranks?.count == 2)
        world.kill(0)
        world.restart(0)
        #expect(world.hosts[0].node.ownWish == own)
        world.kill(0)
        world.hosts[0].disk.stored.wish = nil
        world.restart(0)
        world.run(seconds: 20)
        let less = world.hosts[0].node.ownWish
        #expect(less.offered == own.offered && less.asks == .nothing && less.isPrivate)
        #expect(less.ranks == nil && less.words.isEmpty && world.wishes(0).count == 1)
    }
}

extension World {
    /// The wishes in the log of a host.
    fileprivate func wishes(_ index: Int) -> [Wish] {
        (hosts[index].node.logs.log(of: key(index))?.entries ?? []).compactMap { entry in
            if case .wish(let wish) = entry.body { wish } else { nil }
        }
    }
}
