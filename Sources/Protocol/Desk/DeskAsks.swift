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

    /// What is known of a word.
    private struct Said {
        /// Its time is its own: it is not that of the answer to the ask.
        var until: UTCTime
        /// The ask that says it.
        var by: Bytes32
        let isMember: Bool
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
    /// Asks that somebody took back before they came.
    private var takenBack: [Word: Said] = [:]
    private var words = Heap<Spoken>()
    /// Of each author the asks of their words, the oldest first.
    private var authors: [PeerKey: [Bytes32]] = [:]
    /// How many words are of keys without a number.
    private var strangers = 0
    /// A word found no room while the desk could not write.
    private(set) var hasMissed = false
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
        if unheard.keep(ask) { return true }
        hasMissed = hasMissed || unheard[ask.id] == nil
        return false
    }

    /// Takes all that were kept out.
    mutating func takePending() -> [DeskAsk] { waiting.takeAll() }

    /// Takes one that was kept out; `nil` if it was not.
    mutating func takePending(_ id: Bytes32) -> DeskAsk? { waiting.take(id) }

    /// Takes those out that take another one back, in order.
    mutating func takeWithdrawals() -> [DeskAsk] { unheard.takeAll() }

    /// Takes those out that were taken back, in the order of that.
    mutating func takeGone() -> [DeskAsk] { gone.takeAll() }

    /// All that is said was heard.
    mutating func missedNone() { hasMissed = false }

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
        // One who asks all the time does not hide the others.
        let own = refused.indices.filter { refused[$0].ask.author == ask.author }
        if own.count > Limits.asksRefusedOfOne { refused.remove(at: own[0]) }
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

    /// Forgets what nobody can ask any more. Returns the asks that said the words that are over.
    @discardableResult
    mutating func forget(until now: UTCTime) -> [Bytes32] {
        while let first = ends.first, first.until < now {
            _ = ends.popFirst()
            answered[first.id] = nil
        }
        var over: [Bytes32] = []
        while let first = words.first, first.until < now {
            _ = words.popFirst()
            guard let said = takenBack[first.word] else { continue }
            if said.until > first.until {
                // It was said again, for longer.
                words.insert(Spoken(until: said.until, word: first.word))
            } else {
                if let word = forget(first.word) { over.append(word) }
            }
        }
        return over
    }

    // MARK: Taking back

    /// What became of a word.
    struct Taken {
        /// Whether it is known from now on.
        var isKnown = true
        /// Whether it has to be on disk.
        var isNew = false
        /// The ask that said what is forgotten for it.
        var over: Bytes32?
    }

    /// `target`, which did not come yet, was taken back by the author of `word`. Of one author the
    /// last words are known, and of all keys without a number no more than there is room for.
    mutating func takeBack(
        _ target: Bytes32, _ word: DeskAsk, until: UTCTime, isMember: Bool
    ) -> Taken {
        let key = Word(id: target, author: word.author)
        if let known = takenBack[key] {
            guard known.until < until, known.by != word.id else { return Taken() }
            takenBack[key]?.until = until
            takenBack[key]?.by = word.id
            return Taken(isNew: true, over: known.by)
        }
        guard isMember || strangers < Limits.wordsOfStrangers else { return Taken(isKnown: false) }
        takenBack[key] = Said(until: until, by: word.id, isMember: isMember)
        words.insert(Spoken(until: until, word: key))
        authors[word.author, default: []].append(target)
        if !isMember { strangers += 1 }
        guard let list = authors[word.author], list.count > Limits.wordsOfOne else {
            return Taken(isNew: true)
        }
        return Taken(isNew: true, over: forget(Word(id: list[0], author: word.author)))
    }

    /// Forgets a word; the ask that said it.
    private mutating func forget(_ word: Word) -> Bytes32? {
        guard let said = takenBack.removeValue(forKey: word) else { return nil }
        if !said.isMember { strangers -= 1 }
        var list = authors.removeValue(forKey: word.author) ?? []
        list.removeAll { $0 == word.id }
        if !list.isEmpty { authors[word.author] = list }
        if words.count > 2 * (takenBack.count + Limits.asksRefused) {
            // Most of them are of words that others have pushed out.
            words = Heap()
            for (word, said) in takenBack { words.insert(Spoken(until: said.until, word: word)) }
        }
        return said.by
    }

    /// Whether its author took an ask back before it came.
    func isTakenBack(_ ask: DeskAsk) -> Bool {
        takenBack[Word(id: ask.id, author: ask.author)] != nil
    }
}
