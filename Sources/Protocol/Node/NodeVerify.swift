// SPDX-License-Identifier: Apache-2.0
/// Verification by voice in the core, and what is known of who somebody is (docs/protocol.md
/// section 25).
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

    /// The user's word on the codes, or their wish to stop.
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
            // With every claim that is known: one that was only not folded yet would make it void.
            freshen(&effects, at: now)
            let known = VerifiedPeer(
                key: peer, name: history.name(of: peer), seats: seatsClaimed(by: peer), at: now.utc)
            verified.removeAll { $0.key == peer }
            verified.append(known)
            verified.sort { $0.key < $1.key }
            effects.writes.append(.verified(known))
            effects.notices.append(.map)
        }
        // Only what changed something: a tick without an outcome must not cause the next one.
        if !output.sends.isEmpty || !output.notices.isEmpty { isOverlayStale = true }
    }

    /// Forgets what was verified of passengers who took another name or claimed anew. A contract
    /// that moves their seat is no news of who they are.
    mutating func judgeVerified(_ effects: inout Effects) {
        for known in verified
        where known.name != history.name(of: known.key)
            || known.seats.sorted() != seatsClaimed(by: known.key)
        {
            verified.removeAll { $0.key == known.key }
            effects.writes.append(.unverified(known.key))
            effects.notices.append(.unverified(known))
            effects.notices.append(.map)
        }
    }

    /// The seats of all claims that somebody made, also of those taken back since: sorted, and as
    /// often as they were claimed.
    private func seatsClaimed(by key: PeerKey) -> [Seat] {
        fold.tokens.filter { $0.author == key }.map(\.seat).sorted()
    }

    /// Seats that somebody claims now, whoever holds the claim, sorted, each once.
    private func seatsNamed(by key: PeerKey) -> [Seat] {
        fold.tokens.filter { $0.author == key && !$0.ended }.map(\.seat).sortedOnce(by: <)
    }

    /// Tells everybody that a passenger whom the user verified sits where they say: for the seats
    /// that they claimed, for it is claims that are weighed.
    mutating func vouch(
        _ peer: PeerKey, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard verified.contains(where: { $0.key == peer }) else {
            return .failure(.notVerified(peer))
        }
        let told = history.vouches(of: me, for: peer)
        let seats = seatsNamed(by: peer).filter { !told.contains($0) }
        guard !seats.isEmpty else { return .failure(.alreadySo) }
        for seat in seats {
            guard append(.vouch(peer, seat), &effects, at: now) != nil else {
                return .failure(gate.isOpen ? .logFull : .logClosed)
            }
        }
        return .success(.done)
    }

    /// What this user knows of people. A verified passenger's vouches count until they fork or are
    /// blocked, and never for themselves.
    package var trust: Trust {
        var named: [(key: PeerKey, seat: Seat, by: PeerKey)] = []
        for known in verified
        where !fold.isForked(known.key) && !blockedKeys.contains(known.key) {
            for (key, seats) in history.vouches(of: known.key) where key != known.key {
                named += seats.sortedOnce(by: <).map { (key, $0, known.key) }
            }
        }
        named.sort { ($0.key, $0.seat, $0.by) < ($1.key, $1.seat, $1.by) }
        var vouches: [Trust.Vouch] = []
        for one in named {
            let isSame = vouches.last.map { $0.key == one.key && $0.seat == one.seat } ?? false
            let count = isSame ? (vouches.popLast()?.count ?? 0) + 1 : 1
            vouches.append(Trust.Vouch(key: one.key, seat: one.seat, count: count))
        }
        return Trust(
            me: me, verified: verified.map(\.key), party: setup.party, blocked: blockedKeys,
            vouches: vouches)
    }

    /// What stands behind somebody: at best, over the seats that they claim.
    package func assurance(of key: PeerKey) -> Assurance { assurance(of: key, trust) }

    func assurance(of key: PeerKey, _ trust: Trust) -> Assurance {
        trust.assurance(of: key, in: trust.vouches.isEmpty ? [] : seatsNamed(by: key))
    }

    /// When this agent first heard of a claim: people read it, and nothing is decided by it,
    /// for a liar can be early.
    package func heard(_ token: Token) -> UTCTime? { history.heard(token) }
}

/// A passenger whom the user verified, as they were then: another name or
/// another claim makes it void.
public struct VerifiedPeer: Hashable, Sendable {
    /// Who.
    public var key: PeerKey
    /// The name at that time. Hostile text.
    public var name: String
    /// The seats of all claims made until then, sorted, as often as they were claimed. Rows of
    /// earlier programs have the seats held: for whoever had not swapped these are the same, and
    /// for others the verification is void and has to be made again.
    public var seats: [Seat]
    /// When.
    public var at: UTCTime

    /// A passenger who had this name and these seats when the user verified them.
    public init(key: PeerKey, name: String, seats: [Seat], at: UTCTime) {
        self.key = key
        self.name = name
        self.seats = seats
        self.at = at
    }
}
