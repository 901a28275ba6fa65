// SPDX-License-Identifier: Apache-2.0
/// Connections in the core: sessions, duplicates, whom to dial.
extension Node {
    mutating func connected(
        _ id: LinkID, _ facts: LinkFacts, _ effects: inout Effects, at now: Moment
    ) {
        guard !isStopping else { return effects.closes.append(id) }
        if let dial = facts.dial { mesh.reached(dial, facts.peer) }
        var relay: PeerKey?
        if let circuit = facts.circuit {
            // Who carries a circuit says who is at its end; the handshake alone shows it.
            guard let ends = detours.circuits.facts(circuit), ends.peer == facts.peer else {
                effects.closes.append(id)
                return
            }
            relay = ends.relay
        }
        guard !people.blocked.contains(facts.peer) else {
            return peers.ignore(id, at: now.instant)
        }
        let isOnDemand =
            facts.role == .initiator && (relay != nil || facts.isTunnel || mesh.shape == .partial)
            && neededPeers(at: now).contains(facts.peer)
        let first = peers.add(
            id, facts, relay: relay, isOnDemand: isOnDemand, at: now.instant)
        let isRelayed = relay != nil || facts.isTunnel
        records.handle(.connected(id, facts.peer, isRelayed: isRelayed), at: now.instant)
        suggest(.connected(id), &effects, at: now)
        stay(.connected(id, facts.peer), &effects, at: now)
        ask(.connected(id, facts.peer), &effects, at: now)
        session(id, first, &effects, at: now)
    }

    mutating func ended(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        if let link = peers.remove(id) { gone(link, &effects, at: now) }
    }

    /// A link is closed on our side already, or the connection ended.
    mutating func gone(_ link: NodeLink, _ effects: inout Effects, at now: Moment) {
        let peer = link.facts.peer
        records.handle(.ended(link.id), at: now.instant)
        suggest(.ended(link.id), &effects, at: now)
        stay(.ended(link.id), &effects, at: now)
        ask(.ended(link.id), &effects, at: now)
        unrelay(link.id, &effects, at: now)
        if link.isOpen {
            if link.way == .direct { mesh.parted(peer, at: now.instant) }
            linksChanged(at: now.instant)
            mesh.noteReached(link, at: now.instant)
        } else if link.facts.role == .initiator {
            // One fewer whose session opens: another one may be dialled.
            mesh.becomeStale()
        }
        guard !isLinked(peer) else {
            if link.isOpen { repeatAll(to: peer, &effects, at: now) }
            return
        }
        mesh.unlinked(peer, random: &random, at: now.instant)
        guard link.isOpen else { return }
        tellLeft(&effects, at: now)
        negotiate(.unlinked(peer), &effects, at: now)
        verify(.unlinked(peer), &effects, at: now)
    }

    /// Gives a session one event and carries out what it asks for.
    mutating func session(
        _ id: LinkID, _ event: SessionEvent, _ effects: inout Effects, at now: Moment
    ) {
        guard let result = peers.handle(id, event, at: now.instant) else { return }
        if !result.bytes.isEmpty {
            effects.sends.append(Effects.Transmission(link: id, bytes: result.bytes))
        }
        if let held = result.hold { effects.holds.append(Effects.Hold(link: id, held: held)) }
        if result.droppedPush {
            records.handle(.dropped(id), at: now.instant)
            suggest(.dropped(id), &effects, at: now)
            stay(.dropped(id), &effects, at: now)
            ask(.dropped(id), &effects, at: now)
        }
        if result.leftOut {
            stay(.leftOut(id), &effects, at: now)
            ask(.leftOut(id), &effects, at: now)
        }
        if let facts = result.opened { opened(id, facts, &effects, at: now) }
        for message in result.messages { route(message, from: id, &effects, at: now) }
        if let end = result.closed { closed(id, end, &effects, at: now) }
    }

    private mutating func closed(
        _ id: LinkID, _ end: SessionEnd, _ effects: inout Effects, at now: Moment
    ) {
        guard let link = peers.remove(id) else { return }
        effects.closes.append(id)
        let peer = link.facts.peer
        if end.isFault { peers.blame(link, at: now.instant) }
        switch CloseCode(rawValue: end.code) {
        case .otherFoldVersion:
            peers.noteOtherVersion(peer)
            warn(.otherVersion(peer), about: peer, &effects)
        case .noCommonFlight: warn(.otherFlight(link.facts.remote), about: peer, &effects)
        case .notNeeded, .full: mesh.gaveUp(peer, at: now.instant)
        case .some, nil: break
        }
        gone(link, &effects, at: now)
    }

    /// Reports a trouble with a peer once, although they are met again and again.
    private mutating func warn(
        _ trouble: Trouble, about peer: PeerKey, _ effects: inout Effects
    ) {
        if peers.warns(about: peer) { effects.notices.append(.trouble(trouble)) }
    }

    /// The peer is on this flight by another number: entries name one flight, so that nothing can
    /// be exchanged. People are told which number others use.
    private mutating func shares(
        _ alias: Int?, with id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let index = peers.all.place(of: id) else { return }
        let peer = peers.all[index].facts.peer
        let name = alias.flatMap { place in
            setup.aliases.indices.contains(place - 1) ? setup.aliases[place - 1] : nil
        }
        warn(.aliasOnly(peer, name), about: peer, &effects)
        session(id, .close(.noCommonFlight, ""), &effects, at: now)
    }

    private mutating func opened(
        _ id: LinkID, _ facts: SessionFacts, _ effects: inout Effects, at now: Moment
    ) {
        guard let index = peers.all.place(of: id) else { return }
        let peer = peers.all[index].facts.peer
        guard facts.sameFlight else { return shares(facts.alias, with: id, &effects, at: now) }
        let wasLinked = isLinked(peer)
        peers.opened(id, facts.hello, at: now.instant)
        effects.proven.append(id)
        let readsSummaries = facts.hello.features & Hello.changes != 0
        records.handle(.opened(id, readsSummaries: readsSummaries), at: now.instant)
        guard admit(id, &effects, at: now) else { return }
        records.handle(.admitted(id), at: now.instant)
        linksChanged(at: now.instant)
        settleDuplicates(of: peer, newest: id, &effects, at: now)
        if let link = peers.all.first(where: { $0.id == id }), link.way == .direct {
            mesh.linked(link, at: now.instant)
        }
        suggest(.opened(id), &effects, at: now)
        openedVenue(id, &effects, at: now)
        guard !wasLinked else { return }
        if mesh.cameAboard(peer) { effects.notices.append(.aboard(peer)) }
        repeatAll(to: peer, &effects, at: now)
        verifyLinked(peer, &effects, at: now)
    }

    /// Repeats what `peer` must not miss: on a new link, and when one of two ended, because what
    /// was under way may be lost. Everything repeated here is idempotent.
    private mutating func repeatAll(
        to peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) {
        standing.forget(peer)
        talk(.linked(peer), &effects, at: now)
        sendForms(to: peer, &effects, at: now)
        records.handle(.unsure(peer), at: now.instant)
        negotiate(.linked(peer), &effects, at: now)
    }

    /// Closes one of two links to one peer; both sides choose the same one
    /// (docs/protocol.md section 7).
    private mutating func settleDuplicates(
        of peer: PeerKey, newest: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let place = peers.all.place(of: newest) else { return }
        let new = peers.all[place]
        for old in peers.all where old.id != newest && old.isOpen && old.facts.peer == peer {
            switch peers.verdict(old: old, new: new) {
            case .keepNew: session(old.id, .close(.duplicate, ""), &effects, at: now)
            case .keepOld: session(newest, .close(.duplicate, ""), &effects, at: now)
            case .otherBoot:
                // Started anew, or two processes: both must answer. Meanwhile both stay.
                guard peers.watch(old: old.id, new: newest, at: now.instant) else { continue }
                session(old.id, .probe, &effects, at: now)
                session(newest, .probe, &effects, at: now)
                repeatAll(to: peer, &effects, at: now)
            case nil: continue
            }
        }
    }

    /// After the probe time, ends the connection of the process that did not answer, of two with
    /// one key. If both answered, reports that the key runs twice. If one has ended, does nothing.
    mutating func judgeBoots(_ effects: inout Effects, at now: Moment) {
        for watch in peers.takeWatches(at: now.instant) {
            guard let answers = peers.answers(watch) else { continue }
            switch (answers.old, answers.new) {
            case (true, true):
                warn(.runsTwice(answers.peer), about: answers.peer, &effects)
                session(watch.old, .close(.keyRunsTwice, ""), &effects, at: now)
            case (true, false): session(watch.new, .close(.duplicate, ""), &effects, at: now)
            case (false, _): session(watch.old, .close(.duplicate, ""), &effects, at: now)
            }
        }
    }

    // MARK: Sending

    /// Sends to `peer` on their newest open link; nothing happens when there is none.
    mutating func send(
        _ message: Message, to peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) {
        guard let link = peers.use(to: peer, at: now.instant) else { return }
        session(link, .send(message), &effects, at: now)
    }
}
