// SPDX-License-Identifier: Apache-2.0
import CAirports
import Protocol

/// An airport of the table that is compiled into the program; `scripts/airports` writes the table.
package struct Airport: Hashable, Sendable {
    /// Three-letter IATA code.
    let code: String
    /// `Dublin Airport`.
    let name: String
    /// `Dublin`; empty if the table has none.
    let city: String
    /// Two letters, ISO 3166: `IE`.
    let country: String
    /// The name of its time zone: `Europe/Dublin`; `nil` if the table has none.
    package let zone: String?

    /// The airport with this code in upper case; `nil` if the table does not know it, such as a
    /// railway station.
    package static func named(_ code: String) -> Airport? { AirportTable.all.airport(code) }
}

/// The table: zones, an empty line, then airports sorted by code, with tabs between the fields.
struct AirportTable: Sendable {
    /// The program's own table.
    static let all = AirportTable(
        Array(
            // Constant bytes of the program, copied once.
            UnsafeBufferPointer(start: airports_bytes(), count: Int(airports_count()))))

    private let bytes: [UInt8]
    private let zones: [String]
    /// Where each airport's line begins, sorted by code.
    private let starts: [Int]

    private static let newline = UInt8(ascii: "\n")

    /// Reads `bytes`, ignoring malformed lines.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var zones: [String] = []
        var starts: [Int] = []
        var start = 0
        var inZones = true
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: Self.newline) ?? bytes.count
            if end == start {
                inZones = false
            } else if inZones {
                zones.append(String(decoding: bytes[start..<end], as: UTF8.self))
            } else if end - start >= 3 {
                starts.append(start)
            }
            start = end + 1
        }
        self.zones = zones
        self.starts = starts
    }

    /// The number of airports.
    var count: Int { starts.count }

    /// The time zones of the airports.
    var zoneNames: [String] { zones }

    /// The airport with this code.
    func airport(_ code: String) -> Airport? {
        let wanted = Array(code.utf8)
        guard wanted.count == 3 else { return nil }
        let place = starts.partitionPoint {
            bytes[$0..<($0 + 3)].lexicographicallyPrecedes(wanted)
        }
        guard place < starts.count,
            bytes[starts[place]..<(starts[place] + 3)].elementsEqual(wanted)
        else { return nil }
        return read(starts[place])
    }

    private func read(_ start: Int) -> Airport? {
        let end = bytes[start...].firstIndex(of: Self.newline) ?? bytes.count
        let fields = bytes[start..<end].split(
            separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 5 else { return nil }
        let zone = Int(fields[1]).flatMap { zones.indices.contains($0) ? zones[$0] : nil }
        return Airport(
            code: fields[0], name: fields[4], city: fields[3], country: fields[2], zone: zone)
    }
}
