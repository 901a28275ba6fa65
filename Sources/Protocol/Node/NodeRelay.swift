// SPDX-License-Identifier: Apache-2.0
/// Circuits through a third agent: opened when a link is needed and cannot be made
/// directly, and carried for others.
extension Node {
    /// Opens a circuit to each needed passenger who was not reached after a while, through a peer
    /// who is linked with them.
    mutating func detour(_ needed: [PeerKey], _ effects: inout Effects, at now: Moment) {
        detours.need(needed.filter { !isLinked($0) }, at: now.instant)
        for place in detours.places {
            guard
                let peer = detours.waiting(
                    place, at: now.instant, mayReach: { mesh.mayReach($0) })
            else { continue }
            let ways = relayLinks.filter { mesh.relays(to: peer).contains($0.peer) }
            guard let way = detours.way(place, among: ways, random: &random, at: now.instant)
            else { continue }
            let output = detours.open(
                to: peer, by: way, number: peers.freeNumber(on: way.id), at: now.instant)
            carryOut(output, &effects, at: now)
        }
    }

    /// With whom a session is wanted now that neither a link nor a circuit leads to: they may be
    /// asked for a tunnel (docs/meet.md section 8). Sorted.
    ///
    /// Not those who are only looked for to see whether they are there.
    public func wantsTunnels(at now: Moment) -> [PeerKey] {
        let open = talk.outbox.waitingPeers + people.needs + swaps.partners(at: now.utc)
        guard !isStopping, !open.isEmpty else { return [] }
        let needed = neededPeers(at: now).filter { open.contains($0) && !isLinked($0) }
        return needed.filter {
            detours.isOverdue($0, at: now.instant, mayReach: mesh.mayReach($0))
        }
    }

    /// A relay message came on a link.
    mutating func relay(
        _ message: RelayMessage, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let link = peers.all.first(where: { $0.id == id }) else { return }
        // A circuit within a circuit would hide who carries what.
        guard link.way == .direct else { return fault(id, &effects, at: now) }
        if case .open(let number, let key, let isIncoming) = message {
            // Who opens chooses: odd numbers belong to the TLS client, even ones to its server.
            let isTheirs = (number % 2 == 1) == (link.facts.role == .responder)
            guard isTheirs, !detours.holds(number, on: id) else {
                return fault(id, &effects, at: now)
            }
            let output: Circuits.Output
            if isIncoming {
                let isWelcome = key != me && !people.blocked.contains(key)
                output = detours.incoming(
                    number, from: key, on: id, relay: link.facts.peer, isWelcome: isWelcome,
                    at: now.instant)
            } else {
                let far = relayLinks.first { $0.peer == key && $0.id != id }
                output = detours.carry(
                    number, by: link.facts.peer, on: id, to: far,
                    farNumber: far.map { peers.freeNumber(on: $0.id) } ?? 0, at: now.instant)
            }
            return carryOut(output, &effects, at: now)
        }
        let output = detours.take(message, on: id, links: relayLinks, at: now.instant)
        carryOut(output, &effects, at: now)
    }

    /// The shell's side of a circuit of ours has bytes, or is over.
    mutating func circuit(_ event: NodeEvent, _ effects: inout Effects, at now: Moment) {
        switch event {
        case .sealed(let id, let bytes):
            carryOut(detours.sealed(id, bytes), &effects, at: now)
        case .circuitEnded(let id): carryOut(detours.closed(id), &effects, at: now)
        case .started, .connected, .received, .drained, .ended, .dialFailed, .found, .lost,
            .labelled, .typed, .networks, .intent, .mailed, .lettered, .ownLength, .hours, .desk,
            .stopping, .probeOwnLog, .tick:
            break
        }
    }

    /// A link is gone, and with it what went through it.
    mutating func unrelay(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        carryOut(detours.unlinked(id), &effects, at: now)
        carryOut(detours.uncarried(id), &effects, at: now)
    }

    mutating func tickRelays(_ effects: inout Effects, at now: Moment) {
        carryOut(detours.tick(at: now.instant), &effects, at: now)
        carryOut(detours.tickCarried(at: now.instant), &effects, at: now)
    }

    private mutating func carryOut(
        _ output: Circuits.Output, _ effects: inout Effects, at now: Moment
    ) {
        effects.circuits += output.orders
        for (link, message) in output.messages {
            session(link, .send(.relay(message)), &effects, at: now)
        }
        for link in output.faults { fault(link, &effects, at: now) }
        if !output.orders.isEmpty { mesh.becomeStale() }
    }

    private mutating func fault(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        session(id, .close(.unexpected, ""), &effects, at: now)
    }

    /// Direct links: only these carry.
    private var relayLinks: [Relay.Link] {
        peers.all.filter { $0.isOpen && $0.way == .direct }.map {
            Relay.Link(id: $0.id, peer: $0.facts.peer, room: $0.session.bulkRoom)
        }
    }
}
