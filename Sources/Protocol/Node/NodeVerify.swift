/// Verification by voice in the core, and what is known of who somebody is (protocol.md 2.1, 2.4, 3.4).
extension Node {
    /// Passengers with whom a session is needed for a verification.
    var verificationNeeds: [PeerKey] {
        verification.isWanted ? verification.peer.map { [$0] } ?? [] : []
    }

    /// Where the verification by voice stands.
    package var verificationState: Verification.State { verification.state }

    mutating func verify(
        _ peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard peer != me, passenger(peer) != nil else { return .failure(.unknownPassenger) }
        guard !blockedKeys.contains(peer) else { return .failure(.swap(.blocked(peer))) }
        guard !verification.rests(peer, at: now.instant) else { return .failure(.verifyRests) }
        if let other = verification.peer, other != peer { return .failure(.verifyBusy(other)) }
        if case .asked = verification.state {
            carryOut(verification.agree(), &effects, at: now)
            return .success(.done)
        }
        verify(.wish(peer), &effects, at: now)
        isOverlayStale = true
        verifyLinked(peer, &effects, at: now)
        return .success(.done)
    }

    /// The user's word on the codes, or his wish to stop.
    mutating func verifyAnswer(
        _ event: Verification.Event, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        if case .compared = event {
            guard case .comparing(_, _, false, _) = verification.state else {
                return .failure(.nothingToCompare)
            }
        } else if verification.peer == nil {
            return .failure(.nothingToCompare)
        }
        verify(event, &effects, at: now)
        return .success(.done)
    }

    /// A session with `peer` is open: a wish that waits for it begins.
    mutating func verifyLinked(_ peer: PeerKey, _ effects: inout Effects, at now: Moment) {
        guard let link = peers.last(where: { $0.isOpen && $0.facts.peer == peer }) else { return }
        verify(.linked(peer, exporter: link.facts.exporter), &effects, at: now)
    }

    mutating func verify(
        _ event: Verification.Event, _ effects: inout Effects, at now: Moment
    ) {
        carryOut(verification.handle(event, at: now.instant), &effects, at: now)
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
            let known = VerifiedPeer(
                key: peer, name: history.name(of: peer), seats: seats(of: peer), at: now.utc)
            verified.removeAll { $0.key == peer }
            verified.append(known)
            verified.sort { $0.key < $1.key }
            effects.writes.append(.verified(known))
        }
        // Only what changed something: a tick without an outcome must not cause the next one.
        if !output.sends.isEmpty || !output.notices.isEmpty { isOverlayStale = true }
    }

    /// Forgets what was verified of passengers who have another name or another seat now.
    mutating func judgeVerified(_ effects: inout Effects) {
        for known in verified
        where known.name != history.name(of: known.key) || known.seats != seats(of: known.key) {
            verified.removeAll { $0.key == known.key }
            effects.writes.append(.unverified(known.key))
            effects.notices.append(.unverified(known))
        }
    }

    /// Seats that somebody holds, sorted, each once.
    func seats(of key: PeerKey) -> [Seat] {
        var seats: [Seat] = []
        for token in fold.held(by: key) where seats.last != token.seat { seats.append(token.seat) }
        return seats
    }

    /// Tells everybody that a passenger whom the user verified sits where he says.
    mutating func vouch(
        _ peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard verified.contains(where: { $0.key == peer }) else {
            return .failure(.notVerified(peer))
        }
        let seats = seats(of: peer).filter { !history.vouches(of: me, for: peer).contains($0) }
        guard !seats.isEmpty else { return .failure(.alreadySo) }
        for seat in seats {
            guard append(.vouch(peer, seat), &effects, at: now) != nil else {
                return .failure(gate.isOpen ? .logFull : .logClosed)
            }
        }
        return .success(.done)
    }

    /// What stands behind somebody's claim to the seats that he holds.
    package func assurance(of key: PeerKey) -> Assurance {
        if verified.contains(where: { $0.key == key }) { return .verified }
        let seats = seats(of: key)
        let vouchers = verified.count { known in
            known.key != key && !fold.isForked(known.key)
                && history.vouches(of: known.key, for: key).contains(where: seats.contains)
        }
        return vouchers > 0 ? .vouched(vouchers) : .claimed
    }
}

/// What is known about who sits where (protocol.md 3.4). Never merged with "same key as before".
package enum Assurance: Hashable, Sendable {
    /// Anybody can claim a seat.
    case claimed
    /// So many passengers whom this user verified vouch for it.
    case vouched(Int)
    /// This user compared codes with this passenger, at this name and these seats.
    case verified
}

/// A passenger whom the user verified, as he was then: another name or seat makes it void.
package struct VerifiedPeer: Hashable, Sendable {
    /// Who.
    package var key: PeerKey
    /// The name at that time. Hostile text.
    package var name: String
    /// Seats held at that time, sorted.
    package var seats: [Seat]
    /// When.
    package var at: UTCTime

    /// All of it.
    package init(key: PeerKey, name: String, seats: [Seat], at: UTCTime) {
        self.key = key
        self.name = name
        self.seats = seats
        self.at = at
    }
}
