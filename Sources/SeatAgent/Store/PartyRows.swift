import Protocol

/// The party in the flight's file: it goes when the file goes, and is in no
/// export of records, only in that of all own data.
extension Store {
    /// What the passenger said of their party.
    func party() throws(StoreError) -> Party {
        var members: [Party.Member] = []
        try database.prepare("SELECT seat, facts FROM party").run { row in
            guard let seat = Seat(row.text(0)) else { return }
            members.append(Party.Member(seat: seat, text: row.text(1)))
        }
        return Party(members)
    }

    /// Keeps it instead of what was there, in one transaction.
    func keep(_ party: Party) throws(StoreError) {
        try transaction { () throws(StoreError) in try put(party) }
    }

    /// The same within a transaction.
    func put(_ party: Party) throws(StoreError) {
        try run("DELETE FROM party", [])
        for member in party.members {
            try run(
                "INSERT INTO party VALUES (?, ?)",
                [.text(member.seat.text), .text(member.text)])
        }
    }
}
