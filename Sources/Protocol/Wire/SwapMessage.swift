// SPDX-License-Identifier: Apache-2.0
/// Every message of a negotiation (docs/protocol.md section 16).
package enum SwapMessage: Hashable, Sendable {
    indirect case propose(Proposal)
    indirect case ask(Ask)
    indirect case ready(Ready)
    indirect case decline(Decline)
    case withdraw(Withdraw)
    case prepare(Prepare)
    case vote(VoteMessage)
    case certificate(Certificate)
    case query(ContractID)
    indirect case status(Status)

    var type: FrameType {
        switch self {
        case .propose: .propose
        case .ask: .ask
        case .ready: .ready
        case .decline: .decline
        case .withdraw: .withdraw
        case .prepare: .prepare
        case .vote: .vote
        case .certificate: .certificate
        case .query: .query
        case .status: .status
        }
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .propose(let proposal): proposal.write(to: &writer)
        case .ask(let ask): ask.write(to: &writer)
        case .ready(let ready): ready.write(to: &writer)
        case .decline(let decline): decline.write(to: &writer)
        case .withdraw(let withdraw): withdraw.write(to: &writer)
        case .prepare(let prepare): prepare.write(to: &writer)
        case .vote(let vote): vote.write(to: &writer)
        case .certificate(let certificate): certificate.write(to: &writer)
        case .query(let contract):
            writer.array(1)
            writer.value(contract)
        case .status(let status): status.write(to: &writer)
        }
    }

    /// Entries for the logs, whatever the negotiation makes of them; `nil` for a message that has
    /// no place for any.
    var entries: [[UInt8]]? {
        switch self {
        case .vote(let vote): vote.entries
        case .status(let status): status.votes
        // The last yes may stand nowhere else: who sent it may never come back.
        case .certificate(let certificate): certificate.votes
        case .propose, .ask, .ready, .decline, .withdraw, .prepare, .query: nil
        }
    }

    /// What is in it that may cost a signature.
    var entryCount: Int {
        if case .certificate(let whole) = self { return whole.votes.count + whole.claims.count }
        return entries?.count ?? 0
    }
}
