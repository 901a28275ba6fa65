// SPDX-License-Identifier: Apache-2.0
package import Aviation
import Protocol
package import Store

/// What is said of the own seats in the form for the flight's file: a line for each seat.
extension Needs {
    /// The rows for the store.
    var rows: [NeedsRow] { people.map { NeedsRow(seat: $0.seat, facts: $0.text) } }

    /// What these rows say.
    init(_ rows: [NeedsRow]) {
        self.init(rows.map { Person(seat: $0.seat, text: $0.facts) })
    }
}

extension Store {
    /// What the passenger said about their seats.
    package func needs() throws(StoreError) -> Needs { Needs(try needsRows()) }

    /// Replaces it by this, in one transaction.
    func keep(_ needs: Needs) throws(StoreError) { try keep(needs.rows) }

    /// Commits `writes`, and `needs` if it changed, as one durable transaction.
    func apply(_ writes: [Write], with needs: Needs?) throws(StoreError) {
        try apply(writes, with: needs?.rows)
    }
}
