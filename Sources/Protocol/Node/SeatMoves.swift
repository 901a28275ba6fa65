/// From seats, as people name them, to legs of a contract, as logs do.
extension SeatFold {
    /// The one live token for `seat`, or why there is none to trade: empty, or two claim it.
    package func tradable(_ seat: Seat) -> Result<TokenState, Refusal> {
        let live = tokens.filter { $0.seat == seat && !$0.ended && !isForked($0.holder) }
        guard let first = live.first else { return .failure(.emptySeat(seat)) }
        var holders: [PeerKey] = []
        for holder in live.map(\.holder).sorted() where holders.last != holder {
            holders.append(holder)
        }
        guard holders.count == 1 else { return .failure(.disputed(seat, holders)) }
        return .success(first)
    }

    /// The legs that bring every seat to the passenger named for it.
    package func legs(_ moves: [SeatMove]) -> Result<[Leg], Refusal> {
        var legs: [Leg] = []
        for move in moves {
            switch tradable(move.seat) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let token):
                guard token.holder != move.to else { return .failure(.ownSeat(move.seat)) }
                legs.append(
                    Leg(
                        token: token.token, producer: token.producer, from: token.holder,
                        to: move.to))
            }
        }
        return .success(legs)
    }

    /// The two moves by which `me` gives `give` (or the only seat) for `take`.
    package func exchange(
        take: Seat, give: Seat?, me: PeerKey
    ) -> Result<[SeatMove], Refusal> {
        let mine = held(by: me)
        if mine.contains(where: { $0.seat == take }) { return .failure(.ownSeat(take)) }
        let giving: TokenState
        if let give {
            guard let token = mine.first(where: { $0.seat == give }) else {
                return .failure(.notYours(give))
            }
            giving = token
        } else {
            guard mine.count == 1, let only = mine.first else {
                return .failure(.whichSeat(mine.map(\.seat)))
            }
            giving = only
        }
        return tradable(take).map { taking in
            [SeatMove(seat: giving.seat, to: taking.holder), SeatMove(seat: take, to: me)]
        }
    }
}
