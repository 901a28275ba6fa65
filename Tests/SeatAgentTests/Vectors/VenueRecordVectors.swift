// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Discovery
@testable import SeatAgent
@testable import Text

/// The TXT records of announced venues, with what must be ignored.
struct VenueRecordVectors {
    private let key: String
    private let runBy: OperatorKey

    init(_ who: Scribe) {
        runBy = OperatorKey(who.key.raw)
        key = runBy.text
    }

    private var right: [String] { ["v=1", "n=rec", "k=" + key, "p=month"] }

    private func bytes(_ items: [String]) -> [UInt8] {
        items.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }

    /// A record of exactly that length, by strings that have no meaning.
    private func filled(_ count: Int) -> [UInt8] {
        var record = bytes(right)
        while record.count < count {
            let size = min(200, count - record.count - 1)
            record += [UInt8(size)] + [UInt8](repeating: UInt8(ascii: "x"), count: size)
        }
        return record
    }

    func records() throws -> [JSON] {
        func row(_ record: [UInt8], _ slug: String, _ kind: Volume.Kind) throws -> JSON {
            guard VenueRecord.link(record) == VenueLink(slug: slug, runBy: runBy, kind: kind)
            else { throw DecodeError(.badValue) }
            return [
                "record": .hex(record), "slug": .string(slug), "operator": .hex(runBy.bytes),
                "volume": .string(kind.rawValue),
            ]
        }
        var rows = try Volume.Kind.allCases.map { kind in
            let slug = kind == .year ? "0-a/b-" : "rec"
            guard let link = VenueLink(slug: slug, runBy: runBy, kind: kind) else {
                throw DecodeError(.badValue)
            }
            return try row(VenueRecord.text(link), slug, kind)
        }
        rows.append(try row(bytes(right.reversed()), "rec", .month))
        rows.append(try row(bytes(right + ["z=1", "V=2", "name", "", "="]), "rec", .month))
        rows.append(try row(filled(DiscoveryLimits.venueText), "rec", .month))
        return rows
    }

    func refused() -> [JSON] {
        let records: [(String, [UInt8])] = [
            ("nothing", [0]), ("a later version", bytes(["v=2"] + right.dropFirst())),
            ("no version", bytes(Array(right.dropFirst()))),
            ("a key in capitals", bytes(["V=1"] + right.dropFirst())),
            ("a part twice", bytes(right + ["n=rec"])),
            ("a part twice, the first one wrong", bytes(["p=decade"] + right)),
            ("a bare key", bytes(right + ["k"])), ("no name", bytes([right[0]] + right[2...])),
            ("no operator", bytes(Array(right[...1]) + [right[3]])),
            ("no volume", bytes(Array(right.dropLast()))),
            ("another kind of volume", bytes(right.dropLast() + ["p=decade"])),
            ("a hyphen first", bytes([right[0], "n=-rec"] + right[2...])),
            ("two branches", bytes([right[0], "n=a/b/c"] + right[2...])),
            (
                "25 characters",
                bytes([right[0], "n=" + String(repeating: "a", count: 25)] + right[2...])
            ),
            ("the key in capitals", bytes(right[...1] + ["k=" + key.uppercased(), right[3]])),
            (
                "bits left over in the key",
                bytes(right[...1] + ["k=" + key.dropLast() + "b", right[3]])
            ),
            ("cut in a string", bytes(right) + [9, 0x7a]),
            ("401 bytes", filled(DiscoveryLimits.venueText + 1)),
        ]
        return records.map { ["why": .string($0.0), "record": .hex($0.1)] }
    }
}
