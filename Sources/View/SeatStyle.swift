// SPDX-License-Identifier: Apache-2.0
import Terminal
package import Wording

extension Style {
    /// The style of a seat.
    package init(_ mark: SeatMark) {
        self =
            switch mark {
            case .empty: .seatEmpty
            case .aboard: .seatAboard
            case .away: .seatAway
            case .offers: .seatOffers
            case .wants: .seatWants
            case .asks: .seatAsks
            case .disputed: .seatDisputed
            case .me: .seatMe
            }
    }
}
