// SPDX-License-Identifier: Apache-2.0
/// An ask that is kept.
package struct KeptAsk: Hashable, Sendable {
    /// The id of the statement.
    package let id: Bytes32
    /// The whole statement.
    package let statement: VenueStatement
    /// What it asks.
    package let ask: BookingAsk
    /// Grows with each ask that comes to this agent.
    package let number: Int

    /// The ask that this one takes back. What takes back is not taken back, and no answer ends it.
    var target: Bytes32? { if case .withdraw(let id) = ask.wish { id } else { nil } }
}

/// An answer of the desk that is kept.
package struct KeptAnswer: Hashable, Sendable {
    /// The id of the statement.
    package let id: Bytes32
    /// The whole statement.
    package let statement: VenueStatement
    /// What it says.
    package let answer: AskAnswer

    /// Whether this one counts rather than `other` to the same ask. One that ends the ask stands
    /// against all that do not: whoever forgot the ask with it does not have it any more.
    func replaces(_ other: KeptAnswer) -> Bool {
        answer.isLast != other.answer.isLast ? answer.isLast : isLater(than: other)
    }

    /// Whether the desk said it after `other`; of two of one time, which only a desk that runs
    /// twice signs, the one with the smaller id is the later.
    func isLater(than other: KeptAnswer) -> Bool {
        answer.at != other.answer.at ? answer.at > other.answer.at : id < other.id
    }
}

/// What is kept of one asker (``AskBook``).
struct AskGuest: Sendable {
    let asker: PeerKey
    /// Sorted by id; none that another one of them takes back, or that the desk has ended.
    private(set) var asks: [KeptAsk] = []
    /// The latest to each ask, sorted by that ask.
    private(set) var answers: [KeptAnswer] = []
    /// Asks that the desk ended by answers that are not kept any more, and until when: nobody opens
    /// them again. Nothing of this is compared with others.
    private var ended: [(ask: Bytes32, until: UTCTime)] = []
    /// Who introduced them; they themselves, if they did.
    var introducer: PeerKey

    /// Nothing is kept of them yet.
    init(_ asker: PeerKey, introducer: PeerKey) {
        self.asker = asker
        self.introducer = introducer
    }

    /// Whether nothing is kept of them.
    var isEmpty: Bool { asks.isEmpty && answers.isEmpty }

    /// The ids of the asks that something kept is about.
    var subjects: [Bytes32] {
        asks.map(\.id) + asks.compactMap(\.target) + answers.map(\.answer.ask)
    }

    /// The marks of all statements, sorted.
    var marks: [AskMark] {
        (asks.map(\.id) + answers.map(\.id)).sorted().map { AskMark(asker: asker, id: $0) }
    }

    /// What is kept, with its marks; asks first.
    var statements: [(mark: AskMark, statement: VenueStatement)] {
        asks.map { (AskMark(asker: asker, id: $0.id), $0.statement) }
            + answers.map { (AskMark(asker: asker, id: $0.id), $0.statement) }
    }

    /// When the first of it is over.
    var nextOver: UTCTime? { (asks.map(\.ask.until) + answers.map(\.answer.until)).min() }

    /// The answer to an ask.
    func answer(to ask: Bytes32) -> KeptAnswer? { answers.first { $0.answer.ask == ask } }

    // MARK: Asks

    /// What stands in the way of an ask.
    enum Obstacle {
        /// It is here, or is over.
        case known
        /// As many are open, and all go before it.
        case full
    }

    /// Why an ask is not kept; `nil` for one that is. Of more than ``Limits/openAsks`` those with
    /// the smallest ids stay, so that it is the same ones everywhere.
    func obstacle(to ask: KeptAsk) -> Obstacle? {
        if asks.contains(where: { $0.id == ask.id }) { return .known }
        if ask.target == nil {
            if asks.contains(where: { $0.target == ask.id }) { return .known }
            if answer(to: ask.id)?.answer.isLast == true || hasEnded(ask.id) { return .known }
        }
        let rest = asks.count { $0.id != ask.target }
        guard rest >= Limits.openAsks else { return nil }
        return asks.contains { ask.id < $0.id && $0.id != ask.target } ? nil : .full
    }

    /// Keeps an ask without obstacle.
    mutating func keep(_ ask: KeptAsk) {
        if let target = ask.target {
            end(target)
            answers.removeAll { $0.answer.ask == target }
        }
        asks.insert(ask, at: asks.partitionPoint { $0.id < ask.id })
        if asks.count > Limits.openAsks { asks.removeLast() }
    }

    private mutating func end(_ ask: Bytes32) {
        asks.removeAll { $0.id == ask && $0.target == nil }
    }

    // MARK: Answers

    private func hasEnded(_ ask: Bytes32) -> Bool { ended.contains { $0.ask == ask } }

    /// Why an answer is not kept; `nil` for one that is. Of more than ``Limits/askAnswers`` the
    /// latest stay; one that ends what is open here does so, however old it is.
    func obstacle(to answer: KeptAnswer) -> Obstacle? {
        if let known = self.answer(to: answer.answer.ask) {
            return answer.replaces(known) ? nil : .known
        }
        let ask = answer.answer.ask
        if asks.contains(where: { $0.target == ask }) || hasEnded(ask) { return .known }
        if answer.answer.isLast, asks.contains(where: { $0.id == ask && $0.target == nil }) {
            return nil
        }
        guard answers.count >= Limits.askAnswers else { return nil }
        return answers.contains { answer.isLater(than: $0) } ? nil : .full
    }

    /// Keeps an answer without obstacle.
    mutating func keep(_ answer: KeptAnswer) {
        let ask = answer.answer.ask
        answers.removeAll { $0.answer.ask == ask }
        if answer.answer.isLast { end(ask) }
        answers.insert(answer, at: answers.partitionPoint { $0.answer.ask < ask })
        guard answers.count > Limits.askAnswers,
            let oldest = answers.indices.max(by: { answers[$0].isLater(than: answers[$1]) })
        else { return }
        let gone = answers.remove(at: oldest).answer
        guard gone.isLast else { return }
        ended.append((gone.ask, gone.until))
        if ended.count > Limits.asksEnded { ended.removeFirst() }
    }

    // MARK: What is over

    /// Forgets some asks, and what is about them.
    mutating func forget(where isOver: (Bytes32) -> Bool) {
        asks.removeAll { isOver($0.id) || $0.target.map(isOver) == true }
        answers.removeAll { isOver($0.answer.ask) }
        ended.removeAll { isOver($0.ask) }
    }

    /// Forgets answers of somebody who is not the desk any more.
    mutating func forgetAnswers(but desk: PeerKey?) {
        answers.removeAll { $0.statement.author != desk }
        ended = []
    }

    /// Forgets what was to stand until `now`; the asks.
    mutating func expire(at now: UTCTime) -> [Bytes32] {
        let over = asks.filter { $0.ask.until <= now }.map(\.id)
        asks.removeAll { $0.ask.until <= now }
        answers.removeAll { $0.answer.until <= now }
        ended.removeAll { $0.until <= now }
        return over
    }
}
