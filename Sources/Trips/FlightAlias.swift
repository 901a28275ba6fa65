// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// Numbers under which partners sell a flight (code share).
package enum FlightAlias {
    /// Reads `LH441`, `LH 441` or whole names, separated by commas or blanks. Throws `usage`.
    package static func read(
        _ texts: [String], of flight: FlightName, advice: String
    ) throws(UserError) -> [FlightText.Reading] {
        var readings: [FlightText.Reading] = []
        for text in texts.flatMap({ $0.split(separator: ",") }) {
            let reading = try read(String(text), of: flight, advice)
            if !readings.contains(where: { $0.flight == reading.flight }) {
                readings.append(reading)
            }
        }
        guard readings.count <= Trip.aliasLimit else {
            throw UserError(
                .usage, "\(readings.count) other numbers are too many",
                why: "an agent can show \(Trip.aliasLimit) besides the flight's own", advice: advice
            )
        }
        return readings
    }

    /// A number of the same day and airport.
    private static func read(
        _ text: String, of flight: FlightName, _ advice: String
    ) throws(UserError) -> FlightText.Reading {
        let pieces = FlightWords(text)
        let isHere =
            pieces.date ?? flight.date == flight.date
            && pieces.airports.first ?? flight.origin == flight.origin
        var why =
            "a partner's number is of the same day and airport: \(flight.date), \(flight.origin)"
        do throws(UserError) {
            let name = "\(pieces.number)/\(flight.date)/\(flight.origin)"
            let reading = try FlightText.read(name)
            if isHere, reading.flight != flight { return reading }
            if isHere { why = "it is the flight's own number" }
        } catch {
            why = error.why ?? error.what
        }
        throw UserError(
            .usage, "\"\(visible(text, cells: 40))\" is no other number of this flight", why: why,
            advice: advice)
    }

    /// A number other than this flight's own.
    package static func sample(_ flight: FlightName) -> String {
        flight.designator == "LH440" ? "UA8839" : "LH440"
    }
}
