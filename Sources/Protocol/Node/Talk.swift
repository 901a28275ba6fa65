// SPDX-License-Identifier: Apache-2.0
/// What passengers say: the chat in reading order (docs/protocol.md section 8), direct messages,
/// and what else the history of the flight keeps of their entries.
struct Talk: Sendable {
    /// What happens to direct messages.
    enum Event: Sendable {
        /// A link with somebody opened, or one of two ended.
        case linked(PeerKey)
        /// A message came. Whoever has no log here `hasBase` not: no share of their own.
        case received(ThreadID, String, from: PeerKey, hasBase: Bool)
        /// A message is on disk at its receiver.
        case acknowledged(ThreadID, by: PeerKey)
        /// The deadline came.
        case tick
    }

    private let me: PeerKey
    private(set) var outbox: Outbox
    /// How much is kept of others' direct messages.
    private var letters: Shares
    private(set) var history: Timeline
    /// Lines of the chat wait for others that are on their way: until then at most.
    private(set) var chatBy: Instant?

    /// Goes on with what was stored.
    init(
        _ stored: Stored, me: PeerKey, bounds: Shares.Bounds, patience: TimeSpan, at now: Moment
    ) {
        self.me = me
        outbox = Outbox(stored.messages, patience: patience, at: now)
        letters = Shares(bounds)
        for (key, count) in stored.received { letters.took(count, of: key) }
        history = Timeline()
        for seen in stored.entries { history.restore(seen.entry, seen: seen.seen, me: me) }
        _ = history.tell()
    }

    /// When the first message is given up.
    var nextDeadline: Instant? { outbox.nextDeadline }

    // MARK: Direct messages

    /// Takes one event in.
    mutating func handle(_ event: Event, at now: Moment) -> PartEffects {
        var effects = PartEffects()
        switch event {
        case .linked(let peer):
            for message in outbox.resend(to: peer, at: now.instant) {
                effects.messages.append((peer, message))
            }
        case .received(let id, let text, let peer, let hasBase):
            let room = letters.room(for: peer, isLinked: true, hasBase: hasBase)
            let output = outbox.receive(id, text, from: peer, room: room, at: now)
            if output.isLeftOut { letters.leave(peer, DirectMessage.cost(text)) }
            for message in output.changed {
                letters.took(DirectMessage.cost(message.text), of: peer)
            }
            keep(output, for: peer, &effects)
        case .acknowledged(let id, let peer):
            for message in outbox.acknowledged(id, by: peer) { changed(message, &effects) }
        case .tick:
            for message in outbox.tick(at: now.instant) {
                changed(message, &effects)
                effects.changesNeeds = true
            }
            effects.messages += outbox.again(at: now.instant).map { ($0.peer, $0.message) }
        }
        return effects
    }

    /// A new message of the user; sent at once when `isLinked`.
    mutating func write(
        _ text: String, to peer: PeerKey, isLinked: Bool, _ effects: inout PartEffects,
        random: inout SeededRandom, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard peer != me else { return .failure(.unknownPassenger) }
        guard outbox.waiting(for: peer) < Limits.outboxPerPeer else {
            return .failure(.outboxFull)
        }
        let output = outbox.write(
            text, to: peer, id: ThreadID(random: &random), linked: isLinked, at: now)
        keep(output, for: peer, &effects)
        return output.changed.first.map { .success(.message($0)) } ?? .failure(.outboxFull)
    }

    private func keep(
        _ output: Outbox.Output, for peer: PeerKey, _ effects: inout PartEffects
    ) {
        for message in output.changed { changed(message, &effects) }
        for reply in output.sends { effects.messages.append((peer, reply)) }
    }

    /// A message's row changed: stored and told.
    private func changed(_ message: DirectMessage, _ effects: inout PartEffects) {
        effects.writes.append(.message(message))
        if !message.isForAgents { effects.notices.append(.message(message)) }
    }

    // MARK: The budget of messages

    /// Whether anybody used more than their own share of messages, or is short.
    var isTight: Bool { letters.isTight }

    /// How many passengers are over their share of messages.
    var leftOut: Int { letters.leftOut }

    /// Updates for whom the user did something.
    mutating func weigh(favoured: Set<PeerKey>, isLinked: (PeerKey) -> Bool) {
        _ = letters.weigh(favoured: favoured, needed: [:], isLinked: isLinked)
    }

    // MARK: Entries

    /// Takes one new entry in; gives what is told to people at once.
    mutating func record(_ entry: Entry, seen: UTCTime) -> [Notice] {
        history.record(entry, seen: seen)
    }

    /// A fork cut a log: what stood behind it was never said.
    mutating func cut(_ log: AuthorLog) { history.cut(log) }

    /// The user said a line. Whoever speaks has read what there is, and sees their own words at
    /// once.
    mutating func spoke(at now: Instant) { chatBy = now }

    /// Lines of the chat that people are told now: all once no more are on their way, or they have
    /// waited long enough.
    mutating func tell(at now: Instant, isCatchingUp: Bool) -> [Notice] {
        guard history.waitingLines > 0 else {
            chatBy = nil
            return []
        }
        let patience = history.hasTold ? Limits.chatHold : Limits.firstChatHold
        let due = chatBy ?? now + patience
        chatBy = due
        guard due <= now || history.waitingLines >= Limits.messages || !isCatchingUp else {
            return history.tellCurrent()
        }
        chatBy = nil
        return history.tell()
    }
}
