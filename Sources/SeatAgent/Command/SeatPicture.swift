import Protocol

/// What a seat is to the passenger who looks, a letter each: letter first, colour second.
enum SeatMark: String, CaseIterable, Hashable, Sendable {
    /// Nobody is known there.
    case empty
    /// Somebody is aboard there.
    case aboard
    /// The holder offers it.
    case offers
    /// The holder offers it and would take one of mine.
    case wants
    /// The holder asks me for a swap.
    case asks
    /// Two or more claim it.
    case disputed
    /// Mine.
    case me

    /// The letter.
    func letter(ascii: Bool) -> String {
        switch self {
        case .empty: ascii ? "." : "·"
        case .aboard: "o"
        case .offers: "S"
        case .wants: "W"
        case .asks: "!"
        case .disputed: "?"
        case .me: "@"
        }
    }

    /// A word or two for the legend.
    var meaning: String {
        switch self {
        case .empty: "nobody"
        case .aboard: "aboard"
        case .offers: "offers"
        case .wants: "wants yours"
        case .asks: "asks you"
        case .disputed: "two claim it"
        case .me: "you"
        }
    }

    /// Own text with own background, so that it reads on light and dark terminals (interface.md 4.3).
    var style: String {
        switch self {
        case .empty: "2"
        case .aboard: "97;48;5;25"
        case .offers: "30;48;5;214"
        case .wants: "30;48;5;121"
        case .asks: "97;48;5;161"
        case .disputed: "1;4"
        case .me: "1;7"
        }
    }
}

/// The seat map as lines of text.
struct SeatPicture: Hashable, Sendable {
    /// Marks of the seats that are not empty.
    var marks: [Seat: SeatMark]
    /// The cabin drawn.
    var cabin = Cabin.standard
    /// Letters of ASCII only.
    var ascii = false
    /// With colours.
    var colour = false

    private func cell(_ row: Int, _ column: Int) -> String {
        let mark = Seat(row: row, column: column).flatMap { marks[$0] } ?? .empty
        return styled(mark)
    }

    private func styled(_ mark: SeatMark) -> String {
        let letter = mark.letter(ascii: ascii)
        return colour ? "\u{1B}[\(mark.style)m\(letter)\u{1B}[0m" : letter
    }

    private func letter(_ column: Int) -> String {
        Seat(row: 1, column: column).map { String($0.letter) } ?? "?"
    }

    private static func padLeft(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    /// Nose up: one line a row, then the legend.
    var upright: [String] {
        let half = cabin.columns / 2
        func line(_ head: String, _ item: (Int) -> String) -> String {
            let left = (0..<half).map(item).joined(separator: "  ")
            let right = (half..<cabin.columns).map(item).joined(separator: "  ")
            return "\(head)   \(left)     \(right)"
        }
        var lines = [line("   ", letter)]
        for row in 1...cabin.rows {
            lines.append(line(Self.padLeft("\(row)", 3)) { cell(row, $0) })
        }
        return lines + [""] + legend
    }

    /// Nose left: one line a letter, the aisle in the middle.
    var lying: [String] {
        var head = "    "
        for row in 1...cabin.rows {
            let isMarked = row == 1 || row % 5 == 0
            // A number of two digits takes the space of the row before.
            if isMarked, row >= 10 { head.removeLast() }
            head += isMarked ? "\(row) " : "  "
        }
        var lines = [head.trimmedRight]
        for column in (0..<cabin.columns).reversed() {
            let cells = (1...cabin.rows).map { cell($0, column) }.joined(separator: " ")
            lines.append(" \(letter(column))  \(cells)")
            if column == cabin.columns / 2 { lines.append("  <front") }
        }
        return lines + [""] + legend
    }

    private var legend: [String] {
        let order: [SeatMark] = [.me, .aboard, .offers, .wants, .asks, .disputed]
        return [order.map { "\(styled($0)) \($0.meaning)" }.joined(separator: "   ")]
    }
}

extension String {
    fileprivate var trimmedRight: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// `seatagent seats`.
enum SeatsCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline(standard: 30))
        let map = try client.ask("seats")
        if call.json { return call.finish(map) }
        let peers = try client.ask("peers")["peers"]?.list ?? []
        let requests = try client.ask("requests")["requests"]?.list ?? []
        let picture = SeatPicture(
            marks: marks(map: map, peers: peers, requests: requests), ascii: call.ascii,
            colour: call.colour)
        let drawn = call.line.has("wide") ? picture.lying : picture.upright
        return call.finish(map, drawn + claims(map: map, peers: peers))
    }

    /// Who claims the disputed seats, and what stands behind each claim; and who is verified where.
    static func claims(map: JSON, peers: [JSON]) -> [String] {
        var known: [String: JSON] = [:]
        for peer in peers { known[peer["key"]?.text ?? ""] = peer }
        var lines: [String] = []
        for item in map["seats"]?.list ?? [] {
            let seat = visible(item["seat"]?.text ?? "?", cells: 4)
            let holders = item["holders"]?.list ?? []
            let isDisputed = item["state"] == "disputed"
            for holder in holders {
                let peer = known[holder["key"]?.text ?? ""]
                guard isDisputed || peer?["evidence"] != nil else { continue }
                let claim =
                    peer?["evidence"] == nil && !WhoText.isMe(holder) ? ", claimed only" : ""
                lines.append(
                    padded(seat, to: 5) + (WhoText.isMe(holder) ? "you" : WhoText.tagged(peer))
                        + claim)
            }
        }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// What every seat is to me.
    static func marks(map: JSON, peers: [JSON], requests: [JSON]) -> [Seat: SeatMark] {
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
            } else if let offer = offers[key], offer["seats"]?.list?.contains(.string(text)) == true
            {
                marks[seat] = wants(offer, oneOf: mine) ? .wants : .offers
            } else {
                marks[seat] = .aboard
            }
        }
        return marks
    }

    /// Whether the offer names one of `seats` or its kind.
    private static func wants(_ offer: JSON, oneOf seats: [String]) -> Bool {
        let wants = (offer["wants"]?.list ?? []).compactMap(\.text)
        return seats.contains { seat in
            wants.contains(seat) || SeatKind.word(seat).map(wants.contains) == true
        }
    }
}
