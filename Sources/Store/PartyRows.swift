// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A line of the party as the flight's file keeps it.
package struct PartyRow: Hashable, Sendable {
    /// Whose seat it is.
    package let seat: Seat
    /// What is said of whoever sits there, in words that the store does not read.
    package let facts: String

    /// What is said of whoever sits in `seat`.
    package init(seat: Seat, facts: String) {
        self.seat = seat
        self.facts = facts
    }
}

/// The party in the flight's file: it goes when the file goes, and is in no
/// export of records, only in that of all own data.
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

    /// Keeps it instead of what was there, in one transaction.
    package func keep(_ party: [PartyRow]) throws(StoreError) {
        try transaction { () throws(StoreError) in try put(party) }
    }

    /// The same within a transaction.
    func put(_ party: [PartyRow]) throws(StoreError) {
        try run("DELETE FROM party", [])
        for row in party {
            try run("INSERT INTO party VALUES (?, ?)", [.text(row.seat.text), .text(row.facts)])
        }
    }
}
