// SPDX-License-Identifier: Apache-2.0
/// What speaks against a yes (docs/protocol.md section 16).
public enum VoteFault: Error, Hashable, Sendable {
    /// That seat is not held by the one who gives it.
    case notHeld(Token)
    /// Its holder promised it to another swap.
    case encumbered(Token)
    /// A party, or a party of an earlier swap of a seat, forked.
    case forked(PeerKey)
    /// A party, or a party of an earlier swap of a seat, signed two things that exclude each other.
    case liar(PeerKey)
    /// Another claim to the seat stands beside the one that is given: with as much evidence or more
    /// before the user consents, with more afterwards, or made by the same passenger.
    case disputed(Token)
    /// More than their own claim stood behind whoever votes last when the user
    /// consented, and no longer does.
    case unverified(PeerKey)
    /// Its claim replaces an earlier one that may come back.
    case reminted(Token)
    /// This agent has an open yes on one of its slots.
    case busy
    /// Not what the user accepted.
    case otherContract
    /// The window is not open.
    case window
    /// A party is blocked here.
    case blocked(PeerKey)
    /// The own log has no room for the swap's entries.
    case logFull
    /// The venue does not let these two exchange that booking, or not before the desk has noted
    /// that they are of one class.
    case notAllowed(Token)
    /// The time of that booking has begun.
    case begun(Token)
    /// The user would get more or fewer minutes than they give.
    case unequal
    /// That booking is not paid for, and the user would get it.
    case unpaid(Token)
    /// The user asked the desk to end that booking, or to change it, and it may do so still.
    case asked(Token)
}

/// The checks before a yes, each a small policy with its reason.
struct VoteCheck {
    let contract: Contract
    let me: PeerKey
    let override: Bool
    /// Whether the user consented to it before, to just these holders.
    let isConsented: Bool
    /// Whether more than a claim stood behind the coordinator then.
    var wasKnown = false
    let locks: [SlotLock]

    /// The first fault; `nil` if all checks pass.
    func fault(_ context: SwapContext) -> VoteFault? {
        window(context) ?? blocked(context) ?? busy() ?? room(context) ?? held(context) ?? forked(
            context)
            ?? encumbered(context) ?? contested(context) ?? unverified(context)
            ?? context.venue?.fault(contract, me: me, override: override, context.fold)
    }

    /// The coordinator was known when the user consented and is not any more: the user was never
    /// told what may happen then.
    private func unverified(_ context: SwapContext) -> VoteFault? {
        guard wasKnown, contract.coordinator != me, !context.isKnown(contract.coordinator) else {
            return nil
        }
        return .unverified(contract.coordinator)
    }

    /// Outside the window this agent trades nothing.
    private func window(_ context: SwapContext) -> VoteFault? {
        context.isWindowOpen ? nil : .window
    }

    private func blocked(_ context: SwapContext) -> VoteFault? {
        contract.parties.first(where: context.blocked.contains).map { .blocked($0) }
    }

    /// One open yes per slot, ever.
    private func busy() -> VoteFault? {
        let mine = contract.slots(of: me)
        return locks.contains { mine.contains($0.slot) && $0.contract != contract.id } ? .busy : nil
    }

    /// A yes must not be the last entry that fits, because its outcome needs a place in the log
    /// too. A closed log has none.
    private func room(_ context: SwapContext) -> VoteFault? {
        if context.logs.log(of: me)?.isClosed == true { return .logFull }
        let used = context.logs.seq(of: me)
        let isLedger = context.venue != nil && context.logs.log(of: me)?.isLedger == true
        let longest = isLedger ? Limits.entriesPerLedger : Limits.entriesPerAuthor
        return used + Limits.entriesPerSwap <= longest ? nil : .logFull
    }

    /// Every slot is live and held by the party that gives it.
    private func held(_ context: SwapContext) -> VoteFault? {
        for leg in contract.legs {
            guard let tenure = context.fold.tenure(of: leg.token), !tenure.ended,
                tenure.slot == leg.slot, tenure.holder == leg.from
            else { return .notHeld(leg.token) }
        }
        return nil
    }

    /// Whoever forked once may do it again, and a cheat in the ancestry may
    /// undo everything after it.
    private func forked(_ context: SwapContext) -> VoteFault? {
        if let party = contract.parties.first(where: context.fold.isForked) {
            return .forked(party)
        }
        guard !override else { return nil }
        if let party = contract.parties.first(where: context.isLiar) { return .liar(party) }
        for state in context.fold.ancestors(of: contract) {
            guard let parties = state.contract?.parties else { continue }
            if let cheat = parties.first(where: context.fold.isForked) { return .forked(cheat) }
            if let liar = parties.first(where: context.isLiar) { return .liar(liar) }
        }
        return nil
    }

    /// No open yes of the giver on the slot, except on this very contract.
    private func encumbered(_ context: SwapContext) -> VoteFault? {
        let open = context.fold.openVotes
        for leg in contract.legs {
            let isPromised = open.contains { vote in
                vote.slot == leg.slot && vote.author == leg.from && vote.contract != contract.id
            }
            if isPromised { return .encumbered(leg.token) }
        }
        return nil
    }

    /// Disputed and re-minted seats only when the user knows, an own re-mint too: completes the
    /// contract that was left after all, then the seat has two holders (docs/protocol.md
    /// section 16). A dispute is one in this user's view, and never about what this passenger
    /// gives: who sits there knows. The consent named the holder: a claim that weighs no more
    /// and is heard of after it changes nothing, or whoever watches could end any swap by
    /// claiming the seat just then.
    private func contested(_ context: SwapContext) -> VoteFault? {
        guard !override else { return nil }
        for leg in contract.legs {
            guard let token = context.fold.token(leg.token) else { continue }
            if token.reminted { return .reminted(leg.token) }
            guard leg.from != me else { continue }
            let foremost = context.fold.foremost(on: token.seat, context.trust)
            let isDisputed =
                isConsented
                ? !foremost.contains { $0.token == leg.token } || isSoldTwice(token, context)
                : foremost.contains { $0.token != leg.token }
            if isDisputed { return .disputed(leg.token) }
        }
        return nil
    }

    /// Whoever gives the seat has another claim to it, which they would keep, and could sell again.
    private func isSoldTwice(_ token: TokenState, _ context: SwapContext) -> Bool {
        context.fold.claims(on: token.seat, context.trust).contains {
            $0.token != token.token && $0.holder == token.holder
        }
    }
}

extension SwapContext {
    /// Whether more than their own claim stands behind a passenger in the user's view.
    func isKnown(_ key: PeerKey) -> Bool {
        let seats = trust.vouches.isEmpty ? [] : fold.seats(claimedBy: key)
        return trust.assurance(of: key, in: seats).rank > 0
    }
}

/// The votes on one contract as far as this agent knows them.
struct Tally {
    /// Parties with a yes.
    let yes: [PeerKey]
    /// A no whose author's chain is known and holds no yes before it: it frees whoever said yes.
    let no: Entry?
    /// Any no at all.
    let refuser: PeerKey?
    /// The own vote, if there is one.
    let own: Vote?
    /// What the own log says came after the own yes.
    let outcome: Outcome?

    /// How a yes of this agent ended.
    enum Outcome: Hashable, Sendable {
        /// It logged the certificate.
        case committed
        /// It left on that party's no.
        case left(PeerKey)

        /// Whether it ended without a swap.
        var isLeft: Bool {
            if case .left = self { return true }
            return false
        }
    }

    /// Counts what the fold found.
    init(_ contract: Contract, me: PeerKey, _ context: SwapContext) {
        var yes: [PeerKey] = []
        var no: Entry?
        var refuser: PeerKey?
        var own: Vote?
        var place = 0
        for entry in context.fold.contract(contract.id)?.votes ?? [] {
            guard case .vote(let vote) = entry.body, contract.parties.contains(entry.author)
            else { continue }
            if entry.author == me, own == nil { (own, place) = (vote, entry.seq) }
            if vote.yes {
                if vote.slots == contract.slots(of: entry.author), yes.last != entry.author {
                    yes.append(entry.author)
                }
            } else if entry.author != me {
                refuser = refuser ?? entry.author
                if no == nil, Self.frees(entry, contract.id, context.logs) { no = entry }
            }
        }
        self.yes = yes
        self.no = no
        self.refuser = refuser
        self.own = own
        outcome =
            own?.yes == true ? Self.outcome(contract.id, of: me, after: place, context.logs) : nil
    }

    private static func outcome(
        _ id: ContractID, of me: PeerKey, after seq: Int, _ logs: LogSet
    ) -> Outcome? {
        for entry in logs.log(of: me)?.entries.dropFirst(seq) ?? [] {
            switch entry.body {
            case .commit(let commit) where commit.contract.id == id: return .committed
            case .abandon(let left, let no) where left == id: return .left(no.author)
            case .genesis, .profile, .claim, .retract, .vote, .commit, .abandon, .chat, .vouch,
                .ledger,
                .end, .wish, .sealed, .seated, .hosting, .unknown:
                break
            }
        }
        return nil
    }

    /// The chain before the no is known, and no yes on the contract lies in it. The no itself may
    /// be one of two entries at the place where its author forked: their log will never reach it.
    private static func frees(_ no: Entry, _ id: ContractID, _ logs: LogSet) -> Bool {
        guard let log = logs.log(of: no.author), let before = log.entry(at: no.seq - 1),
            before.id == no.previous
        else { return false }
        return !log.entries.prefix(no.seq - 1).contains { entry in
            if case .vote(let vote) = entry.body { return vote.yes && vote.contract == id }
            return false
        }
    }
}
