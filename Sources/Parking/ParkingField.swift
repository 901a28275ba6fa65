// SPDX-License-Identifier: Apache-2.0
package import Text
package import Venues

/// What a driver says of a parked car, word by word. Each is checked before anything is kept.
package enum ParkingField: String, CaseIterable, Hashable, Sendable {
    case building, hours, plate, suite, street, at

    /// Hours for which a car may stand.
    package static let lengths = [1, 4, 12, 24]
    /// Bytes of a street with its number.
    package static let longest = 120

    /// Letters and digits in a code; `nil` for what is none.
    package var count: ClosedRange<Int>? {
        switch self {
        case .building: 5...5
        case .plate: 2...8
        case .suite: 2...5
        case .hours, .street, .at: nil
        }
    }

    /// What it needs, as the end of a sentence.
    package var need: String {
        switch self {
        case .building: "5 letters and digits"
        case .plate: "2 to 8 letters and digits"
        case .suite: "2 to 5 letters and digits"
        case .hours: "1h, 4h, 12h or 24h"
        case .street: "a street with a number, at most \(Self.longest) bytes"
        case .at: "degrees north and east as 45.5017,-73.5673, at most 7 decimals"
        }
    }

    /// The question on a terminal.
    package var question: String {
        switch self {
        case .building: "Code of the building (\(need)):"
        case .plate: "Plate of the car (\(need)):"
        case .suite: "Suite that you visit (\(need)):"
        case .hours: "For how long (\(need)):"
        case .street: "Street (may stay empty):"
        case .at: "Position (\(need); may stay empty):"
        }
    }

    /// Reads a code in capital letters. Blanks and hyphens of a plate do not count, since people
    /// write them in many ways. Throws for what does not fit.
    package func code(_ text: String) throws(FormFault) -> String {
        var units: [UInt8] = []
        for scalar in text.unicodeScalars {
            if self == .plate, [" ", "-"].contains(scalar) { continue }
            switch scalar.value {
            case 48...57, 65...90: units.append(UInt8(scalar.value))
            case 97...122: units.append(UInt8(scalar.value) - 32)
            default:
                throw fault(
                    "\(visible(String(scalar), cells: 8)) is neither a letter from A to Z nor a "
                        + "digit; it needs \(need)")
            }
        }
        guard let count, count.contains(units.count) else {
            throw fault("it has \(units.count), and needs \(need)")
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// Reads `4h`. Throws for any other length.
    package static func hours(_ text: String) throws(FormFault) -> Int {
        guard let hours = lengths.first(where: { "\($0)h" == text.lowercased() }) else {
            throw Self.hours.fault(
                "\"\(visible(text, cells: 20))\" is none; it needs \(Self.hours.need)")
        }
        return hours
    }

    /// Reads a street. Throws for what has nothing to read, or too much.
    package static func street(_ text: String) throws(FormFault) -> String {
        let words = text.singleBlanks
        return try FormReader.text(.string(words), Self.street.rawValue, bytes: longest)
    }

    /// Reads a position. Throws for what is not on the Earth.
    package static func position(_ text: String) throws(FormFault) -> Venue.Point {
        guard let point = Venue.Point(text) else {
            throw at.fault("\"\(visible(text, cells: 40))\" is none; it needs \(at.need)")
        }
        return point
    }

    private func fault(_ why: String) -> FormFault { FormFault(place: rawValue, why: why) }
}
