// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What a meeting does against brokers that hold boxes back or show two groups of passengers
/// different ones (docs/meet.md section 9).
extension Meeting {
    /// A good card shows how much there is of its author's log and of others'.
    mutating func witness(_ card: MeetCard, at now: Instant) {
        // Of a log that fills all parts a box has a part only.
        if card.parts < MeetLimits.parts {
            claim(card.length, of: card.author, by: card.author, at: now)
        }
        for item in card.items where item.author != me && item.author != card.author {
            if let other = passengers.card(of: item.author), other.parts == MeetLimits.parts {
                continue
            }
            claim(item.seq, of: item.author, by: card.author, at: now)
        }
    }

    private mutating func claim(
        _ seq: Int, of author: PeerKey, by writer: PeerKey, at now: Instant
    ) {
        guard let known = here(of: author) else { return }
        witnesses.shows(seq, of: author, by: writer, known: known, at: now)
    }

    /// Entries that are here of an author; `nil` for a forked log, which takes none.
    private func here(of author: PeerKey) -> Int? {
        guard let item = frontier.item(of: author) else { return 0 }
        return item.fork == 0 ? item.seq : nil
    }

    /// The logs here are other ones.
    mutating func learnt(_ logs: Bytes32, _ items: [FrontierItem], at now: Instant) {
        frontier.learn(logs, items)
        let frontier = frontier
        witnesses.compare(at: now) { author in
            guard let item = frontier.item(of: author) else { return 0 }
            return item.fork == 0 ? item.seq : nil
        }
    }

    /// Asks for a tunnel to somebody who may have what is lacking, and now and then to anybody.
    mutating func runErrands(at now: Moment) {
        guard let tunnels, homes.contains(where: \.isUp) else { return }
        errands.expire(at: now.instant)
        let passengers = passengers
        let isThere = { (peer: PeerKey) in
            tunnels.isFree(for: peer) && passengers.isThere(peer, at: now.utc)
        }
        if let peer = witnesses.due(at: now.instant, isThere) { errands.add(peer, at: now.instant) }
        if audit.isDue(at: now.instant, &random), let peer = audited(isThere, at: now) {
            errands.add(peer, at: now.instant)
        }
        self.tunnels?.need(errands.all, at: now.instant)
    }

    /// Somebody at random; mostly of those who are there. The others may be hidden by a broker that
    /// gives old cards of them.
    private mutating func audited(_ isThere: (PeerKey) -> Bool, at now: Moment) -> PeerKey? {
        let (one, two) = (random.next(), random.next())
        let all = passengers.cards.filter { $0.until > now.utc }.map(\.author)
            .filter { tunnels?.isFree(for: $0) ?? false }
        let there = all.filter(isThere)
        let some = there.isEmpty || one % 3 == 0 ? all : there
        return some.isEmpty ? nil : some[Int(two % UInt64(some.count))]
    }

    /// When any of this is due, where it can be done.
    var nextErrand: Instant? {
        guard tunnels != nil, homes.contains(where: \.isUp) else { return nil }
        return [witnesses.nextDeadline, audit.due ?? .zero, errands.nextDeadline]
            .compactMap(\.self).min()
    }
}
