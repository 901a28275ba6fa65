// SPDX-License-Identifier: Apache-2.0
/// Circuits through a third agent (docs/protocol.md section 24): opened when a link is needed and
/// cannot be made directly, and carried for others.
struct Detours: Sendable {
    /// A passenger with whom a session is needed and missing.
    private struct Need: Hashable, Sendable {
        let peer: PeerKey
        var since: Instant
        /// Relays asked in vain.
        var tried: [PeerKey] = []
    }

    /// Circuits of which this agent is an end.
    private(set) var circuits = Circuits()
    private var relays = Relay()
    private var needs: [Need] = []

    /// When a circuit has waited, or been idle, for too long.
    var nextDeadline: Instant? {
        [circuits.nextDeadline, relays.nextDeadline].compactMap { $0 }.min()
    }

    /// Circuits carried for others now.
    var carried: Int { relays.count }

    /// These passengers need a session, and do not have one.
    mutating func need(_ missing: [PeerKey], at now: Instant) {
        needs = needs.filter { missing.contains($0.peer) }
        for peer in missing where !needs.contains(where: { $0.peer == peer }) {
            needs.append(Need(peer: peer, since: now))
        }
    }

    /// Where the needs stand.
    var places: Range<Int> { needs.indices }

    /// The passenger of a need to whom no circuit leads yet, if a direct link was tried long enough
    /// or cannot be tried.
    func waiting(_ place: Int, at now: Instant, mayReach: (PeerKey) -> Bool) -> PeerKey? {
        let peer = needs[place].peer
        return isOverdue(peer, at: now, mayReach: mayReach(peer)) ? peer : nil
    }

    /// Whether a session is needed with `peer`, no circuit leads there, and a direct link was tried
    /// long enough or cannot be tried.
    func isOverdue(_ peer: PeerKey, at now: Instant, mayReach: Bool) -> Bool {
        guard let need = needs.first(where: { $0.peer == peer }) else { return false }
        return !circuits.leads(to: peer) && (need.since + Limits.relayAfter <= now || !mayReach)
    }

    /// The relay that is asked next for a need, of those that say they are linked with its
    /// passenger; `nil` if none is left for now.
    mutating func way(
        _ place: Int, among ways: [Relay.Link], random: inout SeededRandom, at now: Instant
    ) -> Relay.Link? {
        let tried = needs[place].tried
        guard let way = ways.filter({ !tried.contains($0.peer) }).randomElement(using: &random)
        else {
            // All were tried: once more, not at once.
            if !tried.isEmpty {
                needs[place].tried = []
                needs[place].since = now
            }
            return nil
        }
        needs[place].tried.append(way.peer)
        return way
    }

    /// Asks a relay for a way to `peer`; `number` is free on its link.
    mutating func open(
        to peer: PeerKey, by way: Relay.Link, number: Int, at now: Instant
    ) -> Circuits.Output {
        circuits.open(to: peer, on: way.id, relay: way.peer, number: number, at: now)
    }

    /// Whether a number is taken on a link.
    func holds(_ number: Int, on id: LinkID) -> Bool {
        relays.holds(number, on: id) || circuits.holds(number, on: id)
    }

    /// Somebody wants to reach this agent through the peer of a link.
    mutating func incoming(
        _ number: Int, from key: PeerKey, on id: LinkID, relay: PeerKey, isWelcome: Bool,
        at now: Instant
    ) -> Circuits.Output {
        circuits.incoming(number, from: key, on: id, relay: relay, isWelcome: isWelcome, at: now)
    }

    /// The peer of a link wants to reach somebody who is linked with this agent on `far`.
    mutating func carry(
        _ number: Int, by peer: PeerKey, on id: LinkID, to far: Relay.Link?, farNumber: Int,
        at now: Instant
    ) -> Circuits.Output {
        relays.open(number, by: peer, on: id, to: far, farNumber: farNumber, at: now)
    }

    /// A message for a circuit that is there.
    mutating func take(
        _ message: RelayMessage, on id: LinkID, links: [Relay.Link], at now: Instant
    ) -> Circuits.Output {
        circuits.holds(message.circuit, on: id)
            ? circuits.take(message, on: id)
            : relays.take(message, on: id, links: links, at: now)
    }

    /// The shell's side of a circuit of ours has bytes.
    mutating func sealed(_ id: CircuitID, _ bytes: [UInt8]) -> Circuits.Output {
        circuits.sealed(id, bytes)
    }

    /// The shell's side of a circuit of ours is over.
    mutating func closed(_ id: CircuitID) -> Circuits.Output { circuits.closed(id) }

    /// A link is gone, and with it the circuits of ours that went through it.
    mutating func unlinked(_ id: LinkID) -> Circuits.Output { circuits.unlinked(id) }

    /// The same of circuits of others.
    mutating func uncarried(_ id: LinkID) -> Circuits.Output { relays.unlinked(id) }

    /// What is due for circuits of ours.
    mutating func tick(at now: Instant) -> Circuits.Output { circuits.tick(at: now) }

    /// The same of circuits of others.
    mutating func tickCarried(at now: Instant) -> Circuits.Output { relays.tick(at: now) }
}
