// SPDX-License-Identifier: Apache-2.0
/// A counter-offer in a request of several: the same people give the same seats, and whoever makes
/// it gets another of these seats (docs/protocol.md section 16).
package struct RingCounter {
    private let me: PeerKey
    private let legs: [Leg]
    private let taking: Token
    private let parties: [PeerKey]
    private let suits: ([Leg]) -> Bool
    private var steps = 0
    private var best: (changes: Int, legs: [Leg])?

    /// Steps of a search. A few hundred find who would get what, where that can be.
    private static let most = 20_000

    /// The legs of a counter-offer of `me` to `record`: `give`, if it is named, is a seat that they
    /// give in it, and `take` another seat of it. As few people as possible get another seat than
    /// the request has for them, and none of those says by a wish that they would not take it.
    /// A bounded number of steps, each O(legs).
    package static func legs(
        _ record: SwapRecord, _ me: PeerKey, give: Seat?, take: Seat, _ fold: SeatFold,
        _ logs: LogSet
    ) -> Result<[Leg], Refusal> {
        func leg(_ seat: Seat) -> Leg? {
            record.contract.legs.first { fold.token($0.token)?.seat == seat }
        }
        if let give, leg(give)?.from != me { return .failure(.notYours(give)) }
        guard let taken = leg(take) else { return .failure(.notInRequest(take)) }
        guard taken.from != me else { return .failure(.ownSeat(take)) }
        guard taken.to != me else { return .failure(.alreadySo) }
        let others = record.others(than: me).map { (key: $0, wish: logs.wish(of: $0)) }
        func isSuited(_ legs: [Leg], _ party: PeerKey, _ wish: Wish?) -> Bool {
            legs.filter { $0.to == party } == record.contract.gains(of: party)
                || !legs.isUnwanted(by: party, wish, fold)
        }
        var counter = RingCounter(
            me: me, legs: record.contract.legs, taking: taken.token,
            parties: record.contract.parties,
            suits: { legs in others.allSatisfy { isSuited(legs, $0.key, $0.wish) } })
        let left = counter.parties.map { party in record.contract.gains(of: party).count }
        counter.search([], left, changes: 0)
        return counter.best.map { .success($0.legs) } ?? .failure(.notInRequest(take))
    }

    /// `left` says how many seats each party is still to get, in their order.
    private mutating func search(_ made: [Leg], _ left: [Int], changes: Int) {
        guard steps < Self.most else { return }
        steps += 1
        if let best, changes >= best.changes { return }
        guard made.count < legs.count else {
            if suits(made) { best = (changes, made) }
            return
        }
        let leg = legs[made.count]
        // Whoever is to get it comes first: then the first that is found changes little.
        let order =
            parties.indices.filter { parties[$0] == leg.to }
            + parties.indices.filter { parties[$0] != leg.to }
        for index in order where left[index] > 0 && parties[index] != leg.from {
            guard leg.token != taking || parties[index] == me else { continue }
            var rest = left
            rest[index] -= 1
            let next = Leg(
                token: leg.token, producer: leg.producer, from: leg.from, to: parties[index])
            search(made + [next], rest, changes: changes + (next.to == leg.to ? 0 : 1))
        }
    }
}

extension Contract {
    /// The legs by which `party` gets something.
    fileprivate func gains(of party: PeerKey) -> [Leg] { legs.filter { $0.to == party } }
}

extension [Leg] {
    /// Whether `key` says by their last wish that they would not take what they get by these.
    package func isUnwanted(by key: PeerKey, _ wish: Wish?, _ fold: SeatFold) -> Bool {
        guard let wish else { return false }
        if wish.asks == .nothing { return true }
        let (gives, gets) = (filter { $0.from == key }, filter { $0.to == key })
        // Of several seats it is not known which is for which.
        guard gives.count == 1, gets.count == 1, wish.offered.contains(gives[0].token),
            !wish.ranks.isEmpty, let old = fold.token(gives[0].token)?.seat,
            let new = fold.token(gets[0].token)?.seat
        else { return false }
        func rank(_ seat: Seat) -> Int {
            wish.ranks.firstIndex { $0.contains(seat) } ?? wish.ranks.count
        }
        return rank(new) == wish.ranks.count || rank(new) > rank(old)
    }
}
