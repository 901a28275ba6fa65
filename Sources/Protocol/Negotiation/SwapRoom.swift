// SPDX-License-Identifier: Apache-2.0
/// Who finds room to ask (docs/protocol.md section 16): free keys neither push out a request of
/// somebody known nor take the room that the own user needs.
extension Swaps {
    /// So often may one key ask and no more: what is over it is met by silence, as is everything
    /// that the user does not answer (docs/protocol.md section 16). What became a swap was
    /// welcome and does not count.
    func mayAsk(_ peer: PeerKey, at now: Moment) -> Bool {
        let since = now.utc.seconds &- Limits.requestSpan
        let theirs = threads.requests(of: peer, since: since)
        return theirs.open < Limits.requestsPerPeer && theirs.recent < Limits.requestsPerHour
    }

    /// Whether every seat is live, in the slot named, and held by whoever is to
    /// give it, in the fold here.
    func holds(_ contract: Contract, _ context: SwapContext) -> Bool {
        contract.legs.allSatisfy { leg in
            guard let tenure = context.fold.tenure(of: leg.token) else { return false }
            return !tenure.ended && tenure.slot == leg.slot && tenure.holder == leg.from
        }
    }

    /// Whether one more request of `peer` finds room, after what weighs less had to go.
    mutating func makeRoom(
        for peer: PeerKey, _ context: SwapContext, _ effects: inout SwapEffects, at now: Moment
    ) -> Bool {
        let open = threads.lines.indices.filter { threads.lines[$0].isOpenRequest }
        guard open.count >= Limits.requestsOfStrangers else { return true }
        let wanted = wanted
        let newcomer = standing(of: peer, wanted, context)
        var counts: [PeerKey: Int] = [:]
        var strangers = 0
        let standings = open.map { index in
            counts[threads.lines[index].asker, default: 0] += 1
            let standing = standing(of: threads.lines[index].asker, wanted, context)
            if standing == 0 { strangers += 1 }
            return standing
        }
        let isFull =
            open.count >= Limits.requests
            || newcomer == 0 && strangers >= Limits.requestsOfStrangers
        guard isFull else { return true }
        // The newcomer is weighed as all others, and may be the one who goes.
        var least = Weight(
            standing: newcomer, fewest: -(counts[peer] ?? 0) - 1, earliest: -nextNumber)
        var leaving: Int?
        for (place, index) in open.enumerated() where threads.lines[index].isUnanswered {
            let line = threads.lines[index]
            let weight = Weight(
                standing: standings[place], fewest: -(counts[line.asker] ?? 0),
                earliest: -line.number)
            guard weight < least, !isVoted(line.contract, context) else { continue }
            (least, leaving) = (weight, index)
        }
        guard let leaving else { return false }
        drop(leaving, &effects, at: now)
        return true
    }

    /// The greatest evidence stays; among equals whoever asks least, then whoever asked first.
    private struct Weight: Comparable {
        let standing: Int
        let fewest: Int
        let earliest: Int

        static func < (left: Weight, right: Weight) -> Bool {
            (left.standing, left.fewest, left.earliest)
                < (right.standing, right.fewest, right.earliest)
        }
    }

    /// With whom an own request is open.
    var wanted: Set<PeerKey> {
        var keys: Set<PeerKey> = []
        for index in threads.lines.indices
        where !threads.lines[index].isIncoming && !threads.lines[index].stage.isOver {
            keys.formUnion(threads.lines[index].parties)
        }
        return keys
    }

    /// 0 for a stranger: somebody of whom there is only a claim and no long session, and of
    /// whom the user wants nothing.
    private func standing(
        of key: PeerKey, _ wanted: Set<PeerKey>, _ context: SwapContext
    ) -> Int {
        let trust = context.trust
        let seats = trust.vouches.isEmpty ? [] : context.fold.seats(claimedBy: key)
        let rank = trust.assurance(of: key, in: seats).rank
        if rank > 0 { return rank + 1 }
        if wanted.contains(key) { return 1 }
        return context.settled.position(of: key, by: { $0 }) != nil ? 1 : 0
    }

    /// Whether the own log holds a vote on it, which a row of an old disk knows nothing of.
    func isVoted(_ contract: ContractID, _ context: SwapContext) -> Bool {
        context.fold.contract(contract)?.votes.contains { $0.author == me } ?? false
    }

    /// It is over as if its time had run out.
    private mutating func drop(
        _ index: Int, _ effects: inout SwapEffects, at now: Moment
    ) {
        var record = threads[index].record
        record.stage = .expired
        record.updated = now.utc
        threads[index] = Thread(stored: record, at: now)
        effects.records.append(record)
        effects.notices.append(SwapNotice(record: record, what: .expired))
    }
}

// MARK: Requests that come before the logs

/// PROPOSE or ASK whose seats the logs here do not show so yet: its sender may know more. It waits
/// in silence, no longer than the session in which it came, since every session says it again.
struct EarlyRequest: Hashable, Sendable {
    enum Request: Hashable, Sendable {
        case propose(Proposal)
        case ask(Ask)

        var thread: ThreadID {
            switch self {
            case .propose(let proposal): proposal.thread
            case .ask(let ask): ask.thread
            }
        }

        /// The same with fewer seconds left.
        func left(_ seconds: Int) -> SwapMessage {
            switch self {
            case .propose(var proposal):
                proposal.expires = seconds
                return .propose(proposal)
            case .ask(var ask):
                ask.expires = seconds
                return .ask(ask)
            }
        }
    }

    let request: Request
    let contract: Contract
    let peer: PeerKey
    /// When its time is up.
    let until: Instant
}

extension Swaps {
    /// Keeps a request until the logs show its seats. Whoever has too many loses their oldest.
    mutating func wait(
        for request: EarlyRequest.Request, _ contract: Contract, expires: Int, from peer: PeerKey,
        at now: Moment
    ) {
        waiting.append(
            EarlyRequest(
                request: request, contract: contract, peer: peer,
                until: now.instant + .seconds(Int64(expires))))
        var counts: [PeerKey: Int] = [:]
        for one in waiting { counts[one.peer, default: 0] += 1 }
        let most = waiting.map { counts[$0.peer] ?? 0 }.max() ?? 0
        guard most > Limits.requestsPerPeer || waiting.count > Limits.earlyRequests,
            let oldest = waiting.firstIndex(where: { counts[$0.peer] == most })
        else { return }
        waiting.remove(at: oldest)
    }

    /// Requests that wait for logs.
    package var early: Int { waiting.count }

    /// What is said anew, or taken back, waits no more.
    mutating func stopWaiting(for thread: ThreadID, of peer: PeerKey) {
        guard !waiting.isEmpty else { return }
        waiting.removeAll { $0.peer == peer && $0.request.thread == thread }
    }

    /// The logs are others: requests whose seats they show now are taken as if they came now.
    mutating func lookAgain(
        _ context: SwapContext, _ effects: inout SwapEffects, at now: Moment,
        random: inout SeededRandom
    ) {
        guard !waiting.isEmpty else { return }
        let early = waiting.filter { $0.until > now.instant }
        let isShown = early.map { holds($0.contract, context) }
        waiting = zip(early, isShown).filter { !$0.1 }.map(\.0)
        for (early, isShown) in zip(early, isShown) where isShown {
            let left = max(1, (early.until - now.instant).wholeSeconds)
            receive(
                early.request.left(Int(left)), from: early.peer, context, &effects, at: now,
                random: &random)
        }
    }
}

extension SeatFold {
    /// Seats that `author` claimed and that are not given up. O(n).
    func seats(claimedBy author: PeerKey) -> [Seat] {
        tokens.filter { $0.author == author && !$0.ended }.map(\.seat)
    }
}
