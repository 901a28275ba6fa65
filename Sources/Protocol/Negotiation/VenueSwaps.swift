// SPDX-License-Identifier: Apache-2.0
/// What a venue adds to negotiations: its bookings are moved, not seats (docs/protocol.md section
/// 32).
package struct VenueSwaps: Sendable {
    /// What the venue's clocks show, in minutes since 2000-01-01; `nil` where they are not known.
    package var minute: Int?
    /// What was paid for bookings, in minor units.
    package var paid: [Token: Int]
    /// Tenures that the user asked the desk to end or to change.
    package var asked: [Slot]
    /// How much of the own log the desk says that it has; `nil` where no session with it is open,
    /// or where this agent is the desk.
    package var deskHas: Int?

    /// What is known of a venue.
    package init(minute: Int?, paid: [Token: Int] = [:], asked: [Slot] = [], deskHas: Int? = nil) {
        self.minute = minute
        self.paid = paid
        self.asked = asked
        self.deskHas = deskHas
    }
}

extension VenueSwaps {
    /// The first thing that speaks against a yes to a contract all of whose bookings are held as it
    /// says. The fold makes sure of the first of them, so that no agent of anybody's can be led to
    /// take for a swap what is none; the others are policy.
    func fault(
        _ contract: Contract, me: PeerKey, override: Bool, _ fold: SeatFold
    ) -> VoteFault? {
        guard let book = fold.venue?.book else { return nil }
        return allowed(contract, book) ?? returned(contract, me) ?? begun(contract, book)
            ?? (override ? nil : unequal(contract, me, book) ?? unpaid(contract, me, book))
    }

    private func allowed(_ contract: Contract, _ book: Book) -> VoteFault? {
        contract.legs.first { !book.allows($0) }.map { .notAllowed($0.token) }
    }

    /// The desk may end it at any moment, and whoever gets it would have nothing.
    private func returned(_ contract: Contract, _ me: PeerKey) -> VoteFault? {
        contract.slots(of: me).first(where: asked.contains).map { .asked($0.token) }
    }

    private func begun(_ contract: Contract, _ book: Book) -> VoteFault? {
        guard let minute else { return nil }
        return contract.legs.first { leg in
            book.mint(leg.token).map { $0.grant.period.start <= minute } ?? false
        }.map { .begun($0.token) }
    }

    /// An hour for half an hour is a mistake more often than a wish. Each agent looks after its own
    /// user.
    private func unequal(_ contract: Contract, _ me: PeerKey, _ book: Book) -> VoteFault? {
        func minutes(_ legs: [Leg]) -> Int {
            legs.reduce(0) { sum, leg in
                let grant = book.mint(leg.token)?.grant
                return sum + (grant.map { $0.period.minutes * $0.count } ?? 0)
            }
        }
        let given = minutes(contract.legs.filter { $0.from == me })
        return given == minutes(contract.legs.filter { $0.to == me }) ? nil : .unequal
    }

    /// Whoever gets it would have to pay, or lose it.
    private func unpaid(_ contract: Contract, _ me: PeerKey, _ book: Book) -> VoteFault? {
        contract.legs.first { leg in
            guard leg.to == me, let due = book.mint(leg.token)?.grant.due else { return false }
            return paid[leg.token] ?? 0 < due.amount
        }.map { .unpaid($0.token) }
    }
}
