// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A line that was found.
package enum SearchHit: Hashable, Sendable {
    /// Said to everyone, and when it came.
    case chat(Entry, seen: UTCTime)
    /// To or from one passenger.
    case message(DirectMessage)
}

/// A line that is kept and not in the index of words yet.
struct UnindexedLine {
    /// Where a line is: its number says so in the file too.
    enum Source: Int64 {
        case entry = 0
        case message = 1
    }

    var source: Source
    /// Its row in the table of its source.
    var row: Int64
    var text: String
}

/// The index of words that were said, in the flight's own file: it goes when the file goes.
///
/// It is written many lines at a time, and before somebody searches: the words of one line
/// are on four pages more than the line, and each commit would write them. Rows tell which
/// lines are not in it, so nothing is lost with the process; those of a process that died are
/// sorted by their seconds.
extension Store {
    /// So many lines wait at most.
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

    /// Indexes what waits and what is missing, as a transaction of its own. Nothing
    /// is lost where that fails.
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

    /// Indexes what waits within the transaction that is open, and forgets none of it.
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

    /// What was said and is not in the index, sorted by when it came: behind the last row of
    /// each kind that is. One pass over the index, one over the rows behind it.
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
            // What cannot be read is told by `load`.
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

    /// The newest lines that fit `query` and that `isShown` lets through, newest first; `more` when
    /// there are others than these.
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
            // One more than wanted tells that there are more.
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
    /// Reads the columns `id, peer, outgoing, text, at, state` from `first` on; `nil` where they
    /// are not what was written.
    init?(_ row: Statement, from first: Int32) {
        guard let id = ThreadID(row.blob(first)), let peer = PeerKey(row.blob(first + 1)),
            let state = State(rawValue: Int(row.integer(first + 5)))
        else { return nil }
        self.init(
            id: id, peer: peer, outgoing: row.integer(first + 2) == 1, text: row.text(first + 3),
            at: UTCTime(seconds: row.integer(first + 4)), state: state)
    }
}
