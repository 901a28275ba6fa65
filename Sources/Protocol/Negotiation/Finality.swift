// SPDX-License-Identifier: Apache-2.0
/// final-for-me: when this agent may say "you may move now" (docs/protocol.md sections 17 and 32).
package enum Finality {
    /// Applied, all votes in logs known here, no earlier open yes on a slot, no fork in it or
    /// before it, and the own commit entry held by another agent: in a venue by the desk, while it
    /// is linked.
    package static func isFinal(_ contract: Contract, me: PeerKey, _ context: SwapContext) -> Bool {
        guard let state = context.fold.contract(contract.id), state.applied,
            let certificate = state.certificate
        else { return false }
        return certificate.votes.allSatisfy { vote in
            context.logs.log(of: vote.author)?.entry(at: vote.seq)?.id == vote.id
        } && contract.legs.allSatisfy { isClean($0, contract, certificate, context) }
            && contract.parties.allSatisfy { !context.fold.isForked($0) }
            && context.fold.ancestors(of: contract).allSatisfy { ancestor in
                !(ancestor.contract?.parties.contains(where: context.fold.isForked) ?? true)
            }
            && isHeldElsewhere(contract, me: me, context)
    }

    private static func isClean(
        _ leg: Leg, _ contract: Contract, _ certificate: Commit, _ context: SwapContext
    ) -> Bool {
        guard let yes = certificate.votes.first(where: { $0.author == leg.from }) else {
            return false
        }
        return !context.fold.openVotes.contains { vote in
            vote.slot == leg.slot && vote.author == leg.from && vote.seq < yes.seq
        }
    }

    private static func isHeldElsewhere(
        _ contract: Contract, me: PeerKey, _ context: SwapContext
    ) -> Bool {
        let own = context.logs.log(of: me)?.entries.first { entry in
            if case .commit(let commit) = entry.body { return commit.contract.id == contract.id }
            return false
        }
        let known = context.venue?.deskHas ?? context.acknowledged
        return own.map { $0.seq <= known } ?? false
    }
}
