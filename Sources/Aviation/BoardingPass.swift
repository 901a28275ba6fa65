// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Text

/// What is kept of a boarding pass: flights and seats.
///
/// Name, booking code, ticket, flyer number and everything else are skipped and never returned.
package struct BoardingPass: Hashable, Sendable {
    /// The flights, 1 to 4.
    package private(set) var legs: [BoardingLeg]
    /// What is odd about it.
    package let warnings: [BoardingWarning]

    /// A pass with these flights.
    package init(legs: [BoardingLeg], warnings: [BoardingWarning]) {
        self.legs = legs
        self.warnings = warnings
    }

    /// Reads `text` as seen on the day `reference`, and always overwrites it.
    package static func read(_ text: inout [UInt8], on reference: FlightDate) throws(UserError)
        -> BoardingPass
    {
        defer { text.wipe() }
        // Refused before anything is read from it.
        if text.count <= BoardingFields.longest { text.makeSingleBytes() }
        do throws(BoardingRefusal) {
            return BoardingPass(text, try BoardingFields(text), on: reference)
        } catch {
            throw error.error
        }
    }

    private init(_ text: [UInt8], _ fields: BoardingFields, on reference: FlightDate) {
        let issued = fields.issueDate.flatMap {
            FlightDate.issue(text, $0, reference: reference)
        }
        var earlier: FlightDate?
        var legs: [BoardingLeg] = []
        for leg in fields.legs {
            let date = text.number(in: leg.day).flatMap {
                FlightDate.flight($0, issued: issued, reference: reference, earlier: earlier)
            }
            earlier = date ?? earlier
            legs.append(BoardingLeg(text, leg, date: date, isReceipt: fields.isReceipt))
        }
        self.legs = legs
        warnings = fields.warnings
    }

    /// Gives the first flight another day, and each later one the first day on or after it that has
    /// its number in the year.
    package mutating func move(to date: FlightDate) {
        guard let first = legs.firstIndex(where: { $0.from != nil }) else { return }
        legs[first].date = date
        var earlier = date
        for index in legs.indices.dropFirst(first + 1) {
            guard let day = legs[index].date?.dayOfYear else { continue }
            let next = FlightDate.flight(day, issued: earlier, reference: earlier, earlier: earlier)
            legs[index].date = next
            earlier = next ?? earlier
        }
    }

    /// For scripts.
    package var json: JSON {
        [
            "legs": .array(legs.map(\.json)),
            "warnings": .array(warnings.map { .string($0.rawValue) }),
        ]
    }

    /// For people.
    package var lines: [String] {
        var lines: [String] = []
        for leg in legs {
            lines.append(visible(leg.sentence))
            if let note = leg.note { lines.append("  note: \(note)") }
        }
        return lines + warnings.map { "  note: \($0.sentence)" }
    }
}
