// SPDX-License-Identifier: Apache-2.0
import Protocol

/// The passenger's party of companions in the flight's file: its secrets, and who has them. It is
/// deleted with the file, and no export of records contains it.
extension Store {
    /// The party that the passenger is in; `nil` for none.
    func companions() throws(StoreError) -> PartyState? {
        var party = PartyState(secrets: [], isFromHome: false)
        try database.prepare("SELECT secret, home FROM party_secret ORDER BY place").run { row in
            guard let secret = PartySecret(row.blob(0)) else { return }
            party.secrets.append(secret)
            if row.integer(1) == 1 { party.isFromHome = true }
        }
        try database.prepare("SELECT peer, standing FROM party_member ORDER BY place").run { row in
            guard let peer = PeerKey(row.blob(0)),
                let standing = PartyMember.Standing(rawValue: Int(row.integer(1)))
            else { return }
            party.members.append(PartyMember(key: peer, standing: standing))
        }
        return party.secrets.isEmpty ? nil : party
    }

    /// Replaces the party by this one, inside a transaction.
    func put(_ party: PartyState?) throws(StoreError) {
        try run("DELETE FROM party_secret", [])
        try run("DELETE FROM party_member", [])
        guard let party else { return }
        let home = Statement.Value.integer(party.isFromHome ? 1 : 0)
        for (place, secret) in party.secrets.enumerated() {
            try run(
                "INSERT INTO party_secret VALUES (?, ?, ?)",
                [.integer(Int64(place)), .blob(secret.bytes), home])
        }
        for (place, member) in party.members.enumerated() {
            try run(
                "INSERT INTO party_member VALUES (?, ?, ?)",
                [
                    .integer(Int64(place)), .blob(member.key.bytes),
                    .integer(Int64(member.standing.rawValue)),
                ])
        }
    }
}
