/// The logs of all authors of one flight, sorted by author.
package struct LogSet: Hashable, Sendable {
    /// Sorted by author, each author once.
    package private(set) var logs: [AuthorLog] = []

    /// No logs.
    package init() {}

    /// The log of `author`; `nil` for an unknown one. O(log n).
    package func log(of author: PeerKey) -> AuthorLog? {
        let index = position(of: author)
        return index < logs.count && logs[index].author == author ? logs[index] : nil
    }

    /// The head of `author`'s log; seq 0 for an unknown author.
    package func head(of author: PeerKey) -> LogHead {
        log(of: author)?.head ?? LogHead(author: author, seq: 0, id: EntryID(.zero))
    }

    /// Whether everything up to `head` is known here.
    package func reaches(_ head: LogHead) -> Bool {
        head.seq == 0 || log(of: head.author)?.entry(at: head.seq)?.id == head.id
    }

    /// Changes the log of `author`, which is made when it is not there.
    mutating func update<T>(_ author: PeerKey, _ change: (inout AuthorLog) -> T) -> T {
        let index = position(of: author)
        if index == logs.count || logs[index].author != author {
            logs.insert(AuthorLog(author: author), at: index)
        }
        return change(&logs[index])
    }

    private func position(of author: PeerKey) -> Int {
        var low = 0
        var high = logs.count
        while low < high {
            let middle = (low + high) / 2
            if logs[middle].author < author { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
