// SPDX-License-Identifier: Apache-2.0
/// Asks beside the queue: those that came while the desk does not grant, and what became of others,
/// so that each is handled once (docs/protocol.md section 33).
struct DeskAsks: Sendable {
    /// An ask that is answered, and when its time is over.
    private struct Over: Comparable, Sendable {
        let until: UTCTime
        let id: Bytes32

        static func < (left: Over, right: Over) -> Bool {
            left.until != right.until ? left.until < right.until : left.id < right.id
        }
    }

    /// Those that came while the desk does not grant, in that order.
    private(set) var pending: [DeskAsk] = []
    private var kept: Set<Bytes32> = []
    private var authors: [PeerKey: Int] = [:]
    /// What was answered, until its time is over.
    private var answered: [Bytes32: DeskReason] = [:]
    private var ends = Heap<Over>()
    /// Who took an ask back before it came.
    private var takenBack: [Bytes32: PeerKey] = [:]
    /// The last ones that were refused, with the reason.
    private(set) var refused: [(ask: DeskAsk, reason: DeskReason)] = []

    /// Why an ask was refused for good; `nil` for one that was not.
    func answer(to id: Bytes32) -> DeskReason? { answered[id] }

    // MARK: While the desk does not grant

    /// Keeps an ask until the desk grants. Returns whether it is new and there is room for it.
    mutating func keep(_ ask: DeskAsk) -> Bool {
        guard answered[ask.id] == nil, !kept.contains(ask.id), pending.count < Limits.asksKept,
            authors[ask.author, default: 0] < Limits.asksPerAuthor
        else { return false }
        pending.append(ask)
        kept.insert(ask.id)
        authors[ask.author, default: 0] += 1
        return true
    }

    /// Takes all that were kept out.
    mutating func takePending() -> [DeskAsk] {
        defer { (pending, kept, authors) = ([], [], [:]) }
        return pending
    }

    /// Takes one that was kept out; `nil` if it was not. O(n).
    mutating func takePending(_ id: Bytes32) -> DeskAsk? {
        guard kept.remove(id) != nil, let place = pending.firstIndex(where: { $0.id == id }) else {
            return nil
        }
        let ask = pending.remove(at: place)
        authors[ask.author, default: 1] -= 1
        return ask
    }

    // MARK: Answers

    /// Remembers an answer that ends an ask, until its time is over.
    mutating func end(_ id: Bytes32, _ reason: DeskReason, until: UTCTime) {
        if answered.updateValue(reason, forKey: id) == nil {
            ends.insert(Over(until: until, id: id))
        }
        while answered.count > Limits.asksAnswered, let first = ends.popFirst() { drop(first) }
    }

    /// Remembers a refused ask for the people at the desk.
    mutating func refuse(_ ask: DeskAsk, _ reason: DeskReason) {
        refused.append((ask, reason))
        if refused.count > 2 * Limits.asksRefused { refused.removeFirst(Limits.asksRefused) }
    }

    /// The people at the desk granted an ask that was refused.
    mutating func settle(_ id: Bytes32) {
        answered[id] = nil
        refused.removeAll { $0.ask.id == id }
    }

    /// Forgets what nobody can ask any more.
    mutating func forget(until now: UTCTime) {
        while let first = ends.first, first.until < now {
            _ = ends.popFirst()
            drop(first)
        }
    }

    private mutating func drop(_ over: Over) {
        answered[over.id] = nil
        takenBack[over.id] = nil
    }

    // MARK: Taking back

    /// An ask that did not come yet was taken back by `author`.
    mutating func takeBack(_ id: Bytes32, by author: PeerKey, until: UTCTime) {
        guard takenBack.count < Limits.asksAnswered else { return }
        takenBack[id] = author
        ends.insert(Over(until: until, id: id))
    }

    /// Whether its author took an ask back before it came.
    func isTakenBack(_ ask: DeskAsk) -> Bool { takenBack[ask.id] == ask.author }
}
