// SPDX-License-Identifier: Apache-2.0
/// Offers of seats: a promised seat is offered to nobody else (docs/protocol.md section 16).
extension Node {
    /// Own rights that a standing yes of the user gives away, as far as `records` say.
    func promised(in records: [SwapRecord]) -> [Token] {
        records.filter(\.stage.isPromised)
            .flatMap { $0.contract.legs.filter { $0.from == me }.map(\.token) }
    }

    /// Removes seats that the user agreed to give from their offer, if the
    /// log has capacity for that.
    mutating func withdrawPromised(
        _ changed: [SwapRecord], _ effects: inout Effects, at now: Moment
    ) {
        guard let wish = talk.history.wish(of: me), records.gate.isOpen,
            records.logs.seq(of: me) < Limits.entriesPerAuthor - Limits.entriesReserved
        else { return }
        let given = promised(in: changed)
        let left = wish.offered.filter { !given.contains($0) }
        guard left.count < wish.offered.count else { return }
        let less = Wish(
            offered: left, ranks: left.isEmpty ? [] : wish.ranks, asks: wish.asks,
            tag: ThreadID(random: &random), note: left.isEmpty ? "" : wish.note)
        _ = append(.wish(less), &effects, at: now)
    }

    /// Why none of the seats held can be offered.
    func refusal(toOffer held: [Token]) -> Refusal {
        let record = swaps.records.last { record in
            record.stage.isPromised
                && record.contract.legs.contains { $0.from == me && held.contains($0.token) }
        }
        return record.map { .swap(.given($0)) } ?? .whichSeat([])
    }

    /// What a passenger offers of what they have; `nil` for nothing.
    func wish(of key: PeerKey) -> Wish? {
        guard let wish = talk.history.wish(of: key) else { return nil }
        let left = wish.offered.filter { token in
            folding.fold.token(token).map { $0.holder == key && !$0.ended } ?? true
        }
        guard !left.isEmpty else { return nil }
        return Wish(
            offered: left, ranks: wish.ranks, asks: wish.asks, tag: wish.tag, note: wish.note)
    }
}
