import Aviation
import Protocol
import Text

/// `seatagent seats`.
enum SeatsCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline(standard: 30))
        let map = try client.ask("seats")
        if call.json { return call.finish(map) }
        let peers = try client.ask("peers")["peers"]?.list ?? []
        let requests = try client.ask("requests")["requests"]?.list ?? []
        let cabin = CabinLayout(told: map["cabin"]) ?? .standard
        let picture = SeatPicture(
            marks: marks(map: map, peers: peers, requests: requests, cabin: cabin), cabin: cabin,
            ascii: call.ascii, colour: call.colour)
        let drawn = call.line.has("wide") ? picture.lying : picture.upright
        let code = call.finish(map, drawn + claims(map: map, peers: peers))
        if let asked = CabinAskText(try client.ask("status")["cabin_asked"]) {
            call.hint(asked.line(slash: false) + ".")
        }
        return code
    }

    /// Who claims the seats that several claim, and what stands behind each; and who is verified where.
    static func claims(map: JSON, peers: [JSON]) -> [String] {
        var known: [String: JSON] = [:]
        for peer in peers { known[peer["key"]?.text ?? ""] = peer }
        let lines = (map["seats"]?.list ?? []).flatMap { ClaimText.lines($0, known) }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// What every seat is to me.
    static func marks(
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
