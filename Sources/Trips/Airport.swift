// SPDX-License-Identifier: Apache-2.0
import CAirports
import Protocol

/// An airport as the table that is compiled in has it: `scripts/airports` writes it.
package struct Airport: Hashable, Sendable {
    /// Three-letter IATA code.
    let code: String
    /// `Dublin Airport`.
    let name: String
    /// `Dublin`; empty where the table has none.
    let city: String
    /// Two letters, ISO 3166: `IE`.
    let country: String
    /// Name of its time zone: `Europe/Dublin`; `nil` where the table has none.
    package let zone: String?

    /// The airport with this code, upper case; `nil` for one that the table does not know, such as
    /// that of a railway station.
    package static func named(_ code: String) -> Airport? { AirportTable.all.airport(code) }
}

/// The table: zones, an empty line, then airports sorted by code, with tabs between the fields.
struct AirportTable: Sendable {
    /// That of the program.
    static let all = AirportTable(
        Array(
            // Constant bytes of the program itself, copied once.
            UnsafeBufferPointer(start: airports_bytes(), count: Int(airports_count()))))

    private let bytes: [UInt8]
    private let zones: [String]
    /// Where each airport's line begins, sorted by code.
    private let starts: [Int]

    private static let newline = UInt8(ascii: "\n")

    /// Reads `bytes`. Lines that are not in the form are left out.
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

    /// How many airports it has.
    var count: Int { starts.count }

    /// The zones that airports lie in.
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
