// SPDX-License-Identifier: Apache-2.0
/// Circuits through a third agent: opened when a link is needed and cannot be made
/// directly, and carried for others.
extension Node {
    /// Opens a circuit to each needed passenger who was not reached after a while, through a peer
    /// who is linked with them.
    mutating func detour(_ needed: [PeerKey], _ effects: inout Effects, at now: Moment) {
        needs = needs.filter { need in needed.contains(need.peer) && !isLinked(need.peer) }
        for peer in needed
        where !isLinked(peer) && !needs.contains(where: { $0.peer == peer }) {
            needs.append(Need(peer: peer, since: now.instant, tried: []))
        }
        for index in needs.indices {
            let need = needs[index]
            guard !circuits.leads(to: need.peer),
                need.since + Limits.relayAfter <= now.instant || !dialer.mayReach(need.peer)
            else { continue }
            let ways = relayLinks.filter { book.relays(to: need.peer).contains($0.peer) }
            let fresh = ways.filter { !need.tried.contains($0.peer) }
            guard let way = fresh.randomElement(using: &random) else {
                // All were tried: once more, not at once.
                if !need.tried.isEmpty {
                    needs[index].tried = []
                    needs[index].since = now.instant
                }
                continue
            }
            needs[index].tried.append(way.peer)
            let output = circuits.open(
                to: need.peer, on: way.id, relay: way.peer, number: freeNumber(on: way.id),
                at: now.instant)
            carryOut(output, &effects, at: now)
        }
    }

    /// A relay message came on a link.
    mutating func relay(
        _ message: RelayMessage, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let link = peers.first(where: { $0.id == id }) else { return }
        // A circuit within a circuit would hide who carries what.
        guard link.relay == nil else { return fault(id, &effects, at: now) }
        if case .open(let number, let key, let isIncoming) = message {
            // Who opens chooses: odd numbers belong to the TLS client, even ones to its server.
            let isTheirs = (number % 2 == 1) == (link.facts.role == .responder)
            guard isTheirs, !relays.holds(number, on: id), !circuits.holds(number, on: id) else {
                return fault(id, &effects, at: now)
            }
            let output: Circuits.Output
            if isIncoming {
                let isWelcome = key != me && !people.blocked.contains(key)
                output = circuits.incoming(
                    number, from: key, on: id, relay: link.facts.peer, isWelcome: isWelcome,
                    at: now.instant)
            } else {
                let far = relayLinks.first { $0.peer == key && $0.id != id }
                output = relays.open(
                    number, by: link.facts.peer, on: id, to: far,
                    farNumber: far.map { freeNumber(on: $0.id) } ?? 0, at: now.instant)
            }
            return carryOut(output, &effects, at: now)
        }
        let output =
            circuits.holds(message.circuit, on: id)
            ? circuits.take(message, on: id)
            : relays.take(message, on: id, links: relayLinks, at: now.instant)
        carryOut(output, &effects, at: now)
    }

    /// The shell's side of a circuit of ours has bytes, or is over.
    mutating func circuit(_ event: NodeEvent, _ effects: inout Effects, at now: Moment) {
        switch event {
        case .sealed(let id, let bytes):
            carryOut(circuits.sealed(id, bytes), &effects, at: now)
        case .circuitEnded(let id): carryOut(circuits.closed(id), &effects, at: now)
        case .started, .connected, .received, .drained, .ended, .dialFailed, .found, .lost,
            .labelled, .typed, .networks, .intent, .stopping, .tick:
            break
        }
    }

    /// A link is gone, and with it what went through it.
    mutating func unrelay(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        carryOut(circuits.unlinked(id), &effects, at: now)
        carryOut(relays.unlinked(id), &effects, at: now)
    }

    mutating func tickRelays(_ effects: inout Effects, at now: Moment) {
        carryOut(circuits.tick(at: now.instant), &effects, at: now)
        carryOut(relays.tick(at: now.instant), &effects, at: now)
    }

    private mutating func carryOut(
        _ output: Circuits.Output, _ effects: inout Effects, at now: Moment
    ) {
        effects.circuits += output.orders
        for (link, message) in output.messages {
            session(link, .send(.relay(message)), &effects, at: now)
        }
        for link in output.faults { fault(link, &effects, at: now) }
        if !output.orders.isEmpty { isOverlayStale = true }
    }

    private mutating func fault(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        session(id, .close(.unexpected, ""), &effects, at: now)
    }

    /// Direct links: only these carry.
    private var relayLinks: [Relay.Link] {
        peers.filter { $0.isOpen && $0.relay == nil }.map {
            Relay.Link(id: $0.id, peer: $0.facts.peer, room: $0.session.bulkRoom)
        }
    }

    /// A number for a circuit that we open on this link.
    private mutating func freeNumber(on id: LinkID) -> Int {
        guard let index = peers.place(of: id) else { return 0 }
        peers[index].circuits += 2
        return peers[index].circuits + (peers[index].facts.role == .initiator ? 1 : 0)
    }
}

/// A passenger with whom a session is needed and missing.
struct Need: Hashable, Sendable {
    let peer: PeerKey
    var since: Instant
    /// Relays asked in vain.
    var tried: [PeerKey]
}
