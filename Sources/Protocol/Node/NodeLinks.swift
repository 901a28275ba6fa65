// SPDX-License-Identifier: Apache-2.0
/// Connections in the core: sessions, duplicates, whom to dial.
extension Node {
    mutating func connected(
        _ id: LinkID, _ facts: LinkFacts, _ effects: inout Effects, at now: Moment
    ) {
        if let dial = facts.dial { dialer.reached(dial, facts.peer) }
        var relay: PeerKey?
        if let circuit = facts.circuit {
            // Who carries a circuit says who is at its end; the handshake alone shows it.
            guard let ends = circuits.facts(circuit), ends.peer == facts.peer else {
                effects.closes.append(id)
                return
            }
            relay = ends.relay
        }
        guard !people.blocked.contains(facts.peer) else { return ignore(id, facts, at: now) }
        lastConnection += 1
        let isOnDemand =
            facts.role == .initiator && (relay != nil || overlay.shape == .partial)
            && neededPeers.contains(facts.peer)
        let config = SessionConfig(
            me: me, boot: boot, connection: lastConnection, port: setup.port,
            flights: setup.flightKeys, primitives: setup.primitives, isOnDemand: isOnDemand)
        let link = NodeLink(
            id: id, facts: facts, connection: lastConnection,
            session: Session(
                config, role: facts.role, peer: facts.peer, exporter: facts.exporter,
                at: now.instant),
            openedAt: now.instant, isOnDemand: isOnDemand, relay: relay, usedAt: now.instant,
            exchangeAt: now.instant)
        // By an eighth, not to twice the room: a link is most of a kilobyte.
        if peers.count == peers.capacity {
            peers.reserveCapacity(peers.count + peers.count / 8 + 2)
        }
        peers.append(link)
        records.handle(
            .connected(id, facts.peer, isRelayed: relay != nil), at: now.instant)
        suggest(.connected(id), &effects, at: now)
        if penalties.bars(facts.peer, host: facts.remote.host, at: now.instant) {
            session(id, .close(.resting, ""), &effects, at: now)
        } else if peers.count + ignored.count > Limits.connections {
            session(id, .close(.full, ""), &effects, at: now)
        } else {
            session(id, .started, &effects, at: now)
        }
    }

    mutating func ended(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        ignored.removeAll { $0.id == id }
        guard let index = peers.place(of: id) else { return }
        let link = peers.remove(at: index)
        gone(link, &effects, at: now)
    }

    /// A link is closed on our side already, or the connection ended.
    mutating func gone(_ link: NodeLink, _ effects: inout Effects, at now: Moment) {
        let peer = link.facts.peer
        records.handle(.ended(link.id), at: now.instant)
        suggest(.ended(link.id), &effects, at: now)
        unrelay(link.id, &effects, at: now)
        if link.isOpen {
            linksChanged(at: now.instant)
            noteReached(link, at: now.instant)
        } else if link.facts.role == .initiator {
            // One fewer whose session opens: another one may be dialled.
            isOverlayStale = true
        }
        guard !isLinked(peer) else {
            if link.isOpen { repeatAll(to: peer, &effects, at: now) }
            return
        }
        book.unlinked(peer)
        dialer.unlinked(peer, random: &random, at: now.instant)
        guard link.isOpen else { return }
        tellLeft(&effects, at: now)
        negotiate(.unlinked(peer), &effects, at: now)
        verify(.unlinked(peer), &effects, at: now)
    }

    /// Gives a session one event and carries out what it asks for.
    mutating func session(
        _ id: LinkID, _ event: SessionEvent, _ effects: inout Effects, at now: Moment
    ) {
        guard let index = peers.place(of: id) else { return }
        let result = peers[index].session.handle(event, at: now.instant)
        if !result.bytes.isEmpty {
            effects.sends.append(Effects.Transmission(link: id, bytes: result.bytes))
        }
        if let held = result.hold { effects.holds.append(Effects.Hold(link: id, held: held)) }
        if result.droppedPush {
            records.handle(.dropped(id), at: now.instant)
            suggest(.dropped(id), &effects, at: now)
        }
        if let facts = result.opened { opened(id, facts, &effects, at: now) }
        for message in result.messages { route(message, from: id, &effects, at: now) }
        if let end = result.closed { closed(id, end, &effects, at: now) }
    }

    private mutating func closed(
        _ id: LinkID, _ end: SessionEnd, _ effects: inout Effects, at now: Moment
    ) {
        guard let index = peers.place(of: id) else { return }
        let link = peers.remove(at: index)
        effects.closes.append(id)
        let peer = link.facts.peer
        if end.isFault { penalties.add(peer, host: link.facts.remote.host, at: now.instant) }
        switch CloseCode(rawValue: end.code) {
        case .otherFoldVersion:
            if !otherVersions.contains(peer), otherVersions.count < Limits.authors {
                otherVersions = (otherVersions + [peer]).sorted()
            }
            warn(.otherVersion(peer), about: peer, &effects)
        case .noCommonFlight: warn(.otherFlight(link.facts.remote), about: peer, &effects)
        case .some, nil: break
        }
        gone(link, &effects, at: now)
    }

    /// Reports a trouble with a peer once, although they are met again and again.
    private mutating func warn(
        _ trouble: Trouble, about peer: PeerKey, _ effects: inout Effects
    ) {
        guard !warned.contains(peer), warned.count < Limits.authors else { return }
        warned.append(peer)
        effects.notices.append(.trouble(trouble))
    }

    /// The peer is on this flight by another number: entries name one flight, so that nothing can
    /// be exchanged. People are told which number others use.
    private mutating func shares(
        _ alias: Int?, with id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let index = peers.place(of: id) else { return }
        let peer = peers[index].facts.peer
        let name = alias.flatMap { place in
            setup.aliases.indices.contains(place - 1) ? setup.aliases[place - 1] : nil
        }
        warn(.aliasOnly(peer, name), about: peer, &effects)
        session(id, .close(.noCommonFlight, ""), &effects, at: now)
    }

    private mutating func opened(
        _ id: LinkID, _ facts: SessionFacts, _ effects: inout Effects, at now: Moment
    ) {
        guard let index = peers.place(of: id) else { return }
        let peer = peers[index].facts.peer
        guard facts.sameFlight else { return shares(facts.alias, with: id, &effects, at: now) }
        let wasLinked = isLinked(peer)
        peers[index].hello = facts.hello
        // Looked at before; a link lasts for hours.
        peers[index].hello?.proofs = []
        peers[index].isOpen = true
        peers[index].openedAt = now.instant
        peers[index].usedAt = now.instant
        if facts.hello.features & Hello.onDemand != 0 { peers[index].isOnDemand = true }
        effects.proven.append(id)
        records.handle(.opened(id), at: now.instant)
        guard admit(id, &effects, at: now) else { return }
        records.handle(.admitted(id), at: now.instant)
        linksChanged(at: now.instant)
        settleDuplicates(of: peer, newest: id, &effects, at: now)
        if let link = peers.first(where: { $0.id == id }), link.relay == nil {
            dialer.linked(peer, at: link.listens, now: now.instant)
            noteReached(link, at: now.instant)
        }
        suggest(.opened(id), &effects, at: now)
        guard !wasLinked else { return }
        if !present.contains(peer) {
            present = (present + [peer]).sorted()
            awaySince[peer] = nil
            effects.notices.append(.aboard(peer))
        }
        repeatAll(to: peer, &effects, at: now)
        verifyLinked(peer, &effects, at: now)
    }

    /// Repeats what `peer` must not miss: on a new link, and when one of two ended, because what
    /// was under way may be lost. Everything repeated here is idempotent.
    private mutating func repeatAll(
        to peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) {
        talk(.linked(peer), &effects, at: now)
        records.handle(.unsure(peer), at: now.instant)
        negotiate(.linked(peer), &effects, at: now)
    }

    /// Notes an address that this agent dialled itself, which it may tell others.
    private mutating func noteReached(_ link: NodeLink, at now: Instant) {
        guard link.facts.role == .initiator, link.relay == nil else { return }
        book.reached(link.facts.peer, at: link.facts.remote, now: now)
    }

    /// Closes one of two links to one peer; both sides choose the same one
    /// (docs/protocol.md section 7).
    private mutating func settleDuplicates(
        of peer: PeerKey, newest: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let new = peers.first(where: { $0.id == newest }), let newHello = new.hello else {
            return
        }
        for old in peers where old.id != newest && old.isOpen && old.facts.peer == peer {
            guard let oldHello = old.hello else { continue }
            // A direct link is better than one through others, whoever made it.
            guard (old.relay == nil) == (new.relay == nil) else {
                let worse = old.relay == nil ? newest : old.id
                session(worse, .close(.duplicate, ""), &effects, at: now)
                continue
            }
            let verdict = claim(old, oldHello).verdict(
                newer: claim(new, newHello), me: me, own: old.connection,
                ownNewer: new.connection)
            switch verdict {
            case .keepNew: session(old.id, .close(.duplicate, ""), &effects, at: now)
            case .keepOld: session(newest, .close(.duplicate, ""), &effects, at: now)
            case .otherBoot:
                // Started anew, or two processes: both must answer. Meanwhile both stay.
                guard !bootWatches.contains(where: { $0.old == old.id }) else { continue }
                bootWatches.append(
                    BootWatch(
                        old: old.id, new: newest, until: now.instant + Limits.probeTime))
                session(old.id, .probe, &effects, at: now)
                session(newest, .probe, &effects, at: now)
                repeatAll(to: peer, &effects, at: now)
            }
        }
    }

    /// After the probe time, ends the connection of the process that did not answer, of two with
    /// one key. If both answered, reports that the key runs twice. If one has ended, does nothing.
    mutating func judgeBoots(_ effects: inout Effects, at now: Moment) {
        let due = bootWatches.filter { $0.until <= now.instant }
        bootWatches.removeAll { $0.until <= now.instant }
        for watch in due {
            guard let old = peers.place(of: watch.old), let new = peers.place(of: watch.new)
            else { continue }
            let peer = peers[old].facts.peer
            switch (peers[old].session.isAnswered, peers[new].session.isAnswered) {
            case (true, true):
                warn(.runsTwice(peer), about: peer, &effects)
                session(watch.old, .close(.keyRunsTwice, ""), &effects, at: now)
            case (true, false): session(watch.new, .close(.duplicate, ""), &effects, at: now)
            case (false, _): session(watch.old, .close(.duplicate, ""), &effects, at: now)
            }
        }
    }

    private func claim(_ link: NodeLink, _ hello: Hello) -> ConnectionClaim {
        ConnectionClaim(
            initiator: link.facts.role == .initiator ? me : link.facts.peer,
            connection: hello.connection, boot: hello.boot)
    }

    // MARK: Sending

    /// Sends to `peer` on their newest open link; nothing happens when there is none.
    mutating func send(
        _ message: Message, to peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) {
        let place = peers.lastIndex { $0.isOpen && $0.facts.peer == peer }
        guard let place else { return }
        peers[place].usedAt = now.instant
        session(peers[place].id, .send(message), &effects, at: now)
    }

    // MARK: Seeking

    /// Whom to dial, after what mDNS, the user or a dial told.
    mutating func seek(_ event: NodeEvent, at now: Moment) {
        switch event {
        case .found(let label, let addresses):
            dialer.found(label, addresses, random: &random, at: now.instant)
        case .lost(let label): dialer.lost(label)
        case .labelled(let label): dialer.labelled(label)
        case .typed(let address): dialer.typed(address, at: now.instant)
        case .networks(let networks): dialer.networks = networks
        case .dialFailed(let dial): dialer.failed(dial, random: &random, at: now.instant)
        case .started, .connected, .received, .drained, .ended, .intent, .stopping, .tick,
            .sealed, .circuitEnded:
            break
        }
        // Dialled when the overlay knows how many there are.
        isOverlayStale = true
    }
}
