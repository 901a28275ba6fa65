// SPDX-License-Identifier: Apache-2.0
/// Blocking in the core: to blocked passengers the network seems to fail, and nothing says why
/// (docs/protocol.md section 4).
///
/// Their connections stay open and mute: no frame, no answer, and no end that differs from a laptop
/// that went to sleep. Their own agent gives up, after 5 s without an open session and after 45 s
/// with one; this one waits longer than that.
extension Node {
    mutating func block(
        _ peer: PeerKey, _ blocked: Bool, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        if let refusal = people.block(peer, blocked) { return .failure(refusal) }
        if blocked {
            abandon(peer, &effects, at: now)
            forgetRequests(of: peer, &effects, at: now)
        } else {
            mesh.unblocked(peer, random: &random, at: now.instant)
        }
        mesh.shun(people.blocked)
        suggested.votersChanged()
        effects.writes.append(.block(peer, blocked))
        seeAgain(&effects, at: now)
        // What they claim weighs less now, or as much as before.
        effects.notices.append(.map)
        return .success(.done)
    }

    /// Words of blocked passengers are not shown; what becomes of seats is.
    func isHidden(_ notice: Notice) -> Bool { people.hides(notice) }

    /// The same for a line of the history.
    func isHidden(_ item: TimelineItem) -> Bool { people.hides(item) }

    /// From now on the links of `peer` are mute.
    private mutating func abandon(
        _ peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) {
        let links = peers.forget(peer)
        // None of them carries anything more, whatever the end of the first one causes.
        for link in links {
            records.handle(.ended(link.id), at: now.instant)
            suggest(.ended(link.id), &effects, at: now)
            stay(.ended(link.id), &effects, at: now)
        }
        for link in links {
            peers.mute(link, at: now.instant)
            gone(link, &effects, at: now)
        }
    }

    /// What is open with `peer` and binds nobody is over here; they are not told.
    private mutating func forgetRequests(
        of peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) {
        for record in swaps.records
        where !record.stage.isOver && record.contract.parties.contains(peer) {
            switch record.role {
            case .participant where record.contract.coordinator != peer:
                // The own yes would end in a signed no, which tells all of them who is blocked.
                if record.stage == .ready {
                    negotiate(.cancel(record.number), &effects, at: now)
                }
            // An own counter-offer is taken back, not answered.
            case .asked where record.stage == .offered:
                negotiate(.cancel(record.number), &effects, at: now)
            case .participant, .asked:
                negotiate(.decline(record.number, note: ""), &effects, at: now)
            case .asker where record.stage != .asking:
                negotiate(.decline(record.number, note: ""), &effects, at: now)
            case .coordinator, .asker: negotiate(.cancel(record.number), &effects, at: now)
            }
        }
    }
}
