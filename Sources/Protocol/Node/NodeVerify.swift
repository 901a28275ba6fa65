// SPDX-License-Identifier: Apache-2.0
/// Verification by voice in the core, and what is known of who somebody is (docs/protocol.md
/// section 25).
extension Node {
    /// Where the verification by voice stands.
    package var verificationState: Verification.State { people.state }

    /// Passengers whom the user verified, sorted by key.
    public var verified: [VerifiedPeer] { people.verified }

    mutating func verify(
        _ peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard peer != me, passenger(peer) != nil else { return .failure(.unknownPassenger) }
        switch people.begin(with: peer, at: now.instant) {
        case .failure(let refusal): return .failure(refusal)
        case .success(.agreement): verify(.agree, &effects, at: now)
        case .success(.wish):
            verify(.wish(peer), &effects, at: now)
            mesh.becomeStale()
            verifyLinked(peer, &effects, at: now)
        }
        return .success(.done)
    }

    /// The user's word on the codes, or their wish to stop.
    mutating func verifyAnswer(
        _ event: Verification.Event, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        if let refusal = people.refusal(to: event) { return .failure(refusal) }
        verify(event, &effects, at: now)
        return .success(.done)
    }

    /// A session with `peer` is open: a wish that waits for it begins.
    mutating func verifyLinked(_ peer: PeerKey, _ effects: inout Effects, at now: Moment) {
        guard let link = peers.all.last(where: { $0.isOpen && $0.facts.peer == peer }) else {
            return
        }
        verify(.linked(peer, exporter: link.facts.exporter), &effects, at: now)
    }

    mutating func verify(
        _ event: Verification.Event, _ effects: inout Effects, at now: Moment
    ) {
        carryOut(people.handle(event, at: now.instant), &effects, at: now)
    }

    private mutating func carryOut(
        _ output: Verification.Output, _ effects: inout Effects, at now: Moment
    ) {
        for (peer, message) in output.sends {
            send(.verify(message), to: peer, &effects, at: now)
        }
        for (peer, notice) in output.notices {
            effects.notices.append(.verification(peer, notice))
            guard case .verified = notice else { continue }
            // With every claim that is known: one that was only not folded yet would make it void.
            freshen(&effects, at: now)
            let known = VerifiedPeer(
                key: peer, name: talk.history.name(of: peer),
                seats: folding.fold.seatsClaimed(by: peer),
                at: now.utc)
            carryOut(people.verify(known), &effects, at: now)
        }
        // Only what changed something: a tick without an outcome must not cause the next one.
        if !output.sends.isEmpty || !output.notices.isEmpty { mesh.becomeStale() }
    }

    /// Forgets what was verified of passengers who took another name or claimed anew. A contract
    /// that moves their seat is no news of who they are.
    mutating func judgeVerified(_ effects: inout Effects, at now: Moment) {
        guard !people.verified.isEmpty else { return }
        let asked = people.forget { known in
            known.name != talk.history.name(of: known.key)
                || known.seats.sorted() != folding.fold.seatsClaimed(by: known.key)
        }
        carryOut(asked, &effects, at: now)
    }

    /// Tells everybody that a passenger whom the user verified sits where they say: for the seats
    /// that they claimed, for it is claims that are weighed.
    mutating func vouch(
        _ peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard people.isVerified(peer) else {
            return .failure(.notVerified(peer))
        }
        let told = talk.history.vouches(of: me, for: peer)
        let seats = folding.fold.seatsNamed(by: peer).filter { !told.contains($0) }
        guard !seats.isEmpty else { return .failure(.alreadySo) }
        for seat in seats {
            guard append(.vouch(peer, seat), &effects, at: now) != nil else {
                return .failure(records.gate.isOpen ? .logFull : .logClosed)
            }
        }
        return .success(.done)
    }

    /// What this user knows of people.
    package var trust: Trust {
        people.trust(ownParty, talk.history) { folding.fold.isForked($0) }
    }

    /// What stands behind somebody: at best, over the seats that they claim.
    package func assurance(of key: PeerKey) -> Assurance { assurance(of: key, trust) }

    func assurance(of key: PeerKey, _ trust: Trust) -> Assurance {
        trust.assurance(of: key, in: trust.vouches.isEmpty ? [] : folding.fold.seatsNamed(by: key))
    }

    /// When this agent first heard of a claim or a booking: people read it, and nothing is decided
    /// by it, for a liar can be early.
    package func heard(_ token: Token) -> UTCTime? { talk.history.heard(token) }
}

extension SeatFold {
    /// The seats of all claims that somebody made, also of those taken back since: sorted, and as
    /// often as they were claimed.
    fileprivate func seatsClaimed(by key: PeerKey) -> [Seat] {
        tokens.filter { $0.author == key }.map(\.seat).sorted()
    }

    /// Seats that somebody claims now, whoever holds the claim, sorted, each once.
    fileprivate func seatsNamed(by key: PeerKey) -> [Seat] {
        tokens.filter { $0.author == key && !$0.ended }.map(\.seat).sortedOnce(by: <)
    }
}
