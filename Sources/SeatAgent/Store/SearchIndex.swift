import Protocol

/// A line that was found.
enum SearchHit: Hashable, Sendable {
    /// Said to everyone, and when it came.
    case chat(Entry, seen: UTCTime)
    /// To or from one passenger.
    case message(DirectMessage)
}

/// The index of words that were said, in the flight's own file: it is written in the transaction that
/// writes the line, and goes when the file goes.
extension Store {
    private enum Source: Int64 {
        case entry = 0
        case message = 1
    }

    /// Indexes the words of the row that was written last, if it is something that was said.
    func index(_ entry: Entry) throws(StoreError) {
        guard case .chat(let text, _) = entry.body else { return }
        try index(text, .entry, database.lastRow)
    }

    /// Indexes the direct message that was written last.
    func index(_ message: DirectMessage) throws(StoreError) {
        try index(message.text, .message, database.lastRow)
    }

    private func index(_ text: String, _ source: Source, _ row: Int64) throws(StoreError) {
        try run(
            "INSERT INTO said (source, line) VALUES (?, ?)",
            [.integer(source.rawValue), .integer(row)])
        try run(
            "INSERT INTO words (rowid, text) VALUES (?, ?)",
            [.integer(database.lastRow), .text(SearchWords.indexed(text))])
    }

    /// Indexes everything that is in the file, in the order in which it came.
    func indexAll() throws(StoreError) {
        var lines: [(at: Int64, text: String, source: Source, row: Int64)] = []
        try database.prepare("SELECT place, seen, bytes FROM entry").run { row in
            // What cannot be read is told by `load`.
            guard let entry = try? self.codec.decode(row.blob(2)),
                case .chat(let text, _) = entry.body
            else { return }
            lines.append((row.integer(1), text, .entry, row.integer(0)))
        }
        try database.prepare("SELECT place, at, text FROM message").run { row in
            lines.append((row.integer(1), row.text(2), .message, row.integer(0)))
        }
        lines.sort { $0.at != $1.at ? $0.at < $1.at : $0.row < $1.row }
        for line in lines { try index(line.text, line.source, line.row) }
    }

    /// The newest lines that fit `query` and that `isShown` lets through, newest first; `more` when
    /// there are others than these.
    func search(
        _ query: SearchQuery, limit: Int, isShown: (SearchHit) -> Bool
    ) throws(StoreError) -> (hits: [SearchHit], more: Bool) {
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
        switch Source(rawValue: row.integer(0)) {
        case .entry:
            guard let entry = try? codec.decode(row.blob(2)) else { return nil }
            return .chat(entry, seen: UTCTime(seconds: row.integer(1)))
        case .message: return DirectMessage(row, from: 3).map { .message($0) }
        case nil: return nil
        }
    }
}

extension DirectMessage {
    /// Reads the columns `id, peer, outgoing, text, at, state` from `first` on; `nil` where they are not
    /// what was written.
    init?(_ row: Statement, from first: Int32) {
        guard let id = ThreadID(row.blob(first)), let peer = PeerKey(row.blob(first + 1)),
            let state = State(rawValue: Int(row.integer(first + 5)))
        else { return nil }
        self.init(
            id: id, peer: peer, outgoing: row.integer(first + 2) == 1, text: row.text(first + 3),
            at: UTCTime(seconds: row.integer(first + 4)), state: state)
    }
}
