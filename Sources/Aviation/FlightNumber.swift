// SPDX-License-Identifier: Apache-2.0
/// A flight's number, in the form that all agents share: `EZY8724`, `u2 8724` and `EC-08724` are
/// all U2 8724. A pure value.
package struct FlightNumber: Hashable, Sendable {
    /// The two-character IATA designator of the carrier or its family (`Airline.key`), or ICAO's
    /// three letters if the table does not know them. Upper case.
    package let carrier: String
    /// 1...9999.
    let number: Int
    /// The operational suffix, a letter, or empty.
    let suffix: String

    /// A longer text is not a flight number, however many blanks are in it. Counted in scalars.
    static let longest = 64

    /// `U2 8724`.
    package var text: String { "\(carrier) \(number)\(suffix)" }

    /// `U28724`, as in a flight's name.
    package var designator: String { "\(carrier)\(number)\(suffix)" }

    /// A number that was read, and what to tell the person about it.
    package struct Reading: Hashable, Sendable {
        /// The normalised number.
        package let number: FlightNumber
        /// The designator as typed, upper case: `EZY`.
        package let typed: String
        /// The airline of that designator; `nil` if the table does not know it.
        let airline: Airline?
    }

    /// Reads a number in IATA's spelling (two characters, not both digits, then the number) or in
    /// ICAO's (three letters). Ignores case, blanks, hyphens, full stops, slashes and leading
    /// zeros. A designator that the table does not know is accepted, without `airline`.
    package static func read(_ text: String) throws(FlightNumberRefusal) -> Reading {
        let clean = try clean(text)
        guard !clean.isEmpty else { throw .empty }
        let letters = clean.prefix(while: isLetter).count
        guard letters <= 3 else { throw .longDesignator(string(clean.prefix(letters))) }
        // Three letters before a digit are always ICAO's.
        let width = letters == 3 ? 3 : 2
        let code = clean.prefix(width)
        guard code.count == width, code.contains(where: isLetter) else {
            throw .designator(string(code))
        }
        let typed = string(code)
        let rest = clean.dropFirst(width)
        let digits = rest.prefix(while: isDigit)
        guard !digits.isEmpty else { throw .noNumber(typed) }
        let tail = rest.dropFirst(digits.count)
        guard tail.count <= 1 else {
            // Up to seven characters with letters among the digits: a call sign, as used on the
            // radio.
            throw width == 3 && rest.count <= 4
                ? .callSign(string(clean), typed) : .tail(typed, string(tail))
        }
        let value = digits.drop(while: { $0 == 48 })
        guard !value.isEmpty else { throw .zero(typed) }
        guard value.count <= 4 else { throw .longNumber(string(value)) }
        let airline = Airlines.named(typed)
        let number = FlightNumber(
            carrier: airline?.key ?? typed, number: value.reduce(0) { $0 * 10 + Int($1 - 48) },
            suffix: string(tail))
        return Reading(number: number, typed: typed, airline: airline)
    }

    /// Upper-case ASCII letters and digits, without separators.
    private static func clean(_ text: String) throws(FlightNumberRefusal) -> [UInt8] {
        var clean: [UInt8] = []
        for (place, scalar) in text.unicodeScalars.enumerated() {
            guard place < longest else { throw .long }
            switch scalar.value {
            case 48...57, 65...90: clean.append(UInt8(scalar.value))
            case 97...122: clean.append(UInt8(scalar.value - 32))
            case 46, 47: continue
            default:
                // Including the hyphens and blanks that web pages and word processors use.
                guard
                    scalar.properties.isWhitespace
                        || scalar.properties.generalCategory == .dashPunctuation
                else { throw .strange(String(scalar)) }
            }
        }
        return clean
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 65...90 ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }
    private static func string(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension FlightNumber.Reading {
    /// What to tell the person, one line each; usually nothing.
    package var remarks: [String] {
        var lines: [String] = []
        if airline == nil {
            let near = Airlines.near(typed)
            let meant = near.map { "; did you mean \($0.airline.name), \($0.code)?" } ?? "."
            lines.append("The airline \(typed) is not in the table\(meant)")
        }
        if let airline, airline.code != number.carrier {
            lines.append("Flights of \(airline.name) count as \(number.carrier): \(number.text).")
        }
        if typed.utf8.count == 3, !number.suffix.isEmpty {
            lines.append(
                "\(typed)\(number.number)\(number.suffix) may be a radio call sign: "
                    + "on the pass the number seldom ends in a letter.")
        }
        return lines
    }
}

/// Why a text is no flight number.
package enum FlightNumberRefusal: Error, Hashable, Sendable {
    /// Which part of it is wrong.
    enum Part: String, Hashable, Sendable {
        case whole
        case designator
        case number
        case suffix
    }

    /// Nothing but separators.
    case empty
    /// More than `FlightNumber.longest` scalars.
    case long
    /// A character that is no letter, digit or separator.
    case strange(String)
    /// Two digits, or one character alone.
    case designator(String)
    /// More than three letters.
    case longDesignator(String)
    /// Nothing usable after the designator.
    case noNumber(String)
    /// Only zeros after the designator.
    case zero(String)
    /// More than four digits.
    case longNumber(String)
    /// More than one letter after the number: designator and tail.
    case tail(String, String)
    /// `EZY84FX`, and its designator.
    case callSign(String, String)

    /// Which part of it is wrong.
    var part: Part {
        switch self {
        case .empty, .long, .strange, .callSign: .whole
        case .designator, .longDesignator: .designator
        case .noNumber, .zero, .longNumber: .number
        case .tail: .suffix
        }
    }

    /// Why, naming the part, and what to type instead if that is known.
    package var why: String {
        switch self {
        case .empty: "the flight number is empty"
        case .long: "a flight number has at most \(FlightNumber.longest) characters"
        case .strange(let character):
            "a flight number has the letters A to Z and digits, not \"\(character)\""
        case .designator(let text):
            "the airline's designator is two letters, or a letter and a digit, not \"\(text)\""
        case .longDesignator(let text):
            "the airline's designator has two characters or three letters, not \"\(text)\""
        case .noNumber(let typed): "the number is missing after \(typed): 1 to 9999"
        case .zero(let typed): "the number after \(typed) is 0: it goes from 1 to 9999"
        case .longNumber(let digits): "the number \"\(digits)\" has more than four digits"
        case .tail(let typed, let tail):
            "after the number of \(typed) stands at most one letter, not \"\(tail)\""
        case .callSign(let text, _):
            "\"\(text)\" is the radio call sign; the number is on the boarding pass"
        }
    }
}
