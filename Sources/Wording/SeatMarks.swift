// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import ControlAPI
package import Protocol
import Text

/// What every seat of the cabin means to the user.
package enum SeatMarks {
    /// The mark of every seat.
    package static func marks(
        map: [SeatEntry], peers: [Peer], requests: [SwapRequest], cabin: CabinLayout = .standard
    ) -> [Seat: SeatMark] {
        let mine = map.filter { $0.holders.contains(where: \.me) }.map(\.seat)
        let asking = requests.filter(\.needsAnswer).flatMap(\.with).map(\.key)
        var offers: [String: SeatOffer] = [:]
        for peer in peers { offers[peer.key] = peer.offer }
        let away = Set(peers.filter(\.away).map(\.person.key))
        var marks: [Seat: SeatMark] = [:]
        for item in map {
            guard let key = item.holders.first?.key else { continue }
            if item.state == .disputed {
                marks[item.seat] = .disputed
            } else if mine.contains(item.seat) {
                marks[item.seat] = .me
            } else if asking.contains(key) {
                marks[item.seat] = .asks
            } else if away.contains(key) {
                marks[item.seat] = .away
            } else if let offer = offers[key], offer.seats.contains(item.seat) {
                marks[item.seat] = wants(offer, oneOf: mine, cabin) ? .wants : .offers
            } else {
                marks[item.seat] = .aboard
            }
        }
        return marks
    }

    /// Whether the offer asks for one of `seats` or for its kind.
    private static func wants(
        _ offer: SeatOffer, oneOf seats: [Seat], _ cabin: CabinLayout
    ) -> Bool {
        seats.contains { seat in
            let kind = cabin.kind(of: seat)
            return offer.wants.contains { want in
                switch want {
                case .window: kind.window
                case .aisle: kind.aisle
                case .any, .front: false
                case .seats(let text):
                    text.split(separator: ",").contains { block in
                        WishWords.block(block).flatMap { SeatSet([$0]) }?.contains(seat) ?? false
                    }
                }
            }
        }
    }
}
