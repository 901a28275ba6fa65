// SPDX-License-Identifier: Apache-2.0
/// The seat field of a boarding pass: four characters.
package enum SeatField: Hashable, Sendable {
    /// A row and a letter, such as `17A`; whether the aeroplane has it is the layout's concern.
    case seat(String)
    /// Blank: no seat yet.
    case none
    /// An infant on somebody's lap, with its own pass.
    case infant
    /// Anything else of up to four characters, such as `SBY` or `GATE`: no seat yet, and the person
    /// knows why.
    case other(String)

    /// Reads the field at `part` of `text`, which may have leading zeros and surrounding spaces. I
    /// and O are not letters of seats.
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

    /// The word for scripts.
    var kind: String {
        switch self {
        case .seat: "seat"
        case .none: "none"
        case .infant: "infant"
        case .other: "other"
        }
    }

    /// The content of the field without padding.
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

    /// A sentence for people.
    package var sentence: String {
        switch self {
        case .seat(let text): "seat \(text)"
        case .none: "no seat yet"
        case .infant: "an infant, without a seat"
        case .other(let text): "no seat yet (\(text))"
        }
    }
}
