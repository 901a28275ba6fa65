// SPDX-License-Identifier: Apache-2.0
/// What must be true of every fold, and of a fold and its successor (docs/protocol.md section 13).
///
/// Kept in release. The caller decides: a test fails, an agent reports and dumps. A violation is an
/// error of ours, never of a peer.
public enum Invariants {
    /// The rules checked.
    public enum Rule: String, Hashable, Sendable {
        /// I2: tokens are permuted, none is doubled or lost.
        case conservation = "I2 conservation"
        /// I3: all legs of a contract or none.
        case atomicity = "I3 atomicity"
        /// I4: a token moves only by its holder's yes.
        case authority = "I4 authority"
        /// I5: what applied is undone only where a party, or a party before it, is proven wrong.
        case stability = "I5 stability"
        /// I7: beaten and dead are for good, but for a misdeed of those concerned.
        case resurrection = "I7 no resurrection"
    }

    /// A violated rule, and what violates it.
    public struct Violation: Hashable, Sendable {
        /// Which rule.
        public let rule: Rule
        /// The contract concerned; `nil` when none is.
        public let contract: ContractID?
        /// The token concerned; `nil` when none is.
        public let token: Token?
    }

    /// I2, I3 and I4. O(n log n).
    public static func violations(of fold: SeatFold) -> [Violation] {
        var found: [Violation] = []
        let tenures = fold.tenures
        let tokens = tenures.map(\.slot.token)
        let minted = tenures.map(\.first).sorted()
        if !zip(tokens, tokens.dropFirst()).allSatisfy(<)
            || minted != tenures.map(\.holder).sorted()
        {
            found.append(Violation(rule: .conservation, contract: nil, token: nil))
        }
        let owed = fold.contracts.filter(\.applied).flatMap { state in
            (state.contract?.legs ?? []).map { Move(contract: state.id, token: $0.token) }
        }
        let made = tenures.flatMap { tenure in
            tenure.lineage.map { Move(contract: $0, token: tenure.slot.token) }
        }
        for (one, other) in [(owed.sorted(), made.sorted()), (made.sorted(), owed.sorted())] {
            for move in one where other.position(of: move, by: { $0 }) == nil {
                found.append(
                    Violation(rule: .atomicity, contract: move.contract, token: move.token))
            }
        }
        for tenure in tenures where !isAuthorised(tenure, fold) {
            found.append(Violation(rule: .authority, contract: nil, token: tenure.slot.token))
        }
        return found
    }

    /// I5 and I7 between a fold and that of a larger set, in which `blamed`
    /// (sorted) are proven wrong. In a venue only while the book goes on from what it was: where
    /// another ledger counts than before, other bookings may have been made.
    public static func violations(
        from old: SeatFold, to new: SeatFold, blamed: [PeerKey]
    ) -> [Violation] {
        func isBlamed(_ keys: [PeerKey]) -> Bool {
            keys.contains { blamed.position(of: $0, by: { $0 }) != nil }
        }
        var found: [Violation] = []
        for before in old.contracts {
            guard let contract = before.contract else { continue }
            let after = new.contract(before.id)
            if before.applied, after?.applied != true {
                let cone = [before] + old.ancestors(of: contract)
                if !isBlamed(cone.flatMap { $0.contract?.parties ?? [] }) {
                    found.append(
                        Violation(rule: .stability, contract: before.id, token: nil))
                }
            }
            if before.dead && after?.dead != true || before.beaten && after?.beaten != true {
                let rivals = old.contracts.filter { $0.complete && $0.shares(with: contract) }
                if !isBlamed(contract.parties + rivals.flatMap { $0.contract?.parties ?? [] }) {
                    found.append(
                        Violation(rule: .resurrection, contract: before.id, token: nil))
                }
            }
        }
        return found
    }

    private struct Move: Comparable {
        let contract: ContractID
        let token: Token

        static func < (left: Move, right: Move) -> Bool {
            (left.contract, left.token) < (right.contract, right.token)
        }
    }

    /// Whether every move of a token carries the yes of its holder to exactly
    /// that, and ends where it is.
    private static func isAuthorised(_ tenure: Tenure, _ fold: SeatFold) -> Bool {
        let token = tenure.slot.token
        var holder = tenure.first
        var slot = Slot(token: token, producer: Producer(claim: token))
        for id in tenure.lineage {
            guard let state = fold.contract(id), let leg = state.contract?.leg(of: token),
                leg.slot == slot, leg.from == holder,
                state.votes.contains(where: { entry in
                    entry.author == holder && entry.vote?.yes == true
                        && entry.vote?.slots.contains(slot) == true
                })
            else { return false }
            holder = leg.to
            slot = Slot(token: token, producer: Producer(contract: id))
        }
        return holder == tenure.holder && slot == tenure.slot
    }
}

extension ContractState {
    fileprivate func shares(with contract: Contract) -> Bool {
        self.contract?.legs.contains { contract.leg(of: $0.token)?.slot == $0.slot } == true
    }
}
