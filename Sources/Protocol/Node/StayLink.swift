// SPDX-License-Identifier: Apache-2.0
/// What is said on one link of stays (``Stays``), or of asks (``Asks``).
struct StayLink: Hashable, Sendable {
    /// A part of a bucket in which the peer may have something newer.
    struct Question: Hashable, Sendable {
        var bucket: Int
        /// It begins behind this author; `nil` for the first one.
        var after: PeerKey?
    }

    let id: LinkID
    let peer: PeerKey
    /// Its session is open.
    var isOpen = false
    /// What the peer keeps, as they last told; empty before.
    var theirs: [Bytes32] = []
    /// What is still to be asked, in that order: a bucket that is half asked and told anew stands
    /// twice.
    private var open: [Question] = []
    /// When each bucket was last listed to them.
    private var listed: [Int: Instant] = [:]
    private var turns: UInt64 = 0
    /// When they are told the digests.
    var tellAt: Instant?
    /// When they are asked for what is newer.
    var askAt: Instant?
    /// When they were asked last.
    var asked: Instant?
    /// When all looks at their lists are paid off: each costs one ``Limits/listPace``.
    private var paid: Instant?
    /// Marks that may be listed to them.
    private var marks: TokenBucket
    /// Stays that may be sent to them as answers.
    private var answers: TokenBucket

    init(id: LinkID, peer: PeerKey, at now: Instant) {
        self.id = id
        self.peer = peer
        marks = TokenBucket(
            perSecond: Limits.stayListedPerSecond, burst: Limits.stayListed, at: now)
        answers = TokenBucket(
            perSecond: Limits.stayAnswersPerSecond, burst: Limits.stayAnswers, at: now)
    }

    // MARK: Answering

    /// Whether another list of theirs may be looked at; it is then paid for.
    mutating func looks(at now: Instant) -> Bool {
        let paid = max(paid ?? now, now)
        let most = Limits.listPace.nanoseconds * Int64(Limits.listBurst - 1)
        guard (paid - now).nanoseconds <= most else { return false }
        self.paid = paid + Limits.listPace
        return true
    }

    /// Where among so many to begin: after some turns with each of them.
    mutating func turn(of count: Int) -> Int {
        turns = turns &+ 1
        var random = SeededRandom(seed: turns)
        return count > 0 ? Int(random.next() % UInt64(count)) : 0
    }

    /// How many of `count` statements they get now, if so many more may follow. What is left out
    /// comes with a later comparison.
    mutating func answer(_ count: Int, keeping kept: Int = 0, at now: Instant) -> Int {
        let most = min(count, max(0, answers.left(at: now) - kept))
        if most > 0 { _ = answers.take(most, at: now) }
        return most
    }

    // MARK: Asking

    /// They keep that. Whether they are asked now for what is newer: a digest is a few bytes and
    /// its answer lists of many, so not at once again.
    mutating func told(_ digests: [Bytes32], at now: Instant) -> Bool {
        theirs = digests
        wonder(about: digests.indices)
        guard let last = asked, now < last + Limits.stayAgain else { return true }
        ask(at: last + Limits.stayAgain)
        return false
    }

    /// They may have something newer in these buckets.
    mutating func wonder(about buckets: some Sequence<Int>) {
        for bucket in buckets {
            let question = Question(bucket: bucket, after: nil)
            if !open.contains(question) { open.append(question) }
        }
    }

    /// The lists to send now: of those buckets in which something else is here than they have, as
    /// many as the paces allow. Where more are left, the next turn is due later. `list` gives the
    /// list for a question, how many marks are in it, and where the next one begins.
    mutating func next<List>(
        _ ours: [Bytes32], at now: Instant,
        _ list: (Question) -> (list: List, marks: Int, last: PeerKey?)?
    ) -> [List] {
        askAt = nil
        asked = now
        open.removeAll { question in
            !theirs.indices.contains(question.bucket)
                || theirs[question.bucket] == ours[question.bucket]
        }
        var lists: [List] = []
        while lists.count < Limits.stayLists, marks.left(at: now) > 0, !open.isEmpty {
            let question = open.removeFirst()
            guard let next = list(question) else { continue }
            _ = marks.take(next.marks, at: now)
            listed[question.bucket] = now
            lists.append(next.list)
            guard let last = next.last else { continue }
            open.insert(Question(bucket: question.bucket, after: last), at: 0)
        }
        guard !open.isEmpty else { return lists }
        ask(at: now + Limits.stayAgain)
        // They may look at the first ones alone: not at the same ones each time.
        let start = turn(of: lists.count)
        return Array(lists[start...] + lists[..<start])
    }

    /// Whether what comes of that bucket so long after a list is taken for an answer to it.
    func isAnswer(
        _ bucket: Int, within span: TimeSpan = Limits.stayAnswered, at now: Instant
    ) -> Bool {
        listed[bucket].map { now < $0 + span } ?? false
    }

    /// Asks at `time`, or before if that is due anyway.
    mutating func ask(at time: Instant) { askAt = min(askAt ?? time, time) }

    /// Tells the digests at `time`, or before if that is due anyway.
    mutating func tell(at time: Instant) { tellAt = min(tellAt ?? time, time) }

    var nextDeadline: Instant? {
        switch (askAt, tellAt) {
        case (let one?, let other?): min(one, other)
        case (let one, let other): one ?? other
        }
    }
}
