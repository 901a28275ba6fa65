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

    /// Whoever takes back an ask that did not come yet: anybody may say so of any ask.
    private struct Word: Hashable, Sendable {
        let id: Bytes32
        let author: PeerKey
    }

    /// When a word may be over.
    private struct Spoken: Comparable, Sendable {
        let until: UTCTime
        let word: Word

        static func < (left: Spoken, right: Spoken) -> Bool {
            if left.until != right.until { return left.until < right.until }
            return (left.word.id, left.word.author) < (right.word.id, right.word.author)
        }
    }

    /// Those that came while the desk does not grant, in that order.
    private(set) var pending: [DeskAsk] = []
    private var kept: Set<Bytes32> = []
    private var authors: [PeerKey: Int] = [:]
    /// What was answered, until its time is over.
    private var answered: [Bytes32: DeskReason] = [:]
    private var ends = Heap<Over>()
    /// Asks that somebody took back before they came, each until when. The time of a word is its
    /// own: it is not that of the answer to the ask.
    private var takenBack: [Word: UTCTime] = [:]
    private var words = Heap<Spoken>()
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

    /// Takes those out that take another one back, in order: what somebody gave up is granted to
    /// nobody. O(n).
    mutating func takeWithdrawals() -> [DeskAsk] {
        let found = pending.filter { $0.target != nil }
        guard !found.isEmpty else { return [] }
        pending.removeAll { $0.target != nil }
        for ask in found {
            kept.remove(ask.id)
            authors[ask.author, default: 1] -= 1
        }
        return found
    }

    /// One that was kept; `nil` if it was not. O(n).
    func kept(_ id: Bytes32) -> DeskAsk? {
        kept.contains(id) ? pending.first { $0.id == id } : nil
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
        while answered.count > Limits.asksAnswered, let first = ends.popFirst() {
            answered[first.id] = nil
        }
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
            answered[first.id] = nil
        }
        while let first = words.first, first.until < now {
            _ = words.popFirst()
            let until = takenBack.removeValue(forKey: first.word)
            // It was said again, for longer.
            if let until, until > first.until { speak(first.word, until) }
        }
    }

    // MARK: Taking back

    /// An ask that did not come yet was taken back by `author`.
    mutating func takeBack(_ id: Bytes32, by author: PeerKey, until: UTCTime) {
        let word = Word(id: id, author: author)
        if let known = takenBack[word] {
            takenBack[word] = max(known, until)
        } else if takenBack.count < Limits.asksAnswered {
            speak(word, until)
        }
    }

    private mutating func speak(_ word: Word, _ until: UTCTime) {
        takenBack[word] = until
        words.insert(Spoken(until: until, word: word))
    }

    /// Whether its author took an ask back before it came.
    func isTakenBack(_ ask: DeskAsk) -> Bool {
        ask.target == nil && takenBack[Word(id: ask.id, author: ask.author)] != nil
    }
}
