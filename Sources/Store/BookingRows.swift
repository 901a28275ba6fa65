// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What the user asks of the desk of a venue, the desk's answers, and forms: in the file of one of
/// its volumes, and deleted with the file.
///
/// The tables are made with the first row, so that the file of a flight stays as it was.
extension Store {
    private func has(_ table: String) throws(StoreError) -> Bool {
        var isThere = false
        try database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").run([.text(table)]) {
            _ in isThere = true
        }
        return isThere
    }

    /// Own asks, answers to them, and answers of an own desk, in the order in which they were said.
    func ownAsks() throws(StoreError) -> [VenueStatement] {
        var found: [VenueStatement] = []
        guard try has("ask") else { return found }
        try database.prepare("SELECT statement FROM ask ORDER BY place").run { row in
            // What cannot be read is said again by whoever keeps it.
            if let one = try? VenueStatement(decoding: row.blob(0)) { found.append(one) }
        }
        return found
    }

    /// Keeps a statement, inside a transaction.
    func put(_ statement: VenueStatement, _ id: Bytes32) throws(StoreError) {
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS ask (place INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
                statement BLOB NOT NULL) STRICT
            """)
        try run(
            "INSERT OR REPLACE INTO ask (id, statement) VALUES (?, ?)",
            [.blob(id.bytes), .blob(statement.encoded)])
    }

    /// Deletes a statement, inside a transaction.
    func forget(statement id: Bytes32) throws(StoreError) {
        guard try has("ask") else { return }
        try run("DELETE FROM ask WHERE id = ?", [.blob(id.bytes)])
    }

    /// Forms that the user sent, and at a desk those that came, in the order in which they did.
    func forms() throws(StoreError) -> [FormRecord] {
        var found: [FormRecord] = []
        guard try has("form") else { return found }
        let sql = "SELECT peer, id, form, at, state, text FROM form ORDER BY place"
        try database.prepare(sql).run { row in
            guard let peer = PeerKey(row.blob(0)), let id = ThreadID(row.blob(1)),
                let form = try? VenueForm(decoding: row.blob(2))
            else { return }
            found.append(
                FormRecord(
                    key: FormKey(peer: peer, id: id), form: form,
                    at: UTCTime(seconds: row.integer(3)),
                    state: FormState(rawValue: Int(row.integer(4))), text: row.text(5)))
        }
        return found
    }

    /// Deletes a form, inside a transaction.
    func forget(form key: FormKey) throws(StoreError) {
        guard try has("form") else { return }
        try run(
            "DELETE FROM form WHERE peer = ? AND id = ?",
            [.blob(key.peer.bytes), .blob(key.id.bytes)])
    }

    /// Keeps a form; of a known one what it says, and what became of it. Inside a transaction.
    func put(_ form: FormRecord) throws(StoreError) {
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS form (place INTEGER PRIMARY KEY, peer BLOB NOT NULL,
                id BLOB NOT NULL, form BLOB NOT NULL, at INTEGER NOT NULL,
                state INTEGER NOT NULL, text TEXT NOT NULL, UNIQUE (peer, id)) STRICT
            """)
        try run(
            """
            INSERT INTO form (peer, id, form, at, state, text) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (peer, id) DO UPDATE
                SET form = excluded.form, state = excluded.state, text = excluded.text
            """,
            [
                .blob(form.key.peer.bytes), .blob(form.key.id.bytes), .blob(form.form.encoded),
                .integer(form.at.seconds), .integer(Int64(form.state?.rawValue ?? -1)),
                .text(form.text),
            ])
    }
}
