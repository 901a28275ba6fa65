import Terminal

extension Style {
    /// The style of a seat.
    init(_ mark: SeatMark) {
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
