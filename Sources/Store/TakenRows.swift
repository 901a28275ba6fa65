// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A key that goes from one computer to another: where it left, and where it came. Each table is
/// made when it is needed, so that other files stay as they were.
extension Store {
    /// Notes that the key left, with the text in which it is sealed, and erases it here, in one
    /// step: what reads this file later has nothing to sign with.
    package func markTaken(_ text: String) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS taken (one INTEGER PRIMARY KEY CHECK (one = 1),
                    text TEXT NOT NULL) STRICT
                """)
            try database.prepare("INSERT INTO taken VALUES (1, ?)").run([.text(text)])
            try database.execute("UPDATE identity SET seed = x''")
            #if DEBUG
                StepHook.die("before:taken")
            #endif
        }
        #if DEBUG
            StepHook.die("after:taken")
        #endif
        // The log of writes had the key too. Where this fails, the end of the process does it.
        try? settle()
    }

    /// The text in which the key left; `nil` if it is here.
    package func taken() throws(StoreError) -> String? {
        guard try has("taken") else { return nil }
        var text: String?
        try database.prepare("SELECT text FROM taken").run { text = $0.text(0) }
        return text
    }

    /// Keeps a key that came from another computer, where it signed `floor` entries, in one step.
    package func keepBrought(
        seed: [UInt8], auth: Bytes32, flight: GatheringName, floor: Int
    ) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS brought (one INTEGER PRIMARY KEY CHECK (one = 1),
                    floor INTEGER NOT NULL) STRICT
                """)
            try database.prepare("INSERT INTO brought VALUES (1, ?)").run([
                .integer(Int64(floor))
            ])
            try keep(seed: seed, auth: auth, flight: flight)
        }
    }

    /// How many entries the key had signed when it came here; 0 for one that was made here.
    package func floor() throws(StoreError) -> Int {
        guard try has("brought") else { return 0 }
        var floor = 0
        try database.prepare("SELECT floor FROM brought").run { floor = Int($0.integer(0)) }
        return floor
    }

    private func has(_ table: String) throws(StoreError) -> Bool {
        var isThere = false
        try database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").run([.text(table)]) {
            _ in isThere = true
        }
        return isThere
    }
}
