/// The first two columns of `peers`: seats, and who has them.
struct PeerColumns: Hashable, Sendable {
    private var seats = 8
    private var who = 32

    init(_ peers: [JSON]) {
        for peer in peers {
            seats = max(seats, cellWidth(WhoText.seats(peer)) + 2)
            who = max(who, cellWidth(WhoText.tagged(peer)) + 2)
        }
    }

    func line(_ seats: String, _ who: String) -> String {
        padded(seats, to: self.seats) + padded(who, to: max(self.who, cellWidth(who) + 2))
    }
}

/// How a passenger is reached, and how the network around looks, in words.
enum ReachText {
    /// `10.77.0.2:7711  mdns`, `through bo #c2d9`, `out of reach`.
    static func words(_ peer: JSON) -> [String] {
        let through = (peer["through"]?.list ?? []).prefix(3).map { WhoText.tagged($0) }
            .joined(separator: ", ")
        switch peer["reach"]?.text {
        case "linked":
            var words = [visible(peer["address"]?.text ?? ""), visible(peer["found"]?.text ?? "")]
            if peer["one_way"] == true { words.append("reaches you, does not answer you") }
            return words
        case "relayed": return ["relayed through \(through)"]
        case "through": return ["within reach through \(through)"]
        default: return [peer["left"] == true ? "has left" : "out of reach"]
        }
    }

    /// One line a place that was seen or typed and where nobody answers.
    static func silent(_ places: JSON?, _ columns: PeerColumns) -> [String] {
        (places?.list ?? []).map { place in
            let tries = place["tries"]?.number ?? 0
            return columns.line("-", visible(place["address"]?.text ?? "?"))
                + "seen, does not answer (\(tries) \(tries == 1 ? "try" : "tries")); "
                + "try: seatagent doctor"
        }
    }

    /// `3 others, 3 within reach`; above the size of a full mesh also the number of links.
    static func aboard(_ status: JSON) -> String {
        let known = status["aboard"]?.number ?? 0
        let near = status["near"]?.number ?? status["linked"]?.number ?? 0
        if known == 0 {
            let alone = status["alone"]?.number ?? 0
            guard status["next"] == "seatagent doctor" else { return "no one else yet" }
            return "no one else in \(SpanText.words(Int64(alone))): seatagent doctor tells why"
        }
        return "\(known) other\(known == 1 ? "" : "s"), \(near) within reach"
    }

    /// `16 links: 9 heard of, 7 mdns; carrying 1 for others`; `nil` where there is nothing to say.
    static func mesh(_ network: JSON?) -> String? {
        let mesh = network?["mesh"]
        let links = mesh?["links"]?.number ?? 0
        let stages = (mesh?["stages"]?.members ?? [:]).sorted { $0.key < $1.key }
            .map { "\($0.value.number ?? 0) \(visible($0.key))" }.joined(separator: ", ")
        var parts: [String] = []
        if links > 0 { parts.append("\(links) link\(links == 1 ? "" : "s"): \(stages)") }
        if mesh?["shape"] == "partial" { parts.append("a few links each") }
        if let carrying = mesh?["carrying"]?.number, carrying > 0 {
            parts.append("carrying \(carrying) for others")
        }
        let silent = network?["silent"]?.list?.count ?? 0
        if silent > 0 {
            parts.append("\(silent) seen that \(silent == 1 ? "does" : "do") not answer")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
