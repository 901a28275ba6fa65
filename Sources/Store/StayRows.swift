// SPDX-License-Identifier: Apache-2.0
import Protocol

/// The own stay in a venue, in the file of one of its volumes; deleted with the file.
///
/// The table is made with the first stay, so that the file of a flight stays as it was.
extension Store {
    /// The own statement; `nil` if none was said.
    func ownStay() throws(StoreError) -> VenueStatement? {
        var isThere = false
        try database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'stay'").run { _ in
            isThere = true
        }
        guard isThere else { return nil }
        var statement: VenueStatement?
        try database.prepare("SELECT statement FROM stay").run { row in
            statement = try? VenueStatement(decoding: row.blob(0))
        }
        return statement
    }

    /// Replaces the statement, inside a transaction.
    func put(_ statement: VenueStatement) throws(StoreError) {
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS stay (one INTEGER PRIMARY KEY CHECK (one = 1),
                statement BLOB NOT NULL) STRICT
            """)
        try run("INSERT OR REPLACE INTO stay VALUES (1, ?)", [.blob(statement.encoded)])
    }
}
