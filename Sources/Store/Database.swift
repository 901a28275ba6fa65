// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// Why the store failed, in SQLite's own words.
package struct StoreError: Error, Equatable {
    /// SQLite's result code.
    package let code: Int32
    /// What SQLite says, for people.
    package let words: String

    /// The file was written by seatagent 0.1, whose flights have other rules.
    package static let older = StoreError(
        code: SQLITE_MISMATCH,
        words: "it was written by seatagent 0.1, and flights have had other rules since")

    /// A failure with a result code of SQLite.
    package init(code: Int32, words: String) {
        self.code = code
        self.words = words
    }
}

/// One SQLite file, with WAL and synchronous FULL: once COMMIT has returned, a power cut loses
/// nothing.
package final class Database {
    /// Pages of 4 KiB that the write-ahead log may hold before SQLite moves them into the file. A
    /// late joiner of a full cabin stores everything without such a pause.
    static let pagesOfLog = 2000

    private var handle: OpaquePointer?

    /// Opens or makes the file at `path` (mode 0600 through the caller's umask).
    package init(path: String) throws(StoreError) {
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            | SQLITE_OPEN_NOFOLLOW
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK else {
            let error = failure(code)
            sqlite3_close_v2(handle)
            handle = nil
            throw error
        }
        sqlite3_busy_timeout(handle, 2000)
        for pragma in [
            "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON",
            "secure_delete = ON", "wal_autocheckpoint = \(Self.pagesOfLog)",
        ] {
            try execute("PRAGMA \(pragma)")
        }
    }

    deinit { sqlite3_close_v2(handle) }

    /// Overwrites the rows of all tables, the key first, and empties the write-ahead log.
    func wipe() throws(StoreError) {
        var tables = ["identity"]
        // The full-text index has no rows of its own: its content is in tables beside it.
        let all = """
            SELECT name FROM sqlite_schema
            WHERE type = 'table' AND name <> 'identity' AND sql NOT LIKE 'CREATE VIRTUAL %'
            """
        try prepare(all).run { tables.append($0.text(0)) }
        for table in tables { try execute("DELETE FROM \(table)") }
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Number of the row that was inserted last.
    var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// Runs SQL that has no parameters and no results.
    package func execute(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Prepares a statement to be run many times.
    package func prepare(_ sql: String) throws(StoreError) -> Statement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code) }
        return Statement(statement, of: self)
    }

    /// The error of the last call.
    func failure(_ code: Int32) -> StoreError {
        StoreError(code: code, words: sqlite3_errmsg(handle).map { String(cString: $0) } ?? "")
    }
}

/// A prepared statement.
package final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    fileprivate init(_ handle: OpaquePointer, of database: Database) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// A value for a parameter.
    package enum Value {
        case integer(Int64)
        case blob([UInt8])
        case text(String)
    }

    /// Runs it with `values` and calls `row` for every row.
    package func run(_ values: [Value] = [], row: (Statement) -> Void = { _ in }) throws(StoreError)
    {
        try walk(values) { statement in
            row(statement)
            return true
        }
    }

    /// Runs it with `values` and calls `row` for every row until that returns `false`.
    func walk(_ values: [Value], row: (Statement) -> Bool) throws(StoreError) {
        sqlite3_reset(handle)
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            let code =
                switch value {
                case .integer(let number): sqlite3_bind_int64(handle, place, number)
                case .blob(let bytes): seat_bind_blob(handle, place, bytes, Int32(bytes.count))
                case .text(let text): seat_bind_text(handle, place, text, Int32(text.utf8.count))
                }
            guard code == SQLITE_OK else { throw database.failure(code) }
        }
        while true {
            let code = sqlite3_step(handle)
            if code == SQLITE_ROW, row(self) { continue }
            defer { sqlite3_reset(handle) }
            guard code == SQLITE_DONE || code == SQLITE_ROW else { throw database.failure(code) }
            return
        }
    }

    /// A number in the present row.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// Bytes in the present row.
    func blob(_ column: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(handle, column))
        guard count > 0, let base = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Text in the present row.
    func text(_ column: Int32) -> String {
        guard let base = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }
}
