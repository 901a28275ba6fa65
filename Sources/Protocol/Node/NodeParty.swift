// SPDX-License-Identifier: Apache-2.0
/// The user's party in the core (``Companions``).
extension Node {
    /// The party as people read it; `nil` in none.
    public func party(at now: Moment) -> PartyView? { fellows.view(at: now.instant) }

    /// What was said in it, in the order in which it came; without the words of blocked passengers.
    public var partyLines: [PartyLine] {
        fellows.lines.filter { !people.blocked.contains($0.author) }
    }

    /// Passengers whose claims count as those of the user's own party.
    var ownParty: [PeerKey] { setup.party + fellows.counted }

    /// What passengers show in their last wishes; a blocked one shows nothing.
    private var shown: [Companions.Shown] {
        talk.history.tags.filter { !people.blocked.contains($0.key) }
    }

    // MARK: What comes

    /// Goes on with what the disk has.
    mutating func resumeParty(_ stored: Stored, at now: Moment) {
        guard stored.party != nil else { return }
        fellows.resume(shown)
        for seen in stored.entries { _ = fellows.hear(seen.entry, seen: seen.seen) }
    }

    /// What came while this agent did not run, or while the log was shut.
    mutating func catchUpParty(_ effects: inout Effects, at now: Moment) {
        guard fellows.state != nil else { return }
        seeAgain(&effects, at: now)
    }

    /// Logs are others than before, or somebody is blocked or not any more.
    mutating func seeAgain(_ effects: inout Effects, at now: Moment) {
        guard fellows.state != nil else { return }
        let before = fellows.counted
        carryOut(fellows.see(all: shown, at: now.instant), &effects, at: now)
        hearNew(since: before, &effects, at: now)
    }

    /// A new entry: what it shows, or says to the party.
    mutating func tellParty(_ entry: Entry, _ effects: inout Effects, at now: Moment) {
        guard fellows.state != nil, !people.blocked.contains(entry.author) else { return }
        let before = fellows.counted
        if case .wish(let wish) = entry.body {
            let asked = fellows.see((entry.author, wish.tag), at: now.instant)
            carryOut(asked, &effects, at: now)
        }
        effects.notices += fellows.hear(entry, seen: now.utc)
        hearNew(since: before, &effects, at: now)
    }

    /// A companion may say that the party has another secret. Whoever else says so says nothing.
    mutating func tellParty(
        _ text: String, from peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) {
        guard fellows.isCompanion(peer), case .nextParty(let next)? = try? SeatLink(text) else {
            return
        }
        guard let asked = fellows.follow(next, from: peer, shown, at: now.instant) else { return }
        carryOut(asked, &effects, at: now)
        // Words that were sealed with it came before it did.
        hearNew(since: [], &effects, at: now)
        showTag(&effects, at: now)
    }

    /// What companions said before they were companions, or before this agent had their secret.
    private mutating func hearNew(
        since before: [PeerKey], _ effects: inout Effects, at now: Moment
    ) {
        for key in fellows.counted where !before.contains(key) {
            let entries = records.logs.log(of: key)?.entries ?? []
            effects.notices += fellows.hear(all: entries, seen: now.utc)
        }
    }

    // MARK: What the user wants

    mutating func party(
        _ intent: PartyIntent, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        switch intent {
        case .new(let secret): return begin(secret, fromHome: false, &effects, at: now)
        case .join(let secret, let fromHome):
            return begin(secret, fromHome: fromHome, &effects, at: now)
        case .invite:
            return carryOut(fellows.invite(shown, at: now.instant), &effects, at: now)
        case .yes(let key):
            let before = fellows.counted
            let result = carryOut(fellows.answer(key, true, at: now.instant), &effects, at: now)
            hearNew(since: before, &effects, at: now)
            return result
        case .no(let key):
            return carryOut(fellows.answer(key, false, at: now.instant), &effects, at: now)
        case .remove(let key, let next): return remove(key, next, &effects, at: now)
        case .leave:
            let left = fellows.leave()
            let reply = carryOut(left, &effects, at: now)
            if case .success = left, talk.history.said(by: me) != nil { wishes.hideParty() }
            showTag(&effects, at: now)
            return reply
        case .say(let text):
            guard text.contains(where: { !$0.isWhitespace }) else { return .failure(.emptyText) }
            guard text.utf8.count <= Limits.chatText else {
                return .failure(.tooLong(Limits.chatText))
            }
            let line = PartyText(text: text, time: now.utc)
            let sealed = fellows.sealed(line, at: records.logs.seq(of: me) + 1)
            return sealed.mapError { .party($0) }.flatMap {
                record(.sealed($0), &effects, at: now)
            }
        }
    }

    private mutating func begin(
        _ secret: PartySecret, fromHome: Bool, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        // Nobody could recognise an agent that cannot say so.
        if let refusal = refusalToTag { return .failure(refusal) }
        let result = fellows.begin(secret, fromHome: fromHome, shown, at: now.instant)
        guard case .success = result else { return carryOut(result, &effects, at: now) }
        let reply = carryOut(result, &effects, at: now)
        showTag(&effects, at: now)
        return reply
    }

    private mutating func remove(
        _ key: PeerKey, _ next: PartySecret, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        if let refusal = refusalToTalk { return .failure(refusal) }
        let others = fellows.counted.filter { $0 != key }
        switch fellows.remove(key, next: next, shown, at: now.instant) {
        case .failure(let refusal): return .failure(.party(refusal))
        case .success(let (asked, news)):
            carryOut(asked, &effects, at: now)
            let text = SeatLink.nextParty(news).text
            for other in others { _ = send(text, to: other, &effects, at: now) }
            showTag(&effects, at: now)
            return .success(.done)
        }
    }

    private mutating func carryOut(
        _ result: Result<PartEffects, PartyRefusal>, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        switch result {
        case .failure(let refusal): return .failure(.party(refusal))
        case .success(let asked):
            carryOut(asked, &effects, at: now)
            return .success(.done)
        }
    }

    // MARK: The tag

    /// What a new wish of the user shows. In no party it is new each time, which ties no two
    /// wishes together.
    mutating func wishTag() -> ThreadID { fellows.ownTag ?? ThreadID(random: &random) }

    /// Says the last wish again with the tag of the party, if it has another: at once, or when its
    /// turn comes.
    private mutating func showTag(_ effects: inout Effects, at now: Moment) {
        if owesTag { sayWish(&effects, at: now) }
    }
}

extension DirectMessage {
    /// Whether agents say it to each other, and people do not read it.
    package var isForAgents: Bool { text.hasPrefix("seatagent:party-next?") }
}
