// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Linked agents in a recreation centre (``SmallVenue``): the first is its desk.
func recCentre(_ count: Int) throws -> World {
    var world = World()
    try world.addDesk()
    for _ in 1..<count { try world.add("1A") }
    world.run(seconds: 2)
    return world
}

extension World {
    /// Adds a desk of the recreation centre; whoever is added later is in it too.
    @discardableResult
    mutating func addDesk(
        epoch: Int = 1, before: [Charter.Before] = [], start: Bool = true
    ) throws -> Int {
        var setup = MadeUpVenue.setup()
        setup.charter = try charter(of: hosts.count, epoch: epoch, before: before)
        venue = setup
        let index = try add("1A", start: start)
        venue?.charter = nil
        return index
    }

    /// What the operator signs for the agent that is added at that place.
    func charter(
        of index: Int, epoch: Int = 1, revision: Int = 1, before: [Charter.Before] = [],
        castles: Int = 3
    ) throws -> Charter {
        try require(
            Charter(
                epoch: epoch, revision: revision, rules: try SmallVenue.rules(castles: castles),
                words: .zero, before: before, ledger: FakeSigner(UInt8(index + 1)).key,
                gathering: MadeUpVenue.gathering.id, by: MadeUpVenue.runBy))
    }

    /// Somebody asks for a place for so many minutes from an hour of a day on; the id.
    @discardableResult
    mutating func ask(
        _ index: Int, for place: Int, _ day: Int, _ hour: Int, _ minutes: Int = 60,
        waits: Bool = false, lasting: Int64 = 86_400
    ) throws -> Bytes32 {
        let wanted = BookingAsk.Wish.book(
            place: place, period: try SmallVenue.period(day, hour, minutes), count: 1,
            waits: waits, tag: nil, note: "")
        let until = UTCTime(seconds: now.utc.seconds + lasting)
        guard case .success(.asked(let id))? = wish(index, .booking(.ask(wanted, until: until)))
        else { throw DecodeError(.badValue) }
        return id
    }

    /// The ids of the asks that a host knows, sorted.
    func asks(_ index: Int) -> [Bytes32] { hosts[index].node.openAsks.map(\.id).sorted() }

    /// How an own ask stands; `nil` for one that is over.
    func standing(_ index: Int, _ id: Bytes32) -> AskFacts.Standing? {
        hosts[index].node.ownAsks.first { $0.id == id }?.standing
    }

    /// A desk grants what is asked and can be, and refuses the rest, all in one turn.
    @discardableResult
    mutating func serve(_ desk: Int) throws -> Int {
        var entries: [LedgerEntry] = []
        let asks = hosts[desk].node.openAsks
        for one in asks {
            switch one.ask.wish {
            case .book(let place, let period, let count, _, let tag, let note):
                entries.append(
                    .grant(
                        Grant(
                            holder: one.author,
                            member: hosts[desk].node.bookView.member(of: one.author)?.number ?? 0,
                            place: place, period: period, count: count,
                            flags: .override, ask: one.id, tag: tag, note: note)))
            case .giveBack(_, nil):
                let close = try #require(LedgerClose(asked: one.statement))
                entries.append(LedgerEntry.close(close))
            case .giveBack, .move, .withdraw: break
            }
        }
        guard !entries.isEmpty else { return 0 }
        let reply = wish(desk, .ledger(.append(entries)))
        guard case .success(.entries(let ids))? = reply else { throw DecodeError(.badValue) }
        return ids.count
    }

    /// What a host holds, as place and hour.
    func bookings(_ index: Int, seenBy other: Int) -> [[Int]] {
        hosts[other].node.bookView.bookings(of: key(index)).filter(\.isLive).map {
            [$0.mint.grant.place, $0.mint.grant.period.from / 60]
        }
    }

    /// Whether all that are up have the same logs, asks and book.
    var isOneVenue: Bool {
        let up = hosts.filter(\.isUp)
        guard let first = up.first else { return true }
        return up.allSatisfy { host in
            host.node.mapDigest == first.node.mapDigest
                && host.node.bookView.book == first.node.bookView.book
                && host.node.openAsks.map(\.id).sorted() == first.node.openAsks.map(\.id).sorted()
                && Bundle.bytes(host.node.logs) == Bundle.bytes(first.node.logs)
        }
    }
}
