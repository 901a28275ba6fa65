// SPDX-License-Identifier: Apache-2.0
import Protocol

/// The own wish in the flight's file, with what of it others are not told. It is deleted with the
/// file, and no export of records contains it; only the export of all own data does.
///
/// The table is made with the first wish and does not change the file's schema version: a program
/// that does not know the table may still write to the file.
extension Store {
    /// The own wish; `nil` if none was said.
    func ownWish() throws(StoreError) -> OwnWish? {
        var isThere = false
        try database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'wish'").run { _ in
            isThere = true
        }
        guard isThere else { return nil }
        var wish: OwnWish?
        try database.prepare("SELECT wish FROM wish").run { row in
            // What cannot be read is what others were told: the log has that.
            wish = try? OwnWish(row.blob(0))
        }
        return wish
    }

    /// Replaces the wish, inside a transaction.
    func put(_ wish: OwnWish) throws(StoreError) {
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS wish (one INTEGER PRIMARY KEY CHECK (one = 1),
                wish BLOB NOT NULL) STRICT
            """)
        try run("INSERT OR REPLACE INTO wish VALUES (1, ?)", [.blob(wish.encode())])
    }
}
