// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import SeatAgent
@testable import Text
@testable import Transport
@testable import Keys

/// A swap of ada and bo on a flight that is named, and its receipt.
struct Paper {
    var voyage: Voyage
    let commit: Entry
    let flight: FlightName
    let code: String?

    init(code: String? = nil, isOlder: Bool = false) throws {
        flight = try #require(FlightName("XY123/2026-11-22/DUB"))
        self.code = code
        voyage = try Voyage(name: flight, code: code, isOlder: isOlder)
        commit = try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
    }

    /// The text as `seatagent receipt` prints it; with words of `commit` and other
    /// certificates where those are given.
    func text(_ certificates: [[UInt8]]? = nil) throws -> String {
        let certificates = certificates ?? [commit.bytes]
        let text = ReceiptText(flight: flight, isGated: code != nil, certificates: certificates)
        let isGenuine = certificates.first == commit.bytes
        let check = try CertificateCheck(
            isGenuine ? [commit.bytes] : certificates, primitives: voyage.primitives)
        return text.lines(check).joined(separator: "\n") + "\n"
    }

    /// Words that nobody signed, each beside a genuine certificate.
    mutating func forgeries() throws -> [(why: String, text: String)] {
        let text = try text()
        let (ada, bo, cy) = (voyage.ada, voyage.bo, voyage.cy)
        let other = try voyage.swap([("12A", cy), ("20F", ada)], nonce: 2)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func with(_ index: Int, _ line: String?) -> String {
            (lines[..<index] + (line.map { [$0] } ?? []) + lines[(index + 1)...])
                .joined(separator: "\n")
        }
        let moved = "12A       from #\(ada.key.tag) to #\(bo.key.tag)"
        return [
            ("another seat", text.replacing("12A ", with: "1A  ")),
            ("the captain", with(0, "Seat swap agreed by all. The captain has approved it.")),
            ("one more line", with(4, lines[4] + "\nApproved  by the captain")),
            ("giver and taker changed", with(3, moved)),
            ("another contract", with(5, "Contract  " + String(repeating: "0", count: 64))),
            ("a date", with(5, "Agreed    2026-11-20T10:12:00Z\n" + lines[5])),
            ("a move left out", with(3, nil)),
            ("another flight", text.replacing("XY123/", with: "XY124/")),
            ("words behind it", text + "The crew has seen this.\n"),
            (
                "a swap that its seats did not go through",
                try self.text([commit.bytes, other.bytes])
            ),
        ]
    }
}

/// Receipts in their text form (docs/protocol.md section 19).
enum ReceiptVectors {
    static func json() throws -> JSON {
        var paper = try Paper()
        let voyage = paper.voyage
        var later = paper
        let second = try later.voyage.swap([("12A", voyage.cy), ("20F", voyage.ada)], nonce: 2)
        let third = try later.voyage.swap([("14C", voyage.ada), ("20F", voyage.bo)], nonce: 3)
        let chain = try paper.text([third.bytes, second.bytes, paper.commit.bytes])
        let gated = try Paper(code: "k7q2m5")
        func receipt(_ name: String, _ paper: Paper, _ text: String) -> JSON {
            [
                "name": .string(name), "flight_id": .hex(paper.voyage.flight.id.bytes),
                "code": paper.code.map { .string($0) } ?? .null, "text": .string(text),
            ]
        }
        return [
            "note": "every line ends with LF; the flight id follows from the name and the code",
            "receipts": [
                receipt("a swap", paper, try paper.text()),
                receipt("a swap that rests on two earlier ones", paper, chain),
                receipt("with a cabin code", gated, try gated.text()),
            ],
            "refused": .array(
                try paper.forgeries().map { forgery in
                    [
                        "why": .string(forgery.why), "text": .string(forgery.text),
                        "flight_id": .hex(
                            forgery.why == "another flight"
                                ? try otherFlight() : paper.voyage.flight.id.bytes),
                    ]
                }),
        ]
    }

    /// What the name in that forgery says.
    private static func otherFlight() throws -> [UInt8] {
        let primitives = try #require(SodiumPrimitives())
        let name = try #require(FlightName("XY124/2026-11-22/DUB"))
        return try #require(FlightKey(name, primitives: primitives)).id.bytes
    }
}
