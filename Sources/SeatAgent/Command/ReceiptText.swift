// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text

/// The text form of a receipt (docs/protocol.md section 19): words for the crew, made from the
/// certificates alone, followed by the certificates for whoever doubts.
struct ReceiptText: Hashable, Sendable {
    /// The flight. Its name and a cabin code give the flight id that every signature covers.
    let flight: FlightName
    /// Whether the flight has a cabin code, without which the name proves nothing.
    let isGated: Bool
    /// First the swap, then the earlier ones that its seats went through.
    let certificates: [[UInt8]]

    private static let begin = "-----BEGIN SEATAGENT CERTIFICATE-----"
    private static let end = "-----END SEATAGENT CERTIFICATE-----"
    private static let gated = ", with a cabin code"
    private static let flightLabel = "Flight    "

    /// What it is, and of which flight.
    var head: [String] {
        [
            "Seat swap agreed by all passengers concerned. The crew decides.", "",
            Self.flightLabel + flight.text + (isGated ? Self.gated : ""),
        ]
    }

    /// The lines of the whole text. `check` is what the certificates prove.
    func lines(_ check: CertificateCheck) -> [String] {
        var lines = head
        for move in check.moves {
            lines.append(
                padded(move.seat.text, to: 10) + "from #\(move.from.tag) to #\(move.to.tag)")
        }
        lines.append("Contract  \(check.contract.hex)")
        for certificate in certificates {
            lines += ["", Self.begin] + Self.wrapped(Base64.encode(certificate)) + [Self.end]
        }
        return lines
    }

    private static func wrapped(_ text: String) -> [String] {
        let units = Array(text.utf8)
        return stride(from: 0, to: units.count, by: 64).map { start in
            String(decoding: units[start..<min(start + 64, units.count)], as: UTF8.self)
        }
    }

    init(flight: FlightName, isGated: Bool, certificates: [[UInt8]]) {
        self.flight = flight
        self.isGated = isGated
        self.certificates = certificates
    }

    /// Finds flight and certificates in a text; its other words are checked by `confirm`. Throws
    /// `bad-certificate`.
    init(_ text: [UInt8]) throws(UserError) {
        var flight: FlightName?
        var isGated = false
        var certificates: [[UInt8]] = []
        var open: String?
        for line in Self.split(text).map({ String(decoding: $0, as: UTF8.self) }) {
            if line == Self.begin {
                open = ""
            } else if line == Self.end {
                guard let body = open, let bytes = Base64.decode(body) else {
                    throw CertificateCheck.bad("a certificate in it is damaged")
                }
                certificates.append(bytes)
                open = nil
            } else if let body = open {
                open = body + line
            } else if line.hasPrefix(Self.flightLabel), flight == nil {
                isGated = line.hasSuffix(Self.gated)
                let rest = line.dropFirst(Self.flightLabel.count)
                flight = FlightName(isGated ? rest.dropLast(Self.gated.count) : rest)
            }
        }
        guard !certificates.isEmpty else {
            throw CertificateCheck.bad(
                "it holds no certificate: it is the short text, and whoever swapped has the whole "
                    + "one (seatagent receipt --full)")
        }
        guard let flight else { throw CertificateCheck.bad("it names no flight") }
        self.init(flight: flight, isGated: isGated, certificates: certificates)
    }

    /// Throws `bad-certificate` unless `text` is exactly what the certificates give, apart from
    /// line ends: words that nobody signed are refused wherever they are.
    func confirm(_ text: [UInt8], _ check: CertificateCheck) throws(UserError) {
        let made = lines(check).map { Array($0.utf8)[...] }
        let found = Self.split(text)
        guard found != made else { return }
        let same = zip(found, made).prefix { $0 == $1 }.count
        func shown(_ lines: [ArraySlice<UInt8>]) -> String {
            guard same < lines.count else { return "the end" }
            return "\"\(visible(String(decoding: lines[same], as: UTF8.self), cells: 60))\""
        }
        throw CertificateCheck.bad(
            "line \(same + 1) is \(shown(found)); the certificate makes it \(shown(made))")
    }

    /// Lines that end with LF or CR LF; the last one may have no end.
    private static func split(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines = text.split(separator: 10, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { $0.last == 13 ? $0.dropLast() : $0 }
    }
}
