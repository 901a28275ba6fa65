// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol

/// Offers as objects. On the wire, a wish is seats: this agent chooses the words for them by the
/// layout that it draws, and shows seats without a word as seats.
enum OfferWords {
    /// The offer in `wish`; no seats if it is taken back.
    static func offer(_ wish: Wish, _ fold: SeatFold, _ cabin: CabinLayout) -> SeatOffer {
        let seats = wish.offered.compactMap { fold.token($0)?.seat }.sorted()
        return SeatOffer(
            seats: seats, wants: wish.ranks.map { want($0, for: seats, cabin) }, note: wish.note)
    }

    /// `any`, `window`, `aisle`, `front` of `seats`, a seat, or blocks of seats: `1-10AF,12A`.
    static func want(_ rank: SeatSet, for seats: [Seat], _ cabin: CabinLayout) -> SeatWish {
        if rank == .all { return .any }
        if rank == seats.first.flatMap({ SeatSet(before: Int($0.row)) }) { return .front }
        if rank == cabin.set(where: \.window) { return .window }
        if rank == cabin.set(where: \.aisle) { return .aisle }
        return .seats(rank.blocks.map(WishWords.text).joined(separator: ","))
    }
}
