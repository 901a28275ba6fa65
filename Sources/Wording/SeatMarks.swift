// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import Protocol
package import Text

/// What every seat of the cabin is to the passenger.
package enum SeatMarks {
    /// What every seat is to me.
    package static func marks(
        map: JSON, peers: [JSON], requests: [JSON], cabin: CabinLayout = .standard
    ) -> [Seat: SeatMark] {
        let seats = map["seats"]?.list ?? []
        let mine = seats.filter { ($0["holders"]?.list ?? []).contains(where: WhoText.isMe) }
            .compactMap { $0["seat"]?.text }
        let asking = requests.filter { RequestText(request: $0).needsAnswer }
            .flatMap { $0["with"]?.list ?? [] }.compactMap { $0["key"]?.text }
        var offers: [String: JSON] = [:]
        for peer in peers {
            if let key = peer["key"]?.text, let offer = peer["offer"], offer != .null {
                offers[key] = offer
            }
        }
        let away = Set(peers.filter { $0["away"] == true }.compactMap { $0["key"]?.text })
        var marks: [Seat: SeatMark] = [:]
        for item in seats {
            guard let text = item["seat"]?.text, let seat = Seat(text) else { continue }
            let holders = item["holders"]?.list ?? []
            let key = holders.first?["key"]?.text ?? ""
            if holders.isEmpty { continue }
            if item["state"] == "disputed" {
                marks[seat] = .disputed
            } else if mine.contains(text) {
                marks[seat] = .me
            } else if asking.contains(key) {
                marks[seat] = .asks
            } else if away.contains(key) {
                marks[seat] = .away
            } else if let offer = offers[key], offer["seats"]?.list?.contains(.string(text)) == true
            {
                marks[seat] = wants(offer, oneOf: mine, cabin) ? .wants : .offers
            } else {
                marks[seat] = .aboard
            }
        }
        return marks
    }

    /// Whether the offer names one of `seats` or its kind.
    private static func wants(
        _ offer: JSON, oneOf seats: [String], _ cabin: CabinLayout
    ) -> Bool {
        let wants = (offer["wants"]?.list ?? []).compactMap(\.text)
        return seats.contains { text in
            guard let seat = Seat(text) else { return false }
            let kind = cabin.kind(of: seat)
            return wants.contains(text) || kind.window && wants.contains("window")
                || kind.aisle && wants.contains("aisle")
        }
    }
}
