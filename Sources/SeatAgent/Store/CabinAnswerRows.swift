import Protocol

/// What the passenger said of layouts that others agree on, in the flight's file.
///
/// Its table is made with the first answer, and is no new layout of the file: a program that does not
/// know of it may write there all the same.
extension Store {
    /// All answers.
    func cabinAnswers() throws(StoreError) -> CabinAnswers {
        var isThere = false
        try database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'cabin_answer'").run { _ in
            isThere = true
        }
        var answers = CabinAnswers()
        guard isThere else { return answers }
        try database.prepare("SELECT hash, taken, layout FROM cabin_answer ORDER BY place").run {
            row in
            guard let hash = Bytes32(row.blob(0)) else { return }
            guard row.integer(1) == 1 else { return answers.refused.append(hash) }
            if let layout = try? CabinLayout.read(row.blob(2)) {
                answers.taken = CabinAnswers.Taken(hash: hash, layout: layout)
            }
        }
        return answers
    }

    /// Keeps them instead of what was there, in one transaction.
    func keep(_ answers: CabinAnswers) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS cabin_answer (place INTEGER PRIMARY KEY,
                    hash BLOB NOT NULL, taken INTEGER NOT NULL, layout BLOB NOT NULL) STRICT
                """)
            try database.execute("DELETE FROM cabin_answer")
            let insert = "INSERT INTO cabin_answer (hash, taken, layout) VALUES (?, ?, ?)"
            for hash in answers.refused {
                try run(insert, [.blob(hash.bytes), .integer(0), .blob([])])
            }
            if let taken = answers.taken {
                try run(
                    insert, [.blob(taken.hash.bytes), .integer(1), .blob(taken.layout.bytes)])
            }
        }
    }
}
