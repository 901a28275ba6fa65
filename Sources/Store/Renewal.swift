// SPDX-License-Identifier: Apache-2.0
import CSQLite
package import Protocol

/// A key that was made after the records of an earlier one were lost. It never claims a seat by
/// itself, because the earlier key may have given that seat away.
extension Store {
    private static let table =
        "CREATE TABLE IF NOT EXISTS renewal (one INTEGER PRIMARY KEY CHECK (one = 1)) STRICT"

    /// Stores such a key together with the note that it is one, in one step.
    package func keepRenewed(
        seed: [UInt8], auth: Bytes32, flight: GatheringName
    ) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try database.execute(Self.table)
            try keep(seed: seed, auth: auth, flight: flight)
        }
    }

    /// Whether the key in this file was made that way.
    package func isRenewed() throws(StoreError) -> Bool {
        var isRenewed = false
        try database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'renewal'").run { _ in
            isRenewed = true
        }
        return isRenewed
    }
}

extension StoreError {
    /// Whether stored data can no longer be read; a full disk or a lock would pass.
    package var isLoss: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
}
