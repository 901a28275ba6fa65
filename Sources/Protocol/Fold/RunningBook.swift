// SPDX-License-Identifier: Apache-2.0
/// The book of growing logs: each further entry of a ledger is read in O(log n).
///
/// Always equal to ``Book/whole(of:)`` of the same logs. Where anything but the end of what was
/// read changed (a fork, another desk, another epoch), it reads everything again.
package struct RunningBook: Sendable {
    /// The book of the logs that were followed last.
    package private(set) var book = Book()
    /// What its bookings come to.
    private(set) var sums = KeptSums()
    /// What was read, in order: of which ledger, up to where.
    private var heads: [LogHead] = []

    /// The book of nothing.
    package init() {}

    /// Updates the book to `logs`. Returns whether it had to read all of them again.
    @discardableResult
    package mutating func follow(_ logs: LogSet) -> Bool { follow(logs.logs) }

    /// The same for logs sorted by author. `starts` is called if all is read again, `reads` after
    /// each entry that was read.
    @discardableResult
    mutating func follow(
        _ logs: [AuthorLog], starts: () -> Void = {}, reads: (Entry, Book) -> Void = { _, _ in }
    ) -> Bool {
        let ledgers = CountedLedger.all(in: logs)
        let counted = ledgers.filter { $0.seq > 0 }
        let goesOn = goesOn(to: counted, logs)
        if !goesOn {
            book = Book()
            sums = KeptSums()
            heads = []
            starts()
        }
        for (index, ledger) in counted.enumerated().dropFirst(max(heads.count - 1, 0)) {
            guard let place = logs.position(of: ledger.author, by: \.author) else { continue }
            let done = index < heads.count ? heads[index].seq : 0
            for entry in logs[place].entries[done..<ledger.seq] {
                book.read(entry, &sums)
                reads(entry, book)
            }
        }
        book.ledgers = ledgers
        heads = counted.map { ledger in
            logs.head(of: ledger.author, at: ledger.seq)
        }
        return !goesOn
    }

    /// Why a grant would be void as the next entry: ``Book/faults(of:_:)``. O(log n).
    mutating func faults(of grant: Grant) -> [VoidGrant.Reason] { book.faults(of: grant, &sums) }

    /// Reads what the last ledger that counts says next; `nil` for an entry that is none of a
    /// ledger. `head` is where it stands. O(log n).
    mutating func read(_ line: BookLine?, at head: LogHead) {
        guard heads.last?.author == head.author, heads.last?.seq == head.seq - 1 else { return }
        heads[heads.count - 1] = head
        book.count(head)
        if let line { book.read(line, &sums) }
    }

    /// Whether what was read is the beginning of what counts now.
    private func goesOn(to counted: [CountedLedger], _ logs: [AuthorLog]) -> Bool {
        guard heads.count <= counted.count else { return false }
        return zip(heads, counted).enumerated().allSatisfy { index, pair in
            let (head, ledger) = pair
            let isLast = index == heads.count - 1
            return head.author == ledger.author
                && (isLast ? head.seq <= ledger.seq : head.seq == ledger.seq)
                && logs.head(of: head.author, at: head.seq) == head
        }
    }
}

extension Book {
    /// Reads the book of a set of logs in the plain way. O(n^2) in the bookings.
    package static func whole(of logs: LogSet) -> Book { whole(of: logs.logs) }

    /// The same for logs sorted by author.
    static func whole(of logs: [AuthorLog]) -> Book {
        var book = Book()
        var sums = PlainSums()
        book.ledgers = CountedLedger.all(in: logs)
        for ledger in book.ledgers {
            guard let place = logs.position(of: ledger.author, by: \.author) else { continue }
            for entry in logs[place].entries.prefix(ledger.seq) { book.read(entry, &sums) }
        }
        return book
    }
}

extension [AuthorLog] {
    /// The place `seq` in the log of `author`.
    fileprivate func head(of author: PeerKey, at seq: Int) -> LogHead {
        let entry = position(of: author, by: \.author).flatMap { self[$0].entry(at: seq) }
        return LogHead(author: author, seq: seq, id: entry?.id ?? EntryID(.zero))
    }
}
