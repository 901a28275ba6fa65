// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import Aviation
@testable import CivilTime
@testable import Text

/// The text of a boarding pass: fields stay inside of it, and what is kept
/// says nothing of the person.
///
/// Input: a byte that chooses the day on which it is looked at, the text.
enum BoardingTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let first = input.first, let start = FlightDate("2026-01-01") else { return .refused }
        let reference = start.adding(Int64(first) * 7)
        var text = Array(input.dropFirst())
        text.makeSingleBytes()
        hold(text.allSatisfy { $0 < 0x80 && $0 != 0x1D }, "not one byte a character")
        guard let pass = read(text, reference) else { return .refused }
        guard let fields = try? BoardingFields(text) else { broken("read and has no fields") }
        check(fields, of: text)
        check(pass, on: reference)
        // What takes most of the time, for a part of them.
        if text.count % 8 == 0 { show(pass) }

        // Whoever it belongs to, it is the same flight and the same seat.
        var other = text
        for index in fields.name { other[index] = UInt8(ascii: "X") }
        // Where sizes lie a flight is looked for by its airports: a booking
        // code is as many letters.
        let isExact = !pass.warnings.contains { $0 == .shiftedLeg || $0 == .missingLeg }
        for leg in fields.legs where isExact && !leg.isBlank {
            // Letters stay letters: the rest tells it from the airports behind it.
            for index in leg.pnr {
                if other[index].isCapital { other[index] = UInt8(ascii: "Y") }
                if other[index].isDigit { other[index] = UInt8(ascii: "5") }
            }
        }
        for index in fields.security ?? 0..<0 where isExact { other[index] = UInt8(ascii: "Z") }
        hold(read(other, reference) == pass, "the result depends on the person")
        return .accepted
    }

    private static func read(_ text: [UInt8], _ reference: FlightDate) -> BoardingPass? {
        var copy = text
        let pass = try? BoardingPass.read(&copy, on: reference)
        hold(copy.isEmpty, "the text is left")
        return pass
    }

    private static func check(_ fields: BoardingFields, of text: [UInt8]) {
        var place = fields.name.upperBound
        for leg in fields.legs {
            let parts = [
                leg.pnr, leg.from, leg.to, leg.carrier, leg.number, leg.day, leg.compartment,
                leg.seat, leg.sequence, leg.status, leg.variable,
            ]
            for part in parts {
                hold(place <= part.lowerBound, "fields lie across each other")
                place = part.upperBound
            }
        }
        if let issue = fields.issueDate {
            hold(fields.legs[0].variable.contains(issue.lowerBound), "issued elsewhere")
            hold(issue.upperBound <= fields.legs[0].variable.upperBound, "issued elsewhere")
        }
        for part in [fields.security, fields.trailing].compactMap(\.self) {
            hold(place <= part.lowerBound, "fields lie across each other")
            place = part.upperBound
        }
        hold(place == text.count, "it does not end with the text")
    }

    private static func check(_ pass: BoardingPass, on reference: FlightDate) {
        var last: FlightDate?
        for date in pass.legs.compactMap(\.date) {
            hold(last.map { $0 <= date } ?? true, "a later flight is earlier")
            last = date
            hold(FlightDate(date.text) == date, "a date that nobody reads")
        }
        hold(1...4 ~= pass.legs.count, "flights out of nothing")
    }

    private static func show(_ pass: BoardingPass) {
        hold((try? JSON(line: pass.json.line)) == pass.json, "a result that nobody reads")
        for line in pass.lines {
            hold(line.unicodeScalars.allSatisfy(\.isSafeToPrint), "a line that acts")
        }
    }
}
