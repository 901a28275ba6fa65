// SPDX-License-Identifier: Apache-2.0
/// Which requests of others the user wants to see (docs/protocol.md section 16).
package struct Welcome: Hashable, Sendable {
    /// What others may ask for.
    let asks: Wish.Asks
    /// The seats that a private wish is about; none for all own ones.
    let offered: [Token]
    /// What a private wish would take; `nil` without one.
    let floor: [SeatSet]?

    /// All requests.
    package static let all = Welcome(OwnWish())

    /// Those that the user's wish leaves.
    package init(_ wish: OwnWish) {
        asks = wish.asks == .nothing ? .nothing : .anything
        offered = wish.offered
        floor = wish.isPrivate ? wish.ranks : nil
    }

    /// Whether the user wants to be asked for `contract`: anybody may ask, and where it takes a
    /// seat that a private wish is about, all that the user would get is in one of its ranks.
    func fits(_ contract: Contract, _ fold: SeatFold, me: PeerKey) -> Bool {
        guard asks != .nothing else { return false }
        guard let floor else { return true }
        let isAbout = contract.legs.contains { leg in
            leg.from == me && (offered.isEmpty || offered.contains(leg.token))
        }
        guard isAbout else { return true }
        return contract.legs.filter { $0.to == me }.allSatisfy { leg in
            // Of a seat that is not known here nothing is known.
            guard let seat = fold.token(leg.token)?.seat else { return true }
            return floor.contains { $0.contains(seat) }
        }
    }
}

extension Swaps {
    /// Declines what the user does not want to be asked, without a word to anybody: whoever asked
    /// sees what they would see of somebody who does not look. Passengers whom the user asks for
    /// something are heard. Only requests from number `first` on are looked at: what was shown
    /// before goes only when the user says a new wish.
    mutating func hush(
        _ welcome: Welcome, from first: Int, _ context: SwapContext, _ effects: inout SwapEffects,
        at now: Moment, random: inout SeededRandom
    ) {
        guard welcome != .all else { return }
        let wanted = wanted
        for index in threads.indices where threads.lines[index].isUnanswered {
            let line = threads.lines[index]
            guard line.number >= first, !wanted.contains(line.asker),
                !isVoted(line.contract, context),
                !welcome.fits(threads[index].record.contract, context.fold, me: me)
            else { continue }
            step(
                index, .decline(note: ""), .decline(note: ""), context, &effects, at: now,
                random: &random)
            effects.notices.removeAll { $0.record.number == line.number }
        }
    }
}
