// SPDX-License-Identifier: Apache-2.0
/// From seats, as people name them, and rights to legs of a contract, as logs do.
extension SeatFold {
    /// The live token for `seat` that is meant, or why there is none to trade.
    ///
    /// Without `from` it is the one of whoever holds the seat in the view of `trust`, one's own
    /// where one has one. With `from` it is that passenger's, and `override` takes it although
    /// others claim the seat too.
    package func tradable(
        _ seat: Seat, from: PeerKey? = nil, override: Bool = false, _ trust: Trust = .none
    ) -> Result<TokenState, Refusal> {
        let claims = claims(on: seat, trust)
        let foremost = foremost(on: seat, trust)
        // What one has is one's own to give, whoever else claims it.
        if let me = trust.me, from == nil || from == me,
            let mine = claims.first(where: { $0.holder == me })
        {
            return .success(mine)
        }
        if let from {
            if isForked(from) { return .failure(.swap(.check(.forked(from)))) }
            guard let token = claims.first(where: { $0.holder == from }) else {
                return .failure(claims.isEmpty ? .emptySeat(seat) : .notTheirs(seat, from))
            }
            let isAlone = foremost.map(\.token) == [token.token]
            return isAlone || override
                ? .success(token) : .failure(.disputed(seat, claims.map(\.holder).once))
        }
        guard let first = foremost.first else { return .failure(.emptySeat(seat)) }
        let holders = foremost.map(\.holder).once
        return foremost.count == 1 ? .success(first) : .failure(.disputed(seat, holders))
    }

    /// The legs that bring every seat to the passenger named for it.
    package func legs(
        _ moves: [SeatMove], override: Bool = false, _ trust: Trust = .none
    ) -> Result<[Leg], Refusal> {
        var rights: [TokenMove] = []
        for move in moves {
            switch tradable(move.seat, from: move.from, override: override, trust) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let token):
                guard token.holder != move.to else { return .failure(.ownSeat(move.seat)) }
                rights.append(TokenMove(token: token.token, to: move.to))
            }
        }
        return legs(rights)
    }

    /// The legs that bring every right from whoever holds it to the one named for it.
    package func legs(_ moves: [TokenMove]) -> Result<[Leg], Refusal> {
        var legs: [Leg] = []
        for move in moves {
            guard let tenure = tenure(of: move.token), !tenure.ended else {
                return .failure(.swap(.check(.notHeld(move.token))))
            }
            legs.append(
                Leg(
                    token: move.token, producer: tenure.slot.producer, from: tenure.holder,
                    to: move.to))
        }
        return .success(legs)
    }

    /// The two moves by which `me` gives `give` (or the only seat) for `take`.
    package func exchange(
        take: Seat, give: Seat?, me: PeerKey, from: PeerKey? = nil, override: Bool = false,
        _ trust: Trust = .none
    ) -> Result<[SeatMove], Refusal> {
        let mine = held(by: me)
        if from == nil || from == me, mine.contains(where: { $0.seat == take }) {
            return .failure(.ownSeat(take))
        }
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
        return tradable(take, from: from, override: override, trust).map { taking in
            [
                SeatMove(seat: giving.seat, to: taking.holder, from: me),
                SeatMove(seat: take, to: me, from: taking.holder),
            ]
        }
    }
}

extension [PeerKey] {
    /// Each key once, where it stands first.
    fileprivate var once: [PeerKey] {
        reduce(into: []) { keys, key in
            if !keys.contains(key) { keys.append(key) }
        }
    }
}
