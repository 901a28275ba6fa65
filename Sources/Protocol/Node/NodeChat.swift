// SPDX-License-Identifier: Apache-2.0
/// What passengers say, in the core (``Talk``).
extension Node {
    mutating func talk(_ event: Talk.Event, _ effects: inout Effects, at now: Moment) {
        carryOut(talk.handle(event, at: now), &effects, at: now)
    }

    /// A direct message of the user.
    mutating func send(
        _ text: String, to peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        var asked = PartEffects()
        let result = talk.write(
            text, to: peer, isLinked: isLinked(peer), &asked, random: &random, at: now)
        carryOut(asked, &effects, at: now)
        return result
    }

    /// A direct message came.
    mutating func take(
        _ message: ThreadID, _ text: String, from peer: PeerKey, _ effects: inout Effects,
        at now: Moment
    ) {
        guard !people.blocked.contains(peer) else { return }
        weigh(at: now.instant)
        // Whoever has no log here has no share of their own: their number has no end.
        let hasBase = records.logs.log(of: peer) != nil
        talk(.received(message, text, from: peer, hasBase: hasBase), &effects, at: now)
        tellParty(text, from: peer, &effects, at: now)
    }

    /// Reports new lines once no more are on their way, or they have waited long enough.
    mutating func tellChat(_ effects: inout Effects, at now: Moment) {
        // Asked only where it matters: it is a look at all links.
        let isCatchingUp = talk.history.waitingLines > 0 && records.isCatchingUp
        let told = talk.tell(at: now.instant, isCatchingUp: isCatchingUp)
        for notice in told where !people.hides(notice) { effects.notices.append(notice) }
    }
}
