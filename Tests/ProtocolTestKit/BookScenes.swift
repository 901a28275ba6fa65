// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Scenes of ledgers, one or more for each rule of docs/protocol.md section 32: what the vectors
/// are made of.
package struct BookScenes {
    /// One scene: its name, and what an agent knows of it.
    package struct Scene {
        /// Which rule.
        package let name: String
        /// In the order in which they come.
        package let entries: [Entry]
    }

    let venue: LedgerVenue
    /// Keys that grow with their numbers: desks 0 to 3, people 4 to 7.
    let signers: [any Signer]

    /// Scenes in that venue. Of `signers` there are eight, sorted by key.
    package init(in venue: LedgerVenue, signers: [any Signer]) {
        self.venue = venue
        self.signers = signers
    }

    var ada: PeerKey { signers[4].key }
    var bo: PeerKey { signers[5].key }
    var cy: PeerKey { signers[6].key }

    func desk(
        _ number: Int = 0, epoch: Int = 1, before: [Charter.Before] = [],
        swaps: BookRules.Swaps = .all
    ) throws -> SmallVenue {
        try SmallVenue(
            by: signers[number], in: venue, epoch: epoch, before: before, swaps: swaps)
    }

    /// All of them.
    package func all() throws -> [Scene] {
        try capacity() + changes() + members() + quotas() + ledgers() + rescues() + swaps()
            + records()
    }

    func scene(_ name: String, _ logs: MadeUpLedger...) -> Scene {
        Scene(name: name, entries: logs.flatMap(\.entries))
    }

    // MARK: Units and periods

    private func capacity() throws -> [Scene] {
        var court = try desk()
        try court.block(1, 0, 10, 60)
        for hour in [10, 11, 9, 8, 12] { try court.block(1, 0, hour, 60) }
        var hall = try desk()
        for (place, hour) in [(3, 10), (2, 10), (4, 10), (2, 11)] {
            try hall.block(place, 0, hour, 60)
        }
        var castles = try desk()
        try castles.block(5, 0, 10, 120, count: 2)
        try castles.block(5, 0, 12, 120, count: 2)
        for (hour, minutes, count) in [(9, 600, 1), (11, 90, 1), (20, 60, 4), (21, 60, 3)] {
            try castles.block(5, 0, hour, minutes, count: count)
        }
        var late = try desk()
        // A peak in the middle, at neither end.
        try late.block(5, 1, 12, 60, count: 3)
        try late.block(5, 1, 11, 180)
        try late.block(5, 1, 13, 60, count: 3)
        var edges = try desk()
        try edges.block(6, 0, 10, 60)
        for (place, day, hour, minutes) in [
            (3, -1, 23, 60), (3, -1, 23, 61), (3, 0, 0, 1), (3, 2, 23, 420), (4, 2, 23, 421),
            (4, 3, 0, 1),
        ] { try edges.block(place, day, hour, minutes) }
        return [
            scene("units: a court and its turnover", court.desk),
            scene("units: a hall and its halves", hall.desk),
            scene("units: several of a kind", castles.desk),
            scene("units: a peak in the middle", late.desk),
            scene("periods at the edges of the volume", edges.desk),
        ]
    }

    private func changes() throws -> [Scene] {
        var closes = try desk()
        let first = try closes.block(1, 0, 10, 60)
        try closes.desk.close(first, .desk)
        try closes.desk.close(first, .noShow, spent: true)
        let full = try closes.block(1, 0, 10, 60)
        try closes.desk.close(try closes.block(1, 0, 10, 60), .desk)
        try closes.desk.close(full, .early, spent: true)
        var moves = try desk()
        let one = try moves.block(1, 0, 10, 60)
        let moved = try moves.block(1, 0, 10, 120, replaces: [one])
        let again = try moves.block(1, 1, 10, 60, replaces: [one])
        let other = try moves.block(1, 0, 14, 60)
        try moves.block(1, 0, 12, 60, replaces: [other])
        try moves.block(3, 0, 12, 60, replaces: [again])
        try moves.block(6, 0, 12, 60, replaces: [other])
        try moves.block(1, 0, 10, 240, replaces: [moved, other])
        var asks = try desk()
        let (ask, next) = (Bytes32.zero, venue.primitives.sha256([2]))
        let granted = try asks.block(1, 0, 10, 60, ask: ask)
        try asks.block(1, 0, 14, 60, ask: ask)
        try asks.block(1, 0, 10, 60, ask: next)
        try asks.block(1, 0, 16, 60, ask: next)
        try asks.desk.close(granted)
        try asks.block(1, 0, 18, 60, ask: ask)
        // Of two reasons the first in the list is told.
        try asks.block(1, 0, 16, 60, replaces: [granted], ask: ask)
        try asks.block(1, 0, 16, 60, replaces: [granted])
        var rules = try desk()
        try rules.block(1, 0, 10, 60)
        try rules.block(5, 0, 10, 60, count: 3)
        try rules.desk.charter(
            revision: 2, try SmallVenue.rules(castles: 2, places: [1, 5], turnover: 0))
        try rules.block(3, 0, 10, 60)
        for hour in [11, 12, 13] { try rules.block(1, 0, hour, 60) }
        for (hour, count) in [(10, 1), (11, 2), (12, 3)] {
            try rules.block(5, 0, hour, 60, count: count)
        }
        return [
            scene("closes", closes.desk), scene("grants that replace others", moves.desk),
            scene("asks are granted once", asks.desk), scene("new rules", rules.desk),
        ]
    }

    // MARK: Members and quotas

    private func members() throws -> [Scene] {
        var notes = try desk()
        try notes.grant(ada, 3, 0, 8, 120)
        try notes.desk.member(5, 0, ada)
        try notes.desk.member(6, 0, ada)
        try notes.desk.member(5, 1)
        try notes.grant(ada, 3, 1, 8, 30)
        try notes.grant(ada, of: 6, 3, 1, 8, 30)
        try notes.grant(ada, of: 5, 3, 0, 12, 240)
        var family = try desk()
        try family.desk.member(5, 1, ada)
        try family.desk.member(5, 0, bo)
        try family.grant(ada, of: 5, 3, 0, 8, 120)
        try family.grant(bo, of: 5, 3, 0, 12, 30)
        try family.grant(family.desk.key, of: 5, 3, 0, 12, 30)
        try family.grant(cy, 3, 0, 12, 30)
        try family.grant(signers[7].key, 4, 0, 12, 30)
        var classes = try desk()
        try classes.desk.member(5, 9, ada)
        try classes.desk.member(6, 0)
        try classes.grant(ada, of: 5, 3, 0, 8, 121)
        try classes.grant(ada, of: 5, 3, 0, 8, 120)
        try classes.grant(bo, of: 7, 3, 1, 8, 121)
        try classes.grant(bo, of: 6, 3, 1, 8, 121)
        return [
            scene("members: first notes", notes.desk),
            scene("members: several keys, none, and callers", family.desk),
            scene("members: classes that are not there", classes.desk),
        ]
    }

    private func quotas() throws -> [Scene] {
        var minutes = try desk()
        try minutes.desk.member(217, 0, ada)
        for (place, hour, count) in [(1, 8, 120), (3, 12, 121), (3, 12, 120), (4, 18, 1)] {
            try minutes.grant(ada, of: 217, place, 0, hour, count)
        }
        try minutes.grant(ada, of: 217, 3, 1, 12, 240)
        var bookings = try desk()
        try bookings.desk.member(217, 0, ada)
        for hour in [8, 10, 12] { try bookings.grant(ada, of: 217, 1, 0, hour, 30) }
        try bookings.grant(ada, of: 217, 3, 0, 12, 30)
        try bookings.grant(bo, 3, 0, 14, 30)
        try bookings.grant(bo, 4, 0, 15, 30)
        try bookings.grant(cy, 5, 0, 15, 30, count: 2)
        try bookings.grant(ada, of: 217, 5, 1, 8, 81, count: 3)
        try bookings.grant(ada, of: 217, 5, 1, 8, 80, count: 3)
        var groups = try desk()
        try groups.desk.member(217, 0, ada)
        for hour in [8, 10, 12] { try groups.grant(ada, of: 217, 1, 0, hour, 5, flags: .override) }
        // Courts are over their quota; halls have none of their own.
        try groups.grant(ada, of: 217, 3, 0, 12, 30)
        for (place, hour) in [(3, 8), (3, 9), (1, 10), (5, 10)] {
            try groups.grant(ada, of: 217, place, 1, hour, 30)
        }
        var days = try desk()
        try days.grant(bo, 3, 0, 23, 120)
        try days.grant(bo, 3, 1, 12, 120)
        var flags = try desk()
        try flags.grant(bo, 3, 0, 8, 300, flags: .override)
        try flags.grant(bo, 3, 0, 14, 30)
        try flags.grant(bo, 3, 0, 14, 30, flags: .blocked)
        try flags.grant(bo, 2, 0, 14, 30, flags: [.override, .blocked])
        var spent = try desk()
        try spent.desk.close(try spent.grant(bo, 3, 0, 8, 120), .noShow, spent: true)
        try spent.grant(bo, 3, 0, 12, 30)
        try spent.desk.close(try spent.grant(bo, 3, 1, 8, 120), .desk)
        let fourth = try spent.grant(bo, 3, 1, 12, 120)
        try spent.grant(bo, 3, 1, 14, 120, replaces: [fourth])
        try spent.grant(bo, 3, 1, 16, 30)
        return [
            scene("quotas: minutes", minutes.desk), scene("quotas: bookings", bookings.desk),
            scene("quotas: groups", groups.desk),
            scene("quotas: the day that begins", days.desk),
            scene("quotas: set aside, and blocked", flags.desk),
            scene("quotas: spent and given back", spent.desk),
        ]
    }
}
