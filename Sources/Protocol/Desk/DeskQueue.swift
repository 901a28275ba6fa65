// SPDX-License-Identifier: Apache-2.0
/// Asks that wait for what is taken, in the order in which they began to (docs/protocol.md section
/// 33). Those of members are noted in the ledger, so a desk that starts again knows their order
/// before it knows what they ask.
struct DeskQueue: Sendable {
    /// An ask that waits.
    struct Waiting: Hashable, Sendable {
        let id: Bytes32
        /// What is asked; `nil` until it comes again after a start.
        var ask: DeskAsk?
        /// What it would take: its units and the minutes of them, turnover included.
        var load: BookLoad?
    }

    /// By number, which grows.
    private var entries: [Int: Waiting] = [:]
    private var numbers: [Bytes32: Int] = [:]
    private var next = 0
    /// How many asks of an author wait, among those that are known.
    private var authors: [PeerKey: Int] = [:]

    var count: Int { entries.count }

    /// The asks that are known to wait, in order.
    var all: [Waiting] { entries.keys.sorted().compactMap { entries[$0] } }

    /// The ask of that id; `nil` if it does not wait.
    subscript(id: Bytes32) -> Waiting? { numbers[id].flatMap { entries[$0] } }

    /// How many asks of an author wait.
    func count(of author: PeerKey) -> Int { authors[author] ?? 0 }

    /// Puts an ask behind all others. What waits already keeps its place.
    mutating func append(_ id: Bytes32, _ ask: DeskAsk? = nil, _ load: BookLoad? = nil) {
        guard numbers[id] == nil else { return }
        numbers[id] = next
        entries[next] = Waiting(id: id, ask: ask, load: load)
        next += 1
        if let ask { authors[ask.author, default: 0] += 1 }
    }

    /// What an ask that waits asks is known now.
    mutating func know(_ ask: DeskAsk, _ load: BookLoad?) {
        guard let number = numbers[ask.id], entries[number]?.ask == nil else { return }
        entries[number] = Waiting(id: ask.id, ask: ask, load: load)
        authors[ask.author, default: 0] += 1
    }

    /// Takes an ask out; `nil` if it does not wait.
    @discardableResult
    mutating func remove(_ id: Bytes32) -> Waiting? {
        guard let number = numbers.removeValue(forKey: id) else { return nil }
        let waiting = entries.removeValue(forKey: number)
        if let author = waiting?.ask?.author {
            let left = count(of: author) - 1
            authors[author] = left > 0 ? left : nil
        }
        return waiting
    }

    /// The rules changed: what each would take is another amount, perhaps.
    mutating func reload(_ load: (DeskAsk) -> BookLoad?) {
        entries = entries.mapValues { Waiting(id: $0.id, ask: $0.ask, load: $0.ask.flatMap(load)) }
    }

    /// The place that an ask for `load` would get: behind all that are known to want any of it.
    /// O(n).
    func place(of load: BookLoad) -> Int {
        1 + entries.values.count { $0.load?.competes(with: load) ?? false }
    }

    /// The asks that want any of what got free, in order, and those of whose quota it was; all, if
    /// `nil`. O(n log n).
    func wanting(_ freed: [BookLoad]?) -> [Waiting] {
        guard let freed else { return all.filter { $0.ask != nil } }
        guard !freed.isEmpty else { return [] }
        return all.filter { one in
            one.load.map { load in
                freed.contains { $0.competes(with: load) || $0.account.who == load.account.who }
            } ?? false
        }
    }
}

extension BookLoad {
    /// Whether both take some of one unit at one minute.
    func competes(with other: BookLoad) -> Bool {
        span.overlaps(other.span)
            && uses.contains { use in other.uses.contains { $0.unit == use.unit } }
    }
}
