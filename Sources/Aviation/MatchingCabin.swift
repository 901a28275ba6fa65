// SPDX-License-Identifier: Apache-2.0
package import Protocol

extension CabinLayout {
    /// How many parts a compartment has, of which people call the front ones better.
    private static let parts = 3

    /// The seats as a search for exchanges takes them. Rows with more legroom are the best part of
    /// the cabin, then come thirds of each compartment from the front on.
    package var forMatching: MatchCabin {
        var counts: [Compartment: Int] = [:]
        for row in rows { counts[row.compartment, default: 0] += 1 }
        var passed: [Compartment: Int] = [:]
        return MatchCabin(
            rows.map { row in
                let place = passed[row.compartment, default: 0]
                passed[row.compartment] = place + 1
                let third = place * Self.parts / max(counts[row.compartment] ?? 1, 1)
                let seats = row.columns.compactMap { Seat(row: row.number, column: Int($0)) }
                    .map { (seat: $0, kind: kind(of: $0)) }
                return MatchCabin.Row(
                    number: row.number, blocks: row.blocks,
                    compartment: Compartment.allCases.firstIndex(of: row.compartment) ?? 0,
                    section: seats.allSatisfy(\.kind.extraLegroom) ? 0 : 1 + third,
                    exits: seats.filter(\.kind.exit).map(\.seat.column))
            })
    }
}

extension Needs.Person {
    /// The same for a search for exchanges. Who looks after somebody is kept out of exit rows by
    /// ``SeatRules``.
    package var forMatching: MatchNeeds {
        MatchNeeds(
            isChild: has(.child), isHelped: has(.helped), with: with,
            mayExit: has(.exit) && !isCaredFor && !has(.infant))
    }

    /// Whether they stay where they are: what they have is not sure to be theirs.
    package var stays: Bool { has(.standby) }
}
