// SPDX-License-Identifier: Apache-2.0
/// Rounds that cost little where logs are nearly alike: each agent tells digests of the parts of
/// its frontier, and lists only the parts that differ (docs/protocol.md section 11).
extension Frontier {
    /// Which part an author belongs to: the first six bits of their key.
    static func bucket(of author: PeerKey) -> Int { Int(author.raw.prefix8 >> 58) }

    /// A digest for each part of a sorted list: 8 bytes of SHA-256 over the items as they are
    /// written, with the prefix "seatswap/1 bucket"; 0 for an empty part.
    package static func digests(of items: [FrontierItem], _ primitives: any Primitives) -> [UInt64]
    {
        var digests = [UInt64](repeating: 0, count: Limits.buckets)
        let prefix = Array("seatswap/1 bucket".utf8)
        var start = 0
        while start < items.count {
            let bucket = bucket(of: items[start].author)
            var bytes = prefix
            while start < items.count, Self.bucket(of: items[start].author) == bucket {
                bytes += items[start].packed
                start += 1
            }
            digests[bucket] = primitives.sha256(bytes).prefix8
        }
        return digests
    }

    /// Whether digests of parts are shorter than a list.
    var isLong: Bool { items.count > Limits.shortFrontier }
}

extension Replication {
    /// Says how far we are. A long frontier is told by its parts where the peer knows nothing of
    /// it, or may have missed something.
    mutating func beginRound(
        _ ours: Frontier, _ map: Bytes32, _ output: inout Output, random: inout SeededRandom,
        at now: Instant
    ) {
        let half = TimeSpan(nanoseconds: Limits.antiEntropy.nanoseconds / 2)
        let isFirst = roundAt == nil
        // The peer's round is the next one, unless they are silent.
        nextRound = now + half + (isFirst ? .zero : half) + random.span(.zero...Limits.antiEntropy)
        roundAt = now
        resting = []
        // A peer who was quicker had a SUMMARY of ours as an answer.
        if isFirst, !maySummarize(at: now) { return }
        if readsSummaries, ours.isLong, isFirst || lostAt != nil {
            summarize(ours, map, &output, at: now)
        } else {
            output.messages.append(
                .frontier(FrontierMessage(logs: ours.digest, map: map, items: nil)))
        }
    }

    /// The peer said how far they are: that is a round for both sides, unless one just was.
    mutating func heardRound(at now: Instant) {
        guard let last = roundAt, last + Limits.roundAgain <= now else { return }
        roundAt = now
        resting = []
        // What is due within a second is for something that was lost.
        if nextRound > now + .seconds(1) { nextRound = max(nextRound, now + Limits.antiEntropy) }
    }

    private mutating func summarize(
        _ ours: Frontier, _ map: Bytes32, _ output: inout Output, at now: Instant
    ) {
        summarizedAt = now
        output.messages.append(
            .summary(SummaryMessage(logs: ours.digest, map: map, buckets: ours.buckets)))
    }

    /// Answers a digest that is not ours: with a list of what changed, or by parts where a list did
    /// not help or would leave out too much.
    mutating func answerRound(
        _ ours: Frontier, _ map: Bytes32, _ output: inout Output, at now: Instant
    ) {
        let isStuck = answered == ours.digest || announceAgain <= now
        answered = ours.digest
        if isStuck, readsSummaries, ours.isLong, maySummarize(at: now) {
            summarize(ours, map, &output, at: now)
        } else {
            output.messages.append(.frontier(list(ours, map)))
        }
    }

    /// Whether the last SUMMARY to the peer is old enough for another one.
    private func maySummarize(at now: Instant) -> Bool {
        summarizedAt.map { $0 + Limits.roundAgain <= now } ?? true
    }

    /// Whether what the peer lacks may be announced to them once more: of whom they are known to
    /// have what we have, which a SUMMARY just showed, nothing is.
    func mayAnnounceAgain(_ ours: Frontier, at now: Instant) -> Bool {
        guard announceAgain <= now else { return false }
        return !readsSummaries || !ours.isLong || !maySummarize(at: now)
    }

    /// Whether an item can be left out of a list, since both sides know of it by what was said of
    /// the log on this link. A fork never is, nor what we have of the peer's own log.
    func isSaid(_ item: FrontierItem) -> Bool {
        item.fork == 0 && item.author != peer
            && max(claimed(of: item.author), theirs.announced(item.author)) >= item.seq
    }

    /// SUMMARY came.
    package mutating func summary(
        _ message: SummaryMessage, _ here: Surroundings, at now: Instant
    ) -> Output {
        var output = Output()
        guard let ours = here.frontier else { return output }
        heardRound(at: now)
        guard message.logs != ours.digest else {
            output.diverged = message.map != here.map
            agree(ours.items)
            theirs.tell(ours.items)
            return output
        }
        let differing = ours.items.filter { item in
            let bucket = Frontier.bucket(of: item.author)
            return !ours.isLong || ours.buckets[bucket] != message.buckets[bucket]
        }
        let listed = Set(differing.map(\.author))
        let alike = ours.items.filter { !listed.contains($0.author) }
        agree(alike)
        theirs.tell(alike)
        if readsSummaries, ours.isLong, maySummarize(at: now) {
            summarize(ours, here.map, &output, at: now)
        }
        guard listedAt.map({ $0 + Limits.summaryAgain <= now }) ?? true else { return output }
        listedAt = now
        theirs.tell(differing)
        output.messages.append(
            .frontier(
                FrontierMessage(
                    logs: ours.digest, map: here.map, items: differing, isPartial: true)))
        return output
    }

    /// The peer has all of this as we have it.
    mutating func agree(_ items: [FrontierItem]) {
        for item in items {
            has(item.author, item.seq, isMore: false)
            theirs.confirm(item.author, item.seq)
            theirs.setFork(of: item.author, item.fork)
        }
    }
}
