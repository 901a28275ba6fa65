import Protocol

/// A swap as its certificates prove it: no agent, no network, no map is needed to check it.
struct CertificateCheck {
    /// One seat that changed hands.
    struct Move: Hashable {
        let seat: Seat
        let from: PeerKey
        let to: PeerKey
    }

    /// In which flight.
    let flight: FlightID
    /// Hash of the contract.
    let contract: ContractID
    /// Everyone who signed, sorted.
    let parties: [PeerKey]
    /// Sorted by seat.
    let moves: [Move]
    /// Signatures that were checked.
    let signatures: Int
    /// Earlier swaps that this one rests on, checked as well.
    let earlier: Int

    /// Checks `certificates`: the log entry that records the swap, then those of earlier swaps that
    /// its seats went through, in any order. Throws `bad-certificate`.
    init(_ certificates: [[UInt8]], primitives: any Primitives) throws(UserError) {
        let codec = EntryCodec(primitives)
        var commits: [Commit] = []
        var signatures = 0
        var flight: FlightID?
        for bytes in certificates {
            let entry: Entry
            do throws(DecodeError) {
                entry = try codec.decode(bytes)
            } catch {
                throw Self.bad("it is damaged: \(error.code.rawValue) at byte \(error.offset)")
            }
            // Decoding has checked the static rules, one yes of each party, and all claims.
            guard case .commit(let commit) = entry.body else {
                throw Self.bad("it holds a record that is no certificate")
            }
            guard flight == nil || flight == entry.flight else {
                throw Self.bad("its parts are of different flights")
            }
            flight = entry.flight
            for signed in [entry] + commit.votes + commit.claims {
                guard codec.isSigned(signed) else {
                    throw Self.bad("the signature of \(signed.author.tag) is wrong")
                }
                signatures += 1
            }
            commits.append(commit)
        }
        guard let first = commits.first, let flight else { throw Self.bad("it is empty") }
        var moves: [Move] = []
        for leg in first.contract.legs {
            moves.append(Move(seat: try Self.seat(leg, commits), from: leg.from, to: leg.to))
        }
        for commit in commits.dropFirst() {
            for leg in commit.contract.legs { _ = try Self.seat(leg, commits) }
        }
        self.flight = flight
        contract = first.contract.id
        parties = first.contract.parties
        self.moves = moves.sorted { $0.seat != $1.seat ? $0.seat < $1.seat : $0.from < $1.from }
        self.signatures = signatures
        earlier = commits.count - 1
    }

    private static func bad(_ why: String) -> UserError {
        UserError(.badCertificate, "the receipt proves nothing", why: why)
    }

    /// The seat of a leg: of its claim, found by walking back through earlier swaps.
    private static func seat(_ leg: Leg, _ commits: [Commit]) throws(UserError) -> Seat {
        var leg = leg
        // Hashes cannot form a circle; the count only bounds the walk.
        for _ in 0...commits.count {
            for claim in commits.flatMap(\.claims) where claim.id.token == leg.token {
                guard leg.producer == Producer(claim: leg.token) else { continue }
                if case .claim(let seat, _) = claim.body, claim.author == leg.from { return seat }
            }
            let before = commits.lazy.filter { Producer(contract: $0.contract.id) == leg.producer }
                .flatMap(\.contract.legs)
                .first { $0.token == leg.token && $0.to == leg.from }
            guard let before else { break }
            leg = before
        }
        throw bad("it does not show how \(leg.from.tag) came to a seat that it gives")
    }
}

/// The text of a receipt: words for the crew, certificates for whoever doubts.
enum ReceiptText {
    private static let begin = "-----BEGIN SEATAGENT CERTIFICATE-----"
    private static let end = "-----END SEATAGENT CERTIFICATE-----"

    /// The text of the object that the agent gives.
    static func lines(_ receipt: JSON) -> [String] {
        let moves = receipt["seats"]?.list ?? []
        var lines = [
            "Seat swap agreed by all passengers concerned. The crew decides.", "",
            "Flight    \(visible(receipt["flight"]?.text ?? "?"))",
            "Agreed    \(visible(receipt["agreed"]?.text ?? "?"))",
        ]
        for move in moves {
            let seat = padded(move["seat"]?.text ?? "?", to: 10)
            let from = visible(move["from"]?["tag"]?.text ?? "?")
            let to = visible(move["to"]?["tag"]?.text ?? "?")
            lines.append("\(seat)from #\(from) to #\(to)")
        }
        lines.append("Contract  \(visible(receipt["contract"]?.text ?? "?"))")
        for text in (receipt["certificates"]?.list ?? []).compactMap(\.text) {
            lines += ["", begin] + wrapped(text) + [end]
        }
        return lines
    }

    private static func wrapped(_ text: String) -> [String] {
        let units = Array(text.utf8)
        return stride(from: 0, to: units.count, by: 64).map { start in
            String(decoding: units[start..<min(start + 64, units.count)], as: UTF8.self)
        }
    }

    /// What a text holds: the flight it names and its certificates. Lines around them may be anything.
    static func parse(_ text: String) throws(UserError) -> (
        flight: FlightName?, certificates: [[UInt8]]
    ) {
        var flight: FlightName?
        var certificates: [[UInt8]] = []
        var open: String?
        for raw in text.split(whereSeparator: \.isNewline) {
            let line = raw.filter { !$0.isWhitespace }
            if line == begin.filter({ !$0.isWhitespace }) {
                open = ""
            } else if line == end.filter({ !$0.isWhitespace }) {
                guard let body = open, let bytes = Base64.decode(body) else {
                    throw UserError(
                        .badCertificate, "the receipt proves nothing",
                        why: "a certificate in it is damaged")
                }
                certificates.append(bytes)
                open = nil
            } else if let body = open {
                open = body + line
            } else if raw.hasPrefix("Flight"), flight == nil {
                flight = FlightName(line.dropFirst("Flight".count))
            }
        }
        return (flight, certificates)
    }
}
