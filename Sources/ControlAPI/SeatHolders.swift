// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Who holds the seats of a map, as the socket's objects say it.
package enum SeatHolders {
    /// Seats that somebody holds, and who: sorted keys.
    package static func of(_ view: SeatView) -> [Seat: [PeerKey]] {
        var holders: [Seat: [PeerKey]] = [:]
        for place in view.places where place.holding != .open { holders[place.seat] = of(place) }
        return holders
    }

    /// Who holds a seat: several where it is disputed.
    package static func of(_ place: SeatView.Place) -> [PeerKey] {
        switch place.holding {
        case .open: []
        case .held(let key): [key]
        case .disputed(let keys): keys
        }
    }

    /// Whether nobody, one or several are shown.
    package static func holding(_ holders: [PeerKey]) -> SeatHolding {
        holders.isEmpty ? .open : holders.count == 1 ? .held : .disputed
    }
}
