// SPDX-License-Identifier: Apache-2.0
package import Aviation
import Protocol
package import Store

/// The party as the flight's file keeps it: a line for each seat.
extension Party {
    /// What the store keeps.
    var rows: [PartyRow] { members.map { PartyRow(seat: $0.seat, facts: $0.text) } }

    /// What the store kept.
    init(_ rows: [PartyRow]) {
        self.init(rows.map { Member(seat: $0.seat, text: $0.facts) })
    }
}

extension Store {
    /// What the passenger said of their party.
    package func party() throws(StoreError) -> Party { Party(try partyRows()) }

    /// Keeps it instead of what was there, in one transaction.
    func keep(_ party: Party) throws(StoreError) { try keep(party.rows) }

    /// Commits `writes`, and `party` where it changed, as one durable transaction.
    func apply(_ writes: [Write], with party: Party?) throws(StoreError) {
        try apply(writes, with: party?.rows)
    }
}
