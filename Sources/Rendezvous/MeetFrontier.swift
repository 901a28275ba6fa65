// SPDX-License-Identifier: Apache-2.0
import Protocol

/// How much of each log is here, and which changed last: cards say so of each other's authors
/// (docs/meet.md section 3).
struct MeetFrontier: Hashable, Sendable {
    /// The digest of all (docs/protocol.md section 11).
    private(set) var digest = Bytes32.zero
    /// Sorted by author.
    private(set) var items: [FrontierItem] = []
    /// Those that changed, the last one first; at most as many as a card holds.
    private var recent: [PeerKey] = []

    /// The logs are so now.
    mutating func learn(_ digest: Bytes32, _ items: [FrontierItem]) {
        self.digest = digest
        var changed: [PeerKey] = []
        for item in items where self.item(of: item.author) != item { changed.append(item.author) }
        self.items = items
        let fresh = Set(changed)
        recent = Array((changed + recent.filter { !fresh.contains($0) }).prefix(4 * Self.most))
    }

    private static let most = MeetLimits.cardItems

    /// What is here of an author.
    func item(of author: PeerKey) -> FrontierItem? {
        let index = items.partitionPoint { $0.author < author }
        return index < items.count && items[index].author == author ? items[index] : nil
    }

    /// Entries that are here of an author.
    func seq(of author: PeerKey) -> Int { item(of: author)?.seq ?? 0 }

    /// The items for a card, sorted: of those that changed last, as many as fit of `authors`.
    func witnessed(_ isListed: (PeerKey) -> Bool) -> [FrontierItem] {
        let authors = recent.filter(isListed).prefix(Self.most).sorted()
        return authors.compactMap { item(of: $0) }
    }
}
