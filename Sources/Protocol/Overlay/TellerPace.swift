// SPDX-License-Identifier: Apache-2.0
/// Limits how often this agent dials because of one peer's hints: a stranger must not make it knock
/// at many doors (docs/protocol.md section 23).
///
/// A dial counts against the peer who told of the address until the passenger they named answers
/// there, or else for ``Limits/hintTime``.
struct TellerPace: Sendable {
    private struct Account: Sendable {
        let teller: PeerKey
        /// When each unanswered dial began, the oldest first.
        var dials: [Instant] = []
    }

    /// Peers with dials that count against them, the longest quiet first.
    private var accounts: [Account] = []

    /// When a dial for the word of `teller` is possible; in the past for at once.
    func free(_ teller: PeerKey) -> Instant {
        guard let account = accounts.first(where: { $0.teller == teller }),
            account.dials.count >= Limits.dialsPerTeller
        else { return .zero }
        return account.dials[account.dials.count - Limits.dialsPerTeller] + Limits.hintTime
    }

    /// Dials for the word of `teller`.
    mutating func dials(_ teller: PeerKey, at now: Instant) {
        for index in accounts.indices {
            accounts[index].dials.removeAll { $0 + Limits.hintTime <= now }
        }
        var account = accounts.first { $0.teller == teller } ?? Account(teller: teller)
        accounts.removeAll { $0.teller == teller || $0.dials.isEmpty }
        if accounts.count >= Limits.tellers { accounts.removeFirst() }
        account.dials.append(now)
        accounts.append(account)
    }

    /// Whom `teller` named answered.
    mutating func answered(_ teller: PeerKey) {
        guard let index = accounts.firstIndex(where: { $0.teller == teller }) else { return }
        _ = accounts[index].dials.popLast()
    }
}
