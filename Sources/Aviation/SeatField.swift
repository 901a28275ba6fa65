// SPDX-License-Identifier: Apache-2.0
/// What stands in the seat field of a boarding pass: four characters.
package enum SeatField: Hashable, Sendable {
    /// A row and a letter, as `17A`; whether the aeroplane has it is for its cabin to say.
    case seat(String)
    /// Blank: no seat yet.
    case none
    /// An infant on somebody's lap, with a pass of its own.
    case infant
    /// Anything else, up to four characters, as `SBY` or `GATE`: no seat yet,
    /// and the person knows why.
    case other(String)

    /// Reads the field at `part` of `text`: zeros before the row and spaces around it are allowed,
    /// I and O are the letter of no seat.
    package init(_ text: [UInt8], _ part: Range<Int>) {
        let field = text[text.trimmed(part)]
        guard let last = field.last else {
            self = .none
            return
        }
        let digits = field.dropLast()
        let row = digits.drop { $0 == 48 }
        let isLetter = last.isCapital && last != UInt8(ascii: "I") && last != UInt8(ascii: "O")
        if isLetter, digits.allSatisfy(\.isDigit), 1...3 ~= row.count {
            self = .seat(String(decoding: row + [last], as: UTF8.self))
        } else if field.elementsEqual("INF".utf8) || field.elementsEqual("INFT".utf8) {
            self = .infant
        } else {
            self = .other(String(decoding: field, as: UTF8.self))
        }
    }

    /// The word scripts go by.
    var kind: String {
        switch self {
        case .seat: "seat"
        case .none: "none"
        case .infant: "infant"
        case .other: "other"
        }
    }

    /// What stood in the field, without what only fills it.
    package var field: String {
        switch self {
        case .seat(let text), .other(let text): text
        case .none: ""
        case .infant: "INF"
        }
    }

    /// The seat, if it is one.
    package var seat: String? {
        switch self {
        case .seat(let text): text
        case .none, .infant, .other: nil
        }
    }

    /// The same for people.
    package var sentence: String {
        switch self {
        case .seat(let text): "seat \(text)"
        case .none: "no seat yet"
        case .infant: "an infant, without a seat"
        case .other(let text): "no seat yet (\(text))"
        }
    }
}
