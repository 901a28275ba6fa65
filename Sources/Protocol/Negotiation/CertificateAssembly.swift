// SPDX-License-Identifier: Apache-2.0
extension Contract {
    /// The certificate of this contract from what is known: one that somebody logged, or
    /// the votes and claims themselves; `nil` while one is missing. `own` is a vote that
    /// the fold has not seen yet.
    package func certificate(_ fold: SeatFold, _ logs: LogSet, own: Entry? = nil) -> Commit? {
        let state = fold.contract(id)
        if let known = state?.certificate { return known }
        let known = (state?.votes ?? []) + (own.map { [$0] } ?? [])
        let votes = parties.compactMap { party in
            known.first { entry in
                guard entry.author == party, case .vote(let vote) = entry.body else { return false }
                return vote.yes && vote.contract == id && vote.slots == slots(of: party)
            }
        }
        // In a venue the grants stand in ledgers, which everybody has.
        let hasClaims = fold.venue == nil
        let commit = Commit(
            contract: self, votes: votes, claims: hasClaims ? claims(logs) : [])
        return commit.isWellFormed(claims: hasClaims) ? commit : nil
    }

    /// The claims that the contract rests on, as far as their authors' logs have them.
    package func claims(_ logs: LogSet) -> [Entry] {
        legs.filter { $0.producer == Producer(claim: $0.token) }.compactMap { leg in
            logs.log(of: leg.from)?.entries.first { $0.id.token == leg.token }
        }
    }
}
