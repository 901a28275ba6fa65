// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Messages of negotiations as messages of a session, in fewer words.
extension Message {
    /// PROPOSE.
    package static func propose(_ proposal: Proposal) -> Message { .swap(.propose(proposal)) }
    /// ASK.
    package static func ask(_ ask: Ask) -> Message { .swap(.ask(ask)) }
    /// READY.
    package static func ready(_ ready: Ready) -> Message { .swap(.ready(ready)) }
    /// DECLINE.
    package static func decline(_ decline: Decline) -> Message { .swap(.decline(decline)) }
    /// WITHDRAW.
    package static func withdraw(_ withdraw: Withdraw) -> Message { .swap(.withdraw(withdraw)) }
    /// PREPARE.
    package static func prepare(_ prepare: Prepare) -> Message { .swap(.prepare(prepare)) }
    /// VOTE.
    package static func vote(_ vote: VoteMessage) -> Message { .swap(.vote(vote)) }
    /// CERT.
    package static func certificate(_ certificate: Certificate) -> Message {
        .swap(.certificate(certificate))
    }
    /// QUERY.
    package static func query(_ contract: ContractID) -> Message { .swap(.query(contract)) }
    /// STATUS.
    package static func status(_ status: Status) -> Message { .swap(.status(status)) }
}
