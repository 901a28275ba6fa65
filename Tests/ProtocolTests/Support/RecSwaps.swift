// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// A recreation centre whose people have a booking each: the first agent is the desk, and every
/// other is the member of their number, who has half a hall for an hour from ten, eleven ... on.
struct RecSwaps {
    var world: World
    /// The booking that each had at first; that of the desk is none.
    private(set) var tokens: [Token] = [Token(.zero)]

    /// So many people. `classes` are the classes that the desk notes for them, in their order.
    init(
        _ people: Int, swaps: BookRules.Swaps = .all, classes: [Int] = [],
        due: Grant.Due? = nil, minutes: [Int] = [], clock: VenueClock? = nil
    ) throws {
        var world = World()
        world.now.utc = Self.opens
        var setup = MadeUpVenue.setup()
        setup.clock = clock
        setup.charter = Charter(
            epoch: 1, revision: 1, rules: try SmallVenue.rules(swaps: swaps), words: .zero,
            before: [], ledger: FakeSigner(1).key, gathering: MadeUpVenue.gathering.id,
            by: MadeUpVenue.runBy)
        world.venue = setup
        try world.add("1A")
        world.venue?.charter = nil
        for _ in 0..<people { try world.add("1A") }
        self.world = world
        self.world.run(seconds: 2)
        var entries: [LedgerEntry] = []
        for (index, klass) in classes.enumerated() {
            let key = world.key(index + 1)
            entries.append(.note(.member(number: index + 1, class: klass, key: key)))
        }
        for index in 1...people {
            let length = index <= minutes.count ? minutes[index - 1] : 60
            entries.append(
                .grant(
                    Grant(
                        holder: world.key(index), member: index <= classes.count ? index : 0,
                        place: 3 + index % 2,
                        period: try SmallVenue.period(0, 9 + index, length), due: due,
                        flags: .override)))
        }
        guard case .success(.entries(let ids))? = self.world.wish(0, .ledger(.append(entries)))
        else { throw DecodeError(.badValue) }
        tokens += ids.suffix(people).map(\.token)
        self.world.run(seconds: 2)
    }

    /// Eight in the morning of the venue's first day, by UTC.
    static let opens = UTCTime(seconds: 946_684_800 + 9000 * 86_400 + 8 * 3600)

    /// Somebody asks for the booking that another had at first, for their own.
    @discardableResult
    mutating func ask(
        _ index: Int, for other: Int, override: Bool = false
    ) -> Result<IntentReply, Refusal>? {
        exchange(index, [index, other], override: override)
    }

    /// Somebody asks that each of these gives what they had at first to the one before.
    @discardableResult
    mutating func exchange(
        _ index: Int, _ people: [Int], override: Bool = false
    ) -> Result<IntentReply, Refusal>? {
        let moves = people.indices.map { place in
            let giver = people[(place + 1) % people.count]
            return TokenMove(token: tokens[giver], to: world.key(people[place]))
        }
        return world.wish(
            index, .exchange(moves, note: "", expires: nil, override: override))
    }

    /// Says yes to the last request.
    @discardableResult
    mutating func accept(_ index: Int, override: Bool = false) -> Refusal? {
        guard let number = world.hosts[index].node.swaps.records.last?.number else {
            return .emptyText
        }
        return world.wish(index, .accept(number, override: override))?.refusal
    }

    /// Who holds what the person of each place had at first, as a host sees it.
    func holders(seenBy index: Int) -> [Int] {
        let view = world.hosts[index].node.bookView
        return tokens.dropFirst().map { token in
            view.booking(token).flatMap { booking in
                world.hosts.indices.first { world.key($0) == booking.holder }
            } ?? -1
        }
    }

    /// How the last negotiation of a host stands.
    func record(_ index: Int) -> SwapRecord? { world.hosts[index].node.swaps.records.last }

    /// Whether all that are up see the same, nobody is in doubt, and nobody is convicted.
    var isSettled: Bool {
        world.isOneVenue
            && world.hosts.filter(\.isUp).allSatisfy { host in
                host.disk.stored.locks.isEmpty && host.node.logs.proofs.isEmpty
                    && host.node.misdeeds.isEmpty
                    && !host.node.swaps.records.contains {
                        $0.stage == .prepared || $0.stage == .preparing
                    }
                    && !host.notices.contains {
                        if case .trouble(.violation) = $0 { true } else { false }
                    }
            }
    }
}
