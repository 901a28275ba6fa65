// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Whoever sits in an own seat, as the flight's file stores it.
package struct NeedsRow: Hashable, Sendable {
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

/// What a passenger says of their own seats, in the flight's file. It is deleted with the file, and
/// no export of records contains it; only the export of all own data does.
extension Store {
    /// What the passenger said of their seats.
    package func needsRows() throws(StoreError) -> [NeedsRow] {
        var rows: [NeedsRow] = []
        try database.prepare("SELECT seat, facts FROM needs").run { row in
            guard let seat = Seat(row.text(0)) else { return }
            rows.append(NeedsRow(seat: seat, facts: row.text(1)))
        }
        return rows
    }

    /// Replaces it by this, in one transaction.
    package func keep(_ needs: [NeedsRow]) throws(StoreError) {
        try transaction { () throws(StoreError) in try put(needs) }
    }

    /// Does the same inside a transaction.
    func put(_ needs: [NeedsRow]) throws(StoreError) {
        try run("DELETE FROM needs", [])
        for row in needs {
            try run("INSERT INTO needs VALUES (?, ?)", [.text(row.seat.text), .text(row.facts)])
        }
    }
}
