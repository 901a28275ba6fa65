// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Wishes in a cabin: public and private ones, in ranks, renewed, taken back; and who may ask.
extension SimWorld {
    /// What somebody thinks of.
    func wishDeed(_ number: Int) -> Intent {
        let places = [1 + number % 4, 5 + number % 3].compactMap {
            Seat(row: $0, column: number % 6)
        }
        let ranks = places.map { SeatSet($0) }
        switch number % 16 {
        case 0..<4: return .withdrawOffer
        case 4..<8: return .offer(ranks: Array(ranks.prefix(1)), note: "")
        case 8..<10:
            return .wish(WishChange(offer: .all, ranks: ranks, note: "", isPrivate: false))
        case 10..<13: return .wish(WishChange(offer: .all, ranks: ranks, isPrivate: true))
        case 13: return .wish(WishChange(ranks: ranks.reversed(), isRenewal: true))
        default: return .wish(WishChange(asks: Wish.Asks(rawValue: number / 16 % 3)))
        }
    }
}
