// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// To what the agent says yes for the passenger, and to what it did, in the flight's file. It is
/// deleted with the file, and no export of records contains it; only the export of all own data
/// does.
///
/// The table is made with the first word about it and does not change the file's schema version: a
/// program that does not know the table may still write to the file, and says yes to nothing.
extension Store {
    /// What was kept; nothing where there is none, or where it cannot be read.
    package func automaticYes() throws(StoreError) -> AutomaticYes {
        var isThere = false
        try database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'automatic'").run { _ in
            isThere = true
        }
        var kept = AutomaticYes()
        guard isThere else { return kept }
        try database.prepare("SELECT state FROM automatic").run { row in
            kept = (try? AutomaticYes(row.blob(0))) ?? AutomaticYes()
        }
        return kept
    }

    /// Replaces it by this, in one transaction.
    package func keep(_ automatic: AutomaticYes) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS automatic (one INTEGER PRIMARY KEY CHECK (one = 1),
                    state BLOB NOT NULL) STRICT
                """)
            try run(
                "INSERT OR REPLACE INTO automatic VALUES (1, ?)", [.blob(automatic.encode())])
        }
    }
}
