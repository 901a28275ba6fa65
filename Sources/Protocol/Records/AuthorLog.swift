/// One author's log as far as it is known: entries 1...n without a gap (protocol.md 5).
package struct AuthorLog: Hashable, Sendable {
    /// Whose log.
    package let author: PeerKey
    /// Entry at seq n stands at index n - 1.
    package private(set) var entries: [Entry] = []
    /// Bytes of all entries.
    package private(set) var size = 0
    /// The strongest fork proof known.
    package internal(set) var proof: ForkProof?

    /// An empty log.
    package init(author: PeerKey) { self.author = author }

    /// Length of the log.
    package var seq: Int { entries.count }

    /// The last entry's place; seq 0 and zero bytes for an empty log.
    package var head: LogHead {
        LogHead(author: author, seq: seq, id: entries.last?.id ?? EntryID(.zero))
    }

    /// k(author): the smallest sequence number known to be forked; `nil` for infinity (protocol.md 1).
    package var fork: Int? { proof?.seq }

    /// The entry at `seq`, `nil` where none is known.
    package func entry(at seq: Int) -> Entry? {
        1...max(entries.count, 1) ~= seq && seq <= entries.count ? entries[seq - 1] : nil
    }

    /// Adds the next entry. The caller has checked that it is the next one.
    mutating func append(_ entry: Entry) {
        entries.append(entry)
        size += entry.bytes.count
    }
}
