/// What is kept of a boarding pass: flights and seats.
///
/// Name, booking code, ticket, flyer number and all else are read over and in no result.
struct BoardingPass: Hashable, Sendable {
    /// The flights, 1 to 4.
    let legs: [BoardingLeg]
    /// What is odd about it.
    let warnings: [BoardingWarning]

    /// Reads `text` as it was seen on the day `reference`, and overwrites it whatever comes of it.
    static func read(_ text: inout [UInt8], on reference: FlightDate) throws(UserError)
        -> BoardingPass
    {
        defer { text.wipe() }
        // Refused before anything is made of it.
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
            legs.append(BoardingLeg(text, leg, date: date))
        }
        self.legs = legs
        warnings = fields.warnings
    }

    /// For scripts.
    var json: JSON {
        [
            "legs": .array(legs.map(\.json)),
            "warnings": .array(warnings.map { .string($0.rawValue) }),
        ]
    }

    /// For people.
    var lines: [String] {
        var lines: [String] = []
        for leg in legs {
            lines.append(visible(leg.sentence))
            if let note = leg.note { lines.append("  note: \(note)") }
        }
        return lines + warnings.map { "  note: \($0.sentence)" }
    }
}
