// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A line that was found.
package enum SearchHit: Hashable, Sendable {
    /// Said to everyone, and when it came.
    case chat(Entry, seen: UTCTime)
    /// To or from one passenger.
    case message(DirectMessage)
}

/// A stored line that is not in the full-text index yet.
struct UnindexedLine {
    /// Which table a line is in; the file uses the same numbers.
    enum Source: Int64 {
        case entry = 0
        case message = 1
    }

    var source: Source
    /// Its row in that table.
    var row: Int64
    var text: String
}

/// The full-text index of everything said, in the flight's own file, with which it is deleted.
///
/// Lines are indexed many at a time, and before a search: the words of one line touch four more
/// pages than the line itself, and each commit would write them. The tables show which lines are
/// not indexed yet, so a crash loses nothing. Lines left over from a process that died are sorted
/// by their seconds.
extension Store {
    /// How many lines may wait at most.
    static let unindexedLines = 64

    /// Notes the row that was written last, if it is something that was said.
    func note(_ entry: Entry) {
        guard case .chat(let said) = entry.body else { return }
        unindexed.append(UnindexedLine(source: .entry, row: database.lastRow, text: said.text))
    }

    /// Notes the direct message that was written last.
    func note(_ message: DirectMessage) {
        unindexed.append(
            UnindexedLine(source: .message, row: database.lastRow, text: message.text))
    }

    /// Indexes waiting and missing lines in a transaction of its own. A failure loses nothing.
    func indexWaiting() throws(StoreError) {
        guard isIndexBehind || !unindexed.isEmpty else { return }
        let waiting = unindexed
        unindexed = []
        var lines: [UnindexedLine] = []
        if isIndexBehind {
            lines = try linesBehindIndex().filter { line in
                !waiting.contains { $0.source == line.source && $0.row == line.row }
            }
        }
        lines += waiting
        isIndexBehind = true
        if !lines.isEmpty {
            try transaction { () throws(StoreError) in
                for line in lines { try self.index(line) }
            }
        }
        isIndexBehind = false
    }

    /// Indexes waiting lines inside the open transaction, and keeps them in the list.
    func indexNow() throws(StoreError) {
        for line in unindexed { try index(line) }
    }

    private func index(_ line: UnindexedLine) throws(StoreError) {
        try run(
            "INSERT INTO said (source, line) VALUES (?, ?)",
            [.integer(line.source.rawValue), .integer(line.row)])
        try run(
            "INSERT INTO words (rowid, text) VALUES (?, ?)",
            [.integer(database.lastRow), .text(SearchWords.indexed(line.text))])
    }

    /// Lines that are not in the index, sorted by arrival: those after the last indexed row of each
    /// kind. One pass over the index, and one over the rows after it.
    func linesBehindIndex() throws(StoreError) -> [UnindexedLine] {
        var last: [UnindexedLine.Source: Int64] = [:]
        try database.prepare("SELECT source, max(line) FROM said GROUP BY source").run { row in
            if let source = UnindexedLine.Source(rawValue: row.integer(0)) {
                last[source] = row.integer(1)
            }
        }
        var lines: [(at: Int64, line: UnindexedLine)] = []
        try database.prepare("SELECT place, seen, bytes FROM entry WHERE place > ?").run([
            .integer(last[.entry] ?? 0)
        ]) { row in
            // `load` reports what cannot be read.
            guard let entry = try? self.codec.decode(row.blob(2)),
                case .chat(let said) = entry.body
            else { return }
            lines.append(
                (
                    row.integer(1),
                    UnindexedLine(source: .entry, row: row.integer(0), text: said.text)
                ))
        }
        try database.prepare("SELECT place, at, text FROM message WHERE place > ?").run([
            .integer(last[.message] ?? 0)
        ]) { row in
            let line = UnindexedLine(source: .message, row: row.integer(0), text: row.text(2))
            lines.append((row.integer(1), line))
        }
        lines.sort { $0.at != $1.at ? $0.at < $1.at : $0.line.row < $1.line.row }
        return lines.map(\.line)
    }

    /// The newest lines that match `query` and that `isShown` accepts, newest first; `more` if
    /// there are others.
    package func search(
        _ query: SearchQuery, limit: Int, isShown: (SearchHit) -> Bool
    ) throws(StoreError) -> (hits: [SearchHit], more: Bool) {
        try indexWaiting()
        let sql = """
            SELECT said.source, entry.seen, entry.bytes, message.id, message.peer,
                message.outgoing, message.text, message.at, message.state
            FROM words CROSS JOIN said ON said.place = words.rowid
                LEFT JOIN entry ON said.source = 0 AND entry.place = said.line
                LEFT JOIN message ON said.source = 1 AND message.place = said.line
            WHERE words MATCH ? ORDER BY words.rowid DESC
            """
        var hits: [SearchHit] = []
        try database.prepare(sql).walk([.text(query.match)]) { row in
            guard let hit = self.hit(row), isShown(hit) else { return true }
            hits.append(hit)
            // One more than wanted shows that there are more.
            return hits.count <= limit
        }
        return (Array(hits.prefix(limit)), hits.count > limit)
    }

    private func hit(_ row: Statement) -> SearchHit? {
        switch UnindexedLine.Source(rawValue: row.integer(0)) {
        case .entry:
            guard let entry = try? codec.decode(row.blob(2)) else { return nil }
            return .chat(entry, seen: UTCTime(seconds: row.integer(1)))
        case .message: return DirectMessage(row, from: 3).map { .message($0) }
        case nil: return nil
        }
    }
}

extension DirectMessage {
    /// Reads the columns `id, peer, outgoing, text, at, state` from `first` on; `nil` if they are
    /// not what was written.
    init?(_ row: Statement, from first: Int32) {
        guard let id = ThreadID(row.blob(first)), let peer = PeerKey(row.blob(first + 1)),
            let state = State(rawValue: Int(row.integer(first + 5)))
        else { return nil }
        self.init(
            id: id, peer: peer, outgoing: row.integer(first + 2) == 1, text: row.text(first + 3),
            at: UTCTime(seconds: row.integer(first + 4)), state: state)
    }
}
