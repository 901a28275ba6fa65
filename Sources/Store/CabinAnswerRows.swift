// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What the passenger said of one layout that others agree on.
package struct CabinAnswerRow: Hashable, Sendable {
    /// SHA-256 of the layout's bytes.
    package let hash: Bytes32
    /// Whether the passenger took it; otherwise they refused it.
    package let isTaken: Bool
    /// The bytes of a layout that was taken; empty for a refused one.
    package let layout: [UInt8]

    /// An answer about the layout with this hash.
    package init(hash: Bytes32, isTaken: Bool, layout: [UInt8]) {
        self.hash = hash
        self.isTaken = isTaken
        self.layout = layout
    }
}

/// What the passenger said about layouts that others agree on, in the flight's file.
///
/// The table is made with the first answer and does not change the file's schema version: a program
/// that does not know the table may still write to the file.
extension Store {
    /// All answers, in the order in which they were kept.
    package func cabinAnswerRows() throws(StoreError) -> [CabinAnswerRow] {
        var isThere = false
        try database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'cabin_answer'").run { _ in
            isThere = true
        }
        var rows: [CabinAnswerRow] = []
        guard isThere else { return rows }
        try database.prepare("SELECT hash, taken, layout FROM cabin_answer ORDER BY place").run {
            row in
            guard let hash = Bytes32(row.blob(0)) else { return }
            rows.append(
                CabinAnswerRow(hash: hash, isTaken: row.integer(1) == 1, layout: row.blob(2)))
        }
        return rows
    }

    /// Replaces all answers by these, in one transaction.
    package func keep(_ answers: [CabinAnswerRow]) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS cabin_answer (place INTEGER PRIMARY KEY,
                    hash BLOB NOT NULL, taken INTEGER NOT NULL, layout BLOB NOT NULL) STRICT
                """)
            try database.execute("DELETE FROM cabin_answer")
            for answer in answers {
                try run(
                    "INSERT INTO cabin_answer (hash, taken, layout) VALUES (?, ?, ?)",
                    [
                        .blob(answer.hash.bytes), .integer(answer.isTaken ? 1 : 0),
                        .blob(answer.layout),
                    ])
            }
        }
    }
}
