// SPDX-License-Identifier: Apache-2.0
/// Asks that came and wait for the desk, in that order: so many of one author, and so many in all
/// (docs/protocol.md section 33).
struct DeskPending: Sendable {
    /// By number, which grows.
    private var asks: [Int: DeskAsk] = [:]
    private var numbers: [Bytes32: Int] = [:]
    private var next = 0
    private var authors: [PeerKey: Int] = [:]

    var isEmpty: Bool { asks.isEmpty }

    /// In the order in which they came. O(n log n).
    var all: [DeskAsk] { asks.keys.sorted().compactMap { asks[$0] } }

    /// The one with that id; `nil` if there is none.
    subscript(id: Bytes32) -> DeskAsk? { numbers[id].flatMap { asks[$0] } }

    /// Keeps an ask. Returns whether it is new and there is room for it.
    mutating func keep(_ ask: DeskAsk) -> Bool {
        let count = authors[ask.author] ?? 0
        guard numbers[ask.id] == nil, asks.count < Limits.asksKept, count < Limits.asksPerAuthor
        else { return false }
        asks[next] = ask
        numbers[ask.id] = next
        next += 1
        authors[ask.author] = count + 1
        return true
    }

    /// Takes one out; `nil` if there is none.
    mutating func take(_ id: Bytes32) -> DeskAsk? {
        guard let ask = numbers.removeValue(forKey: id).flatMap({ asks.removeValue(forKey: $0) })
        else { return nil }
        let left = (authors[ask.author] ?? 1) - 1
        // Keys cost nothing, so none is remembered for nothing.
        authors[ask.author] = left > 0 ? left : nil
        return ask
    }

    /// Takes all out.
    mutating func takeAll() -> [DeskAsk] {
        guard !asks.isEmpty else { return [] }
        defer { self = DeskPending() }
        return all
    }
}
