// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A member of the party as the flight's file stores it.
package struct PartyRow: Hashable, Sendable {
    /// Whose seat it is.
    package let seat: Seat
    /// What the passenger said about whoever sits there; the store does not interpret it.
    package let facts: String

    /// Facts about whoever sits in `seat`.
    package init(seat: Seat, facts: String) {
        self.seat = seat
        self.facts = facts
    }
}

/// The party in the flight's file. It is deleted with the file, and no export of records contains
/// it; only the export of all own data does.
extension Store {
    /// What the passenger said of their party.
    package func partyRows() throws(StoreError) -> [PartyRow] {
        var rows: [PartyRow] = []
        try database.prepare("SELECT seat, facts FROM party").run { row in
            guard let seat = Seat(row.text(0)) else { return }
            rows.append(PartyRow(seat: seat, facts: row.text(1)))
        }
        return rows
    }

    /// Replaces the party by this one, in one transaction.
    package func keep(_ party: [PartyRow]) throws(StoreError) {
        try transaction { () throws(StoreError) in try put(party) }
    }

    /// Does the same inside a transaction.
    func put(_ party: [PartyRow]) throws(StoreError) {
        try run("DELETE FROM party", [])
        for row in party {
            try run("INSERT INTO party VALUES (?, ?)", [.text(row.seat.text), .text(row.facts)])
        }
    }
}
