// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import Protocol

/// What an exchange means for everybody in it, in a sentence each.
package struct MatchText {
    private let cabin: CabinLayout
    private let me: PeerKey
    private let name: (PeerKey) -> String

    /// Sentences for the user with key `me`, to whom people have these names.
    package init(cabin: CabinLayout, me: PeerKey, name: @escaping (PeerKey) -> String) {
        self.cabin = cabin
        self.me = me
        self.name = name
    }

    /// A sentence for each agent that gives and gets: first the user's, then those of their party,
    /// then all others.
    package func sentences(_ proposal: MatchProposal) -> [String] {
        var holders: [PeerKey] = []
        for move in proposal.moves where !holders.contains(move.holder) {
            holders.append(move.holder)
        }
        let order = holders.enumerated().sorted { left, right in
            (rank(left.element, proposal), left.offset)
                < (rank(right.element, proposal), right.offset)
        }
        return order.compactMap { sentence($0.element, proposal) }
    }

    private func rank(_ holder: PeerKey, _ proposal: MatchProposal) -> Int {
        if holder == me { return 0 }
        return proposal.moves.contains { $0.holder == holder && $0.isOwn } ? 1 : 2
    }

    /// `nil` for whoever only changes places among seats of their own.
    private func sentence(_ holder: PeerKey, _ proposal: MatchProposal) -> String? {
        let moves = proposal.moves.filter { $0.holder == holder }
        let kept = moves.map(\.from).filter { seat in moves.contains { $0.to == seat } }
        let gives = moves.map(\.from).filter { !kept.contains($0) }
        let gets = moves.map(\.to).filter { !kept.contains($0) }.sorted()
        guard !gives.isEmpty else { return nil }
        let isMe = holder == me
        let words = isMe ? ("You give", "get", "your") : ("\(name(holder)) gives", "gets", "their")
        return "\(words.0) \(list(gives)) and \(words.1) \(list(gets)), "
            + "\(reason(moves, whose: words.2))."
    }

    private func list(_ seats: [Seat]) -> String {
        seats.map { cabin.described($0.text) }.joined(separator: " and ")
    }

    /// To sit together is reason enough, however the party sits; a wish is more than a favour.
    private func reason(_ moves: [MatchMove], whose: String) -> String {
        if moves.contains(where: { $0.reason == .together }) { return "to sit with \(whose) party" }
        let wishes = moves.compactMap { move in
            if case .wish(let number) = move.reason { return number }
            return nil
        }
        guard let wish = wishes.min() else { return "which is as good: a favour" }
        let ordinals = ["first", "second", "third", "fourth"]
        let which = 1...ordinals.count ~= wish ? ordinals[wish - 1] : "\(wish)th"
        return "\(whose) \(which) wish"
    }
}
