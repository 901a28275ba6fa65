// SPDX-License-Identifier: Apache-2.0
package import Aviation
import CivilTime
package import Protocol
package import Text

/// The content of a file with a boarding pass, as it leaves the process that read the file: flights
/// and seats, and nothing about the person.
package struct PassReading: Hashable, Sendable {
    /// Flights, days and seats.
    package var pass: BoardingPass
    /// The first flight's departure, if the file has it.
    package var departs: UTCTime?

    /// A pass, and when its first flight departs if the file says so.
    package init(pass: BoardingPass, departs: UTCTime? = nil) {
        self.pass = pass
        self.departs = departs
    }
}

// MARK: Between two processes

extension PassReading {
    /// The JSON for the process that asked; `init(json:)` reads it.
    package var json: JSON {
        .object(present: [
            "legs": .array(pass.legs.map(\.exchange)),
            "warnings": .array(pass.warnings.map { .string($0.rawValue) }),
            "departs": departs.map { .string(RFC3339.text($0)) },
        ])
    }

    /// Reads ``json``; `nil` for anything else. A process that reads strangers' pictures is not
    /// trusted.
    package init?(json: JSON) {
        guard let legs = json["legs"]?.list, 1...4 ~= legs.count,
            let warnings = json["warnings"]?.list
        else { return nil }
        var read: [BoardingLeg] = []
        for item in legs {
            guard let leg = BoardingLeg(exchange: item) else { return nil }
            read.append(leg)
        }
        pass = BoardingPass(
            legs: read,
            warnings: warnings.compactMap { $0.text.flatMap(BoardingWarning.init(rawValue:)) })
        departs = json["departs"]?.text.flatMap { RFC3339.parse($0) }
    }
}

extension BoardingLeg {
    /// ``json``, and what only this program asks for.
    fileprivate var exchange: JSON {
        json.adding([
            "status": status.map { .int(Int($0)) } ?? .null, "field": .string(seat.field),
        ])
    }

    fileprivate init?(exchange json: JSON) {
        func word(_ name: String, _ longest: Int) -> String? {
            json[name]?.text.flatMap { text in
                1...longest ~= text.utf8.count && text.utf8.allSatisfy({ 32...126 ~= $0 })
                    ? text : nil
            }
        }
        let field = Array((word("field", 4) ?? "").utf8)
        guard json.members != nil else { return nil }
        self.init(
            from: word("from", 3), to: word("to", 3), carrier: word("carrier", 3),
            flight: word("flight", 8), date: word("flightDate", 10).flatMap { FlightDate($0) },
            compartment: word("compartment", 8), seat: SeatField(field, field.indices),
            status: json["status"]?.number.flatMap(UInt8.init(exactly:)))
    }
}
