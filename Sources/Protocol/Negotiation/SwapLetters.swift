// SPDX-License-Identifier: Apache-2.0
/// What negotiations leave for passengers who are away (docs/meet.md section 4): what a session
/// with them would hear when it opens, and the yes of the asked that waits for the asker.
extension Swaps {
    /// Letters of all that is not over in time, in the order of numbers.
    func letters(at now: UTCTime) -> [(to: PeerKey, letter: Letter)] {
        var found: [(to: PeerKey, letter: Letter)] = []
        for index in threads.lines.indices where threads.lines[index].expires > now.seconds {
            let record = threads[index].record
            guard let (keys, body) = record.letter(me) else { continue }
            found += keys.map { (to: $0, letter: Letter(body, until: record.expires)) }
        }
        return found
    }

    /// For whom a letter may lie somewhere: the other parties of what was made or ended since then,
    /// those of the newest first, with repetitions.
    func correspondents(since then: UTCTime) -> [PeerKey] {
        threads.lines.filter { max($0.updated, $0.expires) > then.seconds }
            .sorted { $0.updated > $1.updated }
            .flatMap(\.parties).filter { $0 != me }
    }
}

extension SwapRecord {
    /// To whom it has something to say when they come back, and what.
    fileprivate func letter(_ me: PeerKey) -> ([PeerKey], Letter.Body)? {
        let others = others(than: me)
        switch stage {
        case .asking:
            // The head of an empty log: a letter is no word in a session.
            let head = LogHead(author: me, seq: 0, id: EntryID(.zero))
            let ask = Ask(
                thread: thread, contract: contract.bytes, note: note, expires: 1, head: head)
            return ([contract.coordinator], .message(.swap(.ask(ask))))
        case .offered, .countered:
            let proposal = Proposal(
                thread: thread, revision: revision, contract: contract.bytes, note: note,
                expires: 1)
            return (others, .message(.swap(.propose(proposal))))
        case .agreed:
            let answer = StandingAnswer(
                thread: thread, revision: revision, contract: contract.id, until: expires)
            return (others, .standing(answer))
        case .declined where isRefusal:
            let decline = Decline(thread: thread, revision: revision, note: ending)
            let keys = role == .asked ? others : [contract.coordinator]
            return (keys, .message(.swap(.decline(decline))))
        case .withdrawn, .declined:
            guard lost == nil, let reason = takenBack else { return nil }
            let withdraw = Withdraw(thread: thread, reason: reason)
            let keys = role.coordinates ? others : [contract.coordinator]
            return (keys, .message(.swap(.withdraw(withdraw))))
        case .invited, .requested, .counterSent, .ready, .preparing, .prepared, .stranded,
            .committed, .aborted, .expired:
            return nil
        }
    }

    /// Whether the user said no to another, with words.
    private var isRefusal: Bool {
        guard !ending.isEmpty else { return false }
        switch role {
        case .participant: return true
        case .asked: return revision == 1
        case .asker: return revision > 1
        case .coordinator: return false
        }
    }

    /// With what reason the other parties are told that it is over; `nil` where a session would say
    /// nothing.
    private var takenBack: Withdraw.Reason? {
        switch role {
        case .asker: stage == .withdrawn ? .cancelled : nil
        case .participant: nil
        case .coordinator: withdrawal
        case .asked: stage == .withdrawn ? withdrawal : nil
        }
    }

    /// Why it ended, as its coordinator says it.
    var withdrawal: Withdraw.Reason {
        switch stage {
        case .withdrawn where !hasFailed: .cancelled
        case .expired: .expired
        case .declined where ending.isEmpty: .cancelled
        case .offered, .countered, .invited, .counterSent, .ready, .preparing, .prepared,
            .stranded, .asking, .requested, .agreed, .committed, .aborted, .declined,
            .withdrawn:
            .failed
        }
    }
}

/// What people who were asked left: that they would do it (docs/meet.md section 4). It is shown to
/// the user and changes nothing else.
package struct StandingAnswers: Hashable, Sendable {
    private var answers: [PeerKey: [StandingAnswer]] = [:]

    /// Nobody left any.
    package init() {}

    /// All that a passenger left, in place of what they had left before: of these, the answers to
    /// own requests of exactly this thread, revision and contract count.
    mutating func take(_ all: [StandingAnswer], from peer: PeerKey, to records: [SwapRecord]) {
        let good = all.filter { answer in
            records.contains { $0.stage == .asking && answer.fits($0, from: peer) }
        }
        answers[peer] = good.isEmpty ? nil : good
    }

    /// A session with them says how it is.
    mutating func forget(_ peer: PeerKey) { answers[peer] = nil }

    /// Until when the one who was asked would do it; `nil` if they did not say so.
    package func until(_ record: SwapRecord) -> UTCTime? {
        guard record.stage == .asking else { return nil }
        let peer = record.contract.coordinator
        let answer = answers[peer]?.first { $0.fits(record, from: peer) }
        return answer.map { min($0.until, record.expires) }
    }
}

extension StandingAnswer {
    /// Whether it answers that request, and comes from the one who was asked.
    fileprivate func fits(_ record: SwapRecord, from peer: PeerKey) -> Bool {
        record.thread == thread && record.revision == revision && record.contract.id == contract
            && record.contract.coordinator == peer
    }
}
