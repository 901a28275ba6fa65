// SPDX-License-Identifier: Apache-2.0
import CSQLite
import CSodium
import Protocol
import Store

/// A signed entry as libsodium wants it: everything is made ready before the time is taken.
struct SignedBytes {
    let key: [UInt8]
    let message: [UInt8]
    let signature: [UInt8]

    init(_ entry: Entry) {
        key = entry.author.bytes
        message = EntryCodec.toBeSigned(entry.bytes[entry.payload])
        signature = Array(entry.bytes[entry.signature])
    }

    /// One bare check.
    var isSigned: Bool {
        crypto_sign_verify_detached(signature, message, UInt64(message.count), key) == 0
    }
}

/// The least that keeps a line: one table, one row, one commit that survives a power cut.
final class BareStore {
    private let database: Database
    private let insert: Statement

    init(path: String) throws(StoreError) {
        database = try Database(path: path)
        try database.execute(
            "CREATE TABLE entry (place INTEGER PRIMARY KEY, seen INTEGER NOT NULL, "
                + "bytes BLOB NOT NULL) STRICT")
        insert = try database.prepare("INSERT INTO entry (seen, bytes) VALUES (?, ?)")
    }

    /// One transaction of one row.
    func keep(_ bytes: [UInt8]) throws(StoreError) {
        try insert.run([.integer(1_790_000_000), .blob(bytes)])
    }
}
