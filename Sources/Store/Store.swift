// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Profile
package import Protocol

/// Everything that must survive a power cut, in one SQLite file for each flight
/// (docs/decisions/0002-one-transaction-a-turn.md).
///
/// `apply` is one transaction: it returns after COMMIT, or throws and changes nothing.
package final class Store {
    let database: Database
    private let primitives: any Primitives
    let codec: EntryCodec
    private var statements: [String: Statement] = [:]
    /// Lines said since, waiting for the full-text index in the order of their arrival.
    var unindexed: [UnindexedLine] = []
    /// Whether the index may lack other lines, because a process died or the index could not be
    /// written. The tables then show which.
    var isIndexBehind = true
    #if DEBUG
        private var steps = StepHook()
    #endif

    /// The own key, which shows which entries are own ones.
    private(set) var me = PeerKey(.zero)

    /// Opens the file at `path`, and makes its tables if it is new. Its entries are those of a
    /// flight, unless other `rules` are named. If the file `wasKept` before and has no tables, it
    /// lost them and is left as it is, since what lies beside it may still be whole.
    package init(
        path: String, rules: EntryRules = .flight, primitives: any Primitives,
        wasKept: Bool = false
    ) throws(StoreError) {
        database = try Database(path: path)
        self.primitives = primitives
        codec = EntryCodec(primitives, rules: rules)
        var version: Int64 = 0
        try database.prepare("PRAGMA user_version").run { version = $0.integer(0) }
        switch version {
        case 0 where wasKept:
            throw StoreError(code: SQLITE_NOTADB, words: "there are no records in it")
        case 0: try transaction { () throws(StoreError) in try database.execute(Schema.statements) }
        case 1..<Int64(Schema.firstOfThisFold): throw .older
        case Int64(Schema.version): break
        case Int64(Schema.firstOfThisFold)..<Int64(Schema.version):
            try transaction { () throws(StoreError) in
                try database.execute(Schema.steps(from: version))
            }
        default:
            throw StoreError(
                code: SQLITE_MISMATCH, words: "the file was written by a newer seatagent")
        }
    }

    /// The key seed and flight key stored here; `nil` in a new file.
    package func identity() throws(StoreError) -> (seed: [UInt8], auth: Bytes32)? {
        var found: (seed: [UInt8], auth: Bytes32)?
        try database.prepare("SELECT seed, auth FROM identity").run { row in
            if let auth = Bytes32(row.blob(1)) { found = (row.blob(0), auth) }
        }
        return found
    }

    /// What distinguishes this file from its copies, and when its flight ends; `nil` before the
    /// first start.
    package func copyFacts() throws(StoreError) -> (generation: String, ends: UTCTime?)? {
        var found: (generation: String, ends: UTCTime?)?
        try database.prepare("SELECT generation, ends FROM copy").run { row in
            let ends = row.integer(1)
            found = (row.text(0), ends == 0 ? nil : UTCTime(seconds: ends))
        }
        return found
    }

    /// Notes that a start begins, so that the file is no copy of its earlier state.
    package func begin(generation: String, ends: UTCTime?) throws(StoreError) {
        try database.prepare("INSERT OR REPLACE INTO copy VALUES (1, ?, ?)").run([
            .text(generation), .integer(ends?.seconds ?? 0),
        ])
    }

    /// The flight in the file at `path` and its end, without changing it.
    static func facts(path: String) throws(StoreError) -> (flight: String, end: UTCTime?) {
        let database = try Database(path: path)
        var flight = ""
        try database.prepare("SELECT flight FROM identity").run { flight = $0.text(0) }
        var ends: Int64 = 0
        // A file of version 1 has no such table: the date of its flight is enough.
        try? database.prepare("SELECT ends FROM copy").run { ends = $0.integer(0) }
        let date = GatheringName(flight).flatMap { FlightLife.end(of: $0, window: nil) }
        return (flight, ends == 0 ? date : UTCTime(seconds: ends))
    }

    /// The file at `path`, to be wiped.
    static func bare(path: String) throws(StoreError) -> Database { try Database(path: path) }

    /// Moves all that was written into the file itself, so that it can be renamed.
    package func settle() throws(StoreError) {
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Writes a copy of everything, the key too, into a new file at `path`.
    package func copy(to path: String) throws(StoreError) {
        try database.prepare("VACUUM INTO ?").run([.text(path)])
    }

    /// Overwrites everything, the key first (`secure_delete` is on).
    package func wipe() throws(StoreError) { try database.wipe() }

    /// Keeps a new identity for `flight`.
    package func keep(seed: [UInt8], auth: Bytes32, flight: GatheringName) throws(StoreError) {
        try database.prepare("INSERT INTO identity VALUES (1, ?, ?, ?)").run([
            .blob(seed), .blob(auth.bytes), .text(flight.text),
        ])
    }

    /// Tells which key is this agent's own.
    package func owned(by key: PeerKey) { me = key }

    /// Commits `writes`, and `needs` if it changed, as one durable transaction.
    package func apply(_ writes: [Write], with needs: [NeedsRow]? = nil) throws(StoreError) {
        guard !writes.isEmpty || needs != nil else { return }
        // Only the count: a copy of the list would be duplicated with the first line that is added.
        let waiting = unindexed.count
        try run("BEGIN IMMEDIATE", [])
        do throws(StoreError) {
            for write in writes { try put(write) }
            if let needs { try put(needs) }
        } catch {
            try? database.execute("ROLLBACK")
            unindexed.removeSubrange(waiting...)
            throw error
        }
        // With many lines, their words go into the same commit, which saves one. If that fails, the
        // data itself may still be fine, so try again without words; they are indexed later.
        let hasWords = !isIndexBehind && unindexed.count >= Self.unindexedLines
        func withoutWords() throws(StoreError) {
            try? database.execute("ROLLBACK")
            unindexed.removeSubrange(waiting...)
            isIndexBehind = true
            try apply(writes, with: needs)
        }
        if hasWords, (try? indexNow()) == nil { return try withoutWords() }
        #if DEBUG
            let isStep = steps.before(writes, me: me)
        #endif
        do throws(StoreError) {
            try run("COMMIT", [])
        } catch {
            if hasWords { return try withoutWords() }
            try? database.execute("ROLLBACK")
            unindexed.removeSubrange(waiting...)
            throw error
        }
        #if DEBUG
            if isStep { steps.after() }
        #endif
        if hasWords {
            unindexed = []
        } else if unindexed.count >= Self.unindexedLines {
            // If indexing fails, the data is stored all the same: the lines are found again.
            try? indexWaiting()
        }
    }

    /// One transaction: all of it or nothing.
    func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try database.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try body()
            try database.execute("COMMIT")
        } catch {
            try? database.execute("ROLLBACK")
            throw error
        }
    }

    /// Runs a statement that is prepared once.
    func run(_ sql: String, _ values: [Statement.Value]) throws(StoreError) {
        if let statement = statements[sql] { return try statement.run(values) }
        let statement = try database.prepare(sql)
        statements[sql] = statement
        try statement.run(values)
    }

    private func put(_ write: Write) throws(StoreError) {
        switch write {
        case .entry(let entry, let seen):
            let own = entry.author == me ? entry.seq : 0
            try run(
                "INSERT INTO entry (seen, bytes, sum, own) VALUES (?, ?, ?, ?)",
                [
                    .integer(seen.seconds), .blob(entry.bytes),
                    .integer(sum(entry.bytes, own: own)),
                    .integer(Int64(own)),
                ])
            note(entry)
        case .forkProof(let proof):
            try run(
                "INSERT OR REPLACE INTO fork VALUES (?, ?, ?)",
                [.blob(proof.author.bytes), .blob(proof.first.bytes), .blob(proof.second.bytes)])
        case .lock(let lock):
            // Plain INSERT: a second yes on a locked slot breaks the key and the whole transaction.
            try run(
                "INSERT INTO slotlock VALUES (?, ?, ?)",
                [
                    .blob(lock.slot.token.bytes), .blob(lock.slot.producer.bytes),
                    .blob(lock.contract.bytes),
                ])
        case .unlock(let lock):
            try run(
                "DELETE FROM slotlock WHERE token = ? AND producer = ? AND contract = ?",
                [
                    .blob(lock.slot.token.bytes), .blob(lock.slot.producer.bytes),
                    .blob(lock.contract.bytes),
                ])
        case .swap(let record):
            try run(
                "INSERT OR REPLACE INTO swap VALUES (?, ?)",
                [.blob(record.thread.bytes), .blob(record.encode())])
        case .forgotten(let record):
            try run("DELETE FROM swap WHERE thread = ?", [.blob(record.thread.bytes)])
        case .message(let message): try put(message)
        case .verified(let known):
            try run(
                "INSERT OR REPLACE INTO verified VALUES (?, ?, ?, ?)",
                [
                    .blob(known.key.bytes), .text(known.name),
                    .text(known.seats.map(\.text).joined(separator: " ")),
                    .integer(known.at.seconds),
                ])
        case .unverified(let peer):
            try run("DELETE FROM verified WHERE peer = ?", [.blob(peer.bytes)])
        case .block(let peer, true):
            try run("INSERT OR IGNORE INTO blocked VALUES (?)", [.blob(peer.bytes)])
        case .block(let peer, false):
            try run("DELETE FROM blocked WHERE peer = ?", [.blob(peer.bytes)])
        case .party(let state): try put(state)
        case .layout(let suggestion):
            try run(
                "INSERT OR REPLACE INTO suggestion VALUES (1, ?, ?, ?)",
                [
                    .integer(Int64(suggestion.revision)), .blob(suggestion.signature),
                    .blob(suggestion.layout),
                ])
        case .wish(let wish): try put(wish)
        case .stay(let statement): try put(statement)
        case .statement(let id, let statement): try put(statement, id)
        case .forgetStatement(let id): try forget(statement: id)
        case .form(let form): try put(form)
        case .forgetForm(let key): try forget(form: key)
        }
    }

    /// Inserts a new message; a known one only changes its state.
    private func put(_ message: DirectMessage) throws(StoreError) {
        let name: [Statement.Value] = [
            .blob(message.id.bytes), .blob(message.peer.bytes),
            .integer(message.outgoing ? 1 : 0),
        ]
        let state = Statement.Value.integer(Int64(message.state.rawValue))
        try run(
            """
            INSERT INTO message (id, peer, outgoing, text, at, state) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (id, peer, outgoing) DO NOTHING
            """,
            name + [.text(message.text), .integer(message.at.seconds), state])
        if database.changes > 0 { return note(message) }
        try run(
            "UPDATE message SET state = ? WHERE id = ? AND peer = ? AND outgoing = ?",
            [state] + name)
    }
}

extension Store {
    /// Loads everything, for the core to continue from. Leaves out an entry or a proof that is not
    /// what was written, so that others are asked for it; anything else that cannot be read is an
    /// error.
    package func load() throws(StoreError) -> Stored {
        var stored = Stored()
        var damaged: String?
        try loadEntries(&stored)
        try database.prepare("SELECT first, second FROM fork").run { row in
            // There are few proofs and they say grave things, so their signatures are checked each
            // time.
            guard let first = try? self.codec.decode(row.blob(0)),
                let second = try? self.codec.decode(row.blob(1)),
                let proof = ForkProof(first, second),
                self.codec.isSigned(first), self.codec.isSigned(second)
            else {
                stored.damaged += 1
                return
            }
            stored.proofs.append(proof)
        }
        try database.prepare("SELECT token, producer, contract FROM slotlock").run { row in
            guard let token = Token(row.blob(0)), let producer = Producer(row.blob(1)),
                let contract = ContractID(row.blob(2))
            else {
                damaged = "a lock"
                return
            }
            stored.locks.append(
                SlotLock(slot: Slot(token: token, producer: producer), contract: contract))
        }
        try database.prepare("SELECT record FROM swap").run { row in
            guard let record = try? SwapRecord(row.blob(0), primitives: self.primitives) else {
                damaged = "a negotiation"
                return
            }
            stored.swaps.append(record)
        }
        try database.prepare("SELECT peer FROM blocked ORDER BY peer").run { row in
            if let peer = PeerKey(row.blob(0)) { stored.blocked.append(peer) }
        }
        try database.prepare("SELECT peer, name, seats, at FROM verified").run { row in
            guard let peer = PeerKey(row.blob(0)) else { return }
            let seats = row.text(2).split(separator: " ").compactMap { Seat(String($0)) }
            stored.verified.append(
                VerifiedPeer(
                    key: peer, name: row.text(1), seats: seats,
                    at: UTCTime(seconds: row.integer(3))))
        }
        try database.prepare("SELECT revision, signature, layout FROM suggestion").run { row in
            stored.layout = LayoutSuggestion(
                author: self.me, revision: Int(row.integer(0)), signature: row.blob(1),
                layout: row.blob(2))
        }
        stored.wish = try ownWish()
        stored.party = try companions()
        stored.stay = try ownStay()
        stored.statements = try ownAsks()
        stored.forms = try forms()
        stored.messages = try messages()
        stored.received = try received()
        if let damaged {
            throw StoreError(code: SQLITE_CORRUPT, words: "\(damaged) in it cannot be read")
        }
        return stored
    }

    /// How many entries each key sent, including rows that are not loaded.
    private func received() throws(StoreError) -> [PeerKey: Int] {
        var received: [PeerKey: Int] = [:]
        let sql = """
            SELECT peer, sum(length(CAST(text AS BLOB))), count(*) FROM message
            WHERE outgoing = 0 GROUP BY peer
            """
        try database.prepare(sql).run { row in
            guard let peer = PeerKey(row.blob(0)) else { return }
            received[peer] = Int(row.integer(1)) + Int(row.integer(2)) * Limits.messageCost
        }
        return received
    }

    private func messages() throws(StoreError) -> [DirectMessage] {
        var out: [DirectMessage] = []
        let sql = """
            SELECT id, peer, outgoing, text, at, state FROM
                (SELECT * FROM message ORDER BY place DESC LIMIT \(Limits.messages))
            ORDER BY place
            """
        try database.prepare(sql).run { row in
            if let message = DirectMessage(row, from: 0) { out.append(message) }
        }
        return out
    }
}
