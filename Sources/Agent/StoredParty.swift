// SPDX-License-Identifier: Apache-2.0
package import Aviation
import Protocol
package import Store

/// The party in the form for the flight's file: a line for each seat.
extension Party {
    /// The rows for the store.
    var rows: [PartyRow] { members.map { PartyRow(seat: $0.seat, facts: $0.text) } }

    /// The party in these rows.
    init(_ rows: [PartyRow]) {
        self.init(rows.map { Member(seat: $0.seat, text: $0.facts) })
    }
}

extension Store {
    /// What the passenger said about their party.
    package func party() throws(StoreError) -> Party { Party(try partyRows()) }

    /// Replaces the party by this one, in one transaction.
    func keep(_ party: Party) throws(StoreError) { try keep(party.rows) }

    /// Commits `writes`, and `party` if it changed, as one durable transaction.
    func apply(_ writes: [Write], with party: Party?) throws(StoreError) {
        try apply(writes, with: party?.rows)
    }
}
