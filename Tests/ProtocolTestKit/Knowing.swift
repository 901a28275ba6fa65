// SPDX-License-Identifier: Apache-2.0
package import Protocol

extension Intent {
    /// The same of somebody who knows that nothing but a claim stands behind whoever votes last.
    package var knowing: Intent {
        switch self {
        case .swap(let take, let give, let note, let expires, let override, let from, _):
            .swap(
                take: take, give: give, note: note, expires: expires, override: override,
                from: from, unverified: true)
        case .propose(let moves, let note, let expires, let override, _):
            .propose(moves, note: note, expires: expires, override: override, unverified: true)
        case .exchange(let moves, let note, let expires, let override, _):
            .exchange(moves, note: note, expires: expires, override: override, unverified: true)
        case .accept(let number, let override, _, let seen):
            .accept(number, override: override, unverified: true, of: seen)
        case .counter(
            let number, let give, let take, let note, let override, _, let legs):
            .counter(
                number, give: give, take: take, note: note, override: override,
                unverified: true, legs: legs)
        case .say, .message, .wish, .decline, .cancel, .replace, .force, .verify, .compared,
            .cancelVerify, .vouch, .leave, .block, .rename, .claim, .release, .suggestLayout,
            .party, .seated, .hosting, .stay, .booking, .ledger, .desk:
            self
        }
    }
}
