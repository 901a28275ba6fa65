// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CivilTime
@testable import SeatAgent
@testable import System
@testable import Text

/// One pass of the file of vectors, with what must come of it.
struct BoardingVector: CustomTestStringConvertible, Sendable {
    let id: String
    let barcode: String
    let expect: JSON

    var text: [UInt8] { Array(barcode.utf8) }
    var isValid: Bool { expect["valid"] == true }
    var testDescription: String { id }

    /// The day on which it is looked at; any for one that is refused.
    var reference: FlightDate? { FlightDate(expect["referenceDate"]?.text ?? "2026-03-01") }

    /// All of them.
    static let all: [BoardingVector] = {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let path = "/\(folder)/Vectors/boarding-passes.json"
        guard let bytes = try? PrivateFile.read(path), let json = try? JSON(line: bytes) else {
            return []
        }
        return (json.list ?? []).map { item in
            BoardingVector(
                id: item["id"]?.text ?? "", barcode: item["barcode"]?.text ?? "",
                expect: item["expect"] ?? .null)
        }
    }()

    /// The result as the vector has it, nothing where it has nothing.
    var result: JSON {
        let names = ["from", "to", "carrier", "flight", "flightDate", "compartment", "seat"]
        let legs = (expect["legs"]?.list ?? []).map { leg in
            var members: [String: JSON] = [:]
            for name in names + ["seatKind"] {
                if let value = leg[name], value != .null, value != "" { members[name] = value }
            }
            return JSON.object(members)
        }
        return ["legs": .array(legs), "warnings": expect["warnings"] ?? []]
    }
}
