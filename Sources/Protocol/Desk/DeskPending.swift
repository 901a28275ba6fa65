// SPDX-License-Identifier: Apache-2.0
/// Asks that came and wait for the desk, in that order: so many of one author, and so many in all
/// (docs/protocol.md section 33).
struct DeskPending: Sendable {
    /// In the order in which they came.
    private(set) var all: [DeskAsk] = []
    private var ids: Set<Bytes32> = []
    private var authors: [PeerKey: Int] = [:]

    /// The one with that id; `nil` if there is none. O(n).
    subscript(id: Bytes32) -> DeskAsk? { ids.contains(id) ? all.first { $0.id == id } : nil }

    /// Keeps an ask. Returns whether it is new and there is room for it.
    mutating func keep(_ ask: DeskAsk) -> Bool {
        let count = authors[ask.author] ?? 0
        guard !ids.contains(ask.id), all.count < Limits.asksKept, count < Limits.asksPerAuthor
        else { return false }
        all.append(ask)
        ids.insert(ask.id)
        authors[ask.author] = count + 1
        return true
    }

    /// Takes one out; `nil` if there is none. O(n).
    mutating func take(_ id: Bytes32) -> DeskAsk? {
        guard ids.remove(id) != nil, let place = all.firstIndex(where: { $0.id == id }) else {
            return nil
        }
        let ask = all.remove(at: place)
        let left = (authors[ask.author] ?? 1) - 1
        // Keys cost nothing, so none is remembered for nothing.
        authors[ask.author] = left > 0 ? left : nil
        return ask
    }

    /// Takes all out.
    mutating func takeAll() -> [DeskAsk] {
        defer { self = DeskPending() }
        return all
    }
}
