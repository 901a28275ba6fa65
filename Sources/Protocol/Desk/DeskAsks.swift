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

    private var waiting = DeskPending()
    /// Those that take another one back, and came while the desk could not write.
    private var unheard = DeskPending()
    /// Those that were taken back while it could not say so.
    private var gone = DeskPending()
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

    /// Those that came while the desk does not grant, in that order, without those that take
    /// another one back. O(n log n).
    var pending: [DeskAsk] { waiting.all }

    /// Whether there are none.
    var isPendingEmpty: Bool { waiting.isEmpty }

    /// One of them; `nil` if there is none of that id.
    func pending(_ id: Bytes32) -> DeskAsk? { waiting[id] }

    /// Keeps an ask until the desk grants. Returns whether it is new and there is room for it. What
    /// its author takes back goes at once, so that nobody grants it.
    mutating func keep(_ ask: DeskAsk) -> Bool {
        guard let target = ask.target else {
            guard !isTakenBack(ask) else {
                _ = gone.keep(ask)
                return false
            }
            return answered[ask.id] == nil && waiting.keep(ask)
        }
        if waiting[target]?.author == ask.author, let known = waiting.take(target) {
            _ = gone.keep(known)
        }
        return unheard.keep(ask)
    }

    /// Takes all that were kept out.
    mutating func takePending() -> [DeskAsk] { waiting.takeAll() }

    /// Takes one that was kept out; `nil` if it was not.
    mutating func takePending(_ id: Bytes32) -> DeskAsk? { waiting.take(id) }

    /// Takes those out that take another one back, in order.
    mutating func takeWithdrawals() -> [DeskAsk] { unheard.takeAll() }

    /// Takes those out that were taken back, in the order of that.
    mutating func takeGone() -> [DeskAsk] { gone.takeAll() }

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

    /// Its author does not want any more what was refused. O(n).
    mutating func giveUp(_ id: Bytes32, by author: PeerKey) {
        refused.removeAll { $0.ask.id == id && $0.ask.author == author }
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
        takenBack[Word(id: ask.id, author: ask.author)] != nil
    }
}
