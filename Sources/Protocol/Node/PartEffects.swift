// SPDX-License-Identifier: Apache-2.0
/// What a part of the core asks for. Only ``Node`` reaches the other parts: it carries this out
/// (``Node/carryOut(_:_:at:)``).
struct PartEffects: Sendable {
    /// Rows for the transaction of this turn.
    var writes: [Write] = []
    /// What to tell people and scripts.
    var notices: [Notice] = []
    /// Events for the sessions of links, in order.
    var sessions: [(link: LinkID, event: SessionEvent)] = []
    /// Messages for passengers, on whichever link there is, in order.
    var messages: [(to: PeerKey, message: Message)] = []
    /// Other passengers than before may need a session.
    var changesNeeds = false

    /// Sends `message` on a link.
    mutating func send(_ message: Message, on link: LinkID) {
        sessions.append((link, .send(message)))
    }

    /// Sends what others say on a link, unless much of it waits there already.
    mutating func passOn(_ message: Message, ofMember isMember: Bool = false, on link: LinkID) {
        sessions.append((link, .passOn(message, ofMember: isMember)))
    }
}

extension Node {
    /// Carries out what a part asks for: rows and notices first, then sessions in their order.
    mutating func carryOut(
        _ asked: PartEffects, _ effects: inout Effects, at now: Moment
    ) {
        effects.writes += asked.writes
        effects.notices += asked.notices
        for (link, event) in asked.sessions { session(link, event, &effects, at: now) }
        for (peer, message) in asked.messages { send(message, to: peer, &effects, at: now) }
        if asked.changesNeeds { mesh.becomeStale() }
    }
}
